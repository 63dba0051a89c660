// SPDX-License-Identifier: MIT
// layer_norm and LayerNorm.
#include "every_device.h"

namespace d2l::testing {
namespace {

namespace F = nn::functional;

TEST(LayerNorm, NormalisesRows) {
  on_every_device([](Device device) {
    const auto x = tensor({{1.0, 3.0}, {10.0, 30.0}}, TensorOptions(kDouble).device(device));
    expect_tensor(layer_norm(x, {2}, {}, {}, 0), {2, 2}, {-1, 1, -1, 1});
    const auto weight = tensor({2.0, 3.0}, TensorOptions(kDouble).device(device));
    expect_tensor(layer_norm(x, {2}, weight, weight, 0), {2, 2}, {0, 6, 0, 6});
    expect_tensor(F::layer_norm(x, F::LayerNormFuncOptions({2}).bias(weight).eps(0)), {2, 2}, {1, 4, 1, 4});
    expect_tensor(layer_norm(x.t(), {2}, {}, {}, 0).gt(0), {2, 2}, {0, 1, 0, 1});
    EXPECT_EQ(layer_norm(zeros({0, 2}, device), {2}).numel(), 0);
    EXPECT_EQ(layer_norm(zeros({2, 0}, device), {0}).numel(), 0);
  });
}

TEST(LayerNorm, IsALayer) {
  on_every_device([](Device device) {
    const nn::LayerNorm layer(nn::LayerNormOptions({2, 3}).device(device));
    EXPECT_EQ(repr(layer), "LayerNorm((2, 3), eps=1e-05, elementwise_affine=True)");
    const auto x = arange(12, TensorOptions(kFloat).device(device)).view({2, 2, 3});
    auto y = layer(x);
    expect_on(device, y);
    EXPECT_EQ(y.grad_fn()->name(), "NativeLayerNormBackward0");
    EXPECT_TRUE(y.equal(layer_norm(x, {2, 3})));
    y.sum().backward();
    EXPECT_EQ(layer->weight.grad().sizes().vec(), (Sizes{2, 3}));
    expect_tensor(layer->bias.grad(), {2, 3}, {2, 2, 2, 2, 2, 2});
    layer->weight.detach().fill_(5);
    const auto copy = layer->clone();
    EXPECT_TRUE(copy->forward(x).equal(layer(x)));
    expect_on(device, copy->parameters()[0]);
    layer->reset_parameters();
    EXPECT_TRUE(layer(x).equal(y));
  });
  const nn::LayerNorm plain(nn::LayerNormOptions({4}).elementwise_affine(false).eps(0.5));
  EXPECT_EQ(repr(plain), "LayerNorm((4,), eps=0.5, elementwise_affine=False)");
  EXPECT_TRUE(plain->parameters().empty());
}

TEST(LayerNorm, OfNothingHasGradientsOfZero) {
  on_every_device([](Device device) {
    auto weight = ones({2}, device).set_requires_grad(true);
    layer_norm(zeros({0, 2}, device), {2}, weight).sum().backward();
    expect_tensor(weight.grad(), {2}, {0, 0});
  });
}

TEST(LayerNorm, RefusesWhatPyTorchRefuses) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, device);
    expect_error<ShapeError>([&] { return layer_norm(x, {}); },
                             "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
                             "element, but got normalized_shape = []");
    expect_error<ShapeError>(
        [&] { return layer_norm(x, {4}); },
        "Given normalized_shape=[4], expected input with shape [*, 4], but got input of size[2, 3]");
    expect_error<ShapeError>([&] { return layer_norm(x, {3}, ones({2}, device)); },
                             "Expected weight to be of same shape as normalized_shape, but got weight of shape [2] and "
                             "normalized_shape = [3]");
    expect_error<ShapeError>(
        [&] {
          return layer_norm(x, {3}, {}, ones({1, 3}, device));
        },
        "Expected bias to be of same shape as normalized_shape, but got bias of shape [1, 3] and "
        "normalized_shape = [3]");
    expect_error<TypeError>([&] { return layer_norm(x.to(kLong), {3}); },
                            "\"LayerNormKernelImpl\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return layer_norm(x, {3}, ones({3}, TensorOptions(kDouble).device(device))); },
                            "expected scalar type Float but found Double");
    expect_error<ValueError>([&] { return layer_norm(Tensor(), {3}); }, "undefined");
    if (device.is_cpu()) return;
    expect_error<DeviceError>([&] { return layer_norm(x, {3}, ones({3})); },
                              "Expected all tensors to be on the same device");
  });
}

}  // namespace
}  // namespace d2l::testing
