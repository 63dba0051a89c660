// SPDX-License-Identifier: MIT
// The kernels of optimisers against their formulas in double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/coefficients.h"
#include "kernels/kernel_arrays.h"

namespace d2l::testing {
namespace {

namespace coefficients = backend::coefficients;

/// The arrays of a step: the parameter, its gradient and three arrays of state, the first of squares, so not negative.
template <ScalarType dtype>
struct Arrays {
  using T = typename Held<dtype>::type;
  std::vector<StridedArray<T>> all;

  explicit Arrays(std::int64_t n) {
    for (std::int64_t first : {3, 77, 1003, 5, 901}) all.push_back(samples<dtype>({n}, first));
    for (std::size_t array : {2U, 3U, 4U}) {
      for (T& value : all[array].memory) value = std::abs(value);
    }
  }
  [[nodiscard]] KernelArguments arguments(int count) {
    std::vector<Operand> operands;
    for (int i = 0; i < count; ++i) operands.push_back(all[static_cast<std::size_t>(i)].operand(dtype));
    return arguments_of({static_cast<std::int64_t>(all[0].memory.size())}, operands);
  }
  [[nodiscard]] double at(std::size_t array, std::size_t i) const { return static_cast<double>(all[array].memory[i]); }
};

/// Runs a kernel on `count` arrays and compares each element with those that `formula` makes of the ones before.
template <class Formula>
void check(Operation operation, int count, const KernelArguments& settings, const Formula& formula) {
  for (const Engine& engine : engines()) {
    for (const std::int64_t n : {0, 1, 7, 1000, 70'001}) {
      for_each_real([&](auto type) {
        constexpr ScalarType dtype = decltype(type)::value;
        using T = typename decltype(type)::Element;
        SCOPED_TRACE(engine.name + ", " + toString(type) + ", n = " + std::to_string(n));
        const Arrays<dtype> before(n);
        auto after = before;
        auto arguments = after.arguments(count);
        arguments.parameters = settings.parameters;
        arguments.coefficients = settings.coefficients;
        engine.run(operation, arguments);
        const double tolerance = 32 * static_cast<double>(std::numeric_limits<T>::epsilon());
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
          std::array<double, 5> values{};
          for (std::size_t array = 0; array < values.size(); ++array) values[array] = before.at(array, i);
          formula(values);
          for (std::size_t array = 0; array < values.size(); ++array) {
            ASSERT_NEAR(after.at(array, i), values[array], tolerance * (8 + std::abs(values[array])))
                << "array " << array << ", element " << i;
          }
        }
      });
    }
  }
}

TEST(OptimiserKernels, AdamFollowsItsFormula) {
  for (const bool amsgrad : {false, true}) {
    for (const double decay : {0.0, 0.25}) {
      KernelArguments settings{};
      settings.coefficients = {0.125, 0.75, 0.875, 0.5, decay, 0.9375, 0.625};
      check(Operation::adam_step, amsgrad ? 5 : 4, settings, [&](std::array<double, 5>& x) {
        const double g = x[1] + decay * x[0];
        x[2] = 0.75 * x[2] + 0.25 * g;
        x[3] = 0.875 * x[3] + 0.125 * g * g;
        if (amsgrad) x[4] = std::max(x[4], x[3]);
        x[0] = 0.9375 * x[0] - 0.125 * x[2] / (std::sqrt(amsgrad ? x[4] : x[3]) / 0.625 + 0.5);
      });
    }
  }
}

TEST(OptimiserKernels, RMSpropFollowsItsFormula) {
  for (const bool moves : {false, true}) {
    for (const double decay : {0.0, 0.25}) {
      KernelArguments settings{};
      settings.coefficients = {0.125, 0.75, 0.5, decay, 0.875};
      settings.parameters[1].integer = moves ? 1 : 0;
      check(Operation::rmsprop_step, moves ? 4 : 3, settings, [&](std::array<double, 5>& x) {
        const double g = x[1] + decay * x[0];
        x[2] = 0.75 * x[2] + 0.25 * g * g;
        const double step = g / (std::sqrt(x[2]) + 0.5);
        if (moves) x[3] = 0.875 * x[3] + step;
        x[0] -= 0.125 * (moves ? x[3] : step);
      });
    }
  }
}

TEST(OptimiserKernels, CentredRMSpropFollowsItsFormula) {
  for (const bool moves : {false, true}) {
    for (const Engine& engine : engines()) {
      std::vector<double> parameter{1, 2, 3};
      std::vector<double> gradient{0.5, -0.25, 2};
      std::vector<double> square{4, 5, 6};
      std::vector<double> average{1, -1, 0.5};
      std::vector<double> buffer{0.1, 0.2, 0.3};
      auto arguments = arguments_of({3}, {operand_of(parameter), operand_of(gradient), operand_of(square),
                                          operand_of(average), operand_of(buffer)});
      arguments.operand_count = moves ? 5 : 4;
      arguments.coefficients = {0.125, 0.75, 0.5, 0, 0.875};
      arguments.parameters[0].integer = 1;
      arguments.parameters[1].integer = moves ? 1 : 0;
      auto [p, v, m, b] = std::tuple(parameter, square, average, buffer);
      engine.run(Operation::rmsprop_step, arguments);
      for (std::size_t i = 0; i < p.size(); ++i) {
        v[i] = 0.75 * v[i] + 0.25 * gradient[i] * gradient[i];
        m[i] = 0.75 * m[i] + 0.25 * gradient[i];
        const double step = gradient[i] / (std::sqrt(v[i] - m[i] * m[i]) + 0.5);
        if (moves) b[i] = 0.875 * b[i] + step;
        p[i] -= 0.125 * (moves ? b[i] : step);
        EXPECT_NEAR(square[i], v[i], 1e-14);
        EXPECT_NEAR(average[i], m[i], 1e-14);
        EXPECT_NEAR(buffer[i], b[i], 1e-14);
        EXPECT_NEAR(parameter[i], p[i], 1e-14);
      }
    }
  }
}

TEST(OptimiserKernels, AdagradFollowsItsFormula) {
  for (const double decay : {0.0, 0.25}) {
    KernelArguments settings{};
    settings.coefficients = {0.125, 0.5, decay};
    check(Operation::adagrad_step, 3, settings, [&](std::array<double, 5>& x) {
      const double g = x[1] + decay * x[0];
      x[2] += g * g;
      x[0] -= 0.125 * g / (std::sqrt(x[2]) + 0.5);
    });
  }
}

TEST(OptimiserKernels, InfinitiesAndNan) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  for (const Engine& engine : engines()) {
    std::vector<float> parameter{infinity, 1, 1, 1};
    std::vector<float> gradient{1, nan, 1, 1};
    std::vector<float> average(4);
    std::vector<float> square(4);
    std::vector<float> largest{0, 0, nan, infinity};
    auto arguments = arguments_of({4}, {operand_of(parameter), operand_of(gradient), operand_of(average),
                                        operand_of(square), operand_of(largest)});
    arguments.coefficients = {1, 0.5, 0.5, 0, 0, 1, 1};
    engine.run(Operation::adam_step, arguments);
    EXPECT_EQ(average[0], 0.5F) << "without decay, an infinite parameter does not reach the averages";
    EXPECT_TRUE(same(parameter[0], infinity));
    for (const std::size_t i : {1U, 2U}) EXPECT_TRUE(same(largest[i], nan) && same(parameter[i], nan)) << i;
    EXPECT_TRUE(same(largest[3], infinity) && same(parameter[3], 1.0F));
  }
}

}  // namespace
}  // namespace d2l::testing
