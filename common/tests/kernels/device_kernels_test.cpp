// SPDX-License-Identifier: MIT
// The kernels in the form for GPUs, one element per thread, run here by the host: they give the same as the host's own.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "backend/cpu/kernel_tables.h"
#include "gtest/gtest.h"
#include "kernels/families/fill_binary.h"
#include "kernels/families/fill_comparison.h"
#include "kernels/families/fill_creation.h"
#include "kernels/families/fill_gather_scatter.h"
#include "kernels/families/fill_integer_product.h"
#include "kernels/families/fill_internal.h"
#include "kernels/families/fill_reductions.h"
#include "kernels/families/fill_scaled.h"
#include "kernels/families/fill_softmax.h"
#include "kernels/families/fill_unary.h"
#include "kernels/kernel_arrays.h"

namespace d2l::backend {
namespace {

/// The policy of a GPU, except that the host runs it.
struct AsOnDevice {
  static constexpr bool on_device = true;
  template <class Body>
  static void for_each(const KernelContext& /*context*/, std::int64_t count, Body body) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
  }
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
  host_kernels().find(operation, arguments)(context, arguments);
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
      SCOPED_TRACE(::testing::Message() << outer << ", " << reduced << ", " << inner);
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

/// Runs the elementwise kernels of all operations for a dtype, on contiguous and on strided operands.
template <ScalarType dtype>
void expect_same_elementwise(const KernelTable& table) {
  using T = typename testing::Held<dtype>::type;
  testing::StridedArray<T> a({5, 7}, testing::Layout::gaps, T{});
  testing::StridedArray<T> b({5, 7}, testing::Layout::transposed, T{});
  for (std::size_t i = 0; i < a.memory.size(); ++i) a.memory[i] = testing::sample<dtype>(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < b.memory.size(); ++i)
    b.memory[i] = testing::sample<dtype>(static_cast<std::int64_t>(i) + 99);
  for (int i = 0; i < operation_count; ++i) {
    const auto operation = static_cast<Operation>(i);
    const auto kind = info(operation).kind;
    if (kind > OperationKind::comparison || !contains(info(operation).types, dtype)) continue;
    const auto strided = testing::arguments_of({5, 7}, {Operand{}, a.operand(dtype), b.operand(dtype)});
    auto contiguous = testing::arguments_of({35}, {Operand{}, a.operand(dtype), b.operand(dtype)});
    contiguous.operands[1].strides[0] = contiguous.operands[2].strides[0] = 1;
    for (auto arguments : {strided, contiguous}) {
      if (kind == OperationKind::unary) arguments.operand_count = 2;
      const auto compare = [&](auto out) {
        arguments.operands[0] =
            operand_of(out, arguments.rank == 2 ? std::vector<std::int64_t>{7, 1} : std::vector<std::int64_t>{1});
        arguments.operands[0].dtype = kind == OperationKind::comparison ? kBool : dtype;
        const Kernel device = table.find(operation, arguments);
        ASSERT_NE(device, nullptr) << info(operation).name;
        device(context, arguments);
        auto expected = out;
        arguments.operands[0].data = expected.data();
        host_kernels().find(operation, arguments)(context, arguments);
        EXPECT_EQ(std::memcmp(out.data(), expected.data(), out.size() * sizeof(out[0])), 0)
            << info(operation).name << " of " << toString(dtype);
      };
      kind == OperationKind::comparison ? compare(std::vector<std::uint8_t>(35)) : compare(std::vector<T>(35));
    }
  }
}

TEST(DeviceKernels, ApplyEveryElementwiseOperation) {
  KernelTable table;
  kernels::fill_unary<AsOnDevice>(table);
  kernels::fill_binary<AsOnDevice>(table);
  kernels::fill_comparison<AsOnDevice>(table);
  kernels::fill_internal<AsOnDevice>(table);
  testing::for_each_dtype([&table](auto type) { expect_same_elementwise<decltype(type)::value>(table); });
}

TEST(DeviceKernels, AddEveryLayout) {
  const Kernel add = kernels::elementwise_kernel<AsOnDevice, kernels::functions::add, float, float, 2>;
  for (const std::int64_t count : {1, 3, 4, 1023, 1024}) {
    auto a = sequence<float>(count + 1);
    auto b = sequence<float>(count + 1);
    std::vector<float> out(static_cast<std::size_t>(count) + 1);  // the kernel must not write the last
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
  auto a = sequence<std::int64_t>(24);
  auto b = sequence<std::int64_t>(20);
  std::vector<std::int64_t> out(30);
  KernelArguments arguments{};
  arguments.rank = 4;
  arguments.operand_count = 3;
  arguments.sizes = {2, 3, 4, 5};
  arguments.operands = {operand_of(out, {15, 5, 1}), operand_of(a, {12, 1, 3}), operand_of(b, {0, 5, 1})};
  expect_same(Operation::matmul, table.find(Operation::matmul, arguments), arguments, out);
}

/// Arguments of a kernel that works along the middle of three sizes.
KernelArguments along_the_middle(std::array<std::int64_t, 3> sizes, std::vector<Operand> operands) {
  KernelArguments arguments{};
  arguments.rank = 3;
  arguments.operand_count = static_cast<int>(operands.size());
  std::copy(sizes.begin(), sizes.end(), arguments.sizes.begin());
  std::copy(operands.begin(), operands.end(), arguments.operands.begin());
  return arguments;
}

TEST(DeviceKernels, TakeTheLogarithmOfSoftmax) {
  KernelTable table;
  kernels::fill_softmax<AsOnDevice>(table);
  const std::vector<std::array<std::int64_t, 3>> shapes{{1, 1, 1},   {256, 10, 1}, {1, 70'000, 1}, {3, 7, 5},
                                                        {2, 100, 3}, {2, 64, 1},   {2, 65, 1},     {2, 0, 3}};
  for (const auto& [outer, n, inner] : shapes) {
    const std::array<std::int64_t, 3> sizes{outer, n, inner};
    std::vector<double> in = sequence<double>(outer * n * inner);
    if (in.size() > 6) in[6] = -std::numeric_limits<double>::infinity();
    std::vector<double> expected(in.size());
    std::vector<double> out(in.size());
    auto arguments = along_the_middle(sizes, {operand_of(expected, {}), operand_of(in, {})});
    host_kernels().find(Operation::log_softmax, arguments)(context, arguments);
    arguments.operands[0].data = out.data();
    table.find(Operation::log_softmax, arguments)(context, arguments);
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_TRUE(out[i] == expected[i] || std::abs(out[i] - expected[i]) < 1e-12);

    std::vector<double> result = expected;
    std::vector<double> grad = sequence<double>(outer * n * inner);
    arguments = along_the_middle(sizes, {operand_of(out, {}), operand_of(grad, {}), operand_of(result, {})});
    expect_same(Operation::log_softmax_backward, table.find(Operation::log_softmax_backward, arguments), arguments,
                out);
  }
}

TEST(DeviceKernels, TakeInfinitiesAndNansAsTheHostDoes) {
  KernelTable table;
  kernels::fill_softmax<AsOnDevice>(table);
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  const std::vector<std::vector<float>> rows{
      {-infinity, -infinity}, {-infinity, 0}, {infinity, 0},        {0, infinity},   {nan, 1},           {1, nan},
      {-infinity, nan},       {infinity, 1},  {infinity, infinity}, {3e38F, -3e38F}, {-infinity, -1e30F}};
  for (const auto& pair : rows) {
    for (const std::int64_t n : {2, 200}) {
      std::vector<float> row(static_cast<std::size_t>(n), pair[1]);
      row[0] = pair[0];
      std::vector<float> expected(row.size());
      std::vector<float> out(row.size());
      auto arguments = along_the_middle({1, n, 1}, {operand_of(expected, {}), operand_of(row, {})});
      host_kernels().find(Operation::log_softmax, arguments)(context, arguments);
      arguments.operands[0].data = out.data();
      table.find(Operation::log_softmax, arguments)(context, arguments);
      for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_TRUE(out[i] == expected[i] || (std::isnan(out[i]) && std::isnan(expected[i])))
            << row[0] << ", " << row[1] << ": " << out[i] << " instead of " << expected[i];
      }
    }
  }
}

TEST(DeviceKernels, GatherAndScatterClasses) {
  KernelTable table;
  kernels::fill_gather_scatter<AsOnDevice>(table);
  auto a = sequence<float>(60);
  auto small = sequence<float>(20);
  auto index = sequence<std::int64_t>(20);
  for (auto& target : index) target %= 3;
  std::vector<float> out(small.size());
  auto arguments = along_the_middle({4, 3, 5}, {operand_of(out, {}), operand_of(a, {}), operand_of(index, {})});
  arguments.parameters[0].integer = 1;
  expect_same(Operation::gather, table.find(Operation::gather, arguments), arguments, out);
  std::vector<float> all(a.size());
  index[3] = -7;
  index[4] = 3;
  arguments.operands[0] = operand_of(all, {});
  arguments.operands[1] = operand_of(small, {});
  expect_same(Operation::scatter, table.find(Operation::scatter, arguments), arguments, all);
}

TEST(DeviceKernels, AddAScaledArray) {
  KernelTable table;
  kernels::fill_scaled<AsOnDevice>(table);
  auto a = sequence<float>(1001);
  auto b = sequence<float>(1001);
  std::vector<float> out(1001);
  KernelArguments arguments{};
  arguments.rank = 1;
  arguments.operand_count = 3;
  arguments.sizes = {1001};
  arguments.operands = {operand_of(out, {1}), operand_of(a, {1}), operand_of(b, {1})};
  arguments.parameters[0].real = -0.1;
  expect_same(Operation::add_scaled, table.find(Operation::add_scaled, arguments), arguments, out);
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
