// SPDX-License-Identifier: MIT
// Streaming: large results, which bypass the cache, have the same values as small ones.
#include "kernels/streaming.h"

#include <gtest/gtest.h>

#include <array>

#include "kernels/functions.h"
#include "kernels/rows.h"
#include "library.h"

namespace {

using d2l::backend::kernels::ConvertTo;
using d2l::backend::kernels::finish_streaming;
using d2l::backend::kernels::Row;
using d2l::backend::kernels::Rows;
using d2l::backend::kernels::streaming_threshold;

/// Runs a row that bypasses the cache and one that does not, for every offset in a line and many lengths, and compares.
template <class Out, class In>
void expect_alike(Row streaming, Row plain, const std::array<std::int64_t, 3>& strides) {
  std::array<In, 400> a{};
  std::array<In, 400> b{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<In>(i % 100);
    b[i] = static_cast<In>(3 * i % 50);
  }
  for (std::size_t offset = 0; offset < 64 / sizeof(Out) + 1; ++offset) {
    for (std::int64_t count = 0; count < 200; count += count < 70 ? 1 : 13) {
      alignas(64) std::array<Out, 300> target{};
      alignas(64) std::array<Out, 300> expected{};
      const auto run = [&](Row row, Out* out) {
        const std::array<char*, 3> data{reinterpret_cast<char*>(out), reinterpret_cast<char*>(a.data() + 1),
                                        reinterpret_cast<char*>(b.data())};
        row(data.data(), strides.data(), count);
        finish_streaming();
      };
      run(streaming, target.data() + offset);
      run(plain, expected.data() + offset);
      ASSERT_EQ(target, expected) << offset << " " << count;
    }
  }
}

TEST(Streaming, WritesEveryElementAndNoOther) {
  const auto add = [](auto zero) {
    using T = decltype(zero);
    using Sums = Rows<d2l::backend::kernels::functions::add, T, T, 2>;
    for (const std::array<std::int64_t, 3> strides :
         {std::array<std::int64_t, 3>{1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {1, 2, 1}}) {
      expect_alike<T, T>(&Sums::template baseline<true>, &Sums::template baseline<false>, strides);
      expect_alike<T, T>(Sums::template choose<true>(), Sums::template choose<false>(), strides);
    }
  };
  add(0.0F);
  add(0.0);
  add(std::uint8_t{0});
  using Conversions = Rows<ConvertTo<double>, double, float, 1>;
  for (const std::int64_t stride : {0, 1, 2}) {
    expect_alike<double, float>(Conversions::choose<true>(), Conversions::choose<false>(), {1, stride, 0});
  }
}

// Sizes at the threshold, with a result that does not begin at a cache line.
TEST(Streaming, LargeResultsAreRightOnTheCpu) {
  const std::int64_t n = streaming_threshold / 4 + 1037;
  const auto x = d2l::arange(n, d2l::kInt32);
  const auto sum = x.slice(0, 1) + x.slice(0, 0, n - 1);
  EXPECT_TRUE(sum.equal(d2l::arange(1, 2 * n - 1, 2, d2l::kInt32)));
  auto target = d2l::zeros({n}, d2l::kInt32);
  auto part = target.slice(0, 3);
  part.copy_(x.slice(0, 0, n - 3));
  EXPECT_EQ(target[2].item<int>(), 0);
  EXPECT_TRUE(part.equal(x.slice(0, 0, n - 3)));
  target.add_(x);
  EXPECT_EQ(target[n - 1].item<std::int64_t>(), 2 * n - 5);
}

TEST(Streaming, RowsAreStreamedTooAndShortOnesAreNot) {
  for (const std::int64_t width : {5, 2050}) {
    const std::int64_t height = streaming_threshold / 4 / width + 3;
    const auto column = d2l::arange(height, d2l::kInt32).unsqueeze(1);
    const auto row = d2l::arange(width, d2l::kInt32);
    const auto sum = column + row;
    EXPECT_EQ(sum.sum().item<std::int64_t>(), width * height * (height - 1) / 2 + height * width * (width - 1) / 2);
    EXPECT_EQ(sum[height - 1][width - 1].item<std::int64_t>(), height + width - 2);
  }
}

}  // namespace
