// SPDX-License-Identifier: MIT
// Reductions against a plain reference, over {outer, reduced, inner} of many sizes, for every dtype.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/kernel_arrays.h"

namespace d2l::testing {
namespace {

const std::vector<Sizes> reduced_shapes = {{1, 1, 1},     {1, 5, 1},     {3, 7, 2},      {1, 31, 1},
                                           {2, 33, 1},    {1, 70001, 1}, {0, 4, 3},      {4, 3, 0},
                                           {70, 1000, 1}, {1, 900, 300}, {5, 200, 257},  {1, 2, 70000},
                                           {300, 2, 2},   {2, 9, 256},   {1, 262144, 1}, {1, 1, 513}};

/// The elements of output number `output`, in order.
template <class T>
std::vector<T> elements_of(const std::vector<T>& in, const Sizes& shape, std::int64_t output) {
  std::vector<T> elements;
  for (std::int64_t r = 0; r < shape[1]; ++r) {
    elements.push_back(in[static_cast<std::size_t>((output / shape[2] * shape[1] + r) * shape[2] + output % shape[2])]);
  }
  return elements;
}

/// The index of the extreme element: the first NaN, else the first of the largest (or smallest).
template <class T>
std::size_t extreme_index(const std::vector<T>& elements, bool largest) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] != elements[i]) return i;
    if (largest ? elements[i] > elements[best] : elements[i] < elements[best]) best = i;
  }
  return best;
}

/// Runs a reduction; unless `indices` is null, it gets the indices of the extreme elements.
template <class Out, class In>
std::vector<Out> reduce(const Engine& engine, Operation operation, const Sizes& shape, std::vector<In>& in,
                        ScalarType in_type, ScalarType out_type, std::vector<std::int64_t>* indices = nullptr) {
  const auto outputs = static_cast<std::size_t>(shape[0] * shape[2]);
  std::vector<Out> out(outputs, static_cast<Out>(99));
  std::vector<Operand> operands{operand_of(out, {}, out_type), operand_of(in, {}, in_type)};
  if (indices != nullptr) {
    indices->assign(outputs, -7);
    operands.push_back(operand_of(*indices));
  }
  engine.run(operation, arguments_of(shape, operands));
  return out;
}

/// Calls test(engine, dtype, shape, input) for all of them.
template <class Test>
void for_each_case(const Test& test) {
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : reduced_shapes) {
      for_each_dtype([&](auto type) {
        SCOPED_TRACE(engine.name + ", " + toString(type) + ", {" + std::to_string(shape[0]) + ", " +
                     std::to_string(shape[1]) + ", " + std::to_string(shape[2]) + "}");
        auto in = samples<decltype(type)::value>(shape).memory;
        test(engine, type, shape, in);
        EXPECT_EQ(scratch_blocks, 0);
      });
    }
  }
}

TEST(KernelReductions, SumMeanAndNormAreAccurate) {
  for_each_case([](const Engine& engine, auto type, const Sizes& shape, auto& in) {
    using T = typename decltype(type)::Element;
    if constexpr (std::is_floating_point_v<T>) {
      const auto sums = reduce<T>(engine, Operation::sum, shape, in, type, type);
      const auto means = reduce<T>(engine, Operation::mean, shape, in, type, type);
      const auto norms = reduce<T>(engine, Operation::norm, shape, in, type, type);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        long double sum = 0;
        long double squares = 0;
        long double magnitude = 0;
        for (const T value : elements_of(in, shape, static_cast<std::int64_t>(i))) {
          sum += value;
          squares += static_cast<long double>(value) * value;
          magnitude += std::abs(value);
        }
        const auto epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
        const double tolerance = epsilon * static_cast<double>(std::abs(sum)) + 1e-13 * static_cast<double>(magnitude);
        ASSERT_NEAR(sums[i], static_cast<double>(sum), tolerance);
        ASSERT_NEAR(means[i], static_cast<double>(sum / shape[1]), tolerance / static_cast<double>(shape[1]));
        ASSERT_NEAR(norms[i], static_cast<double>(std::sqrt(squares)),
                    4 * epsilon * static_cast<double>(std::sqrt(squares)));
      }
    } else {
      const auto sums = reduce<std::int64_t>(engine, Operation::sum, shape, in, type, kLong);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        std::uint64_t sum = 0;
        for (const T value : elements_of(in, shape, static_cast<std::int64_t>(i))) {
          sum += static_cast<std::uint64_t>(value);
        }
        ASSERT_EQ(sums[i], static_cast<std::int64_t>(sum));
      }
    }
  });
}

TEST(KernelReductions, ExtremesAndTheirFirstIndices) {
  for_each_case([](const Engine& engine, auto type, const Sizes& shape, auto& in) {
    using T = typename decltype(type)::Element;
    for (const bool largest : {true, false}) {
      const auto operation = largest ? Operation::max : Operation::min;
      std::vector<std::int64_t> indices;
      const auto values = reduce<T>(engine, operation, shape, in, type, type);
      const auto values_with_indices = reduce<T>(engine, operation, shape, in, type, type, &indices);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto elements = elements_of(in, shape, static_cast<std::int64_t>(i));
        const auto index = extreme_index(elements, largest);
        ASSERT_EQ(values[i], elements[index]);
        ASSERT_EQ(values_with_indices[i], elements[index]);
        ASSERT_EQ(indices[i], static_cast<std::int64_t>(index));
      }
      if (type == kBool) continue;
      const auto position = largest ? Operation::argmax : Operation::argmin;
      EXPECT_EQ(reduce<std::int64_t>(engine, position, shape, in, type, kLong), indices);
    }
  });
}

TEST(KernelReductions, NanWinsAndTheFirstOneIsFound) {
  const float nan = std::nanf("");
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Engine& engine : engines()) {
    for (const std::int64_t reduced : {3, 50, 200'000}) {
      for (const std::int64_t inner : {1, 3}) {
        const Sizes shape{1, reduced, inner};
        std::vector<float> in(static_cast<std::size_t>(reduced * inner), infinity);
        const std::int64_t first = reduced / 2;
        for (std::int64_t j = 0; j < inner; ++j) {
          in[static_cast<std::size_t>(first * inner + j)] = nan;
          in[static_cast<std::size_t>((reduced - 1) * inner + j)] = nan;
        }
        for (const auto operation : {Operation::max, Operation::min}) {
          std::vector<std::int64_t> indices;
          for (const float value : reduce<float>(engine, operation, shape, in, kFloat, kFloat)) {
            EXPECT_TRUE(std::isnan(value));
          }
          for (const float value : reduce<float>(engine, operation, shape, in, kFloat, kFloat, &indices)) {
            EXPECT_TRUE(std::isnan(value));
          }
          for (const auto index : indices) EXPECT_EQ(index, first) << engine.name;
        }
      }
    }
  }
}

TEST(KernelReductions, InfinitiesAreOrdinaryValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Engine& engine : engines()) {
    std::vector<float> in(40, -infinity);
    EXPECT_EQ(reduce<float>(engine, Operation::max, {1, 40, 1}, in, kFloat, kFloat)[0], -infinity);
    std::vector<std::int64_t> indices;
    reduce<float>(engine, Operation::max, {1, 40, 1}, in, kFloat, kFloat, &indices);
    EXPECT_EQ(indices[0], 0);
  }
}

TEST(KernelReductions, NothingSumsToZeroAndHasNoMean) {
  for (const Engine& engine : engines()) {
    std::vector<float> in;
    EXPECT_EQ(reduce<float>(engine, Operation::sum, {2, 0, 1}, in, kFloat, kFloat), (std::vector<float>{0, 0}));
    EXPECT_EQ(reduce<float>(engine, Operation::norm, {1, 0, 2}, in, kFloat, kFloat), (std::vector<float>{0, 0}));
    EXPECT_TRUE(std::isnan(reduce<float>(engine, Operation::mean, {1, 0, 1}, in, kFloat, kFloat)[0]));
  }
}

TEST(KernelReductions, EveryEngineGivesTheSameBits) {
  auto in = samples<kDouble>({1'000'003}).memory;
  std::vector<std::vector<double>> sums;
  for (const Engine& engine : engines()) {
    sums.push_back(reduce<double>(engine, Operation::sum, {1, 1'000'003, 1}, in, kDouble, kDouble));
  }
  for (const auto& sum : sums) EXPECT_EQ(sum, sums.front());
}

TEST(KernelReductions, ALongSumOfTenthsKeepsSevenDigits) {
  std::vector<float> in(3'000'000, 0.1F);
  for (const Engine& engine : engines()) {
    const float sum = reduce<float>(engine, Operation::sum, {1, 3'000'000, 1}, in, kFloat, kFloat)[0];
    EXPECT_EQ(sum, static_cast<float>(3e6 * static_cast<double>(0.1F)));
  }
}

}  // namespace
}  // namespace d2l::testing
