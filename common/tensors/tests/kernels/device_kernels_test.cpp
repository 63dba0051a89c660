// SPDX-License-Identifier: MIT
// The kernels in the form for GPUs, one element per thread, run here by the host: they give the same as the host's own.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "kernels/as_on_device.h"
#include "kernels/families/fill_band.h"
#include "kernels/families/fill_binary.h"
#include "kernels/families/fill_choice.h"
#include "kernels/families/fill_comparison.h"
#include "kernels/families/fill_creation.h"
#include "kernels/families/fill_gather_scatter.h"
#include "kernels/families/fill_integer_product.h"
#include "kernels/families/fill_internal.h"
#include "kernels/families/fill_optimisers.h"
#include "kernels/families/fill_reductions.h"
#include "kernels/families/fill_scaled.h"
#include "kernels/families/fill_scan.h"
#include "kernels/families/fill_softmax.h"
#include "kernels/families/fill_sort.h"
#include "kernels/families/fill_statistics.h"
#include "kernels/families/fill_take.h"
#include "kernels/families/fill_unary.h"
#include "kernels/kernel_arrays.h"
#include "kernels/kernel_table.h"

namespace d2l::backend {
namespace {

using testing::arguments_of;
using testing::AsOnDevice;
using testing::operand_of;
using testing::Sizes;

/// Their table.
const KernelTable& device_kernels() {
  static const KernelTable filled = [] {
    KernelTable table;
    kernels::fill_band<AsOnDevice>(table);
    kernels::fill_binary<AsOnDevice>(table);
    kernels::fill_choice<AsOnDevice>(table);
    kernels::fill_comparison<AsOnDevice>(table);
    kernels::fill_creation<AsOnDevice>(table);
    kernels::fill_gather_scatter<AsOnDevice>(table);
    kernels::fill_integer_product<AsOnDevice>(table);
    kernels::fill_internal<AsOnDevice>(table);
    kernels::fill_optimisers<AsOnDevice>(table);
    kernels::fill_reductions<AsOnDevice>(table);
    kernels::fill_scaled<AsOnDevice>(table);
    kernels::fill_scan<AsOnDevice>(table);
    kernels::fill_softmax<AsOnDevice>(table);
    kernels::fill_sort<AsOnDevice>(table);
    kernels::fill_statistics<AsOnDevice>(table);
    kernels::fill_take<AsOnDevice>(table);
    kernels::fill_unary<AsOnDevice>(table);
    return table;
  }();
  return filled;
}

template <class T>
std::vector<T> sequence(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>((i * 37 + 11) % 101);
  return values;
}

/// What the kernel of a table writes into `out`, which is the operand number `operand`.
template <class T>
std::vector<T> output_of(const KernelTable& table, Operation operation, KernelArguments arguments, std::vector<T> out,
                         std::size_t operand = 0) {
  const Kernel kernel = table.find(operation, arguments);
  EXPECT_NE(kernel, nullptr) << info(operation).name;
  arguments.operands.at(operand).data = out.data();
  if (kernel != nullptr) kernel(testing::host_context(1), arguments);
  return out;
}

/// Compares what the kernels of the device and of the host write into `out` for the same arguments.
template <class T>
void expect_same(Operation operation, const KernelArguments& arguments, const std::vector<T>& out,
                 std::size_t operand = 0) {
  EXPECT_EQ(output_of(device_kernels(), operation, arguments, out, operand),
            output_of(host_kernels(), operation, arguments, out, operand))
      << info(operation).name;
}

TEST(DeviceKernels, ReduceEveryShape) {
  const std::vector<Sizes> shapes{{1, 1, 1},    {1, 70'000, 1}, {3, 100, 1}, {40, 7, 1},     {2, 300, 5},
                                  {1, 5000, 3}, {600, 33, 1},   {1, 0, 4},   {1, 20'000, 30}};
  for (const Sizes& shape : shapes) {
    SCOPED_TRACE(::testing::PrintToString(shape));
    const std::int64_t outer = shape[0];
    const std::int64_t reduced = shape[1];
    const std::int64_t inner = shape[2];
    auto in = sequence<float>(outer * reduced * inner);
    std::vector<float> out(static_cast<std::size_t>(outer * inner));
    std::vector<std::int64_t> indices(out.size());
    const Operand from = operand_of(in, {reduced * inner, inner, 1});
    const Operand values = operand_of(out, {inner, 1});
    const Operand positions = operand_of(indices, {inner, 1});
    expect_same(Operation::sum, arguments_of(shape, {values, from}), out);
    if (reduced == 0) continue;
    for (const Operation operation : {Operation::norm, Operation::max, Operation::min}) {
      expect_same(operation, arguments_of(shape, {values, from}), out);
    }
    expect_same(Operation::argmax, arguments_of(shape, {positions, from}), indices);
    expect_same(Operation::argmin, arguments_of(shape, {positions, from}), indices);
    expect_same(Operation::max, arguments_of(shape, {values, from, positions}), indices, 2);
  }
}

/// Runs the elementwise kernels of all operations for a dtype, on contiguous and on strided operands.
template <ScalarType dtype>
void expect_same_elementwise() {
  using T = typename testing::Held<dtype>::type;
  auto a = testing::samples<dtype>({5, 7}, 0, testing::Layout::gaps);
  auto b = testing::samples<dtype>({5, 7}, 99, testing::Layout::transposed);
  for (int i = 0; i < operation_count; ++i) {
    const auto operation = static_cast<Operation>(i);
    const auto kind = info(operation).kind;
    if (kind > OperationKind::comparison || !contains(info(operation).types, dtype)) continue;
    const auto strided = arguments_of({5, 7}, {Operand{}, a.operand(dtype), b.operand(dtype)});
    auto contiguous = arguments_of({35}, {Operand{}, a.operand(dtype), b.operand(dtype)});
    contiguous.operands[1].strides[0] = contiguous.operands[2].strides[0] = 1;
    for (auto arguments : {strided, contiguous}) {
      if (kind == OperationKind::unary) arguments.operand_count = 2;
      const auto compare = [&](auto out) {
        arguments.operands[0] = operand_of(out, arguments.rank == 2 ? Sizes{7, 1} : Sizes{1},
                                           kind == OperationKind::comparison ? kBool : dtype);
        const auto found = output_of(device_kernels(), operation, arguments, out);
        const auto expected = output_of(host_kernels(), operation, arguments, out);
        EXPECT_EQ(std::memcmp(found.data(), expected.data(), out.size() * sizeof(out[0])), 0)
            << info(operation).name << " of " << toString(dtype);
      };
      kind == OperationKind::comparison ? compare(std::vector<std::uint8_t>(35)) : compare(std::vector<T>(35));
    }
  }
}

TEST(DeviceKernels, ApplyEveryElementwiseOperation) {
  testing::for_each_dtype([](auto type) { expect_same_elementwise<decltype(type)::value>(); });
}

/// The same for the operations of more inputs; the last input of some calls is a number.
template <ScalarType dtype>
void expect_same_choices() {
  using T = typename testing::Held<dtype>::type;
  auto a = testing::samples<dtype>({5, 7}, 0, testing::Layout::gaps);
  auto b = testing::samples<dtype>({5, 7}, 99, testing::Layout::transposed);
  auto c = testing::samples<dtype>({5, 7}, 33, testing::Layout::broadcast_first);
  auto condition = testing::samples<kBool>({5, 7}, 5, testing::Layout::broadcast_last);
  const Operand last = testing::number(dtype, 2);
#define D2L_COMPARE(name, dtypes, inputs, ...)                                                            \
  if (contains(info(Operation::name).types, dtype)) {                                                     \
    std::vector<Operand> operands{Operand{}, a.operand(dtype), b.operand(dtype), c.operand(dtype), last}; \
    if (Operation::name == Operation::where) operands[3] = condition.operand(kBool);                      \
    for (const bool by_number : {false, true}) {                                                          \
      operands.resize((inputs) + 1);                                                                      \
      if (by_number) operands[2] = last;                                                                  \
      std::vector<T> out(35);                                                                             \
      operands[0] = operand_of(out, Sizes{7, 1}, dtype);                                                  \
      const auto arguments = arguments_of({5, 7}, operands);                                              \
      const auto found = output_of(device_kernels(), Operation::name, arguments, out);                    \
      const auto expected = output_of(host_kernels(), Operation::name, arguments, out);                   \
      EXPECT_EQ(std::memcmp(found.data(), expected.data(), out.size() * sizeof(T)), 0)                    \
          << #name << " of " << toString(dtype);                                                          \
    }                                                                                                     \
  }
  D2L_CHOICE_OPERATIONS(D2L_COMPARE)
#undef D2L_COMPARE
}

TEST(DeviceKernels, ApplyEveryOperationOfMoreInputs) {
  testing::for_each_dtype([](auto type) { expect_same_choices<decltype(type)::value>(); });
}

TEST(DeviceKernels, AddEveryLayout) {
  for (const std::int64_t count : {1, 3, 4, 1023, 1024}) {
    auto a = sequence<float>(count + 1);
    auto b = sequence<float>(count + 1);
    std::vector<float> out(static_cast<std::size_t>(count) + 1);  // the kernel must not write the last
    auto arguments = arguments_of({count}, {operand_of(out, {1}), operand_of(a, {1}), operand_of(b, {1})});
    expect_same(Operation::add, arguments, out);
    arguments.operands[2].data = b.data() + 1;  // not on a boundary of 16 bytes
    expect_same(Operation::add, arguments, out);
    arguments.operands[2].strides[0] = 0;
    expect_same(Operation::add, arguments, out);
    arguments.operands[2].data = nullptr;
    arguments.operands[2].immediate.real = 2.5;
    expect_same(Operation::add, arguments, out);
  }
  auto a = sequence<float>(60);
  auto row = sequence<float>(5);
  std::vector<float> out(60);
  const auto arguments =
      arguments_of({4, 3, 5}, {operand_of(out, {15, 5, 1}), operand_of(a, {1, 20, 4}), operand_of(row, {0, 0, 1})});
  expect_same(Operation::add, arguments, out);
}

TEST(DeviceKernels, MultiplyIntegerMatrices) {
  auto a = sequence<std::int64_t>(24);
  auto b = sequence<std::int64_t>(20);
  std::vector<std::int64_t> out(30);
  const auto arguments =
      arguments_of({2, 3, 4, 5}, {operand_of(out, {15, 5, 1}), operand_of(a, {12, 1, 3}), operand_of(b, {0, 5, 1})});
  expect_same(Operation::matmul, arguments, out);
}

TEST(DeviceKernels, TakeTheLogarithmOfSoftmax) {
  const std::vector<Sizes> shapes{{1, 1, 1},   {256, 10, 1}, {1, 70'000, 1}, {3, 7, 5},
                                  {2, 100, 3}, {2, 64, 1},   {2, 65, 1},     {2, 0, 3}};
  for (const Sizes& shape : shapes) {
    auto in = sequence<double>(testing::product_of(shape));
    if (in.size() > 6) in[6] = -std::numeric_limits<double>::infinity();
    std::vector<double> out(in.size());
    const auto forward = arguments_of(shape, {operand_of(out), operand_of(in)});
    auto expected = output_of(host_kernels(), Operation::log_softmax, forward, out);
    const auto found = output_of(device_kernels(), Operation::log_softmax, forward, out);
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_TRUE(found[i] == expected[i] || std::abs(found[i] - expected[i]) < 1e-12);

    auto grad = sequence<double>(testing::product_of(shape));
    const auto backward = arguments_of(shape, {operand_of(out), operand_of(grad), operand_of(expected)});
    expect_same(Operation::log_softmax_backward, backward, out);
  }
}

TEST(DeviceKernels, TakeSoftmax) {
  const std::vector<Sizes> shapes{{1, 1, 1},   {256, 10, 1}, {1, 70'000, 1}, {3, 7, 5},
                                  {2, 100, 3}, {2, 64, 1},   {2, 65, 1},     {2, 0, 3}};
  for (const Sizes& shape : shapes) {
    auto in = sequence<double>(testing::product_of(shape));
    if (in.size() > 6) in[6] = -std::numeric_limits<double>::infinity();
    std::vector<double> out(in.size());
    const auto forward = arguments_of(shape, {operand_of(out), operand_of(in)});
    auto expected = output_of(host_kernels(), Operation::softmax, forward, out);
    const auto found = output_of(device_kernels(), Operation::softmax, forward, out);
    auto grad = sequence<double>(testing::product_of(shape));
    const auto backward = arguments_of(shape, {operand_of(out), operand_of(grad), operand_of(expected)});
    const auto expected_back = output_of(host_kernels(), Operation::softmax_backward, backward, out);
    const auto found_back = output_of(device_kernels(), Operation::softmax_backward, backward, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      ASSERT_NEAR(found[i], expected[i], 1e-13);
      ASSERT_NEAR(found_back[i], expected_back[i], 1e-11);
    }
  }
}

TEST(DeviceKernels, TakeInfinitiesAndNansAsTheHostDoes) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  const std::vector<std::vector<float>> rows{
      {-infinity, -infinity}, {-infinity, 0}, {infinity, 0},        {0, infinity},   {nan, 1},           {1, nan},
      {-infinity, nan},       {infinity, 1},  {infinity, infinity}, {3e38F, -3e38F}, {-infinity, -1e30F}};
  for (const auto& pair : rows) {
    for (const std::int64_t n : {2, 200}) {
      std::vector<float> row(static_cast<std::size_t>(n), pair[1]);
      row[0] = pair[0];
      std::vector<float> out(row.size());
      const auto arguments = arguments_of({1, n, 1}, {operand_of(out), operand_of(row)});
      for (const Operation operation : {Operation::log_softmax, Operation::softmax}) {
        const auto expected = output_of(host_kernels(), operation, arguments, out);
        const auto found = output_of(device_kernels(), operation, arguments, out);
        for (std::size_t i = 0; i < out.size(); ++i) {
          EXPECT_TRUE(testing::same(found[i], expected[i]))
              << row[0] << ", " << row[1] << ": " << found[i] << " instead of " << expected[i];
        }
      }
    }
  }
}

TEST(DeviceKernels, GatherAndScatterClasses) {
  auto a = sequence<float>(60);
  auto small = sequence<float>(20);
  auto index = sequence<std::int64_t>(20);
  for (auto& target : index) target %= 3;
  std::vector<float> out(small.size());
  auto arguments = arguments_of({4, 3, 5}, {operand_of(out), operand_of(a), operand_of(index)});
  arguments.parameters[0].integer = 1;
  expect_same(Operation::gather, arguments, out);
  std::vector<float> all(a.size());
  index[3] = -7;
  index[4] = 3;
  arguments.operands[0] = operand_of(all);
  arguments.operands[1] = operand_of(small);
  expect_same(Operation::scatter, arguments, all);
}

TEST(DeviceKernels, TakeAndAddAtAnIndex) {
  for (const Sizes& shape : {Sizes{4, 3, 5, 7}, Sizes{1, 1000, 1, 5000}, Sizes{2, 1, 3, 0}}) {
    const std::int64_t taken = shape[0] * shape[3] * shape[2];
    auto a = sequence<float>(shape[0] * shape[1] * shape[2]);
    auto values = sequence<float>(taken);
    auto index = sequence<std::int64_t>(taken);
    for (auto& entry : index) entry %= shape[1];
    std::vector<float> out(values.size());
    std::vector<float> sums(a.size());
    for (const std::int64_t shared : {0, 1}) {
      auto arguments = arguments_of(shape, {operand_of(out), operand_of(a), operand_of(index)});
      arguments.parameters[0].integer = shared;
      expect_same(Operation::take, arguments, out);
      arguments.operands[0] = operand_of(sums);
      arguments.operands[1] = operand_of(values);
      expect_same(Operation::index_add, arguments, sums);
    }
  }
}

TEST(DeviceKernels, SortAndScanLines) {
  for (const Sizes& shape : {Sizes{1, 1, 1}, Sizes{3, 100, 1}, Sizes{2, 600, 5}, Sizes{1, 20'000, 1}, Sizes{2, 0, 3}}) {
    auto in = sequence<float>(testing::product_of(shape));
    if (in.size() > 9) in[9] = std::nanf("");
    std::vector<float> out(in.size());
    std::vector<std::int64_t> indices(in.size());
    const auto sort_arguments = [&shape](std::int64_t kept, std::initializer_list<Operand> operands) {
      return arguments_of({shape[0], shape[1], shape[2], kept}, operands);
    };
    for (const std::int64_t kept : {shape[1], shape[1] / 7}) {
      for (const std::int64_t descending : {0, 1}) {
        auto arguments = sort_arguments(kept, {operand_of(out), operand_of(in), operand_of(indices)});
        arguments.parameters[0].integer = descending;
        expect_same(Operation::sort, arguments, indices, 2);
      }
    }
    auto integers = sequence<std::int32_t>(testing::product_of(shape));
    expect_same(Operation::cumsum, arguments_of(shape, {operand_of(indices), operand_of(integers)}), indices);
    const auto of_integers = sort_arguments(shape[1], {Operand{}, operand_of(integers), operand_of(indices)});
    expect_same(Operation::sort, of_integers, integers);
  }
}

TEST(DeviceKernels, TakeTrianglesAndProducts) {
  auto in = sequence<double>(60);
  std::vector<double> out(60);
  auto arguments = arguments_of({3, 4, 5}, {operand_of(out), operand_of(in)});
  arguments.parameters[0].integer = -1;
  expect_same(Operation::tril, arguments, out);
  expect_same(Operation::triu, arguments, out);
  std::vector<double> reduced(15);
  expect_same(Operation::prod, arguments_of({3, 4, 5}, {operand_of(reduced), operand_of(in)}), reduced);
  std::vector<float> numbers(7);
  auto range = arguments_of({7}, {operand_of(numbers)});
  range.parameters[0].real = -1;
  range.parameters[1].real = 2;
  expect_same(Operation::linspace, range, numbers);
}

TEST(DeviceKernels, AddAScaledArray) {
  auto a = sequence<float>(1001);
  auto b = sequence<float>(1001);
  std::vector<float> out(1001);
  auto arguments = arguments_of({1001}, {operand_of(out, {1}), operand_of(a, {1}), operand_of(b, {1})});
  arguments.parameters[0].real = -0.1;
  expect_same(Operation::add_scaled, arguments, out);
}

/// What the kernel of an optimiser writes into its arrays; `flag` turns on amsgrad, or centring and momentum.
std::vector<std::vector<float>> stepped(const KernelTable& table, Operation operation, bool flag) {
  std::vector<std::vector<float>> arrays(5, sequence<float>(1001));
  for (float& square : arrays[operation == Operation::adam_step ? 3 : 2]) square += 20'000;  // more than any average²
  std::vector<Operand> operands;
  for (auto& array : arrays) operands.push_back(operand_of(array));
  auto arguments = arguments_of({1001}, operands);
  if (operation == Operation::adam_step && !flag) arguments.operand_count = 4;
  arguments.coefficients = {0.1, 0.5, 0.25, 0.75, 0.5, 0.9, 0.8};
  for (auto& parameter : arguments.parameters) parameter.integer = flag ? 1 : 0;
  table.find(operation, arguments)(testing::host_context(1), arguments);
  return arrays;
}

TEST(DeviceKernels, StepAsOptimisersDo) {
  for (const auto operation : {Operation::adam_step, Operation::rmsprop_step, Operation::adagrad_step}) {
    for (const bool flag : {false, true}) {
      EXPECT_EQ(stepped(device_kernels(), operation, flag), stepped(host_kernels(), operation, flag))
          << info(operation).name;
    }
  }
}

TEST(DeviceKernels, DrawTheSameNumbers) {
  std::vector<float> out(1001);
  auto arguments = arguments_of({1001}, {operand_of(out, {1})});
  arguments.parameters[0].integer = 42;
  for (const std::int64_t offset : {0, 1, 3, 1000}) {
    arguments.parameters[1].integer = offset;
    expect_same(Operation::rand, arguments, out);
    expect_same(Operation::randn, arguments, out);
  }
}

}  // namespace
}  // namespace d2l::backend
