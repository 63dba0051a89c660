// SPDX-License-Identifier: MIT
// Kernels that have a loop of their own for some processors: it rounds as the one for all does.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/families/fill_layer_norm.h"
#include "kernels/families/fill_scaled.h"
#include "kernels/functions.h"
#include "kernels/rows.h"
#include "kernels/softmax_rows.h"

namespace d2l::backend::kernels {
namespace {

/// Numbers of very different sizes, from a counter.
std::vector<float> numbers(std::uint32_t seed, std::size_t count) {
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525U + 1013904223U;
    result[i] = std::ldexp(static_cast<float>(seed >> 8U) - 8388608.0F, static_cast<int>(i % 40) - 40);
  }
  return result;
}

/// What a row function writes for these operands.
std::vector<std::uint32_t> bits_of(Row row, std::vector<float> a, std::vector<float> b) {
  std::vector<float> out(a.size());
  const std::array<char*, 3> data{reinterpret_cast<char*>(out.data()), reinterpret_cast<char*>(a.data()),
                                  reinterpret_cast<char*>(b.data())};
  const std::array<std::int64_t, 3> strides{1, 1, 1};
  row(data.data(), strides.data(), static_cast<std::int64_t>(a.size()));
  std::vector<std::uint32_t> bits;
  for (const float value : out) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

template <class F, int inputs>
void expect_alike(const char* name) {
  using Loops = Rows<F, float, float, inputs>;
  const auto a = numbers(1, 1003);
  const auto b = numbers(2, 1003);
  const auto expected = bits_of(&Loops::one_by_one, a, b);
  EXPECT_EQ(bits_of(&Loops::template baseline<false>, a, b), expected) << name;
  if (wide_vectors()) {
    EXPECT_EQ(bits_of(&Loops::template wide<false>, a, b), expected) << name;
  }
}

TEST(Processors, WideVectorsRoundAsElementsDo) {
  expect_alike<functions::add, 2>("add");
  expect_alike<functions::mul, 2>("mul");
  expect_alike<functions::div, 2>("div");
  expect_alike<functions::sigmoid, 1>("sigmoid");
  expect_alike<functions::exp, 1>("exp");
}

/// What each of the loops that this processor has writes for `count` floats.
template <class Loops, class Run>
void expect_equal_loops(std::size_t count, const Run& run) {
  std::vector<float> expected(count);
  run(&Loops::baseline, expected.data());
  for (const auto& [there, loops] : {std::pair{wide_vectors(), &Loops::wide}, {widest_vectors(), &Loops::widest}}) {
    std::vector<float> found(count);
    if (there) run(loops, found.data());
    EXPECT_TRUE(!there || found == expected);
  }
}

TEST(Processors, WideVectorsGiveTheSameRows) {
  constexpr std::int64_t n = 1003;
  auto row = numbers(5, n);
  auto grad = numbers(6, n);
  for (auto* const values : {&row, &grad}) {
    for (float& value : *values) value = std::fmod(value, 20.0F);  // exponentials that are neither 0 nor infinite
  }
  const auto count = row.size();
  expect_equal_loops<SoftmaxLoops<SoftmaxRows<float>>>(count, [&](auto loops, float* out) {
    loops({out, row.data(), n, 1}, 0, 1);
  });
  expect_equal_loops<SoftmaxLoops<SoftmaxBackwardRows<float>>>(count, [&](auto loops, float* out) {
    loops({out, grad.data(), row.data(), n, 1}, 0, 1);
  });
  std::array<double, 2> statistics{};
  expect_equal_loops<NormalisedRow<LayerNormWork<float, true, false>>>(count, [&](auto loops, float* out) {
    loops({out, row.data(), statistics.data(), grad.data(), nullptr, 1, n, 1e-5}, 0);
  });
  expect_equal_loops<NormalisedRow<LayerNormBackwardWork<float, false>>>(count, [&](auto loops, float* out) {
    loops({out, grad.data(), row.data(), statistics.data(), nullptr, 1, n}, 0);
  });
}

TEST(Processors, AFusedMultiplyAddRoundsOnceEverywhere) {
  const auto a = numbers(3, 1003);
  const auto b = numbers(4, 1003);
  std::vector<float> expected(a.size());
  const float factor = -0.1F;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = static_cast<double>(factor) * static_cast<double>(b[i]);  // exact
    expected[i] = std::fma(b[i], factor, a[i]);
    EXPECT_NEAR(expected[i], static_cast<double>(a[i]) + product, std::abs(expected[i]) * 1e-7 + 1e-30);
  }
  std::vector<float> out(a.size());
  const ScaledSum<float> work{out.data(), a.data(), b.data(), factor};
  work.baseline(0, static_cast<std::int64_t>(a.size()));
  EXPECT_EQ(out, expected);
  out.assign(a.size(), 0);
  if (fused_vectors()) {
    work.fused(0, static_cast<std::int64_t>(a.size()));
    EXPECT_EQ(out, expected);
  }
}

}  // namespace
}  // namespace d2l::backend::kernels
