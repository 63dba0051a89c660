// SPDX-License-Identifier: MIT
// conv2d as a function: values, shapes, layouts, records and errors.
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "every_device.h"

namespace d2l::testing::convolutions {
namespace {

using Pair = std::array<std::int64_t, 2>;

/// Sums of products, in float64, of one group, with `padding` above and on the left, and zeros behind.
std::vector<double> convolution_reference(const Tensor& x, const Tensor& w, const Pair& stride, const Pair& padding,
                                          const Pair& result) {
  const auto a = x.to(kDouble).to_vector<double>();
  const auto b = w.to(kDouble).to_vector<double>();
  const auto terms = w.size(1) * w.size(2) * w.size(3);
  std::vector<double> sums;
  for (std::int64_t image = 0; image < x.size(0); ++image) {
    for (std::int64_t output = 0; output < w.size(0); ++output) {
      for (std::int64_t place = 0; place < result[0] * result[1]; ++place) {
        double sum = 0;
        for (std::int64_t term = 0; term < terms; ++term) {
          const auto channel = term / w.size(3) / w.size(2);
          const auto row = place / result[1] * stride[0] - padding[0] + term / w.size(3) % w.size(2);
          const auto column = place % result[1] * stride[1] - padding[1] + term % w.size(3);
          if (row < 0 || column < 0 || row >= x.size(2) || column >= x.size(3)) continue;
          sum += a[static_cast<std::size_t>(((image * x.size(1) + channel) * x.size(2) + row) * x.size(3) + column)] *
                 b[static_cast<std::size_t>(output * terms + term)];
        }
        sums.push_back(sum);
      }
    }
  }
  return sums;
}

/// Small integers, whose sums of products are exact.
Tensor whole_numbers(const Sizes& sizes, const TensorOptions& options) {
  std::int64_t count = 1;
  for (const auto size : sizes) count *= size;
  return arange(count, kDouble).mul(7).remainder(11).sub(5).reshape(sizes).to(options.device(), options.dtype());
}

TEST(Convolution, IsTheSumOfProducts) {
  on_every_device([](Device device) {
    for (const auto dtype : {kFloat, kDouble}) {
      const auto options = TensorOptions(dtype).device(device);
      const auto x = whole_numbers({2, 3, 6, 5}, options);
      const auto w = whole_numbers({4, 3, 3, 2}, options);
      const auto b = tensor({1.0, 2.0, 3.0, 4.0}, options);
      const auto y = conv2d(x, w, {}, list(2, 1), list(1, 0));
      expect_on(device, y);
      EXPECT_EQ(y.dtype(), dtype);
      expect_tensor(y, {2, 4, 3, 4}, convolution_reference(x, w, {2, 1}, {1, 0}, {3, 4}));
      EXPECT_TRUE(conv2d(x, w, b, {2, 1}, {1, 0}).equal(y + b.reshape({4, 1, 1})));
      const Tensor plain = conv2d(x, w);
      expect_tensor(plain, {2, 4, 4, 4}, convolution_reference(x, w, {1, 1}, {0, 0}, {4, 4}));
      EXPECT_TRUE(conv2d(x, w, {}, 1, "valid").equal(plain));
      EXPECT_TRUE(conv2d(x, w, {}, 1, 0, 1, 1).equal(plain));
      EXPECT_TRUE(conv2d(x, w, {}, {1, 1}, {0, 0}, {1, 1}).equal(plain));
      expect_tensor(conv2d(x, w, {}, 1, std::string("same")), {2, 4, 6, 5},
                    convolution_reference(x, w, {1, 1}, {1, 0}, {6, 5}));
      EXPECT_TRUE(conv2d(x[1], w, b).equal(conv2d(x, w, b)[1])) << "one image";
    }
  });
}

TEST(Convolution, OfDilationAndGroupsIsThatOfWiderAndSmallerKernels) {
  on_every_device([](Device device) {
    const auto x = whole_numbers({2, 4, 7, 8}, device);
    const auto w = whole_numbers({6, 4, 2, 3}, device);
    Tensor wide = zeros({6, 4, 3, 5}, device);
    wide.slice(2, 0, std::nullopt, 2).slice(3, 0, std::nullopt, 2).copy_(w);
    EXPECT_TRUE(conv2d(x, w, {}, 1, 1, 2).equal(conv2d(x, wide, {}, 1, 1)));
    EXPECT_TRUE(conv2d(x, w, {}, 1, "same", 2).equal(conv2d(x, wide, {}, 1, "same")));
    const auto b = arange(6, TensorOptions(kFloat).device(device));
    const auto half = whole_numbers({6, 2, 2, 3}, device);
    const auto part = [&](int i) {
      return conv2d(x.slice(1, 2 * i, 2 * i + 2), half.slice(0, 3 * i, 3 * i + 3), b.slice(0, 3 * i, 3 * i + 3), 2);
    };
    EXPECT_TRUE(conv2d(x, half, b, 2, 0, 1, 2).equal(cat({part(0), part(1)}, 1)));
  });
}

TEST(Convolution, ReadsAnyLayout) {
  on_every_device([](Device device) {
    const auto x = whole_numbers({2, 3, 6, 5}, device);
    const auto w = whole_numbers({4, 3, 3, 2}, device);
    const auto b = whole_numbers({4}, device);
    const auto expected = conv2d(x, w, b);
    const auto last = [](const Tensor& t) { return t.permute({0, 2, 3, 1}).contiguous().permute({0, 3, 1, 2}); };
    EXPECT_TRUE(conv2d(last(x), last(w), b).equal(expected));
    EXPECT_TRUE(conv2d(x, w, stack({b, b}, 1).select(1, 0)).equal(expected));
    const auto one = x.slice(0, 0, 1);
    EXPECT_TRUE(conv2d(one.expand({5, 3, 6, 5}), w, b)[4].equal(expected[0]));
  });
}

TEST(Convolution, OfNothing) {
  on_every_device([](Device device) {
    auto w = ones({4, 3, 3, 3}, device);
    auto x = ones({0, 3, 6, 6}, device);
    w.set_requires_grad(true);
    x.set_requires_grad(true);
    const auto y = conv2d(x, w, ones({4}, device));
    EXPECT_EQ(y.sizes().vec(), (Sizes{0, 4, 4, 4}));
    y.sum().backward();
    EXPECT_EQ(x.grad().sizes().vec(), (Sizes{0, 3, 6, 6}));
    EXPECT_TRUE(w.grad().equal(zeros({4, 3, 3, 3}, device)));
    const auto sums = conv2d(ones({1, 0, 2, 2}, device), ones({2, 0, 1, 1}, device), tensor({1.0, 2.0}).to(device));
    expect_tensor(sums, {1, 2, 2, 2}, {1, 1, 1, 1, 2, 2, 2, 2});
  });
}

TEST(Convolution, KeepsNaNAndInfinityToTheirWindows) {
  on_every_device([](Device device) {
    Tensor x = ones({1, 1, 5, 5}, device);
    x[0][0][4][4] = std::numeric_limits<double>::quiet_NaN();
    x[0][0][0][0] = std::numeric_limits<double>::infinity();
    const auto y = conv2d(x, ones({1, 1, 2, 2}, device));
    EXPECT_TRUE(std::isnan(y[0][0][3][3].item<float>()));
    EXPECT_TRUE(std::isinf(y[0][0][0][0].item<float>()));
    EXPECT_EQ(y.isfinite().sum().item<std::int64_t>(), 14);
  });
}

TEST(Convolution, IsRecordedAsPyTorchDoes) {
  on_every_device([](Device device) {
    auto w = ones({2, 3, 2, 2}, device);
    w.set_requires_grad(true);
    const auto x = ones({1, 3, 4, 4}, device);
    EXPECT_EQ(conv2d(x, w).grad_fn()->name(), "ConvolutionBackward0");
    EXPECT_EQ(conv2d(x, w, {}, 1, "same").grad_fn()->name(), "ConvolutionBackward0");
    EXPECT_EQ(conv2d(x[0], w).grad_fn()->name(), "SqueezeBackward1");
    EXPECT_FALSE(conv2d(x, w.detach()).requires_grad());
    const auto y = conv2d(x, w);
    y.sum().backward();
    EXPECT_TRUE(w.grad().equal(full({2, 3, 2, 2}, 9, device)));
    EXPECT_FALSE(x.grad().defined());
    // The kernels sum in one order: the same numbers each time.
    manual_seed(1);
    const auto noise = randn({3, 3, 9, 9}, device);
    auto kernel = randn({4, 3, 3, 3}, device).set_requires_grad(true);
    const auto gradient = [&] {
      kernel.mutable_grad() = Tensor();
      conv2d(noise, kernel).square().sum().backward();
      return kernel.grad().clone();
    };
    EXPECT_TRUE(gradient().equal(gradient()));
  });
}

TEST(Convolution, RefusesAsPyTorchDoes) {
  on_every_device([](Device device) {
    const auto x = ones({1, 3, 8, 8}, device);
    const auto w = ones({4, 3, 3, 3}, device);
    const auto refuses = [&]<class E>(E* /*error*/, const auto& call, const char* sentence) {
      expect_error<E>(call, sentence);
    };
    constexpr ShapeError* shape = nullptr;
    constexpr ValueError* value = nullptr;
    constexpr TypeError* type = nullptr;
    refuses(
        shape,
        [&] {
          return conv2d(ones({1, 2, 8, 8}, device), w);
        },
        "Given groups=1, weight of size [4, 3, 3, 3], expected input[1, 2, 8, 8] to have 3 channels, but got 2 "
        "channels instead");
    refuses(
        shape,
        [&] {
          return conv2d(ones({2, 8, 8}, device), w);
        },
        "expected input[1, 2, 8, 8] to have 3 channels");
    refuses(
        shape,
        [&] {
          return conv2d(ones({8, 8}, device), w);
        },
        "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [8, 8]");
    refuses(
        shape,
        [&] {
          return conv2d(x, ones({4, 3, 9, 9}, device));
        },
        "Calculated padded input size per channel: (8 x 8). Kernel size: (9 x 9). Kernel size can't be greater than "
        "actual input size");
    refuses(
        shape, [&] { return conv2d(x, w, {}, 1, 1, 5); },
        "Calculated padded input size per channel: (10 x 10). Kernel size: (11 x 11). Kernel size");
    refuses(
        shape, [&] { return conv2d(x, w, ones({5}, device)); },
        "Given weight of size [4, 3, 3, 3], expected bias to be 1-dimensional with 4 elements, but got bias of size "
        "[5] instead");
    refuses(
        shape, [&] { return conv2d(x, w, {}, 1, 0, 1, 5); },
        "Given groups=5, expected weight to be at least 5 at dimension 0, but got weight of size [4, 3, 3, 3] "
        "instead");
    refuses(
        shape, [&] { return conv2d(x, w, {}, 1, 0, 1, 3); },
        "Given groups=3, expected weight to be divisible by 3 at dimension 0, but got weight of size [[4, 3, 3, 3]] "
        "instead");
    refuses(
        shape, [&] { return conv2d(x, w, {}, 1, 0, 1, 2); }, "to have 6 channels, but got 3 channels instead");
    refuses(
        shape,
        [&] {
          return conv2d(x, ones({4, 3}, device));
        },
        "weight should have at least three dimensions");
    refuses(
        shape,
        [&] {
          return conv2d(x, ones({4, 3, 3}, device));
        },
        "Expected 3-dimensional input for 3-dimensional weight [4, 3, 3], but got 4-dimensional input of size [1, "
        "3, 8, 8] instead");
    refuses(
        shape,
        [&] {
          return conv2d(ones({1, 3, 0, 8}, device), w, {}, 1, 2);
        },
        "Only zero batch or zero channel inputs are supported, but got input shape: [1, 3, 0, 8]");
    refuses(
        value, [&] { return conv2d(x, w, {}, 1, 0, 1, 0); }, "non-positive groups is not supported");
    refuses(
        value, [&] { return conv2d(x, w, {}, 0); }, "non-positive stride is not supported");
    refuses(
        value, [&] { return conv2d(x, w, {}, 1, -1); }, "negative padding is not supported");
    refuses(
        value, [&] { return conv2d(x, w, {}, 1, 0, 0); }, "dilation should be greater than zero");
    refuses(
        value,
        [&] {
          return conv2d(x, w, {}, {1, 1, 1});
        },
        "expected stride to be a single integer value or a list of 2 values to match the convolution dimensions, "
        "but got stride=[1, 1, 1]");
    refuses(
        value, [&] { return conv2d(x, w, {}, 2, "same"); }, "padding='same' is not supported for strided convolutions");
    refuses(
        value, [&] { return conv2d(x, w, {}, 1, "full"); }, "Invalid padding string: 'full'");
    refuses(
        type, [&] { return conv2d(x, w, ones({4}, TensorOptions(kDouble).device(device))); },
        "Input type (float) and bias type (double) should be the same");
    refuses(
        type, [&] { return conv2d(x.to(kLong), w.to(kLong)); }, "not implemented for 'Long'");
    refuses(
        value, [&] { return conv2d(Tensor(), w); }, "the tensor is undefined");
    refuses(
        value, [&] { return conv2d(x, Tensor()); }, "the tensor is undefined");
    EXPECT_EQ(conv2d(x, w).numel(), 4 * 36);
  });
}

TEST(Convolution, RefusesOtherTypes) {
  const auto x = ones({2, 3, 8, 8});
  const auto w = ones({4, 3, 3, 3});
  expect_error<TypeError>([&] { return conv2d(x, w.to(kDouble)); },
                          "Input type (torch.FloatTensor) and weight type (torch.DoubleTensor) should be the same or "
                          "input should be a MKLDNN tensor and weight is a dense tensor");
  expect_error<TypeError>([&] { return conv2d(x.to(kDouble), w); }, "expected scalar type Double but found Float");
  if (num_gpus() == 0) GTEST_SKIP() << "without a GPU there is no second device";
  expect_error<DeviceError>([&] { return conv2d(x.to(gpu(0)), w); },
                            "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the "
                            "same");
  expect_error<DeviceError>([&] { return conv2d(x, w, ones({4}, gpu(0))); },
                            "Input type (torch.FloatTensor) and bias type (torch.cuda.FloatTensor) should be the same");
  expect_error<TypeError>([&] { return conv2d(x.to(gpu(0)), w.to(gpu(0), kDouble)); },
                          "Input type (torch.cuda.FloatTensor) and weight type (torch.cuda.DoubleTensor) should be the "
                          "same");
}

}  // namespace
}  // namespace d2l::testing::convolutions
