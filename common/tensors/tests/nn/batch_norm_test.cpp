// SPDX-License-Identifier: MIT
// batch_norm, BatchNorm1d, BatchNorm2d and their lazy forms.
#include <cmath>

#include "every_device.h"

namespace d2l::testing {
namespace {

namespace F = nn::functional;

std::vector<std::int64_t> sizes_of(const Tensor& x) { return x.sizes().vec(); }

TEST(BatchNorm, NormalisesABatchAndTracksIt) {
  on_every_device([](Device device) {
    const nn::BatchNorm1d layer(nn::BatchNormOptions(2).eps(0).device(device));
    const auto x = tensor({{1.0, 10.0}, {3.0, 30.0}}, TensorOptions(kFloat).device(device));
    const auto y = layer(x);
    expect_on(device, y, layer->running_mean, layer->num_batches_tracked);
    expect_tensor(y, {2, 2}, {-1, -1, 1, 1});
    EXPECT_TRUE(allclose(layer->running_mean, tensor({0.2, 2.0}, kFloat).to(device)));
    // The variances of two values, divided by 1, are 2 and 200.
    EXPECT_TRUE(allclose(layer->running_var, tensor({1.1, 20.9}, kFloat).to(device)));
    EXPECT_EQ(layer->num_batches_tracked.item<std::int64_t>(), 1);
    EXPECT_FALSE(layer->running_mean.requires_grad());
    EXPECT_EQ(y.grad_fn()->name(), "NativeBatchNormBackward0");
    layer->eval();
    const auto expected = (x - layer->running_mean) / layer->running_var.sqrt();
    EXPECT_TRUE(allclose(layer(x), expected));
    EXPECT_EQ(layer->num_batches_tracked.item<std::int64_t>(), 1);
  });
}

TEST(BatchNorm, WithoutMomentumAveragesAllBatches) {
  on_every_device([](Device device) {
    const nn::BatchNorm1d layer(nn::BatchNormOptions(1).momentum(std::nullopt).device(device));
    for (const double mean : {2.0, 4.0, 9.0}) {
      layer(tensor({{mean - 1}, {mean + 1}}, TensorOptions(kFloat).device(device)));
    }
    EXPECT_NEAR(layer->running_mean.item<double>(), 5, 1e-5);
    EXPECT_NEAR(layer->running_var.item<double>(), 2, 1e-5);
    layer->reset_running_stats();
    EXPECT_EQ(layer->running_mean.item<double>(), 0);
    EXPECT_EQ(layer->running_var.item<double>(), 1);
    EXPECT_EQ(layer->num_batches_tracked.item<double>(), 0);
  });
}

TEST(BatchNorm, OfImages) {
  on_every_device([](Device device) {
    const nn::BatchNorm2d layer(nn::BatchNormOptions(3).affine(false).track_running_stats(false).device(device));
    EXPECT_TRUE(layer->parameters().empty() && layer->buffers().empty());
    layer->eval();
    manual_seed(1);
    const auto y = layer(randn({4, 3, 5, 6}, device) * 3 + 2);
    EXPECT_EQ(sizes_of(y), (Sizes{4, 3, 5, 6}));
    EXPECT_LT(y.mean({0, 2, 3}).abs().max().item<double>(), 1e-5);
    EXPECT_NEAR(y.var({0, 2, 3}, 0).min().item<double>(), 1, 1e-4);
  });
}

TEST(BatchNorm, PrintsSavesAndClones) {
  const nn::BatchNorm1d layer(3);
  EXPECT_EQ(repr(layer), "BatchNorm1d(3, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)");
  const nn::BatchNorm2d other(nn::BatchNormOptions(3).momentum(std::nullopt).affine(false).eps(0.5));
  EXPECT_EQ(repr(other), "BatchNorm2d(3, eps=0.5, momentum=None, affine=False, track_running_stats=True)");
  EXPECT_EQ(layer->state_dict().keys(),
            (std::vector<std::string>{"weight", "bias", "running_mean", "running_var", "num_batches_tracked"}));
  layer(ones({2, 3}) * arange(2).unsqueeze(1));
  layer->weight.set_requires_grad(false);
  layer->eval();
  const auto copy = std::dynamic_pointer_cast<nn::BatchNorm1dImpl>(layer->clone());
  EXPECT_TRUE(copy->running_mean.equal(layer->running_mean) && !copy->running_mean.is_same(layer->running_mean));
  EXPECT_EQ(copy->num_batches_tracked.item<double>(), 1);
  EXPECT_FALSE(copy->is_training() || copy->weight.requires_grad());
  EXPECT_TRUE(copy->bias.requires_grad());
  layer->to(kDouble);
  EXPECT_EQ(layer->running_var.dtype(), kDouble);
  EXPECT_EQ(layer->num_batches_tracked.dtype(), kLong);
  EXPECT_EQ(layer->clone()->buffers()[0].dtype(), kDouble);
}

TEST(BatchNorm, RefusesWhatPyTorchRefuses) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, device);
    const auto with = [&](const Tensor& mean, const Tensor& var, bool training) {
      return batch_norm(x, {}, {}, mean, var, training, 0.1, 1e-5);
    };
    const auto three = ones({3}, device);
    expect_error<ShapeError>([&] { return with(ones({2}, device), three, true); },
                             "running_mean should contain 3 elements not 2");
    expect_error<ShapeError>([&] { return with(three, ones({4}, device), true); },
                             "running_var should contain 3 elements not 4");
    expect_error<ShapeError>([&] { return batch_norm(x, ones({2}, device), {}, {}, {}, true, 0.1, 1e-5); },
                             "weight should contain 3 elements not 2");
    expect_error<ValueError>([&] { return with({}, three, false); }, "running_mean must be defined in evaluation mode");
    expect_error<ValueError>([&] { return with(three, {}, false); }, "running_var must be defined in evaluation mode");
    expect_error<ValueError>(
        [&] { return with(ones({3}, device).set_requires_grad(true), three, false); },
        "The function 'native_batch_norm' is not differentiable with respect to argument 'running_mean'. This input "
        "cannot have requires_grad True.");
    expect_error<TypeError>([&] { return batch_norm(x.to(kLong), {}, {}, {}, {}, true, 0.1, 1e-5); },
                            "\"batch_norm\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return with(three.to(kDouble), three, true); },
                            "expected scalar type Float but found Double");
    expect_error<ValueError>([&] { return nn::BatchNorm1d(nn::BatchNormOptions(3).device(device))(x[0].unsqueeze(0)); },
                             "Expected more than 1 value per channel when training, got input size torch.Size([1, 3])");
    expect_error<ValueError>([&] { return nn::BatchNorm1d(3)(x[0]); }, "expected 2D or 3D input (got 1D input)");
    expect_error<ValueError>([&] { return nn::BatchNorm2d(3)(x); }, "expected 4D input (got 2D input)");
    expect_error<ValueError>([&] { return F::batch_norm(Tensor(), three, three); }, "undefined");
    expect_error<ShapeError>([&] { return F::batch_norm(ones({3}, device), three, three); }, "at least 2D input");
  });
}

TEST(BatchNorm, LeavesRunningStatisticsInOtherLayoutsInPlace) {
  on_every_device([](Device device) {
    auto both = zeros({3, 2}, device);
    both.select(1, 1).fill_(1);
    const auto x = tensor({{0.0, 2.0, 4.0}, {2.0, 4.0, 6.0}}, TensorOptions(kFloat).device(device));
    static_cast<void>(batch_norm(x, {}, {}, both.select(1, 0), both.select(1, 1), true, 0.5, 1e-5));
    expect_tensor(both, {3, 2}, {0.5, 1.5, 1.5, 1.5, 2.5, 1.5});
  });
}

TEST(BatchNorm, OfNothingIsNothing) {
  on_every_device([](Device device) {
    auto weight = ones({3}, device).set_requires_grad(true);
    const auto y = batch_norm(ones({0, 3}, device), weight, {}, {}, {}, true, 0.1, 1e-5);
    EXPECT_EQ(sizes_of(y), (Sizes{0, 3}));
    y.sum().backward();
    expect_tensor(weight.grad(), {3}, {0, 0, 0});
  });
}

TEST(LazyBatchNorm, TakesItsShapeFromTheFirstInput) {
  on_every_device([](Device device) {
    const nn::LazyBatchNorm2d layer;
    layer->to(device);
    EXPECT_EQ(repr(layer), "LazyBatchNorm2d(0, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)");
    EXPECT_TRUE(layer->has_uninitialized_params() && nn::is_uninitialized(layer->running_mean));
    expect_error<ValueError>([&] { return layer(ones({2, 3}, device)); }, "expected 4D input (got 2D input)");
    const auto early = layer->clone();
    const auto x = arange(24, TensorOptions(kFloat).device(device)).view({2, 3, 2, 2});
    const auto y = layer(x);
    expect_on(device, y, layer->weight, layer->running_var);
    EXPECT_EQ(repr(layer), "BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)");
    EXPECT_TRUE(y.equal(nn::BatchNorm2d(nn::BatchNormOptions(3).device(device))(x)));
    EXPECT_TRUE(early->forward(x).equal(y));
    EXPECT_EQ(early->name(), "BatchNorm2d");
    const auto copy = layer->clone();
    EXPECT_EQ(copy->name(), "BatchNorm2d");
    EXPECT_TRUE(copy->forward(x).equal(y));
  });
  EXPECT_EQ(repr(nn::LazyBatchNorm1d(nn::LazyBatchNormOptions().eps(0.5))),
            "LazyBatchNorm1d(0, eps=0.5, momentum=0.1, affine=True, track_running_stats=True)");
}

}  // namespace
}  // namespace d2l::testing
