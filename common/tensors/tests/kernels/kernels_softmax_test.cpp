// SPDX-License-Identifier: MIT
// The kernels of softmax and of its gradient against a plain reference.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "kernels/kernel_arrays.h"
#include "kernels/vector_exp.h"

namespace d2l::testing {
namespace {

/// {outer, n, inner}
const std::vector<Sizes> softmax_shapes = {{1, 1, 1},   {1, 10, 1},   {256, 10, 1},  {3, 7, 5},    {2, 1, 9},
                                           {0, 3, 2},   {2, 0, 3},    {2, 3, 0},     {5, 17, 131}, {9, 1001, 1},
                                           {2, 33, 64}, {4000, 9, 1}, {1, 30'011, 1}};

TEST(SoftmaxKernels, SoftmaxAndItsGradient) {
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : softmax_shapes) {
      for_each_real([&](auto type) {
        using T = typename decltype(type)::Element;
        SCOPED_TRACE(engine.name + ", " + toString(type) + ", n = " + std::to_string(shape[1]));
        // The sum of doubles has an error that grows with their count.
        const double units = 16 + (std::is_same_v<T, double> ? static_cast<double>(shape[1]) / 500 : 0);
        const double tolerance = units * static_cast<double>(std::numeric_limits<T>::epsilon());
        auto in = samples<decltype(type)::value>(shape, 3);
        auto grad = samples<decltype(type)::value>(shape, 12345);
        StridedArray<T> out(shape, Layout::contiguous, T{9});
        StridedArray<T> back(shape, Layout::contiguous, T{9});
        engine.run(Operation::softmax, arguments_of(shape, {out.operand(type), in.operand(type)}));
        engine.run(Operation::softmax_backward,
                   arguments_of(shape, {back.operand(type), grad.operand(type), out.operand(type)}));
        for (std::int64_t o = 0; o < shape[0]; ++o) {
          for (std::int64_t i = 0; i < shape[2]; ++i) {
            const auto at = [&](std::int64_t c) { return static_cast<std::size_t>((o * shape[1] + c) * shape[2] + i); };
            long double sum = 0;
            long double product = 0;
            for (std::int64_t c = 0; c < shape[1]; ++c) sum += std::exp(static_cast<long double>(in.memory[at(c)]));
            for (std::int64_t c = 0; c < shape[1]; ++c) {
              product += static_cast<long double>(grad.memory[at(c)]) * static_cast<long double>(out.memory[at(c)]);
            }
            for (std::int64_t c = 0; c < shape[1]; ++c) {
              const long double expected = std::exp(static_cast<long double>(in.memory[at(c)])) / sum;
              ASSERT_NEAR(out.memory[at(c)], static_cast<double>(expected), tolerance * static_cast<double>(expected));
              const long double slope = expected * (static_cast<long double>(grad.memory[at(c)]) - product);
              ASSERT_NEAR(back.memory[at(c)], static_cast<double>(slope),
                          16 * tolerance * static_cast<double>(expected));
            }
          }
        }
        const auto apart = out.memory;
        engine.run(Operation::softmax, arguments_of(shape, {in.operand(type), in.operand(type)}));
        EXPECT_EQ(in.memory, apart) << "in place";
        engine.run(Operation::softmax_backward,
                   arguments_of(shape, {grad.operand(type), grad.operand(type), out.operand(type)}));
        EXPECT_EQ(grad.memory, back.memory) << "in place";
      });
    }
  }
  EXPECT_EQ(scratch_blocks, 0);
}

TEST(SoftmaxKernels, InfinitiesAndNan) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  const std::vector<std::pair<std::vector<float>, std::vector<float>>> cases{{{-infinity, -infinity}, {nan, nan}},
                                                                             {{-infinity, 0}, {0, 1}},
                                                                             {{infinity, 0}, {nan, nan}},
                                                                             {{nan, 1}, {nan, nan}},
                                                                             {{-infinity, nan}, {nan, nan}},
                                                                             {{infinity, infinity}, {nan, nan}},
                                                                             {{3e38F, -3e38F}, {1, 0}},
                                                                             {{-1e30F, -1e30F}, {0.5F, 0.5F}},
                                                                             {{1000, 0}, {1, 0}}};
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : {Sizes{1, 2, 1}, Sizes{1, 2, 3}}) {
      for (const auto& [row, expected] : cases) {
        StridedArray<float> in(shape, Layout::contiguous, 0);
        for (std::size_t i = 0; i < in.memory.size(); ++i) in.memory[i] = row[i * 2 / in.memory.size()];
        StridedArray<float> out(shape, Layout::contiguous, 0);
        for (const Operation operation : {Operation::softmax, Operation::safe_softmax}) {
          const bool is_zero = operation == Operation::safe_softmax && row[0] == -infinity && row[1] == -infinity;
          engine.run(operation, arguments_of(shape, {out.operand(kFloat), in.operand(kFloat)}));
          for (std::size_t i = 0; i < out.memory.size(); ++i) {
            const float value = is_zero ? 0 : expected[i * 2 / out.memory.size()];
            EXPECT_TRUE(same(out.memory[i], value)) << row[0] << ", " << row[1] << ": " << out.memory[i];
          }
        }
      }
    }
  }
}

TEST(SoftmaxKernels, TheSafeOneIs0InLinesOfMinusInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : {Sizes{2, 140, 1}, Sizes{2, 140, 3}}) {  // too long for one thread of a GPU
      StridedArray<float> in(shape, Layout::contiguous, -infinity);
      StridedArray<float> out(shape, Layout::contiguous, 9);
      in.memory.back() = 3;  // the last line of all
      engine.run(Operation::safe_softmax, arguments_of(shape, {out.operand(kFloat), in.operand(kFloat)}));
      std::vector<float> expected(out.memory.size(), 0);
      expected.back() = 1;
      EXPECT_EQ(out.memory, expected);
      in.memory.front() = std::nanf("");
      engine.run(Operation::safe_softmax, arguments_of(shape, {out.operand(kFloat), in.operand(kFloat)}));
      EXPECT_TRUE(std::isnan(out.memory.front()) && out.memory.back() == 1);
    }
  }
}

/// The largest relative error of an exponential for x from 0 to `least`.
double error_of(float (*exponential)(float), float least) {
  double worst = 0;
  for (float x = 0; x >= least; x -= 1e-4F) {
    const double exact = std::exp(static_cast<double>(x));
    worst = std::max(worst, std::abs(static_cast<double>(exponential(x)) - exact) / exact);
  }
  return worst;
}

TEST(SoftmaxKernels, ExponentialsAreAsExactAsTheySay) {
  using namespace backend::kernels;
  const auto exact = [](float x) { return exp_of_nonpositive(x); };
  const auto approximate = [](float x) { return short_exp_of_nonpositive(x); };
  EXPECT_LT(error_of(exact, -87), 2 * 0x1p-23);
  EXPECT_LT(error_of(approximate, -87), 0x1p-17);
  EXPECT_LT(error_of(approximate, -10), 0x1p-20);
  for (const auto& [exponential, error] : {std::pair(+exact, 0x1p-23F), std::pair(+approximate, 0x1p-17F)}) {
    EXPECT_EQ(exponential(0.0F), 1);
    EXPECT_EQ(exponential(-0.0F), 1);
    EXPECT_EQ(exponential(-std::numeric_limits<float>::infinity()), 0);
    EXPECT_EQ(exponential(-3e38F), 0);
    EXPECT_EQ(exponential(-1e10F), 0);
    EXPECT_TRUE(std::isnan(exponential(std::nanf(""))));
    for (float x = -87; x > -110; x -= 0.125F) {  // numbers that are too small to be normal
      EXPECT_NEAR(exponential(x), std::exp(x), 0x1p-148F + error * std::exp(x)) << x;
    }
  }
}

}  // namespace
}  // namespace d2l::testing
