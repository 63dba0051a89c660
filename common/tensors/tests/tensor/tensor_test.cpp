// SPDX-License-Identifier: MIT
// Tensors: factories, properties, random numbers.
#include <cmath>
#include <limits>
#include <set>

#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(Factories, ConstantsOfEveryDtype) {
  on_every_device([](Device device) {
    for (const ScalarType type : every_dtype) {
      const auto options = TensorOptions(device).dtype(type);
      expect_tensor(zeros({2, 2}, options), {2, 2}, {0, 0, 0, 0});
      expect_tensor(ones({3}, options), {3}, {1, 1, 1});
      EXPECT_EQ(ones({3}, options).dtype(), type);
      expect_on(device, ones({3}, options));
    }
    expect_tensor(full({2}, 2.5, device), {2}, {2.5, 2.5});
    EXPECT_EQ(full({2}, 2.5, device).dtype(), kFloat);
    EXPECT_EQ(full({2}, 3, device).dtype(), kLong);
    EXPECT_EQ(full({2}, true, device).dtype(), kBool);
    expect_tensor(full({2}, 2.5, TensorOptions(kLong).device(device)), {2}, {2, 2});
    EXPECT_EQ(empty({2, 0, 3}, device).numel(), 0);
    expect_tensor(ones({}, device), {}, {1});
  });
}

TEST(Factories, Literals) {
  on_every_device([](Device device) {
    expect_tensor(tensor({{1, 2, 3}, {4, 5, 6}}, device), {2, 3}, {1, 2, 3, 4, 5, 6});
    EXPECT_EQ(tensor({1, 2}, device).dtype(), kLong);
    EXPECT_EQ(tensor({1, 2.5}, device).dtype(), kFloat);
    EXPECT_EQ(tensor({true, false}, device).dtype(), kBool);
    EXPECT_EQ(tensor(2.5, device).dim(), 0);
    expect_tensor(tensor({{{1.5}}, {{2.5}}}, device), {2, 1, 1}, {1.5, 2.5});
    expect_tensor(tensor({true, false, true}, TensorOptions(kDouble).device(device)), {3}, {1, 0, 1});
    expect_tensor(tensor(std::vector<std::int64_t>{7, 8}, device), {2}, {7, 8});
    EXPECT_EQ(tensor(std::vector<std::int64_t>{}, device).dtype(), kLong);
    EXPECT_EQ(tensor(std::vector<double>{}, device).dtype(), kFloat);
    expect_tensor(tensor(1.7, TensorOptions(kInt).device(device)), {}, {1});
    EXPECT_EQ(tensor({-1}, TensorOptions(kByte).device(device)).item<int>(), 255);
  });
  expect_error<ShapeError>([] { return tensor({{1, 2}, {3}}); }, "expected sequence of length 2 at dim 1 (got 1)");
  const TensorData ragged_within{{{1, 2}, {3}}, {{1, 2}, {3, 4}}};
  expect_error<ShapeError>([&] { return tensor(ragged_within); }, "expected sequence of length 2 at dim 2 (got 1)");
  expect_error<ShapeError>([] { return tensor({{1, 2}, 3}); }, "not a sequence");
  expect_error<ValueError>([] { return tensor(300, kByte); },
                           "value cannot be converted to type uint8 without overflow");
}

TEST(Factories, Arange) {
  on_every_device([](Device device) {
    expect_tensor(arange(4, device), {4}, {0, 1, 2, 3});
    EXPECT_EQ(arange(4, device).dtype(), kLong);
    EXPECT_EQ(arange(4.0, device).dtype(), kFloat);
    expect_tensor(arange(5, 1, -2, device), {2}, {5, 3});
    expect_tensor(arange(1, 2.5, device), {2}, {1, 2});
    EXPECT_EQ(arange(0, 1, 0.1, device).numel(), 10);
    expect_tensor(arange(0, 5, 1.5, TensorOptions(kLong).device(device)), {4}, {0, 1, 2, 3});
    expect_tensor(arange(-4, 4.36, TensorOptions(kLong).device(device)), {9}, {-4, -3, -2, -1, 0, 1, 2, 3, 4});
    expect_tensor(arange(4.75, TensorOptions(kLong).device(device)), {5}, {0, 1, 2, 3, 4});
    EXPECT_EQ(arange(3, 3, device).numel(), 0);
    expect_error<ValueError>([=] { return arange(0, 5, 0, device); }, "step must be nonzero");
    expect_error<ValueError>([=] { return arange(-5, device); },
                             "upper bound and lower bound inconsistent with step sign");
    expect_error<ValueError>([=] { return arange(std::numeric_limits<double>::infinity(), device); },
                             "unsupported range: 0 -> inf");
  });
  expect_error<TypeError>([] { return arange(2, kBool); }, "\"arange_cpu\" not implemented for 'Bool'");
  expect_error<ShapeError>([] { return arange(std::numeric_limits<std::int64_t>::max()); }, "overflow");
}

TEST(Factories, RefuseImpossibleSizes) {
  on_every_device([](Device device) {
    expect_error<ShapeError>([=] { return empty(list(-1, 2), device); },
                             "Trying to create tensor with negative dimension -1: [-1, 2]");
    const std::int64_t huge = std::int64_t{1} << 62;
    expect_error<ShapeError>([=] { return ones(list(huge, 4), device); },
                             "Storage size calculation overflowed with sizes=[4611686018427387904, 4]");
    expect_error<ShapeError>([=] { return ones({huge}, device); }, "Storage size calculation overflowed");
    expect_error<ShapeError>([=] { return zeros({1, 1, 1, 1, 1, 1, 1, 1, 1}, device); }, "up to 8 dims");
    const std::string stride = "Stride calculation overflowed with sizes=[0, 4611686018427387904, 4611686018427387904]";
    expect_error<ShapeError>([=] { return empty({0, huge, huge}, device); }, stride);
    expect_error<ShapeError>([=] { return empty({0}, device).view({0, huge, huge}); }, stride);
    expect_error<ShapeError>([=] { return empty(list(huge, huge, 0), device); }, "Storage size calculation overflowed");
    EXPECT_EQ(empty({0, huge}, device).numel(), 0);
    const std::int64_t too_much = std::int64_t{1} << 46;
    expect_error<OutOfMemoryError>([=] { return empty({too_much}, device); }, "[empty] ");
    expect_error<OutOfMemoryError>([=] { return ones({1}, device).expand({too_much}) + 1; }, "[add] ");
    expect_error<ValueError>([=] { return full({2}, 300, TensorOptions(kByte).device(device)); },
                             "value cannot be converted to type uint8_t without overflow");
  });
  expect_error<DeviceError>([] { return ones({1}, gpu(100)); }, "");
}

TEST(Factories, Like) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, TensorOptions(kDouble).device(device));
    EXPECT_EQ(zeros_like(x).dtype(), kDouble);
    EXPECT_EQ(zeros_like(x).device(), device);
    expect_tensor(full_like(x, 7), {2, 3}, {7, 7, 7, 7, 7, 7});
    EXPECT_EQ(ones_like(x, kInt).dtype(), kInt);
    EXPECT_EQ(rand_like(x).sizes(), x.sizes());
    EXPECT_EQ(randn_like(x).dtype(), kDouble);
    EXPECT_TRUE(empty_like(x, cpu()).is_cpu());
  });
}

TEST(Random, SeedGivesTheSameNumbersOnEveryDevice) {
  manual_seed(7);
  const auto first = rand({5}).to_vector<float>();
  const auto second = rand({1001}).to_vector<float>();
  const auto normal = randn({1001}).to_vector<float>();
  EXPECT_NE(first, std::vector<float>(second.begin(), second.begin() + 5));
  on_every_device([&](Device device) {
    manual_seed(7);
    EXPECT_EQ(rand({5}, device).to_vector<float>(), first);
    EXPECT_EQ(rand({1001}, device).to_vector<float>(), second);
    const auto here = randn({1001}, device).to_vector<float>();
    for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i], normal[i], 1e-5);
    manual_seed(8);
    EXPECT_NE(rand({5}, device).to_vector<float>(), first);
  });
  for (const float value : second) {
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
  }
  EXPECT_EQ(std::set<float>(second.begin(), second.begin() + 100).size(), 100U);
  expect_error<TypeError>([] { return rand({2}, kLong); }, "\"check_uniform_bounds\" not implemented for 'Long'");
  expect_error<TypeError>([] { return randn({2}, kLong); }, "\"normal_kernel_cpu\" not implemented for 'Long'");
}

TEST(Describe, TellsWhatItIs) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, TensorOptions(kDouble).device(device));
    EXPECT_EQ(x.sizes(), IntArrayRef({2, 3}));
    EXPECT_EQ(x.strides(), IntArrayRef({3, 1}));
    EXPECT_EQ(x.size(-1), 3);
    EXPECT_EQ(x.stride(0), 3);
    EXPECT_EQ(x.dim(), 2);
    EXPECT_EQ(x.numel(), 6);
    EXPECT_EQ(x.element_size(), 8);
    EXPECT_EQ(x.nbytes(), 48);
    EXPECT_EQ(x.storage_offset(), 0);
    EXPECT_EQ(x.is_cpu(), device.is_cpu());
    EXPECT_EQ(x.is_cuda(), device.is_cuda());
    EXPECT_TRUE(x.is_contiguous());
    EXPECT_FALSE(x.t().is_contiguous());
    EXPECT_TRUE(x.is_floating_point());
    EXPECT_EQ(x.options().dtype(), kDouble);
    EXPECT_EQ(x.options().device(), device);
    EXPECT_FALSE(x.is_pinned());
    expect_error<IndexError>([&] { return x.size(2); },
                             "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
    expect_error<IndexError>([&] { return x.sum().size(0); }, "Dimension specified as 0 but tensor has no dimensions");
  });
}

TEST(Describe, HoldsValues) {
  on_every_device([](Device device) {
    EXPECT_EQ(tensor({{2.5}}, device).item<float>(), 2.5F);
    EXPECT_TRUE(tensor(true, device).item().isBoolean());
    EXPECT_TRUE(tensor(3, device).item().isIntegral(false));
    EXPECT_TRUE(static_cast<bool>(tensor({1}, device)));
    EXPECT_FALSE(static_cast<bool>(tensor(0.0, device)));
    expect_error<ValueError>([=] { return ones(list(2, 3), device).item(); },
                             "only one element tensors can be converted to Python scalars");
    expect_error<ValueError>([=] { return ones(list(2, 3), device).item(); },
                             "a Tensor with 6 elements cannot be converted to Scalar");
    expect_error<ValueError>([=] { return ones({2}, device).is_nonzero(); },
                             "Boolean value of Tensor with more than one value is ambiguous");
    expect_error<ValueError>([=] { return ones({0}, device).is_nonzero(); },
                             "Boolean value of Tensor with no values is ambiguous");
    EXPECT_EQ(tensor({1.9, -1.9}, device).to_vector<int>(), (std::vector<int>{1, -1}));
    EXPECT_EQ(tensor({0, 2}, device).to_vector<bool>(), (std::vector<bool>{false, true}));
    EXPECT_TRUE(ones({0}, device).to_vector<float>().empty());
    expect_error<TypeError>([=] { return ones({2}, device).data_ptr<double>(); },
                            "expected scalar type Double but found Float");
    EXPECT_EQ(owner(ones({2}, device).data_ptr<float>()), device);
  });
}

}  // namespace
}  // namespace d2l::testing
