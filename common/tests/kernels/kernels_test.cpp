// SPDX-License-Identifier: MIT
// The elementwise kernels against a plain reference, for every operation, dtype and layout of the operands.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/kernel_arrays.h"

namespace d2l::testing {
namespace {

const std::vector<Sizes> shapes = {{},      {1},       {7}, {0}, {3, 0}, {4, 5}, {2, 3, 5}, {2, 2, 2, 2, 2, 3},
                                   {70001}, {300, 257}};
const std::vector<Layout> layouts = {Layout::contiguous,      Layout::transposed,     Layout::gaps,
                                     Layout::broadcast_first, Layout::broadcast_last, Layout::broadcast_all};

template <class T>
T power(T base, T exponent) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::pow(base, exponent);
  } else {
    if (exponent < T{0}) {
      if (base == T{1}) return 1;
      if (base == static_cast<T>(-1)) return exponent % 2 == 0 ? T{1} : static_cast<T>(-1);
      return 0;
    }
    std::uint64_t result = 1;
    auto factor = static_cast<std::uint64_t>(base);
    for (auto rest = static_cast<std::uint64_t>(exponent); rest > 0; rest /= 2, factor *= factor) {
      result *= rest % 2 == 1 ? factor : 1;
    }
    return static_cast<T>(result);
  }
}

template <class T>
T wrapped(std::uint64_t value) {
  return static_cast<T>(value);
}

template <ScalarType dtype, class T>
T unary_reference(Operation operation, T a) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (operation) {
      case Operation::neg:
        return -a;
      case Operation::abs:
        return std::abs(a);
      case Operation::relu:
        return a > 0 ? a : T{0};
      case Operation::sqrt:
        return std::sqrt(a);
      case Operation::exp:
        return std::exp(a);
      case Operation::log:
        return std::log(a);
      case Operation::tanh:
        return std::tanh(a);
      case Operation::sign:
        return a == 0 ? T{0} : std::copysign(T{1}, a);
      default:
        return 1 / (1 + std::exp(-a));
    }
  } else {
    const auto negated = wrapped<T>(-static_cast<std::uint64_t>(a));
    if (operation == Operation::neg) return negated;
    if (operation == Operation::abs) return a < T{0} ? negated : a;
    return a < T{0} ? T{0} : a;
  }
}

template <class T>
T gradient_reference(Operation operation, T a, T b) {
  switch (operation) {
    case Operation::minimum:
      return std::fmin(a, b);
    case Operation::squared_difference:
      return (a - b) * (a - b);
    case Operation::div_or_zero:
      return b == 0 ? T{0} : a / b;
    case Operation::power_log:
      return b == 0 ? T{0} : a * std::log(b);
    case Operation::relu_backward:
      return b > 0 ? a : T{0};
    case Operation::sigmoid_backward:
      return a * (1 - b) * b;
    default:
      return a * (1 - b * b);
  }
}

template <ScalarType dtype, class T>
T binary_reference(Operation operation, T a, T b) {
  if constexpr (dtype == kBool) {
    return static_cast<T>(operation == Operation::add ? (a != 0 || b != 0) : (a != 0 && b != 0));
  } else if constexpr (std::is_floating_point_v<T>) {
    if (operation == Operation::add) return a + b;
    if (operation == Operation::sub) return a - b;
    if (operation == Operation::mul) return a * b;
    if (operation == Operation::div) return a / b;
    return operation == Operation::pow ? power(a, b) : gradient_reference(operation, a, b);
  } else {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    if (operation == Operation::add) return wrapped<T>(x + y);
    if (operation == Operation::sub) return wrapped<T>(x - y);
    return operation == Operation::mul ? wrapped<T>(x * y) : power(a, b);
  }
}

template <class T>
std::uint8_t comparison_reference(Operation operation, T a, T b) {
  switch (operation) {
    case Operation::eq:
      return a == b;
    case Operation::ne:
      return a != b;
    case Operation::lt:
      return a < b;
    case Operation::le:
      return a <= b;
    case Operation::gt:
      return a > b;
    default:
      return a >= b;
  }
}

template <class T>
bool same(T a, T b) {
  return a == b || (a != a && b != b);
}

/// Large shapes are for the way work is cut; they need not meet every layout.
bool worth_checking(const Sizes& shape, Layout out, Layout in) {
  const bool plain = out == Layout::contiguous && (in == Layout::contiguous || in == Layout::broadcast_last);
  return product_of(shape) < 1000 || plain;
}

/// Runs out = f(a) or out = f(a, b) on every engine and compares each element; `out_layout` has no broadcasts.
template <ScalarType in, ScalarType out, class Reference>
void check(Operation operation, const Sizes& shape, Layout out_layout, const std::vector<Layout>& in_layouts,
           const Reference& reference) {
  using In = typename Held<in>::type;
  using Out = typename Held<out>::type;
  const Out canary = static_cast<Out>(77);
  for (const Engine& engine : engines()) {
    std::vector<StridedArray<In>> inputs;
    for (const Layout layout : in_layouts) {
      auto& input = inputs.emplace_back(shape, layout, In{});
      for (auto& value : input.memory) {
        value = sample<in>(&value - input.memory.data() + 31 * static_cast<std::int64_t>(inputs.size()));
      }
    }
    StridedArray<Out> output(shape, out_layout, canary);
    std::vector<Operand> operands{output.operand(out)};
    for (auto& input : inputs) operands.push_back(input.operand(in));
    const auto arguments = arguments_of(shape, operands);
    ASSERT_NE(engine.table.find(operation, arguments), nullptr);
    engine.run(operation, arguments);

    std::vector<Out> expected(output.memory.size(), canary);
    for (std::int64_t i = 0; i < product_of(shape); ++i) {
      std::array<In, 2> values{};
      for (std::size_t k = 0; k < inputs.size(); ++k) values[k] = inputs[k].memory[inputs[k].place(i)];
      expected[output.place(i)] = reference(values[0], values[1]);
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE(same(output.memory[i], expected[i]))
          << backend::info(operation).name << " of " << toString(in) << " on " << engine.name << ", rank "
          << shape.size() << ", place " << i << ": " << +output.memory[i] << " instead of " << +expected[i];
    }
  }
}

bool exists(Operation operation, ScalarType dtype) {
  return backend::host_kernels().kernels[static_cast<std::size_t>(operation)][static_cast<std::size_t>(dtype)] !=
         nullptr;
}

/// Calls test(operation, layout of the output) for the operations of a kind that exist for the dtype.
template <class Test>
void for_each_operation(backend::OperationKind kind, ScalarType dtype, const Test& test) {
  for (int i = 0; i < backend::operation_count; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (backend::info(operation).kind != kind || !exists(operation, dtype)) continue;
    for (const Layout layout : {Layout::contiguous, Layout::transposed, Layout::gaps}) test(operation, layout);
  }
}

TEST(Kernels, UnaryOperationsOfEveryLayout) {
  for_each_dtype([](auto type) {
    constexpr ScalarType dtype = decltype(type)::value;
    for_each_operation(backend::OperationKind::unary, dtype, [](Operation operation, Layout out) {
      for (const Sizes& shape : shapes) {
        for (const Layout a : layouts) {
          if (!worth_checking(shape, out, a)) continue;
          check<dtype, dtype>(operation, shape, out, {a},
                              [operation](auto x, auto) { return unary_reference<dtype>(operation, x); });
        }
      }
    });
  });
}

TEST(Kernels, BinaryOperationsOfEveryLayout) {
  for_each_dtype([](auto type) {
    constexpr ScalarType dtype = decltype(type)::value;
    for_each_operation(backend::OperationKind::binary, dtype, [](Operation operation, Layout out) {
      for (const Sizes& shape : shapes) {
        for (const Layout a : layouts) {
          for (const Layout b : layouts) {
            if (!worth_checking(shape, out, a) || !worth_checking(shape, out, b)) continue;
            check<dtype, dtype>(operation, shape, out, {a, b},
                                [operation](auto x, auto y) { return binary_reference<dtype>(operation, x, y); });
          }
        }
      }
    });
  });
}

TEST(Kernels, ComparisonsGiveZeroOrOne) {
  for_each_dtype([](auto type) {
    constexpr ScalarType dtype = decltype(type)::value;
    for_each_operation(backend::OperationKind::comparison, dtype, [](Operation operation, Layout out) {
      for (const Sizes& shape : shapes) {
        for (const Layout b : layouts) {
          if (!worth_checking(shape, out, b)) continue;
          check<dtype, kBool>(operation, shape, out, {Layout::contiguous, b},
                              [operation](auto x, auto y) { return comparison_reference(operation, x, y); });
        }
      }
    });
  });
}

/// A number as another dtype: by way of 64-bit integers and of double, which lose nothing of the samples.
template <ScalarType to, class From>
typename Held<to>::type cast_reference(From value) {
  using To = typename Held<to>::type;
  if constexpr (to == kBool) return value != From{0};
  if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
    return static_cast<To>(static_cast<std::int64_t>(std::trunc(value)));
  }
  return static_cast<To>(value);
}

TEST(Kernels, CopiesConvertBetweenAllDtypes) {
  for_each_dtype([](auto source) {
    for_each_dtype([](auto destination) {
      constexpr ScalarType from = decltype(source)::value;
      constexpr ScalarType to = decltype(destination)::value;
      for (const Sizes& shape : shapes) {
        for (const Layout a : layouts) {
          for (const Layout out : {Layout::contiguous, Layout::transposed}) {
            if (!worth_checking(shape, out, a)) continue;
            check<from, to>(Operation::copy, shape, out, {a}, [](auto x, auto) { return cast_reference<to>(x); });
          }
        }
      }
    });
  });
}

TEST(Kernels, WhatNoIntegerHoldsIsClampedAndNanIsZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {infinity, -infinity, std::nan(""), 3e9, -3e9, 2147483647.5, -2147483648.5};
  const std::vector<std::int32_t> expected = {2147483647, -2147483647 - 1, 0, 2147483647, -2147483647 - 1,
                                              2147483647, -2147483647 - 1};
  for (const Engine& engine : engines()) {
    const auto count = static_cast<std::int64_t>(values.size());
    StridedArray<double> in({count}, Layout::contiguous, 0);
    in.memory = values;
    StridedArray<std::int32_t> out({count}, Layout::contiguous, 7);
    engine.run(Operation::copy, arguments_of({count}, {out.operand(kInt), in.operand(kDouble)}));
    EXPECT_EQ(out.memory, expected) << engine.name;
  }
}

TEST(Kernels, ABoolOfUnknownBitsCountsAsTrue) {
  for (const Engine& engine : engines()) {
    StridedArray<std::uint8_t> in({3}, Layout::contiguous, 0);
    in.memory = {0, 1, 190};
    StridedArray<float> out({3}, Layout::contiguous, 7);
    engine.run(Operation::copy, arguments_of({3}, {out.operand(kFloat), in.operand(kBool)}));
    EXPECT_EQ(out.memory, (std::vector<float>{0, 1, 1})) << engine.name;
  }
}

Operand number(ScalarType dtype, double value) {
  Operand operand;
  operand.dtype = dtype;
  operand.immediate = {value, static_cast<std::int64_t>(value)};
  return operand;
}

TEST(Kernels, ANumberStandsOnEitherSide) {
  for_each_dtype([](auto type) {
    constexpr ScalarType dtype = decltype(type)::value;
    using T = typename Held<dtype>::type;
    for (const Engine& engine : engines()) {
      for (const Sizes& shape : shapes) {
        StridedArray<T> in(shape, Layout::contiguous, T{});
        for (auto& value : in.memory) value = sample<dtype>(&value - in.memory.data());
        StridedArray<T> out(shape, Layout::gaps, T{});
        engine.run(Operation::fill, arguments_of(shape, {out.operand(dtype), number(dtype, 1)}));
        for (std::int64_t i = 0; i < product_of(shape); ++i) ASSERT_EQ(out.memory[out.place(i)], T{1});
        if (dtype == kBool) continue;
        engine.run(Operation::sub, arguments_of(shape, {out.operand(dtype), in.operand(dtype), number(dtype, 3)}));
        for (std::int64_t i = 0; i < product_of(shape); ++i) {
          ASSERT_EQ(out.memory[out.place(i)],
                    binary_reference<dtype>(Operation::sub, in.memory[in.place(i)], static_cast<T>(3)));
        }
        engine.run(Operation::sub, arguments_of(shape, {out.operand(dtype), number(dtype, 3), in.operand(dtype)}));
        for (std::int64_t i = 0; i < product_of(shape); ++i) {
          ASSERT_EQ(out.memory[out.place(i)],
                    binary_reference<dtype>(Operation::sub, static_cast<T>(3), in.memory[in.place(i)]));
        }
      }
    }
  });
}

TEST(Kernels, PowersToOneNumberRoundAsTheirShortForms) {
  const std::vector<double> exponents = {0, 0.5, 1, 2, 3, -0.5, -1, -2, 1.5, 4};
  for (const Engine& engine : engines()) {
    for (const double exponent : exponents) {
      StridedArray<double> in({50}, Layout::contiguous, 0);
      for (std::size_t i = 0; i < 50; ++i) in.memory[i] = static_cast<double>(i) / 8;
      StridedArray<double> out({50}, Layout::contiguous, 0);
      engine.run(Operation::pow,
                 arguments_of({50}, {out.operand(kDouble), in.operand(kDouble), number(kDouble, exponent)}));
      for (std::size_t i = 0; i < 50; ++i) {
        EXPECT_DOUBLE_EQ(out.memory[i], std::pow(in.memory[i], exponent)) << in.memory[i] << " to " << exponent;
      }
    }
  }
}

TEST(Kernels, InPlaceIsExact) {
  for (const Engine& engine : engines()) {
    StridedArray<float> a({70001}, Layout::contiguous, 2);
    engine.run(Operation::mul, arguments_of({70001}, {a.operand(kFloat), a.operand(kFloat), a.operand(kFloat)}));
    engine.run(Operation::add, arguments_of({70001}, {a.operand(kFloat), a.operand(kFloat), number(kFloat, 1)}));
    for (const float value : a.memory) ASSERT_EQ(value, 5.0F);
  }
}

TEST(Kernels, WhatPyTorchLacksIsNull) {
  for (const Operation operation : {Operation::neg, Operation::relu, Operation::sub, Operation::div, Operation::pow,
                                    Operation::matmul, Operation::argmax, Operation::rand, Operation::arange}) {
    EXPECT_FALSE(exists(operation, kBool)) << backend::info(operation).name;
  }
  for (const Operation operation : {Operation::sqrt, Operation::exp, Operation::div, Operation::mean, Operation::norm,
                                    Operation::rand, Operation::randn}) {
    EXPECT_FALSE(exists(operation, kLong)) << backend::info(operation).name;
    EXPECT_TRUE(exists(operation, kFloat)) << backend::info(operation).name;
  }
}

}  // namespace
}  // namespace d2l::testing
