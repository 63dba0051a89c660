// SPDX-License-Identifier: MIT
// Conv2d, LazyConv2d and their functional form.
#include <cmath>

#include "every_device.h"

namespace d2l::testing::convolutions {
namespace {

namespace F = nn::functional;

TEST(Conv2d, ConvolvesWithItsParameters) {
  on_every_device([](Device device) {
    const nn::Conv2d layer(nn::Conv2dOptions(4, 6, {3, 2}).stride({2, 1}).padding({1, 2}).groups(2));
    layer->to(device);
    const auto x = randn({2, 4, 7, 8}, device);
    const auto y = layer(x);
    expect_on(device, y);
    EXPECT_EQ(y.sizes().vec(), (Sizes{2, 6, 4, 11}));
    EXPECT_TRUE(y.equal(conv2d(x, layer->weight, layer->bias, {2, 1}, {1, 2}, 1, 2)));
    const auto options = F::Conv2dFuncOptions().bias(layer->bias).stride({2, 1}).padding({1, 2}).groups(2);
    EXPECT_TRUE(F::conv2d(x, layer->weight, options).equal(y));
    EXPECT_EQ(layer(x[0]).sizes().vec(), (Sizes{6, 4, 11}));
    y.sum().backward();
    EXPECT_EQ(layer->weight.grad().sizes().vec(), (Sizes{6, 2, 3, 2}));
    EXPECT_TRUE(layer->bias.grad().allclose(full({6}, 2.0 * 4 * 11, device)));
  });
}

TEST(Conv2d, PadsToTheSameSize) {
  const auto x = randn({1, 2, 6, 7});
  const nn::Conv2d layer(nn::Conv2dOptions(2, 3, {3, 4}).padding(kSame).dilation(2).bias(false));
  EXPECT_EQ(layer(x).sizes().vec(), (Sizes{1, 3, 6, 7}));
  EXPECT_TRUE(layer(x).equal(conv2d(x, layer->weight, {}, 1, "same", 2)));
  const nn::Conv2d valid(nn::Conv2dOptions(2, 3, 3).padding(kValid));
  EXPECT_EQ(valid(x).sizes().vec(), (Sizes{1, 3, 4, 5}));
  EXPECT_EQ(F::conv2d(x, valid->weight, F::Conv2dFuncOptions().padding(kSame).dilation(3)).sizes().vec(),
            (Sizes{1, 3, 6, 7}));
  EXPECT_EQ(F::conv2d(x, valid->weight).sizes().vec(), (Sizes{1, 3, 4, 5}));
}

TEST(Conv2d, BeginsAsPyTorchDoes) {
  on_every_device([](Device device) {
    manual_seed(4);
    const nn::Conv2d layer(nn::Conv2dOptions(8, 64, 3).groups(2).device(device).dtype(kDouble));
    expect_on(device, layer->weight, layer->bias);
    EXPECT_EQ(layer->weight.sizes().vec(), (Sizes{64, 4, 3, 3}));
    EXPECT_EQ(layer->bias.sizes().vec(), (Sizes{64}));
    EXPECT_EQ(layer->weight.dtype(), kDouble);
    const double bound = 1 / std::sqrt(4 * 9);
    for (const auto& parameter : layer->parameters()) {
      const double largest = parameter.abs().max().item<double>();
      EXPECT_LE(largest, bound);
      EXPECT_GT(largest, 0.9 * bound);
      EXPECT_NEAR(parameter.mean().item<double>(), 0, 0.3 * bound);
    }
    const auto before = layer->weight.clone();
    layer->reset_parameters();
    EXPECT_FALSE(layer->weight.equal(before));
    manual_seed(4);
    layer->reset_parameters();
    EXPECT_TRUE(layer->weight.equal(before));
  });
}

TEST(Conv2d, PrintsAsPyTorchDoes) {
  EXPECT_EQ(repr(nn::Conv2d(3, 16, 5)), "Conv2d(3, 16, kernel_size=(5, 5), stride=(1, 1))");
  EXPECT_EQ(
      repr(nn::Conv2d(nn::Conv2dOptions(4, 8, {3, 1}).stride(2).padding({1, 0}).dilation(2).groups(4).bias(false))),
      "Conv2d(4, 8, kernel_size=(3, 1), stride=(2, 2), padding=(1, 0), dilation=(2, 2), groups=4, bias=False)");
  EXPECT_EQ(repr(nn::Conv2d(nn::Conv2dOptions(1, 1, 3).padding(kSame))),
            "Conv2d(1, 1, kernel_size=(3, 3), stride=(1, 1), padding=same)");
  EXPECT_EQ(repr(nn::Conv2d(nn::Conv2dOptions(1, 1, 3).padding(kValid))),
            "Conv2d(1, 1, kernel_size=(3, 3), stride=(1, 1), padding=valid)");
  EXPECT_EQ(repr(nn::LazyConv2d(16, 5)), "LazyConv2d(0, 16, kernel_size=(5, 5), stride=(1, 1))");
}

TEST(Conv2d, OptionsKeepWhatTheyAreGiven) {
  const auto options = nn::Conv2dOptions(1, 2, 3).in_channels(4).out_channels(6).kernel_size({5, 7}).stride(2);
  EXPECT_EQ(options.in_channels(), 4);
  EXPECT_EQ(options.out_channels(), 6);
  EXPECT_EQ(*options.kernel_size(), (std::array<std::int64_t, 2>{5, 7}));
  EXPECT_EQ(options.stride()->at(1), 2);
  EXPECT_EQ(IntArrayRef(options.dilation()).vec(), (Sizes{1, 1}));
  EXPECT_TRUE(options.bias());
  EXPECT_EQ(*std::get<ExpandingArray<2>>(options.padding()), (std::array<std::int64_t, 2>{0, 0}));
}

TEST(Conv2d, ClonesAndSaves) {
  const nn::Conv2d layer(nn::Conv2dOptions(2, 3, 3).padding(1));
  layer->eval();
  const auto copy = std::dynamic_pointer_cast<nn::Conv2dImpl>(layer->clone());
  ASSERT_NE(copy, nullptr);
  EXPECT_FALSE(copy->is_training());
  EXPECT_TRUE(copy->weight.equal(layer->weight) && !copy->weight.is_same(layer->weight));
  const auto x = randn({1, 2, 4, 4});
  EXPECT_TRUE(copy->forward(x).equal(layer(x)));
  const nn::Conv2d other(nn::Conv2dOptions(2, 3, 3).padding(1));
  other->load_state_dict(layer->state_dict());
  EXPECT_TRUE(other(x).equal(layer(x)));
  EXPECT_EQ(layer->state_dict().keys(), (std::vector<std::string>{"weight", "bias"}));
}

TEST(Conv2d, RefusesAsPyTorchDoes) {
  const auto refuses = [](const nn::Conv2dOptions& options, const char* sentence) {
    expect_error<ValueError>([&] { return repr(nn::Conv2d(options)); }, sentence);
  };
  refuses(nn::Conv2dOptions(4, 4, 3).groups(0), "groups must be a positive integer");
  refuses(nn::Conv2dOptions(3, 4, 3).groups(2), "in_channels must be divisible by groups");
  refuses(nn::Conv2dOptions(4, 3, 3).groups(2), "out_channels must be divisible by groups");
  refuses(nn::Conv2dOptions(4, 4, 3).stride(2).padding(kSame),
          "padding='same' is not supported for strided convolutions");
  expect_error<ValueError>(
      [] {
        return nn::Conv2dOptions(4, 4, {1, 2, 3}).groups();
      },
      "Expected 2 values, but instead got 3");
  expect_error<ShapeError>(
      [] {
        return nn::Conv2d(3, 4, 3)(ones({1, 2, 8, 8}));
      },
      "Given groups=1, weight of size [4, 3, 3, 3], expected input[1, 2, 8, 8] to have 3 channels");
  expect_error<ValueError>([] { return nn::Conv2d(3, 4, 3)(Tensor()); }, "the tensor is undefined");
}

TEST(LazyConv2d, IsAConv2dAfterItsFirstInput) {
  on_every_device([](Device device) {
    const nn::LazyConv2d layer(nn::LazyConv2dOptions(6, 3).groups(2).padding(1));
    EXPECT_TRUE(layer->has_uninitialized_params());
    EXPECT_EQ(repr(layer->weight), "<UninitializedParameter>");
    expect_error<ShapeError>(
        [&] {
          return layer(ones({4, 4}, device));
        },
        "Expected 3D (unbatched) or 4D (batched) input to LazyConv2d, but got input of size: "
        "torch.Size([4, 4])");
    expect_error<ValueError>([&] { return layer(ones({3, 4, 4}, device)); }, "in_channels must be divisible by groups");
    EXPECT_TRUE(layer->has_uninitialized_params());
    layer->to(device);
    const Tensor weight = layer->weight;
    const auto y = layer(ones({2, 4, 5, 5}, device));
    EXPECT_EQ(y.sizes().vec(), (Sizes{2, 6, 5, 5}));
    EXPECT_TRUE(layer->weight.is_same(weight));
    EXPECT_EQ(weight.sizes().vec(), (Sizes{6, 2, 3, 3}));
    EXPECT_LE(weight.abs().max().item<double>(), 1 / std::sqrt(18.0));
    expect_on(device, weight, layer->bias);
    EXPECT_EQ(repr(layer), "Conv2d(4, 6, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), groups=2)");
    EXPECT_EQ(repr(*layer->clone()), repr(layer));
    const nn::LazyConv2d of_one_image(2, 1);
    EXPECT_EQ(of_one_image(ones({3, 4, 4})).sizes().vec(), (Sizes{2, 4, 4}));
    EXPECT_EQ(of_one_image->options.in_channels(), 3);
  });
  const auto copy = nn::LazyConv2d(nn::LazyConv2dOptions(2, 3).bias(false))->clone();
  EXPECT_EQ(repr(*copy), "LazyConv2d(0, 2, kernel_size=(3, 3), stride=(1, 1), bias=False)");
  EXPECT_TRUE(copy->has_uninitialized_params());
}

}  // namespace
}  // namespace d2l::testing::convolutions
