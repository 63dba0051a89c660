// SPDX-License-Identifier: MIT
// Products, variances, and logarithms of sums of exponentials against plain references, over {outer, reduced, inner}.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/kernel_arrays.h"

namespace d2l::testing {
namespace {

const std::vector<Sizes> statistics_shapes = {{1, 1, 1}, {1, 5, 1},    {3, 7, 2},    {2, 33, 1},     {0, 4, 3},
                                              {4, 3, 0}, {70, 100, 1}, {1, 90, 300}, {1, 70'001, 1}, {2, 9, 256}};

template <class T, class In>
std::vector<T> reduced(const Engine& engine, Operation operation, const Sizes& shape, std::vector<In>& in,
                       ScalarType in_type, double correction = 0) {
  std::vector<T> out(static_cast<std::size_t>(shape[0] * shape[2]), static_cast<T>(99));
  auto arguments = arguments_of(shape, {operand_of(out), operand_of(in, {}, in_type)});
  arguments.parameters[0].real = correction;
  engine.run(operation, arguments);
  return out;
}

template <class T>
std::vector<T> line_of(const std::vector<T>& in, const Sizes& shape, std::size_t output) {
  const auto at = static_cast<std::int64_t>(output);
  std::vector<T> elements;
  for (std::int64_t r = 0; r < shape[1]; ++r) {
    elements.push_back(in[static_cast<std::size_t>((at / shape[2] * shape[1] + r) * shape[2] + at % shape[2])]);
  }
  return elements;
}

template <class T>
void expect_close_to(T found, long double expected, double size) {
  const auto reference = static_cast<double>(expected);
  if (static_cast<double>(found) == reference) return;
  ASSERT_NEAR(static_cast<double>(found), reference, 4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * size);
}

TEST(StatisticsKernels, ProductsAndVariances) {
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : statistics_shapes) {
      for_each_dtype([&](auto type) {
        using T = typename decltype(type)::Element;
        SCOPED_TRACE(engine.name + ", " + toString(type) + ", reduced " + std::to_string(shape[1]));
        auto in = samples<decltype(type)::value>(shape, 3).memory;
        if constexpr (std::is_floating_point_v<T>) {
          for (T& value : in) value += 1000;  // a mean that is large beside the deviation
          auto factors = in;
          for (T& factor : factors) factor = 1 + (factor - 1000) / 100000;
          const auto products = reduced<T>(engine, Operation::prod, shape, factors, type);
          const auto variances = reduced<T>(engine, Operation::var, shape, in, type, 1);
          const auto deviations = reduced<T>(engine, Operation::std, shape, in, type, 0.5);
          for (std::size_t i = 0; i < products.size(); ++i) {
            long double product = 1;
            for (const T value : line_of(factors, shape, i)) product *= value;
            // Each multiplication rounds.
            const double roundings = 1 + std::sqrt(static_cast<double>(shape[1]));
            expect_close_to(products[i], product, std::abs(static_cast<double>(product)) * roundings);
            long double sum = 0;
            for (const T value : line_of(in, shape, i)) sum += value;
            long double squares = 0;
            for (const T value : line_of(in, shape, i)) {
              squares += (value - sum / shape[1]) * (value - sum / shape[1]);
            }
            if (shape[1] == 1) {
              EXPECT_TRUE(std::isnan(variances[i]));
              EXPECT_EQ(deviations[i], T{0});
              continue;
            }
            const auto variance = static_cast<double>(squares / (shape[1] - 1));
            ASSERT_NEAR(variances[i], variance, 1e-6 * variance);
            ASSERT_NEAR(deviations[i], std::sqrt(static_cast<double>(squares) / (static_cast<double>(shape[1]) - 0.5)),
                        1e-6 * std::sqrt(variance));
          }
        } else {
          const auto products = reduced<std::int64_t>(engine, Operation::prod, shape, in, type);
          for (std::size_t i = 0; i < products.size(); ++i) {
            std::uint64_t product = 1;
            for (const T value : line_of(in, shape, i)) product *= static_cast<std::uint64_t>(value);
            ASSERT_EQ(products[i], static_cast<std::int64_t>(product));
          }
        }
        EXPECT_EQ(scratch_blocks, 0);
      });
    }
  }
}

TEST(StatisticsKernels, LogarithmsOfSums) {
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : statistics_shapes) {
      for_each_real([&](auto type) {
        using T = typename decltype(type)::Element;
        auto in = samples<decltype(type)::value>(shape, 3).memory;
        const auto found = reduced<T>(engine, Operation::logsumexp, shape, in, type);
        for (std::size_t i = 0; i < found.size(); ++i) {
          long double sum = 0;
          for (const T value : line_of(in, shape, i)) sum += std::exp(static_cast<long double>(value));
          expect_close_to(found[i], std::log(sum), 16);
        }
      });
    }
  }
}

TEST(StatisticsKernels, LogarithmsOfSumsOfInfinitiesAndNan) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  const std::vector<std::pair<std::vector<float>, float>> rows{{{-infinity, -infinity}, -infinity},
                                                               {{-infinity, 2}, 2},
                                                               {{infinity, 2}, infinity},
                                                               {{2, infinity}, infinity},
                                                               {{infinity, infinity}, infinity},
                                                               {{nan, 2}, nan},
                                                               {{2, nan}, nan},
                                                               {{nan, -infinity}, nan},
                                                               {{infinity, nan}, nan},
                                                               {{infinity, -infinity}, infinity},
                                                               {{1000, -1000}, 1000},
                                                               {{-1000}, -1000}};
  for (const Engine& engine : engines()) {
    for (const auto& [row, expected] : rows) {
      auto in = row;
      const auto size = static_cast<std::int64_t>(in.size());
      for (const Sizes& shape : {Sizes{1, size, 1}, Sizes{1, size / 2, 2}}) {
        if (shape[2] == 2) {  // two columns of one element each
          in = {row[0], row[0]};
        }
        const auto found = reduced<float>(engine, Operation::logsumexp, shape, in, kFloat);
        EXPECT_TRUE(same(found[0], shape[2] == 2 ? row[0] : expected)) << row[0] << ": " << found[0];
        if (size < 2) break;
      }
    }
  }
}

}  // namespace
}  // namespace d2l::testing
