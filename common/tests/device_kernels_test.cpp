// SPDX-License-Identifier: MIT
// The kernels as a GPU runs them, an element a thread, run here by the host: they give what the host's own give.
#include <cstdlib>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "kernels/fill_creation.h"
#include "kernels/fill_integer_product.h"
#include "kernels/fill_reductions.h"
#include "kernels/functions.h"

namespace d2l::backend {
namespace {

/// A GPU's policy, but for where it runs.
struct AsOnDevice {
  static constexpr bool on_device = true;
  static int workers(const KernelContext&) { return 1; }
  static auto execution(const KernelContext&) { return thrust::cpp::par; }
};

constexpr KernelContext context{nullptr, nullptr, 1,
                                [](const KernelContext&, std::size_t bytes) { return std::malloc(bytes); },
                                [](const KernelContext&, void* memory) { std::free(memory); }};

template <class T>
std::vector<T> sequence(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>((i * 37 + 11) % 101);
  return values;
}

template <class T>
Operand operand_of(std::vector<T>& values, std::vector<std::int64_t> strides) {
  Operand operand{};
  operand.data = values.data();
  operand.extent = static_cast<std::int64_t>(values.size() * sizeof(T));
  operand.dtype = CppTypeToScalarType<T>::value;
  std::copy(strides.begin(), strides.end(), operand.strides.begin());
  return operand;
}

/// Runs the kernel of `device` and that of the host on the same arguments, and compares all of the output.
template <class T>
void expect_same(Operation operation, Kernel device, KernelArguments arguments, std::vector<T>& out) {
  ASSERT_NE(device, nullptr);
  out.assign(out.size(), T{});
  sequential_kernels().find(operation, arguments)(context, arguments);
  const std::vector<T> expected = out;
  out.assign(out.size(), T{});
  device(context, arguments);
  EXPECT_EQ(out, expected) << info(operation).name;
}

TEST(DeviceKernels, ReduceEveryShape) {
  KernelTable table;
  kernels::fill_reductions<AsOnDevice>(table);
  const std::vector<std::array<std::int64_t, 3>> shapes{{1, 1, 1},    {1, 70'000, 1}, {3, 100, 1},
                                                        {40, 7, 1},   {2, 300, 5},    {1, 5000, 3},
                                                        {600, 33, 1}, {1, 0, 4},      {1, 20'000, 30}};
  for (const auto& [outer, reduced, inner] : shapes) {
    auto in = sequence<float>(outer * reduced * inner);
    std::vector<float> out(static_cast<std::size_t>(outer * inner));
    std::vector<std::int64_t> indices(out.size());
    KernelArguments arguments{};
    arguments.rank = 3;
    arguments.operand_count = 2;
    arguments.sizes = {outer, reduced, inner};
    arguments.operands = {operand_of(out, {inner, 1}), operand_of(in, {reduced * inner, inner, 1}), Operand{}};
    for (const Operation operation : {Operation::sum, Operation::norm, Operation::max, Operation::min}) {
      if (reduced == 0 && operation != Operation::sum) continue;
      SCOPED_TRACE(testing::Message() << outer << ", " << reduced << ", " << inner);
      expect_same(operation, table.find(operation, arguments), arguments, out);
    }
    if (reduced == 0) continue;
    arguments.operand_count = 3;
    arguments.operands[2] = operand_of(indices, {inner, 1});
    expect_same(Operation::max, table.find(Operation::max, arguments), arguments, indices);
    arguments.operand_count = 2;
    arguments.operands[0] = operand_of(indices, {inner, 1});
    expect_same(Operation::argmax, table.find(Operation::argmax, arguments), arguments, indices);
  }
}

TEST(DeviceKernels, AddEveryLayout) {
  const Kernel add = kernels::elementwise_kernel<AsOnDevice, kernels::Add, float, float, 2>;
  for (const std::int64_t count : {1, 3, 4, 1023, 1024}) {
    auto a = sequence<float>(count + 1);
    auto b = sequence<float>(count + 1);
    std::vector<float> out(static_cast<std::size_t>(count) + 1);  // the last is not to be touched
    KernelArguments arguments{};
    arguments.rank = 1;
    arguments.operand_count = 3;
    arguments.sizes = {count};
    arguments.operands = {operand_of(out, {1}), operand_of(a, {1}), operand_of(b, {1})};
    expect_same(Operation::add, add, arguments, out);
    arguments.operands[2].data = b.data() + 1;  // not on a boundary of 16 bytes
    expect_same(Operation::add, add, arguments, out);
    arguments.operands[2].strides[0] = 0;
    expect_same(Operation::add, add, arguments, out);
    arguments.operands[2].data = nullptr;
    arguments.operands[2].immediate.real = 2.5;
    expect_same(Operation::add, add, arguments, out);
  }
  auto a = sequence<float>(60);
  auto row = sequence<float>(5);
  std::vector<float> out(60);
  KernelArguments arguments{};
  arguments.rank = 3;
  arguments.operand_count = 3;
  arguments.sizes = {4, 3, 5};
  arguments.operands = {operand_of(out, {15, 5, 1}), operand_of(a, {1, 20, 4}), operand_of(row, {0, 0, 1})};
  expect_same(Operation::add, add, arguments, out);
}

TEST(DeviceKernels, MultiplyIntegerMatrices) {
  KernelTable table;
  kernels::fill_integer_product<AsOnDevice>(table);
  auto a = sequence<std::int64_t>(2 * 3 * 4);
  auto b = sequence<std::int64_t>(4 * 5);
  std::vector<std::int64_t> out(2 * 3 * 5);
  KernelArguments arguments{};
  arguments.rank = 4;
  arguments.operand_count = 3;
  arguments.sizes = {2, 3, 4, 5};
  arguments.operands = {operand_of(out, {15, 5, 1}), operand_of(a, {12, 1, 3}), operand_of(b, {0, 5, 1})};
  expect_same(Operation::matmul, table.find(Operation::matmul, arguments), arguments, out);
}

TEST(DeviceKernels, DrawTheSameNumbers) {
  KernelTable table;
  kernels::fill_creation<AsOnDevice>(table);
  std::vector<float> out(1001);
  KernelArguments arguments{};
  arguments.rank = 1;
  arguments.operand_count = 1;
  arguments.sizes = {1001};
  arguments.operands[0] = operand_of(out, {1});
  for (const std::int64_t offset : {0, 1, 3, 1000}) {
    arguments.parameters[0].integer = 42;
    arguments.parameters[1].integer = offset;
    expect_same(Operation::rand, table.find(Operation::rand, arguments), arguments, out);
    expect_same(Operation::randn, table.find(Operation::randn, arguments), arguments, out);
  }
}

}  // namespace
}  // namespace d2l::backend
