// SPDX-License-Identifier: MIT
// The elementwise kernels of three and four inputs against a plain reference, for every dtype and layout, and for
// numbers.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "kernels/kernel_arrays.h"
#include "kernels/references.h"

namespace d2l::testing {
namespace {

constexpr std::array<Layout, 6> input_layouts{Layout::contiguous,      Layout::transposed,     Layout::gaps,
                                              Layout::broadcast_first, Layout::broadcast_last, Layout::broadcast_all};

/// Runs an operation on inputs of different input_layouts, of which number `number_at` is a number, and compares each
/// element.
template <Operation operation, class Reference, int inputs, ScalarType dtype>
void check_choice(const Engine& engine, const Sizes& shape, Layout out_layout, std::size_t first_layout,
                  int number_at) {
  using T = typename Held<dtype>::type;
  using R = Number<T>;
  const T canary = static_cast<T>(77);
  std::vector<StridedArray<T>> arrays;
  for (std::size_t k = 0; k < inputs; ++k) {
    arrays.push_back(
        samples<dtype>(shape, 31 * static_cast<std::int64_t>(k), input_layouts.at((first_layout + k) % 6)));
  }
  auto condition = samples<kBool>(shape, 5, input_layouts.at((first_layout + 2) % 6));
  StridedArray<T> output(shape, out_layout, canary);
  std::vector<Operand> operands{output.operand(dtype)};
  for (auto& array : arrays) operands.push_back(array.operand(dtype));
  if (operation == Operation::where) operands.back() = condition.operand(kBool);
  if (number_at >= 0) operands.at(static_cast<std::size_t>(number_at) + 1) = number(dtype, 1);
  engine.run(operation, arguments_of(shape, operands));

  std::vector<T> expected(output.memory.size(), canary);
  for (std::int64_t i = 0; i < product_of(shape); ++i) {
    std::array<R, 4> values{};
    for (std::size_t k = 0; k < inputs; ++k) {
      values.at(k) = static_cast<int>(k) == number_at ? R{1} : static_cast<R>(arrays[k].memory[arrays[k].offset(i)]);
    }
    if (operation == Operation::where) values[2] = static_cast<R>(condition.memory[condition.offset(i)]);
    const R result = Reference{}(values[0], values[1], values[2], values[3]);
    expected[output.offset(i)] = static_cast<T>(dtype == kBool ? static_cast<R>(result != 0) : result);
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(same(output.memory[i], expected[i]))
        << backend::info(operation).name << " of " << toString(dtype) << " on " << engine.name << ", rank "
        << shape.size() << ", element " << i << ": " << +output.memory[i] << " instead of " << +expected[i];
  }
}

template <Operation operation, class Reference, int inputs>
void check_choices() {
  for_each_dtype([](auto type) {
    constexpr ScalarType dtype = decltype(type)::value;
    if constexpr (contains(backend::info(operation).types, dtype)) {
      for (const Engine& engine : engines()) {
        for (const Sizes& shape : {Sizes{}, Sizes{1}, Sizes{0}, Sizes{257}, Sizes{4, 5}, Sizes{2, 3, 5}}) {
          for (const Layout out : {Layout::contiguous, Layout::transposed, Layout::gaps}) {
            for (std::size_t first = 0; first < input_layouts.size(); ++first) {
              check_choice<operation, Reference, inputs, dtype>(engine, shape, out, first, -1);
            }
            constexpr int last = operation == Operation::where ? 2 : inputs;
            for (int k = 0; k < last; ++k) check_choice<operation, Reference, inputs, dtype>(engine, shape, out, 1, k);
          }
        }
        check_choice<operation, Reference, inputs, dtype>(engine, {70001}, Layout::contiguous, 0, -1);
        check_choice<operation, Reference, inputs, dtype>(engine, {300, 257}, Layout::contiguous, 3, 1);
      }
    }
  });
}

TEST(ChoiceKernels, EveryLayoutAndNumbers) {
#define D2L_CHECK(name, dtypes, inputs, ...) check_choices<Operation::name, references::name, inputs>();
  D2L_CHOICE_OPERATIONS(D2L_CHECK)
#undef D2L_CHECK
}

TEST(ChoiceKernels, WhereCopiesTheBitsOfArraysAndNumbers) {
  const float quiet_nan = std::numeric_limits<float>::quiet_NaN();
  for (const Engine& engine : engines()) {
    StridedArray<float> a({3}, Layout::contiguous, 0);
    a.memory = {quiet_nan, -0.0F, 5e-45F};
    StridedArray<std::uint8_t> condition({3}, Layout::contiguous, 190);  // a bool of unknown bits counts as true
    StridedArray<float> out({3}, Layout::contiguous, 9);
    const auto run = [&](const Operand& first, const Operand& second) {
      engine.run(Operation::where, arguments_of({3}, {out.operand(kFloat), first, second, condition.operand(kBool)}));
    };
    run(a.operand(kFloat), number(kFloat, 1));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(std::bit_cast<std::uint32_t>(out.memory[i]), std::bit_cast<std::uint32_t>(a.memory[i])) << engine.name;
    }
    condition.memory = {0, 0, 0};
    run(a.operand(kFloat), number(kFloat, -2.5));
    EXPECT_EQ(out.memory, std::vector<float>(3, -2.5F)) << engine.name;
  }
}

TEST(ChoiceKernels, ClampOfNanAndOfBoundsInTheWrongOrder) {
  const double nan = std::nan("");
  const auto clamped = [](const Engine& engine, double x, double low, double high) {
    StridedArray<double> in({1}, Layout::contiguous, x);
    StridedArray<double> out({1}, Layout::contiguous, 9);
    engine.run(Operation::clamp, arguments_of({1}, {out.operand(kDouble), in.operand(kDouble), number(kDouble, low),
                                                    number(kDouble, high)}));
    return out.memory[0];
  };
  for (const Engine& engine : engines()) {
    EXPECT_TRUE(std::isnan(clamped(engine, nan, 0, 1)));
    EXPECT_TRUE(std::isnan(clamped(engine, 0, nan, 1)));
    EXPECT_TRUE(std::isnan(clamped(engine, 0, 0, nan)));
    EXPECT_EQ(clamped(engine, 5, 1, 0), 0);
    EXPECT_EQ(clamped(engine, -5, 1, 0), 0);
  }
}

TEST(ChoiceKernels, InPlaceIsExact) {
  for (const Engine& engine : engines()) {
    for (const Layout layout : {Layout::contiguous, Layout::gaps}) {
      StridedArray<float> a({70001}, layout, 2);
      engine.run(Operation::clamp,
                 arguments_of({70001}, {a.operand(kFloat), a.operand(kFloat), number(kFloat, 3), number(kFloat, 4)}));
      for (std::int64_t i = 0; i < 70001; ++i) ASSERT_EQ(a.memory[a.offset(i)], 3.0F) << engine.name;
    }
  }
}

}  // namespace
}  // namespace d2l::testing
