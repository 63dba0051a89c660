// SPDX-License-Identifier: MIT
// Matrix products against a plain reference: every dtype that has one, batches, transposes, strides, empty sizes.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>

#include "kernels/kernel_arrays.h"

namespace d2l::testing {
namespace {

/// {batch, n, k, m}
const std::vector<Sizes> product_shapes = {{1, 1, 1, 1},  {1, 2, 3, 4},    {3, 4, 5, 2},    {2, 1, 7, 1},
                                           {2, 3, 0, 4},  {0, 2, 2, 2},    {1, 0, 3, 2},    {1, 33, 65, 17},
                                           {1, 1, 9, 5},  {1, 5, 9, 1},    {4, 64, 64, 64}, {1, 32, 3, 1},
                                           {1, 1, 32, 3}, {1, 13, 13, 13}, {2, 7, 3, 6},    {1, 9, 1000, 9}};
const std::vector<Layout> operand_layouts = {Layout::contiguous,      Layout::transposed,     Layout::gaps,
                                             Layout::broadcast_first, Layout::broadcast_last, Layout::broadcast_all};

/// (batch, rows, columns) of small integers, whose products are exact in every dtype but uint8, where they wrap.
template <class T>
StridedArray<T> matrices(const Sizes& shape, Layout layout) {
  StridedArray<T> result(shape, layout, T{});
  for (std::size_t i = 0; i < result.memory.size(); ++i) result.memory[i] = static_cast<T>(i * 7 % 11) - T{3};
  return result;
}

template <ScalarType dtype>
void check(const Engine& engine, const Sizes& sizes, Layout a_layout, Layout b_layout, int beta = 0) {
  using T = typename Held<dtype>::type;
  const auto [batch, n, k, m] = std::array{sizes[0], sizes[1], sizes[2], sizes[3]};
  auto a = matrices<T>({batch, n, k}, a_layout);
  auto b = matrices<T>({batch, k, m}, b_layout);
  StridedArray<T> out({batch, n, m}, Layout::contiguous, static_cast<T>(55));
  if (std::is_floating_point_v<T> && beta == 0) std::fill(out.memory.begin(), out.memory.end(), static_cast<T>(NAN));
  auto arguments = arguments_of(sizes, {out.operand(dtype), a.operand(dtype), b.operand(dtype)});
  arguments.parameters[0].real = beta;
  engine.run(Operation::matmul, arguments);
  EXPECT_EQ(scratch_blocks, 0);
  for (std::int64_t i = 0; i < batch * n * m; ++i) {
    std::int64_t sum = std::int64_t{55} * beta;
    for (std::int64_t j = 0; j < k; ++j) {
      sum += static_cast<std::int64_t>(a.memory[a.offset(i / m * k + j)]) *
             static_cast<std::int64_t>(b.memory[b.offset((i / m / n * k + j) * m + i % m)]);
    }
    ASSERT_EQ(out.memory[static_cast<std::size_t>(i)], static_cast<T>(sum))
        << toString(dtype) << " on " << engine.name << ", " << n << "x" << k << " by " << k << "x" << m << ", element "
        << i;
  }
}

TEST(KernelProducts, EveryDtypeAndLayout) {
  for (const Engine& engine : engines()) {
    for (const Sizes& sizes : product_shapes) {
      for (const Layout a : operand_layouts) {
        for (const Layout b : operand_layouts) {
          if (product_of(sizes) > 10'000 && a != Layout::contiguous && b != Layout::contiguous) continue;
          for_each_dtype([&](auto type) {
            if constexpr (type != kBool) check<decltype(type)::value>(engine, sizes, a, b);
          });
        }
      }
    }
  }
}

TEST(KernelProducts, FloatingPointProductsAddToTheOutput) {
  for (const Engine& engine : engines()) {
    for (const Sizes& sizes : product_shapes) {
      for (const Layout layout : {Layout::contiguous, Layout::transposed, Layout::gaps}) {
        for (const int beta : {1, -3}) {
          for_each_real([&](auto type) { check<decltype(type)::value>(engine, sizes, layout, layout, beta); });
        }
      }
    }
  }
}

TEST(KernelProducts, RowsMayBeFurtherApartThanBlasCounts) {
  constexpr std::int64_t stride = std::int64_t{1} << 32;
  constexpr std::size_t bytes = (stride + 40) * sizeof(float);
  // The addresses alone: only the pages that are written take memory.
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "16 GiB of address space are not available";
  auto* const values = static_cast<float*>(memory);
  for (std::int64_t i = 0; i < 40; ++i) {
    values[i] = 1;
    values[stride + i] = 2;
  }
  std::vector<float> b(40 * 20, 1.0F);
  std::vector<float> out(2 * 20);
  const auto arguments = arguments_of(
      {1, 2, 40, 20}, {operand_of(out), operand_at(memory, bytes, kFloat, {0, stride, 1}), operand_of(b, {0, 20, 1})});
  for (const Engine& engine : engines()) {
    engine.run(Operation::matmul, arguments);
    EXPECT_EQ(out[19], 40) << engine.name;
    EXPECT_EQ(out[39], 80) << engine.name;
  }
  munmap(memory, bytes);
}

}  // namespace
}  // namespace d2l::testing
