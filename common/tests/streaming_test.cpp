// SPDX-License-Identifier: MIT
// Streaming: large results that are written past the cache hold what small ones do.
#include "kernels/streaming.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "d2l/d2l.h"

namespace {

using d2l::backend::kernels::finish_streaming;
using d2l::backend::kernels::stream_copy;
using d2l::backend::kernels::streaming_threshold;

TEST(Streaming, CopiesEveryByteAndNoOther) {
  std::string source(200, ' ');
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<char>('!' + i % 90);
  alignas(64) std::array<char, 128> target{};
  for (std::size_t offset = 0; offset < 17; ++offset) {
    for (std::size_t bytes = 0; bytes < 70; ++bytes) {
      target.fill('.');
      stream_copy(target.data() + offset, source.data(), bytes);
      finish_streaming();
      const std::string expected =
          std::string(offset, '.') + source.substr(0, bytes) + std::string(target.size() - offset - bytes, '.');
      ASSERT_EQ(std::string(target.data(), target.size()), expected) << offset << " " << bytes;
    }
  }
}

// Sizes at the threshold, with a result that does not begin on a line of the cache.
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
