// SPDX-License-Identifier: MIT
// The kernels that move elements along a dimension, against plain references: take and index_add, cumsum, sort,
// triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/kernel_arrays.h"
#include "messages.h"

namespace d2l::testing {
namespace {

using backend::IndexUse;
using tests::message_of;

/// {outer, n, inner}
const std::vector<Sizes> line_shapes = {{1, 1, 1}, {1, 7, 1},  {3, 5, 4},      {2, 3, 300},   {0, 3, 2},   {2, 0, 3},
                                        {2, 3, 0}, {40, 9, 1}, {1, 70'001, 1}, {300, 130, 1}, {1, 600, 3}, {2, 600, 9}};

/// The offset of element j of a line.
std::size_t line_offset(const Sizes& shape, std::int64_t line, std::int64_t j) {
  return static_cast<std::size_t>((line / shape[2] * shape[1] + j) * shape[2] + line % shape[2]);
}

/// Calls test(engine, dtype, shape) for all of them, with a trace.
template <class Test>
void for_each_line_case(const Test& test) {
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : line_shapes) {
      for_each_dtype([&](auto type) {
        SCOPED_TRACE(engine.name + ", " + toString(type) + ", {" + std::to_string(shape[0]) + ", " +
                     std::to_string(shape[1]) + ", " + std::to_string(shape[2]) + "}");
        test(engine, type, shape);
        EXPECT_EQ(scratch_blocks, 0);
      });
    }
  }
}

KernelArguments indexed_arguments(const Sizes& shape, const std::vector<Operand>& operands, bool shared, IndexUse use) {
  auto arguments = arguments_of(shape, operands);
  arguments.parameters[0].integer = shared ? 1 : 0;
  arguments.parameters[1] = {1, static_cast<std::int64_t>(use)};
  return arguments;
}

/// take and index_add of `m` indices of each line, or of one list for all.
template <class Type>
void check_take_and_add(const Engine& engine, Type type, const Sizes& shape, std::int64_t m, bool shared) {
  using T = typename Type::Element;
  auto a = samples<Type::value>(shape, 5);
  const Sizes taken{shape[0], m, shape[2]};
  StridedArray<std::int64_t> index(shared ? Sizes{m} : taken, Layout::contiguous, 0);
  for (std::size_t i = 0; i < index.memory.size(); ++i) {
    index.memory[i] = static_cast<std::int64_t>(i * 37 + i / 3) % shape[1] - (i % 2 == 0 ? shape[1] : 0);
  }
  StridedArray<T> out(taken, Layout::contiguous, T{});
  const Sizes sizes{shape[0], shape[1], shape[2], m};
  engine.run(Operation::take, indexed_arguments(sizes, {out.operand(type), a.operand(type), index.operand(kLong)},
                                                shared, IndexUse::index));
  StridedArray<T> sums(shape, Layout::contiguous, static_cast<T>(1));
  std::vector<T> expected_sums(sums.memory.size(), T{0});
  const auto entry = [&](std::int64_t line, std::int64_t j) {
    const auto found = index.memory[shared ? static_cast<std::size_t>(j) : line_offset(taken, line, j)];
    return found < 0 ? found + shape[1] : found;
  };
  for (std::int64_t line = 0; line < shape[0] * shape[2]; ++line) {
    for (std::int64_t j = 0; j < m; ++j) {
      ASSERT_EQ(out.memory[line_offset(taken, line, j)], a.memory[line_offset(shape, line, entry(line, j))]);
      T& sum = expected_sums[line_offset(shape, line, entry(line, j))];
      const T more = out.memory[line_offset(taken, line, j)];
      if constexpr (std::is_floating_point_v<T>) {
        sum += more;
      } else {  // integers wrap
        sum = static_cast<T>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(more));
      }
    }
  }
  if constexpr (Type::value != kBool) {
    engine.run(Operation::index_add,
               indexed_arguments(sizes, {sums.operand(type), out.operand(type), index.operand(kLong)}, shared,
                                 IndexUse::index));
    EXPECT_EQ(sums.memory, expected_sums);
  }
}

TEST(PlaceKernels, TakeAndAdd) {
  for_each_line_case([](const Engine& engine, auto type, const Sizes& shape) {
    if (shape[1] == 0) return;
    for (const std::int64_t m : {0, 1, 11}) {
      check_take_and_add(engine, type, shape, m, true);
      check_take_and_add(engine, type, shape, m, false);
    }
  });
}

TEST(PlaceKernels, AnIndexOutOfRangeIsRefusedBeforeAnythingIsWritten) {
  const std::vector<std::pair<IndexUse, std::string>> sentences{
      {IndexUse::index_select, "[index_select] index out of range in self (index "},
      {IndexUse::gather, "[gather] index "},
      {IndexUse::index, "[index] index "}};
  for (const Engine& engine : engines()) {
    for (const auto& [use, sentence] : sentences) {
      for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-4}, std::numeric_limits<std::int64_t>::min()}) {
        auto a = samples<kFloat>({2, 3, 1}, 3);
        StridedArray<std::int64_t> index({2, 2, 1}, Layout::contiguous, 1);
        index.memory[3] = bad;
        StridedArray<float> out({2, 2, 1}, Layout::contiguous, 9);
        const auto arguments =
            indexed_arguments({2, 3, 1, 2}, {out.operand(kFloat), a.operand(kFloat), index.operand(kLong)}, false, use);
        const auto message = message_of<IndexError>([&] { engine.run(Operation::take, arguments); });
        EXPECT_TRUE(tests::contains(message, sentence));
        EXPECT_TRUE(tests::contains(message, std::to_string(bad) + " is out of bounds for dimension 1 with size 3"));
        EXPECT_EQ(out.memory, std::vector<float>(4, 9));
      }
    }
  }
}

TEST(PlaceKernels, SumsUpToEachElement) {
  for_each_line_case([](const Engine& engine, auto type, const Sizes& shape) {
    using T = typename decltype(type)::Element;
    using Out = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;
    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
    auto in = samples<decltype(type)::value>(shape, 5);
    StridedArray<Out> out(shape, Layout::contiguous, Out{9});
    const ScalarType out_type = std::is_floating_point_v<T> ? ScalarType(type) : kLong;
    engine.run(Operation::cumsum, arguments_of(shape, {out.operand(out_type), in.operand(type)}));
    for (std::int64_t line = 0; line < shape[0] * shape[2]; ++line) {
      Sum sum = 0;
      for (std::int64_t j = 0; j < shape[1]; ++j) {
        sum += static_cast<Sum>(in.memory[line_offset(shape, line, j)]);
        ASSERT_EQ(out.memory[line_offset(shape, line, j)], static_cast<Out>(sum));
      }
    }
  });
}

/// Checks the first `kept` elements of each sorted line, and their indices.
template <class T, class Type, class Input>
void expect_sorted(const Engine& engine, Type type, const Sizes& shape, Input& in, bool descending, std::int64_t kept) {
  const Sizes result{shape[0], kept, shape[2]};
  StridedArray<T> out(result, Layout::contiguous, T{});
  StridedArray<std::int64_t> indices(result, Layout::contiguous, -1);
  auto arguments =
      arguments_of({shape[0], shape[1], shape[2], kept}, {out.operand(type), in.operand(type), indices.operand(kLong)});
  arguments.parameters[0].integer = descending ? 1 : 0;
  engine.run(Operation::sort, arguments);
  for (std::int64_t line = 0; line < shape[0] * shape[2]; ++line) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(shape[1]));
    std::iota(order.begin(), order.end(), 0);
    const auto at = [&](std::int64_t j) { return in.memory[line_offset(shape, line, j)]; };
    const auto less = [](T a, T b) { return a != a ? false : b != b || a < b; };
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return descending ? less(at(b), at(a)) : less(at(a), at(b));
    });
    for (std::int64_t j = 0; j < kept; ++j) {
      const std::int64_t from = order[static_cast<std::size_t>(j)];
      ASSERT_EQ(indices.memory[line_offset(result, line, j)], from) << "place " << j << " of line " << line;
      ASSERT_TRUE(same(out.memory[line_offset(result, line, j)], at(from)));
      if constexpr (std::is_floating_point_v<T>) {
        ASSERT_EQ(std::signbit(out.memory[line_offset(result, line, j)]), std::signbit(at(from)));
      }
    }
  }
}

TEST(PlaceKernels, SortsAreStable) {
  for_each_line_case([](const Engine& engine, auto type, const Sizes& shape) {
    using T = typename decltype(type)::Element;
    auto in = samples<decltype(type)::value>(shape, 5);
    if constexpr (std::is_floating_point_v<T>) {
      const std::vector<T> special{
          std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),  T(-0.0), T{0},
          -std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::quiet_NaN()};
      for (std::size_t i = 0; i < in.memory.size(); i += 3) in.memory[i] = special[i / 3 % special.size()];
    }
    for (const bool descending : {false, true}) {
      for (const std::int64_t kept : {shape[1], shape[1] / 5}) {
        expect_sorted<T>(engine, type, shape, in, descending, kept);
      }
    }
  });
}

TEST(PlaceKernels, Triangles) {
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : std::vector<Sizes>{{1, 1, 1}, {2, 3, 5}, {3, 4, 2}, {0, 2, 2}, {1, 300, 200}}) {
      for_each_dtype([&](auto type) {
        using T = typename decltype(type)::Element;
        auto in = samples<decltype(type)::value>(shape, 5);
        for (const std::int64_t diagonal : {-400, -1, 0, 2, 400}) {
          for (const bool upper : {false, true}) {
            StridedArray<T> out(shape, Layout::contiguous, T{1});
            auto arguments = arguments_of(shape, {out.operand(type), in.operand(type)});
            arguments.parameters[0].integer = diagonal;
            engine.run(upper ? Operation::triu : Operation::tril, arguments);
            for (std::int64_t i = 0; i < product_of(shape); ++i) {
              const std::int64_t difference = i % shape[2] - i / shape[2] % shape[1];
              const bool inside = upper ? difference >= diagonal : difference <= diagonal;
              const auto at = static_cast<std::size_t>(i);
              ASSERT_EQ(out.memory[at], inside ? in.memory[at] : T{0}) << engine.name << ", " << toString(type);
            }
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace d2l::testing
