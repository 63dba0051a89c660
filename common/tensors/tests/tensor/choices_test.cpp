// SPDX-License-Identifier: MIT
// where, masked_fill and clamp: dtypes, shapes, numbers, writes in place, errors.
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Tensor bools(std::initializer_list<TensorData> values, Device device) {
  return tensor(values, TensorOptions(kBool).device(device));
}

TEST(Where, PromotesDtypesAndBroadcasts) {
  on_every_device([](Device device) {
    const auto condition = bools({true, false, true}, device);
    const auto n = tensor({1, 2, 3}, device);
    const auto x = tensor({{0.5}, {1.5}}, device);
    expect_tensor(where(condition, n, x), {2, 3}, {1, 0.5, 3, 1, 1.5, 3});
    EXPECT_EQ(where(condition, n, x).dtype(), kFloat);
    EXPECT_EQ(where(condition, n, n.to(kInt)).dtype(), kLong);
    EXPECT_EQ(where(condition, n, 1.5).dtype(), kFloat);
    EXPECT_EQ(where(condition, n, tensor(0.5, TensorOptions(kDouble).device(device))).dtype(), kDouble);
    expect_tensor(where(condition, 1.5, n), {3}, {1.5, 2, 1.5});
    expect_tensor(where(condition, 1, 2), {3}, {1, 2, 1});
    EXPECT_EQ(where(condition, 1, 2).dtype(), kLong);
    EXPECT_EQ(where(condition, 1.0, 2).dtype(), kFloat);
    EXPECT_EQ(where(condition, true, false).dtype(), kBool);
    for (const auto type : every_dtype) {
      const auto a = tensor({0, 1, 1}, device).to(type);
      expect_tensor(a.where(condition, 1), {3}, {0, 1, 1});
      expect_tensor(where(condition, a, a.logical_not().to(type)), {3}, {0, 0, 1});
    }
    expect_tensor(where(condition.to(kByte), n, 0), {3}, {1, 0, 3});
    expect_tensor(where(bools({true, false}, device).reshape({2, 1}).expand({2, 3}).t(), n.reshape({3, 1}), 0), {3, 2},
                  {1, 0, 2, 0, 3, 0});
    EXPECT_EQ(where(zeros({0}, device) == 1, 1, 2).numel(), 0);
    expect_on(device, where(condition, n, x), where(condition, 1, 2));
  });
}

TEST(Where, TakesCpuTensorsWithoutDimensionsOnAnyDevice) {
  on_every_device([](Device device) {
    const auto n = tensor({1, 2, 3}, device);
    expect_tensor(where(tensor(true), n, tensor(7)), {3}, {1, 2, 3});
    expect_tensor(where(n == 2, tensor(7), n), {3}, {1, 7, 3});
    if (!device.is_cpu()) {
      expect_error<DeviceError>(
          [&] {
            return where(bools({true, false, true}, cpu()), n, n);
          },
          "Expected all tensors to be on the same device");
    }
  });
}

TEST(Where, RefusesConditionsAndShapes) {
  on_every_device([](Device device) {
    const auto x = ones({3}, device);
    expect_error<TypeError>([&] { return where(x, x, x); },
                            "where expected condition to be a boolean tensor, but got a tensor with dtype Float");
    expect_error<ShapeError>(
        [&] { return where(x == 1, ones({2}, device), ones({4}, device)); },
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0");
    expect_error<ShapeError>(
        [&] { return where(x == 1, x, ones({4}, device)); },
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 0");
  });
}

TEST(MaskedFill, KeepsTheDtypeAndBroadcasts) {
  on_every_device([](Device device) {
    const auto mask = bools({true, false}, device);
    const auto n = tensor({{1}, {2}, {3}}, device);
    expect_tensor(n.masked_fill(mask, 2.5), {3, 2}, {2, 1, 2, 2, 2, 3});
    EXPECT_EQ(n.masked_fill(mask, 2.5).dtype(), kLong);
    expect_tensor(masked_fill(n, mask, tensor(9.75, device)), {3, 2}, {9, 1, 9, 2, 9, 3});
    expect_tensor(n.masked_fill(mask, tensor(4)), {3, 2}, {4, 1, 4, 2, 4, 3});
    auto x = zeros({2, 2}, device);
    x.t().masked_fill_(mask, -1);
    expect_tensor(x, {2, 2}, {-1, -1, 0, 0});
    x.masked_fill_(x < 0, tensor(5, device));
    expect_tensor(x, {2, 2}, {5, 5, 0, 0});
    auto b = mask.clone();
    expect_tensor(b.masked_fill_(b, false), {2}, {0, 0});
    expect_on(device, n.masked_fill(mask, 1));
  });
}

TEST(MaskedFill, Refuses) {
  on_every_device([](Device device) {
    auto x = ones({2}, device);
    const auto mask = bools({true, false, true}, device);
    expect_error<ShapeError>(
        [&] { return x.masked_fill(mask, 1); },
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0");
    expect_error<ShapeError>(
        [&] { return x.masked_fill_(mask, 1); },
        "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
    expect_error<ShapeError>([&] { return x[0].masked_fill_(mask, 1); },
                             "output with shape [] doesn't match the broadcast shape [3]");
    expect_error<TypeError>([&] { return x.masked_fill(x, 1); },
                            "masked_fill_ only supports boolean masks, but got mask with dtype float");
    expect_error<TypeError>([&] { return x.masked_fill_(x.to(kLong), 1); }, "but got mask with dtype long int");
    expect_error<ShapeError>(
        [&] { return x.masked_fill(x == 1, ones({1}, device)); },
        "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s).");
    expect_error<ValueError>([&] { return x.to(kByte).masked_fill(x == 1, 300); },
                             "value cannot be converted to type uint8_t without overflow");
    if (!device.is_cpu()) {
      const auto here = ones({2});
      expect_error<DeviceError>([&] { return x.masked_fill(here == 1, 1); }, "at least two devices");
      expect_error<DeviceError>([&] { return here.masked_fill(here == 1, x[0]); }, "at least two devices");
      expect_error<DeviceError>([&] { return x.masked_fill_(here == 1, 1); }, "at least two devices");
    }
    const auto leaf = ones({2}, TensorOptions(device).requires_grad(true));
    expect_error<ValueError>([&] { return Tensor(leaf).masked_fill_(x == 1, 1); },
                             "a leaf Variable that requires grad");
  });
}

TEST(Clamp, ByNumbers) {
  on_every_device([](Device device) {
    const auto x = tensor({-2.0, 0.25, 3.0, not_a_number}, device);
    const auto clamped = [](const Tensor& y) { return y.slice(0, 0, 3); };
    expect_tensor(clamped(x.clamp(-1, 1)), {3}, {-1, 0.25, 1});
    expect_tensor(clamped(x.clamp(0.5)), {3}, {0.5, 0.5, 3});
    expect_tensor(clamped(clamp(x, std::nullopt, 0.5)), {3}, {-2, 0.25, 0.5});
    expect_tensor(clamped(clamp_min(x, 0)), {3}, {0, 0.25, 3});
    expect_tensor(clamped(x.clamp_max(1)), {3}, {-2, 0.25, 1});
    expect_tensor(clamped(x.clamp(1, 0)), {3}, {0, 0, 0});
    expect_tensor(x.clamp(-1, 1).isnan(), {4}, {0, 0, 0, 1});
    expect_tensor(x.clamp(not_a_number).isnan(), {4}, {0, 0, 0, 1});
    expect_tensor(x.clamp(not_a_number, 1).isnan(), {4}, {1, 1, 1, 1});
    expect_tensor(x.clamp_min(not_a_number).isnan(), {4}, {1, 1, 1, 1});
    const auto n = tensor({-2, 5, 9}, device);
    expect_tensor(n.clamp(0, 7), {3}, {0, 5, 7});
    EXPECT_EQ(n.clamp(0, 7).dtype(), kLong);
    EXPECT_EQ(n.clamp(0.5).dtype(), kFloat);
    expect_tensor(n.to(kInt).clamp_max(4), {3}, {-2, 4, 4});
    expect_tensor(tensor({3, 200}, TensorOptions(kByte).device(device)).clamp(std::nullopt, 100), {2}, {3, 100});
    expect_tensor((n > 0).clamp(0, 1), {3}, {0, 1, 1});
    EXPECT_EQ((n > 0).clamp(0, 1).dtype(), kLong);
    auto y = x.clone();
    y.slice(0, 0, 3).clamp_(0, 1);
    expect_tensor(clamped(y), {3}, {0, 0.25, 1});
    expect_on(device, x.clamp(0), n.clamp(0.5));
  });
}

TEST(Clamp, ByTensors) {
  on_every_device([](Device device) {
    const auto x = tensor({{-2.0, 0.25, 3.0}}, device);
    const auto low = tensor({{0.0}, {1.0}}, device);
    expect_tensor(x.clamp(low), {2, 3}, {0, 0.25, 3, 1, 1, 3});
    expect_tensor(x.clamp(low, tensor({1, 2, 2}, device)), {2, 3}, {0, 0.25, 2, 1, 1, 2});
    expect_tensor(x.clamp(std::nullopt, tensor(0)), {1, 3}, {-2, 0, 0});
    expect_tensor(clamp_max(x, low), {2, 3}, {-2, 0, 0, -2, 0.25, 1});
    EXPECT_EQ(
        tensor({1}, device).clamp(tensor({0.5}, device), tensor({1.0}, TensorOptions(kDouble).device(device))).dtype(),
        kDouble);
    const auto b = bools({true, false}, device);
    expect_tensor(b.clamp_min(b), {2}, {1, 0});
    auto y = x.clone();
    y.clamp_(y.slice(1, 1, 2).clone(), tensor(1.0));
    expect_tensor(y, {1, 3}, {0.25, 0.25, 1});
    expect_error<ValueError>([&] { return y.clamp_(y.slice(1, 1, 2)); }, "refer to a single memory location");
    expect_error<ShapeError>([&] { return y.clamp_(low); },
                             "output with shape [1, 3] doesn't match the broadcast shape [2, 3]");
    expect_error<ShapeError>(
        [&] { return x.clamp(ones({2}, device), low); },
        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1");
  });
}

TEST(Clamp, Refuses) {
  on_every_device([](Device device) {
    auto n = tensor({1, 2}, device);
    const auto b = n == 1;
    expect_error<ValueError>([&] { return n.clamp(); }, "torch.clamp: At least one of 'min' or 'max' must not be None");
    expect_error<ValueError>([&] { return n.clamp_(std::optional<Scalar>(), std::nullopt); }, "At least one of");
    expect_error<TypeError>([&] { return b.clamp(false, true); }, "\"clamp_scalar_cpu\" not implemented for 'Bool'");
    expect_error<TypeError>([&] { return b.clamp_max(true); }, "\"clamp_max_scalar_cpu\" not implemented for 'Bool'");
    expect_error<TypeError>([&] { return b.clamp(b, b); }, "\"clamp_cpu\" not implemented for 'Bool'");
    expect_error<TypeError>([&] { return n.clamp_(0.5); },
                            "result type Float can't be cast to the desired output type");
    expect_error<TypeError>([&] { return n.clamp_min_(tensor({0.5}, device)); },
                            "result type Float can't be cast to the desired output type Long");
    expect_error<ValueError>([&] { return n.to(kByte).clamp(256, 300); },
                             "Clamp min value 256 is outside the representable range of Byte");
    expect_tensor(n, {2}, {1, 2});
  });
}

TEST(Clamp, GradientsAtTheBoundsAndOfNan) {
  on_every_device([](Device device) {
    const auto x = tensor({0.0, 1.0, 0.5, 2.0, not_a_number}, TensorOptions(device).requires_grad(true));
    const auto y = x.clamp(0, 1);
    EXPECT_EQ(y.grad_fn()->name(), "ClampBackward1");
    y.sum().backward();
    expect_tensor(x.grad(), {5}, {1, 1, 1, 0, 0});
    EXPECT_EQ(x.clamp(zeros({1}, device)).grad_fn()->name(), "ClampBackward0");
    EXPECT_EQ(x.clamp_min(0).grad_fn()->name(), "ClampMinBackward0");
    EXPECT_EQ(x.clamp_max(zeros({1}, device)).grad_fn()->name(), "ClampMaxBackward1");
  });
}

}  // namespace
}  // namespace d2l::testing
