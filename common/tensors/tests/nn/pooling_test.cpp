// SPDX-License-Identifier: MIT
// Poolings as functions and as layers: their shapes, values, records and errors.
#include <cmath>
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

namespace F = nn::functional;

/// 0, 1, 2, … in this shape.
Tensor counted_image(IntArrayRef sizes, Device device, ScalarType type = kFloat) {
  return arange(full(sizes, 0).numel(), TensorOptions(type).device(device)).reshape(sizes);
}

TEST(Pooling, TheLargestOfEachWindow) {
  on_every_device([](Device device) {
    const auto x = counted_image({1, 2, 4, 5}, device);
    expect_tensor(max_pool2d(x, 2), {1, 2, 2, 2}, {6, 8, 16, 18, 26, 28, 36, 38});
    expect_tensor(max_pool2d(x, {1, 3}, {2, 1}), {1, 2, 2, 3}, {2, 3, 4, 12, 13, 14, 22, 23, 24, 32, 33, 34});
    expect_tensor(max_pool2d(-x[0], 3, 2, 1), {2, 2, 3}, {0, -1, -3, -5, -6, -8, -20, -21, -23, -25, -26, -28});
    expect_tensor(max_pool2d(x[0][0].unsqueeze(0), 2, 2, 0, 1, true), {1, 2, 3}, {6, 8, 9, 16, 18, 19});
    expect_tensor(max_pool2d(x[0], 2, 1, 0, {3, 2}), {2, 1, 3}, {17, 18, 19, 37, 38, 39});
    const auto [values, indices] = max_pool2d_with_indices(x, 2);
    expect_on(device, values, indices);
    EXPECT_TRUE(values.equal(max_pool2d(x, 2)));
    EXPECT_EQ(indices.dtype(), kLong);
    expect_tensor(indices, {1, 2, 2, 2}, {6, 8, 16, 18, 6, 8, 16, 18});
  });
}

TEST(Pooling, TheAverageOfEachWindow) {
  on_every_device([](Device device) {
    const auto x = counted_image({1, 1, 4, 4}, device);
    expect_tensor(avg_pool2d(x, 2), {1, 1, 2, 2}, {2.5, 4.5, 10.5, 12.5});
    expect_tensor(avg_pool2d(x, {2, 4}, {1, 4}), {1, 1, 3, 1}, {3.5, 7.5, 11.5});
    expect_tensor(avg_pool2d(x[0], 2, 2, 1), {1, 3, 3}, {0, 0.75, 0.75, 3, 7.5, 4.5, 3, 6.75, 3.75});
    expect_tensor(avg_pool2d(x[0], 2, 2, 1, false, false), {1, 3, 3}, {0, 1.5, 3, 6, 7.5, 9, 12, 13.5, 15});
    expect_tensor(avg_pool2d(x[0], 3, 2, 0, true), {1, 2, 2}, {5, 6.5, 11, 12.5});
    expect_tensor(avg_pool2d(x[0], 2, 2, 0, false, true, -2), {1, 2, 2}, {-5, -9, -21, -25});
    expect_tensor(adaptive_avg_pool2d(x, {2, 3}), {1, 1, 2, 3}, {2.5, 3.5, 4.5, 10.5, 11.5, 12.5});
    expect_tensor(adaptive_avg_pool2d(x[0], {1, 5}), {1, 1, 5}, {6, 6.5, 7.5, 8.5, 9});
    expect_tensor(adaptive_avg_pool2d(x, {1, 1}), {1, 1, 1, 1}, {7.5});
    expect_on(device, avg_pool2d(x, 2), adaptive_avg_pool2d(x, {2, 3}));
  });
}

TEST(Pooling, ReadsAnyLayoutAndDtype) {
  on_every_device([](Device device) {
    const auto x = counted_image({2, 3, 6, 4}, device);
    const auto turned = x.permute({1, 0, 3, 2});
    EXPECT_TRUE(max_pool2d(turned, 2).equal(max_pool2d(turned.contiguous(), 2)));
    EXPECT_TRUE(avg_pool2d(turned, 2).equal(avg_pool2d(turned.contiguous(), 2)));
    EXPECT_TRUE(adaptive_avg_pool2d(turned, {2, 2}).equal(adaptive_avg_pool2d(turned.contiguous(), {2, 2})));
    const auto spread = x.slice(3, 0, std::nullopt, 2);
    EXPECT_TRUE(max_pool2d(spread, 2).equal(max_pool2d(spread.contiguous(), 2)));
    for (const auto type : {kByte, kInt, kLong, kFloat, kDouble}) {
      const auto image = counted_image({1, 4, 4}, device, type);
      EXPECT_EQ(max_pool2d(image, 2).dtype(), type);
      expect_tensor(max_pool2d(image, 2), {1, 2, 2}, {5, 7, 13, 15});
    }
    EXPECT_EQ(avg_pool2d(counted_image({1, 4, 4}, device, kLong), 2).dtype(), kLong);
    expect_tensor(avg_pool2d(counted_image({1, 4, 4}, device, kLong), 2), {1, 2, 2}, {2, 4, 10, 12});
    expect_tensor(avg_pool2d(-counted_image({1, 4, 4}, device, kLong), 2), {1, 2, 2}, {-2, -4, -10, -12});
    expect_tensor(avg_pool2d(counted_image({1, 4, 4}, device, kDouble), 2), {1, 2, 2}, {2.5, 4.5, 10.5, 12.5});
  });
}

TEST(Pooling, NanAndInfinities) {
  on_every_device([](Device device) {
    const double nan = std::nan("");
    const double infinity = std::numeric_limits<double>::infinity();
    const auto x = tensor({{{1.0, nan, -infinity, -infinity}, {infinity, nan, -infinity, -infinity}}}).to(device);
    const auto [values, indices] = max_pool2d_with_indices(x, 2);
    EXPECT_TRUE(std::isnan(values[0][0][0].item<float>()));
    EXPECT_EQ(values[0][0][1].item<float>(), -infinity);
    expect_tensor(indices, {1, 1, 2}, {5, 2});
    EXPECT_TRUE(std::isnan(avg_pool2d(x, 2)[0][0][0].item<float>()));
    EXPECT_EQ(avg_pool2d(x, 2)[0][0][1].item<float>(), -infinity);
  });
}

TEST(Pooling, RecordsAsPyTorchDoes) {
  on_every_device([](Device device) {
    auto x = counted_image({1, 1, 3, 3}, device);
    x.set_requires_grad(true);
    const auto largest = max_pool2d(x, 2, 1);
    EXPECT_EQ(largest.grad_fn()->name(), "MaxPool2DWithIndicesBackward0");
    EXPECT_FALSE(std::get<1>(max_pool2d_with_indices(x, 2)).requires_grad());
    EXPECT_EQ(avg_pool2d(x, 2).grad_fn()->name(), "AvgPool2DBackward0");
    EXPECT_EQ(adaptive_avg_pool2d(x, {2, 2}).grad_fn()->name(), "AdaptiveAvgPool2DBackward0");
    EXPECT_EQ(adaptive_avg_pool2d(x, {1, 1}).grad_fn()->name(), "MeanBackward1");
    (largest * counted_image({1, 1, 2, 2}, device)).sum().backward();
    expect_tensor(x.grad(), {1, 1, 3, 3}, {0, 0, 0, 0, 0, 1, 0, 2, 3});
    // One element is the largest of four windows.
    auto top = zeros({1, 3, 3}, device);
    top[0][1][1] = 1;
    top.set_requires_grad(true);
    (max_pool2d(top, 2, 1) * counted_image({1, 2, 2}, device)).sum().backward();
    expect_tensor(top.grad(), {1, 3, 3}, {0, 0, 0, 0, 6, 0, 0, 0, 0});
    const NoGradGuard unrecorded;
    EXPECT_EQ(max_pool2d(x, 2).grad_fn(), nullptr);
  });
}

TEST(Pooling, RefusesAnInputThatWasWritten) {
  auto leaf = ones({1, 4, 4});
  leaf.set_requires_grad(true);
  auto x = leaf * 2;
  const auto y = max_pool2d(x, 2);
  x.mul_(3);
  expect_error<ValueError>([&] { y.sum().backward(); }, "modified by an inplace operation");
}

TEST(Pooling, ABatchMayBeEmpty) {
  on_every_device([](Device device) {
    auto x = zeros({0, 2, 4, 4}, device);
    x.set_requires_grad(true);
    for (const auto& y : {max_pool2d(x, 2), avg_pool2d(x, 2), adaptive_avg_pool2d(x, {2, 2})}) {
      EXPECT_EQ(y.sizes(), IntArrayRef({0, 2, 2, 2}));
      y.sum().backward();
      EXPECT_EQ(x.grad().sizes(), x.sizes());
    }
    EXPECT_EQ(adaptive_avg_pool2d(x, {0, 3}).sizes(), IntArrayRef({0, 2, 0, 3}));
    auto image = ones({1, 4, 4}, device);
    image.set_requires_grad(true);
    expect_error<ShapeError>(
        [&] {
          adaptive_avg_pool2d(image, {0, 3}).sum().backward();
        },
        "adaptive_avg_pool2d_backward(): Expected grad_output to have non-zero size for non-batch "
        "dimensions, but grad_output has sizes [1, 0, 3] with dimension 1 being empty");
  });
}

TEST(Pooling, LayersAndFunctionsAgree) {
  on_every_device([](Device device) {
    const auto x = counted_image({2, 3, 7, 6}, device).sin();
    const auto windows = nn::MaxPool2dOptions({3, 2}).stride(2).padding({1, 0}).dilation(2).ceil_mode(true);
    EXPECT_TRUE(nn::MaxPool2d(windows)(x).equal(max_pool2d(x, {3, 2}, 2, {1, 0}, 2, true)));
    EXPECT_TRUE(F::max_pool2d(x, windows).equal(nn::MaxPool2d(windows)(x)));
    const auto [values, indices] = nn::MaxPool2d(windows)->forward_with_indices(x);
    EXPECT_TRUE(values.equal(F::max_pool2d(x, windows)));
    EXPECT_TRUE(indices.equal(std::get<1>(F::max_pool2d_with_indices(x, windows))));
    const auto parts =
        nn::AvgPool2dOptions({3, 2}).stride(2).padding(1).ceil_mode(true).count_include_pad(false).divisor_override(5);
    EXPECT_TRUE(nn::AvgPool2d(parts)(x).equal(avg_pool2d(x, {3, 2}, 2, 1, true, false, 5)));
    EXPECT_TRUE(F::avg_pool2d(x, F::AvgPool2dFuncOptions(3).stride(1)).equal(avg_pool2d(x, 3, 1)));
    EXPECT_TRUE(nn::AvgPool2d(3)(x).equal(avg_pool2d(x, 3)));
    EXPECT_TRUE(nn::AdaptiveAvgPool2d(2)(x).equal(adaptive_avg_pool2d(x, {2, 2})));
    EXPECT_TRUE(F::adaptive_avg_pool2d(x, F::AdaptiveAvgPool2dFuncOptions({3, std::nullopt}))
                    .equal(adaptive_avg_pool2d(x, {3, 6})));
    const nn::Sequential net(nn::MaxPool2d(2), nn::AvgPool2d(nn::AvgPool2dOptions(2).stride(1)),
                             nn::AdaptiveAvgPool2d(1), nn::Flatten());
    EXPECT_EQ(net->forward(x).sizes(), IntArrayRef({2, 3}));
  });
}

TEST(Pooling, PrintsAsPyTorchDoes) {
  EXPECT_EQ(repr(nn::MaxPool2d(2)), "MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)");
  EXPECT_EQ(repr(nn::MaxPool2d(nn::MaxPool2dOptions({3, 2}).stride({2, 1}).padding(1).ceil_mode(true))),
            "MaxPool2d(kernel_size=(3, 2), stride=(2, 1), padding=1, dilation=1, ceil_mode=True)");
  EXPECT_EQ(repr(nn::AvgPool2d(nn::AvgPool2dOptions(3).stride(2).count_include_pad(false))),
            "AvgPool2d(kernel_size=3, stride=2, padding=0)");
  EXPECT_EQ(repr(nn::AdaptiveAvgPool2d(1)), "AdaptiveAvgPool2d(output_size=1)");
  EXPECT_EQ(repr(nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({5, std::nullopt}))),
            "AdaptiveAvgPool2d(output_size=(5, None))");
  nn::MaxPool2d layer(3);
  layer->eval();
  const auto copy = layer->clone();
  EXPECT_EQ(repr(*copy), repr(layer));
  EXPECT_FALSE(copy->is_training());
  EXPECT_EQ(repr(*nn::AvgPool2d(3)->clone()), repr(nn::AvgPool2d(3)));
  EXPECT_EQ(repr(*nn::AdaptiveAvgPool2d(3)->clone()), repr(nn::AdaptiveAvgPool2d(3)));
  expect_error<ValueError>(
      [] {
        return nn::MaxPool2dOptions(std::vector<std::int64_t>{1, 2, 3});
      },
      "Expected 2 values, but instead got 3");
}

TEST(Pooling, RefusesAsPyTorchDoes) {
  const auto x = ones({2, 2, 6, 6});
  const auto refuses = [&]<class E>(E* /*kind*/, const auto& call, const std::string& part) {
    expect_error<E>(call, part);
  };
  constexpr ValueError* value = nullptr;
  constexpr ShapeError* shape = nullptr;
  refuses(
      value, [&] { return max_pool2d(x, 2, 2, 2); },
      "pad should be at most half of effective kernel size, but got pad=2, kernel_size=2 and dilation=1");
  refuses(
      value, [&] { return max_pool2d(x, 2, 2, -1); }, "pad must be non-negative, but got pad: -1");
  refuses(
      value, [&] { return max_pool2d(x, 0); }, "stride should not be zero");
  refuses(
      value,
      [&] {
        return max_pool2d(x, {0, 3}, 1);
      },
      "kernel size should be greater than zero, but got kH: 0 kW: 3");
  refuses(
      value,
      [&] {
        return max_pool2d(x, 2, {1, -1});
      },
      "stride should be greater than zero, but got dH: 1 dW: -1");
  refuses(
      value, [&] { return max_pool2d(x, 2, 2, 0, 0); },
      "dilation should be greater than zero, but got dilationH: 0 dilationW: 0");
  refuses(
      value,
      [&] {
        return max_pool2d(x, {2, 2, 2});
      },
      "max_pool2d: kernel_size must either be a single int, or a tuple of two ints");
  refuses(
      value,
      [&] {
        return avg_pool2d(x, 2, {2, 2, 2});
      },
      "avg_pool2d: stride must either be omitted, a single int, or a tuple of two ints");
  refuses(
      value, [&] { return avg_pool2d(x, 2, 2, IntArrayRef()); },
      "avg_pool2d: padding must either be a single int, or a tuple of two ints");
  refuses(
      value,
      [&] {
        return max_pool2d(x, 2, 2, 0, {1, 1, 1});
      },
      "max_pool2d: dilation must be either a single int, or a tuple of two ints");
  refuses(
      value, [&] { return max_pool2d(x, std::int64_t{1} << 40); }, "integer out of range");
  refuses(
      value, [&] { return avg_pool2d(x, 2, 2, 0, false, true, 0); }, "divisor must be not zero");
  refuses(
      value, [&] { return adaptive_avg_pool2d(x, 2); }, "adaptive_avg_pool2d: output_size must be 2");
  refuses(
      value,
      [&] {
        return adaptive_avg_pool2d(x, {2, -1});
      },
      "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {2, -1}");
  refuses(
      value,
      [&] {
        return F::adaptive_avg_pool2d(x[0][0], nn::AdaptiveAvgPool2dOptions({2, std::nullopt}));
      },
      "Input dimension should be at least 3");
  refuses(
      shape, [&] { return avg_pool2d(x, 9); },
      "Given input size: (2x6x6). Calculated output size: (2x0x0). Output size is too small");
  refuses(
      shape,
      [&] {
        return max_pool2d(x[0], {7, 3}, 1);
      },
      "Given input size: (2x6x6). Calculated output size: (2x0x4). Output size is too small");
  refuses(
      shape, [&] { return max_pool2d(x[0][0], 2); }, "non-empty 3D or 4D (batch mode) tensor expected for input");
  refuses(
      shape, [&] { return avg_pool2d(x.unsqueeze(0), 2); },
      "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:[1, 2, 2, 6, 6]");
  refuses(
      shape,
      [&] {
        return max_pool2d(zeros({2, 0, 4, 4}), 2);
      },
      "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:[2, 0, 4, 4]");
  refuses(
      shape,
      [&] {
        return adaptive_avg_pool2d(x[0][0], {2, 2});
      },
      "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got [6, 6]");
  refuses(
      shape,
      [&] {
        return adaptive_avg_pool2d(zeros({2, 3, 0}), {2, 2});
      },
      "adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
      "[2, 3, 0] with dimension 2 being empty");
  expect_error<IndexError>([&] { return avg_pool2d(x[0][0], 2); },
                           "Dimension out of range (expected to be in range of [-2, 1], but got -3)");
  expect_error<TypeError>([&] { return max_pool2d(x.to(kBool), 2); }, "\"max_pool2d\" not implemented for 'Bool'");
  expect_error<TypeError>([&] { return avg_pool2d(x.to(kInt), 2); }, "\"avg_pool2d\" not implemented for 'Int'");
  expect_error<TypeError>(
      [&] {
        return adaptive_avg_pool2d(x.to(kLong), {2, 2});
      },
      "\"adaptive_avg_pool2d\" not implemented for 'Long'");
}

TEST(Pooling, RefusesUndefinedTensors) {
  const std::string why = "the tensor is undefined";
  expect_error<ValueError>([] { return max_pool2d(Tensor(), 2); }, why);
  expect_error<ValueError>([] { return std::get<0>(max_pool2d_with_indices(Tensor(), 2)); }, why);
  expect_error<ValueError>([] { return avg_pool2d(Tensor(), 2); }, why);
  expect_error<ValueError>([] { return adaptive_avg_pool2d(Tensor(), {2, 2}); }, why);
  expect_error<ValueError>([] { return nn::MaxPool2d(2)(Tensor()); }, why);
  expect_error<ValueError>(
      [] {
        return nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({2, std::nullopt}))(Tensor());
      },
      why);
}

}  // namespace
}  // namespace d2l::testing
