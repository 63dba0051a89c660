// SPDX-License-Identifier: MIT
// Elementwise operations: values, broadcasting, promotion, in-place forms, aliasing, devices.
#include <cmath>
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(Elementwise, Arithmetic) {
  on_every_device([](Device device) {
    const auto x = tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, device);
    const auto row = tensor({10.0, 20.0, 30.0}, device);
    const auto column = tensor({{1.0}, {2.0}}, device);
    expect_tensor(x + row, {2, 3}, {11, 22, 33, 14, 25, 36});
    expect_tensor(row - x, {2, 3}, {9, 18, 27, 6, 15, 24});
    expect_tensor(x * column, {2, 3}, {1, 2, 3, 8, 10, 12});
    expect_tensor(x / column, {2, 3}, {1, 2, 3, 2, 2.5, 3});
    expect_tensor(column + row, {2, 3}, {11, 21, 31, 12, 22, 32});
    expect_tensor(x + 1, {2, 3}, {2, 3, 4, 5, 6, 7});
    expect_tensor(1 - x, {2, 3}, {0, -1, -2, -3, -4, -5});
    expect_tensor(12 / x, {2, 3}, {12, 6, 4, 3, 2.4F, 2});
    expect_tensor(x.t() + x.t(), {3, 2}, {2, 8, 4, 10, 6, 12});
    expect_tensor(x.t() + row.view({3, 1}), {3, 2}, {11, 14, 22, 25, 33, 36});
    expect_tensor(x.slice(1, 0, 3, 2) * 2, {2, 2}, {2, 6, 8, 12});
    expect_tensor(row.expand({2, 3}) - 10, {2, 3}, {0, 10, 20, 0, 10, 20});
    expect_tensor(x.add(row, 2), {2, 3}, {21, 42, 63, 24, 45, 66});
    expect_tensor(x.sub(1, 0.5), {2, 3}, {0.5, 1.5, 2.5, 3.5, 4.5, 5.5});
    expect_tensor(x.pow(2), {2, 3}, {1, 4, 9, 16, 25, 36});
    expect_tensor(pow(2, x), {2, 3}, {2, 4, 8, 16, 32, 64});
    expect_tensor(x.pow(column), {2, 3}, {1, 2, 3, 16, 25, 36});
    expect_tensor(-x, {2, 3}, {-1, -2, -3, -4, -5, -6});
    expect_tensor(x.pow(2).t().sqrt(), {3, 2}, {1, 4, 2, 5, 3, 6});
  });
}

TEST(Elementwise, Comparisons) {
  on_every_device([](Device device) {
    const auto x = tensor({1.0, 2.0, std::numeric_limits<double>::quiet_NaN()}, device);
    EXPECT_EQ((x == 2).dtype(), kBool);
    expect_tensor(x == 2, {3}, {0, 1, 0});
    expect_tensor(x != 2, {3}, {1, 0, 1});
    expect_tensor(x < 2, {3}, {1, 0, 0});
    expect_tensor(2 > x, {3}, {1, 0, 0});
    expect_tensor(x >= x, {3}, {1, 1, 0});
    expect_tensor(1.5 <= x, {3}, {0, 1, 0});
    expect_tensor(tensor({0.1}, device) == 0.1, {1}, {1});
    expect_tensor(tensor({1, 2}, device) == tensor({1.0, 2.5}, device), {2}, {1, 0});
  });
}

TEST(Elementwise, Promotion) {
  on_every_device([](Device device) {
    const auto integers = tensor({1, 2}, device);
    EXPECT_EQ((integers / integers).dtype(), kFloat);
    EXPECT_EQ((integers + 1.5).dtype(), kFloat);
    EXPECT_EQ((integers + tensor({1.5, 2.5}, TensorOptions(kDouble).device(device))).dtype(), kDouble);
    EXPECT_EQ((ones({2}, device) + tensor(1.0, TensorOptions(kDouble).device(device))).dtype(), kFloat);
    EXPECT_EQ((tensor({1}, TensorOptions(kByte).device(device)) + 300).item<int>(), 45);
    EXPECT_EQ((tensor({true}, device) + tensor({true}, device)).dtype(), kBool);
    expect_tensor(integers + tensor({0.5, 0.5}, device), {2}, {1.5, 2.5});
    EXPECT_EQ(integers.pow(0.5).dtype(), kFloat);
    EXPECT_EQ(tensor({2}, device).pow(63).item<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  });
}

TEST(Elementwise, RefusesInPyTorchsWords) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, device);
    const auto truths = tensor({true, false}, device);
    const auto integers = tensor({1, 2}, device);
    const std::string two_bools =
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
        "operator instead.";
    const std::string one_bool = "Subtraction, the `-` operator, with a bool tensor is not supported.";
    expect_error<ShapeError>(
        [&] { return x * x.t(); },
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1");
    expect_error<ShapeError>(
        [&] { return x == ones(list(2, 4), device); },
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
    expect_error<ShapeError>(
        [&] { return x + ones(list(2, 0), device); },
        "The size of tensor a (3) must match the size of tensor b (0) at non-singleton dimension 1");
    expect_error<TypeError>([&] { return truths - truths; }, two_bools);
    expect_error<TypeError>([&] { return true - truths; }, two_bools);
    expect_error<TypeError>([&] { return truths - 1; }, one_bool);
    expect_error<TypeError>([&] { return 2 - truths; }, one_bool);
    expect_error<TypeError>([&] { return x - true; }, one_bool);
    expect_error<TypeError>([&] { return -truths; }, "Negation, the `-` operator, on a bool tensor is not supported.");
    expect_error<TypeError>([&] { return truths.abs(); }, "\"abs_cpu\" not implemented for 'Bool'");
    expect_error<TypeError>([&] { return truths.relu(); }, "Boolean inputs not supported for relu");
    expect_error<TypeError>([&] { return truths.pow(true); }, "\"pow\" not implemented for 'Bool'");
    expect_error<ValueError>([&] { return integers.pow(-1); }, "Integers to negative integer powers are not allowed.");
    expect_error<TypeError>([&] { return integers.add(1, 0.5); },
                            "For integral input tensors, argument alpha must not be a floating point number.");
    expect_error<TypeError>([&] { return x.add(x, true); }, "Boolean alpha only supported for Boolean results.");
    EXPECT_EQ(repr(tensor({false}).add(true, 2)), "tensor([True])");
  });
}

TEST(Arithmetic, AnAlphaFitsTheResult) {
  on_every_device([](Device device) {
    struct Refused {
      ScalarType type;
      Scalar alpha;
      const char* sentence;
    };
    const char* const floating = "For integral input tensors, argument alpha must not be a floating point number.";
    for (const Refused& row :
         {Refused{kLong, 2.5, floating}, Refused{kLong, 1.0, floating}, Refused{kBool, 1.0, floating},
          Refused{kByte, 300, "value cannot be converted to type uint8_t without overflow"},
          Refused{kInt, -(std::int64_t{1} << 40), "value cannot be converted to type int without overflow"},
          Refused{kFloat, 1e300, "value cannot be converted to type float without overflow"}}) {
      SCOPED_TRACE(row.sentence);
      const Scalar alpha = row.alpha;
      const auto vector = ones({2}, TensorOptions(row.type).device(device));
      for (Tensor a : {vector, vector[0]}) {
        expect_error<Error>([&] { return a.add(row.type == kFloat ? Scalar(1) : Scalar(true), alpha); }, row.sentence);
        expect_error<Error>([&] { return a.add(vector, alpha); }, row.sentence);
        expect_error<Error>([&] { return a.add(vector[1], alpha); }, row.sentence);
        expect_error<Error>([&] { return a.add_(vector[1], alpha); }, row.sentence);
        expect_error<Error>([&] { return a.add_(true, alpha); }, row.sentence);
      }
    }
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    expect_tensor(ones({1}, device).sub(3, largest) / 0x1p63, {1}, {-3});
    expect_tensor(ones({1}, device).add_(3, largest) / 0x1p63, {1}, {3});
    expect_tensor(ones({1}, TensorOptions(kByte).device(device)).add(300, 2), {1}, {89});
  });
}

TEST(InPlace, WritesIntoTheSameMemory) {
  on_every_device([](Device device) {
    auto x = tensor({{1.0, 2.0}, {3.0, 4.0}}, device);
    const auto* address = x.data_ptr();
    x += 1;
    x *= tensor({1.0, 2.0}, device);
    x -= tensor(1, device);
    x /= 2;
    expect_tensor(x, {2, 2}, {0.5, 2.5, 1.5, 4.5});
    x.t().add_(tensor({10.0, 20.0}, device));
    expect_tensor(x, {2, 2}, {10.5, 12.5, 21.5, 24.5});
    x.sub_(x).add_(x, 3).exp_().pow_(2).neg_().abs_().sqrt_().log_().relu_().sigmoid_().tanh_();
    EXPECT_NEAR(x[0][0].item<double>(), std::tanh(0.5), 1e-6);
    EXPECT_EQ(x.data_ptr(), address);
    x.fill_(7).slice(1, 1).zero_();
    expect_tensor(x, {2, 2}, {7, 0, 7, 0});
    auto bytes = tensor({250, 3}, TensorOptions(kByte).device(device));
    bytes.add_(tensor({10, 10}, device));
    expect_tensor(bytes, {2}, {4, 13});
    auto single = tensor({1.0}, device);
    single += tensor({0.5}, TensorOptions(kDouble).device(device));
    EXPECT_EQ(single.dtype(), kFloat);
    expect_tensor(single, {1}, {1.5});
  });
}

TEST(InPlace, RefusesInPyTorchsWords) {
  on_every_device([](Device device) {
    auto x = ones({2, 1}, device);
    auto integers = tensor({1, 2}, device);
    auto truths = tensor({true, false}, device);
    expect_error<ShapeError>([&] { return x.mul_(ones(list(2, 3), device)); },
                             "output with shape [2, 1] doesn't match the broadcast shape [2, 3]");
    expect_error<ShapeError>(
        [&] { return ones(list(2, 3), device).add_(ones({4}, device)); },
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
    expect_error<TypeError>([&] { return integers.add_(1.5); },
                            "result type Float can't be cast to the desired output type Long");
    expect_error<TypeError>([&] { return integers.div_(2); },
                            "result type Float can't be cast to the desired output type Long");
    expect_error<TypeError>([&] { return truths.add_(1); },
                            "result type Long can't be cast to the desired output type Bool");
    expect_error<TypeError>([&] { return integers.exp_(); },
                            "result type Float can't be cast to the desired output type Long");
    expect_tensor(integers, {2}, {1, 2});
  });
}

TEST(InPlace, AliasesAreRightOrRefused) {
  on_every_device([](Device device) {
    const std::string overlap = "some elements of the input tensor and the written-to tensor refer to a single memory";
    const std::string repeated = "more than one element of the written-to tensor refers to a single memory location.";
    auto x = arange(6.0, device);
    expect_error<ValueError>([&] { return x.slice(0, 1).add_(x.slice(0, 0, -1)); }, overlap);
    expect_error<ValueError>([&] { return x.slice(0, 1).copy_(x.slice(0, 0, -1)); }, overlap);
    expect_error<ValueError>([&] { return x.mul_(x[2]); }, overlap);
    expect_error<ValueError>([&] { return x.add_(x[2], 2); }, overlap);
    auto square = x.slice(0, 0, 4).view({2, 2});
    expect_error<ValueError>([&] { return square.add_(square.t()); }, overlap);
    expect_error<ValueError>([&] { return ones({3}, device).expand({2, 3}).add_(1); }, repeated);
    expect_error<ValueError>([&] { return ones({1}, device).expand({3}).exp_(); }, repeated);
    expect_error<ValueError>([&] { return ones({1}, device).expand({3}).copy_(ones({3}, device)); }, repeated);
    expect_tensor(x, {6}, {0, 1, 2, 3, 4, 5});
    x.add_(x);
    expect_tensor(x, {6}, {0, 2, 4, 6, 8, 10});
    x.slice(0, 0, 6, 2).add_(x.slice(0, 1, 6, 2));
    expect_tensor(x, {6}, {2, 2, 10, 6, 18, 10});
    auto shifted = arange(6.0, device).view({3, 2});  // interleaved columns
    shifted.select(1, 0).copy_(shifted.view({6}).slice(0, 1, 4));
    expect_tensor(shifted, {3, 2}, {1, 1, 2, 3, 3, 5});
    expect_tensor(ones({1}, device).expand({3}).fill_(2), {3}, {2, 2, 2});
  });
}

TEST(Elementwise, OfNothingAndOfManyDimensions) {
  on_every_device([](Device device) {
    auto none = empty({2, 0}, device);
    EXPECT_EQ((none + 1).sizes(), IntArrayRef({2, 0}));
    EXPECT_EQ((none * ones({0}, device)).sizes(), IntArrayRef({2, 0}));
    EXPECT_EQ((none == none).dtype(), kBool);
    EXPECT_EQ((none + ones({2, 1}, device)).sizes(), IntArrayRef({2, 0}));
    EXPECT_EQ(none.exp().numel(), 0);
    EXPECT_EQ(none.add_(1).zero_().numel(), 0);
    EXPECT_EQ(none.to(kDouble).dtype(), kDouble);
    EXPECT_TRUE(none.equal(none.clone()));
    EXPECT_TRUE(none.allclose(none));
    const auto many = arange(256, device).view({2, 2, 2, 2, 2, 2, 2, 2});
    const auto turned = many.permute({7, 6, 5, 4, 3, 2, 1, 0});
    const auto sum = many + turned;
    for (const std::int64_t i : {0, 1, 37, 255}) {
      std::int64_t reversed = 0;
      for (int bit = 0; bit < 8; ++bit) reversed |= ((i >> bit) & 1) << (7 - bit);
      EXPECT_EQ(sum.view({256})[i].item<std::int64_t>(), i + reversed);
    }
  });
}

TEST(Devices, MixedAreRefused) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs";
  const auto x = ones({2, 3}, gpu(0));
  const auto y = ones({2, 3}, gpu(1));
  const auto z = ones({2, 3});
  const std::string found = "Expected all tensors to be on the same device, but found at least two devices, ";
  expect_error<DeviceError>([&] { return x + y; }, "[add] " + found + "cuda:0 and cuda:1!");
  expect_error<DeviceError>([&] { return y + x; }, found + "cuda:1 and cuda:0!");
  expect_error<DeviceError>([&] { return x + z; }, found + "cuda:0 and cpu!");
  expect_error<DeviceError>([&] { return z + y; }, found + "cuda:1 and cpu!");
  expect_error<DeviceError>([&] { return x + z; }, "a: Float [2, 3] on cuda:0; b: Float [2, 3] on cpu");
  expect_error<DeviceError>([&] { return z + x.sum(); }, found);
  expect_error<DeviceError>([&] { return ones({}).add_(x.sum()); }, found);
  expect_error<ShapeError>([&] { return x + ones({4}); }, "The size of tensor a (3) must match");
  expect_tensor(x + tensor(1.5), {2, 3}, {2.5, 2.5, 2.5, 2.5, 2.5, 2.5});
  expect_tensor(tensor(1.5) - x, {2, 3}, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  EXPECT_EQ((tensor(1.5) - x).device(), gpu(0));
  EXPECT_EQ((x + tensor(1.5, kDouble)).dtype(), kFloat);
  EXPECT_EQ((tensor(2) * x.sum()).device(), gpu(0));
  auto w = x.clone();
  w += tensor(2);
  expect_tensor(w, {2, 3}, {3, 3, 3, 3, 3, 3});
}

TEST(Compare, EqualAndAllclose) {
  on_every_device([](Device device) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    const auto x = tensor({1.0, 2.0}, device);
    EXPECT_TRUE(x.equal(tensor({1.0, 2.0}, device)));
    EXPECT_TRUE(x.equal(tensor({1, 2}, device)));
    EXPECT_FALSE(x.equal(tensor({1.0, 2.5}, device)));
    EXPECT_FALSE(x.equal(tensor({1.0}, device)));
    EXPECT_FALSE(tensor({nan}, device).equal(tensor({nan}, device)));
    EXPECT_TRUE(x.allclose(x + 1e-6));
    EXPECT_FALSE(x.allclose(x + 1e-3));
    EXPECT_TRUE(x.allclose(x + 1e-3, 0, 1e-2));
    EXPECT_TRUE(tensor({inf, -inf}, device).allclose(tensor({inf, -inf}, device)));
    EXPECT_FALSE(tensor({inf}, device).allclose(tensor({-inf}, device)));
    EXPECT_FALSE(tensor({1.0}, device).allclose(tensor({inf}, device)));
    EXPECT_FALSE(tensor({nan}, device).allclose(tensor({nan}, device)));
    EXPECT_TRUE(tensor({nan, 1.0}, device).allclose(tensor({nan, 1.0}, device), 1e-5, 1e-8, true));
    EXPECT_FALSE(tensor({nan, 1.0}, device).allclose(tensor({1.0, 1.0}, device), 1e-5, 1e-8, true));
    EXPECT_TRUE(tensor({1, 2}, device).allclose(tensor({1, 2}, device)));
    EXPECT_TRUE(tensor({true}, device).allclose(tensor({true}, device)));
    expect_error<TypeError>([&] { return x.allclose(x.to(kDouble)); }, "Float did not match Double");
    expect_error<ValueError>([&] { return x.allclose(x, -1); },
                             "rtol must be greater than or equal to zero, but got -1");
  });
}

}  // namespace
}  // namespace d2l::testing
