// SPDX-License-Identifier: MIT
// LazyLinear before and after its first input.
#include <cmath>
#include <functional>

#include "every_device.h"

namespace d2l::testing {
namespace {

constexpr const char* too_early = "Attempted to use an uninitialized parameter in ";
constexpr const char* advice =
    "This error happens when you are using a `LazyModule` or explicitly manipulating "
    "`torch.nn.parameter.UninitializedParameter` objects. When using LazyModules Call `forward` with a dummy batch to "
    "initialize the parameters before calling torch functions";

TEST(LazyLinear, HasNoShapeBeforeItsFirstInput) {
  const nn::LazyLinear layer(2);
  EXPECT_EQ(repr(layer), "LazyLinear(in_features=0, out_features=2, bias=True)");
  EXPECT_EQ(layer->name(), "LazyLinear");
  EXPECT_EQ(repr(layer->weight), "<UninitializedParameter>");
  EXPECT_EQ(repr(layer->bias), "<UninitializedParameter>");
  EXPECT_TRUE(layer->has_uninitialized_params() && nn::is_uninitialized(layer->weight));
  EXPECT_EQ(layer->parameters().size(), 2U);
  EXPECT_EQ(layer->state_dict().keys(), (std::vector<std::string>{"weight", "bias"}));
  EXPECT_TRUE(layer->weight.requires_grad() && layer->weight.is_leaf());
  EXPECT_EQ(layer->weight.data().sizes().vec(), (Sizes{0}));
  const nn::LazyLinear plain(nn::LazyLinearOptions(2).bias(false));
  EXPECT_FALSE(plain->bias.defined());
  EXPECT_EQ(repr(plain->weight), "<UninitializedParameter>");
  EXPECT_EQ(repr(plain), "LazyLinear(in_features=0, out_features=2, bias=False)");
}

TEST(LazyLinear, RefusesToBeReadTooEarly) {
  const nn::LazyLinear layer(2);
  Tensor weight = layer->weight;
  const std::vector<std::function<void()>> reads{[&] { static_cast<void>(weight + 1); },
                                                 [&] { static_cast<void>(weight.norm()); },
                                                 [&] { static_cast<void>(weight.sum()); },
                                                 [&] { static_cast<void>(weight.mm(weight)); },
                                                 [&] { static_cast<void>(weight[0]); },
                                                 [&] { static_cast<void>(weight.view({1})); },
                                                 [&] { static_cast<void>(weight.item()); },
                                                 [&] { static_cast<void>(weight.to_vector<float>()); },
                                                 [&] { static_cast<void>(weight.data_ptr()); },
                                                 [&] { weight.fill_(1); },
                                                 [&] { weight.mul_(2); }};
  for (const auto& read : reads) {
    expect_error<ValueError>([&] { read(); }, too_early);
    expect_error<ValueError>([&] { read(); }, advice);
  }
  expect_error<ValueError>([&] { return weight.sizes().size(); },
                           "Can't access the shape of an uninitialized parameter or buffer.");
  EXPECT_TRUE(nn::is_uninitialized(weight));
}

TEST(LazyLinear, IsALinearAfterItsFirstInput) {
  on_every_device([](Device device) {
    const nn::LazyLinear layer(2);
    layer->to(device);
    const Tensor weight = layer->weight;
    EXPECT_EQ(weight.device(), device);
    optim::SGD optimizer(layer->parameters(), 0.1);
    const auto y = layer(ones({4, 3}, device));
    EXPECT_EQ(y.sizes().vec(), (Sizes{4, 2}));
    EXPECT_EQ(y.device(), device);
    EXPECT_EQ(repr(layer), "Linear(in_features=3, out_features=2, bias=True)");
    EXPECT_EQ(layer->name(), "Linear");
    EXPECT_FALSE(layer->has_uninitialized_params());
    EXPECT_EQ(layer->options.in_features(), 3);
    EXPECT_EQ(layer->weight.sizes().vec(), (Sizes{2, 3}));
    EXPECT_EQ(layer->bias.sizes().vec(), (Sizes{2}));
    EXPECT_TRUE(layer->weight.is_same(weight) && weight.requires_grad() && weight.is_leaf());
    expect_on(device, weight, layer->bias);
    EXPECT_EQ(repr(weight).substr(0, 21), "Parameter containing:");
    EXPECT_LE(weight.abs().max().item<double>(), 1 / std::sqrt(3.0));
    EXPECT_TRUE(optimizer.param_groups()[0].params()[0].is_same(weight));
    y.sum().backward();
    EXPECT_EQ(weight.grad().sizes().vec(), (Sizes{2, 3}));
    const auto before = weight.clone();
    optimizer.step();
    EXPECT_TRUE(weight.allclose(before - 0.4));
    expect_error<ShapeError>([&] { return layer(ones({4, 5}, device)); }, "mat1 and mat2 shapes cannot be multiplied");
  });
}

TEST(LazyLinear, TakesInputsOfAnyNumberOfDimensions) {
  for (const auto& sizes : {Sizes{3}, Sizes{5, 4, 3}, Sizes{0, 3}}) {
    const nn::LazyLinear layer(2);
    auto expected = sizes;
    expected.back() = 2;
    EXPECT_EQ(layer(ones(sizes)).sizes().vec(), expected);
    EXPECT_EQ(layer->weight.sizes().vec(), (Sizes{2, 3}));
  }
  const nn::LazyLinear layer(2);
  expect_error<IndexError>([&] { return layer(ones({})); }, "tuple index out of range");
  EXPECT_TRUE(layer->has_uninitialized_params());
}

TEST(LazyLinear, RemembersDeviceAndDtype) {
  on_every_device([](Device device) {
    for (int way = 0; way < 3; ++way) {
      const nn::LazyLinear layer(way == 2 ? nn::LazyLinearOptions(2).device(device).dtype(kDouble)
                                          : nn::LazyLinearOptions(2));
      if (way == 0) layer->to(device).to(kDouble);
      if (way == 1) layer->to(device, kDouble);
      EXPECT_EQ(layer->name(), "LazyLinear");
      EXPECT_EQ(repr(layer->weight), "<UninitializedParameter>");
      EXPECT_EQ(layer->weight.device(), device);
      EXPECT_EQ(layer->weight.dtype(), kDouble);
      EXPECT_EQ(layer->bias.data().device(), device);
      const auto y = layer(ones({4, 3}, TensorOptions(kDouble).device(device)));
      EXPECT_EQ(y.dtype(), kDouble);
      expect_on(device, layer->weight, layer->bias);
    }
  });
  const nn::LazyLinear layer(2);
  expect_error<DeviceError>([&] { return layer->to(gpu(100)).name(); }, "");
  EXPECT_TRUE(layer->weight.is_cpu());
  expect_error<TypeError>([&] { return layer(ones({2, 3}, kDouble)); }, "mat1 and mat2 must have the same dtype");
}

TEST(LazyLinear, WorksWithinASequential) {
  on_every_device([](Device device) {
    const nn::Sequential net(nn::LazyLinear(4), nn::ReLU(), nn::LazyLinear(1));
    EXPECT_EQ(repr(net),
              "Sequential(\n  (0): LazyLinear(in_features=0, out_features=4, bias=True)\n  (1): ReLU()\n"
              "  (2): LazyLinear(in_features=0, out_features=1, bias=True)\n)");
    net->to(device);
    net->zero_grad();
    EXPECT_EQ(net(ones({2, 3}, device)).sizes().vec(), (Sizes{2, 1}));
    EXPECT_EQ(repr(net),
              "Sequential(\n  (0): Linear(in_features=3, out_features=4, bias=True)\n  (1): ReLU()\n"
              "  (2): Linear(in_features=4, out_features=1, bias=True)\n)");
    std::vector<Sizes> sizes;
    for (const auto& parameter : net->parameters()) sizes.push_back(parameter.sizes().vec());
    EXPECT_EQ(sizes, (std::vector<Sizes>{{4, 3}, {4}, {1, 4}, {1}}));
    EXPECT_NE(net[0]->as<nn::Linear>(), nullptr);
  });
}

TEST(UninitializedParameter, IsGivenItsShapeOnce) {
  on_every_device([](Device device) {
    const auto parameter = nn::UninitializedParameter(TensorOptions(kDouble).device(device));
    const Tensor same = parameter;
    nn::materialize(parameter, {2, 3});
    EXPECT_FALSE(nn::is_uninitialized(same));
    EXPECT_EQ(same.sizes().vec(), (Sizes{2, 3}));
    EXPECT_TRUE(same.is_contiguous() && same.requires_grad() && placed(same));
    EXPECT_EQ(same.dtype(), kDouble);
    expect_error<ValueError>([&] { nn::materialize(parameter, {1}); }, "has a shape already");
    const auto other = nn::UninitializedParameter(device);
    expect_error<ShapeError>([&] { nn::materialize(other, {-1}); }, "negative dimension -1");
    EXPECT_TRUE(nn::is_uninitialized(other));
  });
}

}  // namespace
}  // namespace d2l::testing
