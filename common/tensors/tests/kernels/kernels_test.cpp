// SPDX-License-Identifier: MIT
// The elementwise kernels against a plain reference, for every operation, dtype and layout of the operands.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/kernel_arrays.h"
#include "kernels/references.h"

namespace d2l::testing {
namespace {

const std::vector<Sizes> shapes = {{},      {1},       {7}, {0}, {3, 0}, {4, 5}, {2, 3, 5}, {2, 2, 2, 2, 2, 3},
                                   {70001}, {300, 257}};
const std::vector<Layout> layouts = {Layout::contiguous,      Layout::transposed,     Layout::gaps,
                                     Layout::broadcast_first, Layout::broadcast_last, Layout::broadcast_all};

/// Large shapes test how work is divided; they need not be combined with every layout.
bool worth_checking(const Sizes& shape, Layout out, Layout in) {
  const bool plain = out == Layout::contiguous && (in == Layout::contiguous || in == Layout::broadcast_last);
  return product_of(shape) < 1000 || plain;
}

/// Whether a float is within four units in the last place, which is allowed where the library has an exponential of its
/// own.
template <class T>
bool is_near(Operation operation, T found, T expected) {
  if constexpr (std::is_same_v<T, float>) {
    return operation == Operation::sigmoid &&
           std::abs(found - expected) <= 4 * std::numeric_limits<float>::epsilon() * std::abs(expected);
  }
  return false;
}

template <ScalarType in, ScalarType out>
using ReferenceOf = typename Held<out>::type (*)(typename Held<in>::type, typename Held<in>::type);

/// Runs out = f(a) or out = f(a, b) on every engine and compares each element; `out_layout` has no broadcasts.
template <ScalarType in, ScalarType out>
void check(Operation operation, const Sizes& shape, Layout out_layout, const std::vector<Layout>& in_layouts,
           ReferenceOf<in, out> reference) {
  using In = typename Held<in>::type;
  using Out = typename Held<out>::type;
  const Out canary = static_cast<Out>(77);
  for (const Engine& engine : engines()) {
    std::vector<StridedArray<In>> inputs;
    for (const Layout layout : in_layouts) {
      inputs.push_back(samples<in>(shape, 31 * static_cast<std::int64_t>(inputs.size()), layout));
    }
    StridedArray<Out> output(shape, out_layout, canary);
    std::vector<Operand> operands{output.operand(out)};
    for (auto& input : inputs) operands.push_back(input.operand(in));
    const auto arguments = arguments_of(shape, operands);
    ASSERT_NE(engine.table.find(operation, arguments), nullptr);
    engine.run(operation, arguments);

    std::vector<Out> expected(output.memory.size(), canary);
    const std::int64_t count = product_of(shape);
    for (std::int64_t i = 0; i < count; ++i) {
      std::array<In, 2> values{};
      for (std::size_t k = 0; k < inputs.size(); ++k) values[k] = inputs[k].memory[inputs[k].offset(i)];
      expected[output.offset(i)] = reference(values[0], values[1]);
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (same(output.memory[i], expected[i]) || is_near(operation, output.memory[i], expected[i])) continue;
      FAIL() << backend::info(operation).name << " of " << toString(in) << " on " << engine.name << ", rank "
             << shape.size() << ", element " << i << ": " << +output.memory[i] << " instead of " << +expected[i];
    }
  }
}

/// The reference of an operation, with its result wrapped to the dtype `out`.
template <class Reference, ScalarType in, ScalarType out>
typename Held<out>::type wrapped(typename Held<in>::type x, typename Held<in>::type y) {
  using R = Number<typename Held<in>::type>;
  const R result = Reference{}(static_cast<R>(x), static_cast<R>(y));
  return static_cast<typename Held<out>::type>(out == kBool ? static_cast<R>(result != 0) : result);
}

/// Checks an elementwise operation for every dtype that the table lists, and every layout.
template <Operation operation, class Reference>
void check_operation() {
  using backend::OperationKind;
  constexpr auto kind = backend::info(operation).kind;
  const std::vector<Layout> plain{Layout::contiguous};
  for_each_dtype([&plain](auto type) {
    constexpr ScalarType in = decltype(type)::value;
    constexpr ScalarType out = kind == OperationKind::comparison ? kBool : in;
    if constexpr (contains(backend::info(operation).types, in)) {
      for (const Sizes& shape : shapes) {
        for (const Layout to : {Layout::contiguous, Layout::transposed, Layout::gaps}) {
          for (const Layout a : kind == OperationKind::comparison ? plain : layouts) {
            for (const Layout b : kind == OperationKind::unary ? plain : layouts) {
              if (!worth_checking(shape, to, a) || !worth_checking(shape, to, b)) continue;
              auto inputs = std::vector<Layout>{a, b};
              if (kind == OperationKind::unary) inputs.pop_back();
              check<in, out>(operation, shape, to, inputs, wrapped<Reference, in, out>);
            }
          }
        }
      }
    }
  });
}

#define D2L_CHECK(name, ...) check_operation<Operation::name, references::name>();
TEST(Kernels, UnaryOperationsOfEveryLayout) { D2L_UNARY_OPERATIONS(D2L_CHECK); }
TEST(Kernels, BinaryOperationsOfEveryLayout) { D2L_BINARY_OPERATIONS(D2L_CHECK); }
TEST(Kernels, PairOperationsOfEveryLayout) { D2L_PAIR_OPERATIONS(D2L_CHECK); }
TEST(Kernels, LogicalOperationsOfEveryLayout) { D2L_LOGICAL_OPERATIONS(D2L_CHECK); }
TEST(Kernels, ComparisonsGiveZeroOrOne) { D2L_COMPARISONS(D2L_CHECK); }
TEST(Kernels, InternalOperationsOfEveryLayout) { D2L_INTERNAL_OPERATIONS(D2L_CHECK); }
#undef D2L_CHECK

TEST(Kernels, ExistForThePromisedDtypesAndNoOthers) {
  const auto& table = backend::host_kernels();
  for (int i = 0; i < backend::operation_count; ++i) {
    const auto operation = static_cast<Operation>(i);
    for_each_dtype([&](auto type) {
      const auto dtype = static_cast<std::size_t>(type.value);
      const auto* kernels =
          operation == Operation::copy ? table.copies[dtype].data() : table.kernels[static_cast<std::size_t>(i)].data();
      EXPECT_EQ(kernels[dtype] != nullptr, contains(info(operation).types, type.value))
          << info(operation).name << " of " << toString(type.value);
    });
  }
}

/// A number converted to another dtype by 64-bit integers or double, which hold the samples exactly.
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

TEST(Kernels, ANumberStandsOnEitherSide) {
  for_each_dtype([](auto type) {
    constexpr ScalarType dtype = decltype(type)::value;
    using T = typename Held<dtype>::type;
    for (const Engine& engine : engines()) {
      for (const Sizes& shape : shapes) {
        auto in = samples<dtype>(shape);
        StridedArray<T> out(shape, Layout::gaps, T{});
        engine.run(Operation::fill, arguments_of(shape, {out.operand(dtype), number(dtype, 1)}));
        for (std::int64_t i = 0; i < product_of(shape); ++i) ASSERT_EQ(out.memory[out.offset(i)], T{1});
        if (dtype == kBool) continue;
        engine.run(Operation::sub, arguments_of(shape, {out.operand(dtype), in.operand(dtype), number(dtype, 3)}));
        for (std::int64_t i = 0; i < product_of(shape); ++i) {
          ASSERT_EQ(out.memory[out.offset(i)],
                    (wrapped<references::sub, dtype, dtype>(in.memory[in.offset(i)], static_cast<T>(3))));
        }
        engine.run(Operation::sub, arguments_of(shape, {out.operand(dtype), number(dtype, 3), in.operand(dtype)}));
        for (std::int64_t i = 0; i < product_of(shape); ++i) {
          ASSERT_EQ(out.memory[out.offset(i)],
                    (wrapped<references::sub, dtype, dtype>(static_cast<T>(3), in.memory[in.offset(i)])));
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

}  // namespace
}  // namespace d2l::testing
