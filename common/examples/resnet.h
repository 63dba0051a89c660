// SPDX-License-Identifier: MIT
/// @file
/// ResNet-18 for images of 32×32 pixels, after He et al. (2016).
#pragma once

#include <cstdint>

#include "d2l/d2l.h"

namespace d2l::examples {

/// Two 3×3 convolutions with batch normalisation, whose result is added to the input.
class ResidualBlockImpl : public nn::Module {
 public:
  /// A block from `in` to `out` channels. Where it changes the number of channels or, with a stride, the size of the
  /// images, a 1×1 convolution changes the input too.
  ResidualBlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride)
      : conv1(
            register_module("conv1", nn::Conv2d(nn::Conv2dOptions(in, out, 3).stride(stride).padding(1).bias(false)))),
        bn1(register_module("bn1", nn::BatchNorm2d(out))),
        conv2(register_module("conv2", nn::Conv2d(nn::Conv2dOptions(out, out, 3).padding(1).bias(false)))),
        bn2(register_module("bn2", nn::BatchNorm2d(out))) {
    if (stride == 1 && in == out) return;
    downsample =
        nn::Sequential(nn::Conv2d(nn::Conv2dOptions(in, out, 1).stride(stride).bias(false)), nn::BatchNorm2d(out));
    register_module("downsample", downsample);
  }

  /// (N, in, H, W) → (N, out, H / stride, W / stride); errors of the layers.
  Tensor forward(const Tensor& x) override {
    const Tensor shortcut = downsample->is_empty() ? x : downsample->forward(x);
    const Tensor y = bn2(conv2(relu(bn1(conv1(x)))));
    return relu(y + shortcut);
  }

  nn::Conv2d conv1;           ///< in → out channels, 3×3
  nn::BatchNorm2d bn1;        ///< after conv1
  nn::Conv2d conv2;           ///< out → out channels, 3×3
  nn::BatchNorm2d bn2;        ///< after conv2
  nn::Sequential downsample;  ///< what changes the input; empty for a block that adds the input as it is
};
/// Holds a ResidualBlockImpl: `ResidualBlock(64, 128, 2)`.
D2L_MODULE(ResidualBlock);

/// Images (N, channels, 32, 32) → one score for each class (N, classes): a 3×3 convolution, four stages of two residual
/// blocks each, the mean of each channel, and a linear layer. Parameters have the names of torchvision's resnet18.
class ResNet18Impl : public nn::Module {
 public:
  /// The first stage has `width` channels, and each further one twice as many. Draws the weights as He et al. do.
  explicit ResNet18Impl(std::int64_t channels = 3, std::int64_t classes = 10, std::int64_t width = 64)
      : conv1(register_module("conv1", nn::Conv2d(nn::Conv2dOptions(channels, width, 3).padding(1).bias(false)))),
        bn1(register_module("bn1", nn::BatchNorm2d(width))),
        layer1(register_module("layer1", stage(width, width, 1))),
        layer2(register_module("layer2", stage(width, 2 * width, 2))),
        layer3(register_module("layer3", stage(2 * width, 4 * width, 2))),
        layer4(register_module("layer4", stage(4 * width, 8 * width, 2))),
        avgpool(register_module("avgpool", nn::AdaptiveAvgPool2d(1))),
        fc(register_module("fc", nn::Linear(8 * width, classes))) {
    for (const Tensor& parameter : parameters()) {
      if (parameter.dim() == 4) nn::init::kaiming_normal_(parameter, 0, kFanOut, kReLU);
    }
  }

  /// (N, channels, 32, 32) → (N, classes); errors of the layers.
  Tensor forward(const Tensor& images) override {
    Tensor x = relu(bn1(conv1(images)));
    x = layer2->forward(layer1->forward(x));
    x = layer4->forward(layer3->forward(x));
    return fc(avgpool(x).flatten(1));
  }

  nn::Conv2d conv1;               ///< channels → width
  nn::BatchNorm2d bn1;            ///< after conv1
  nn::Sequential layer1;          ///< width channels, 32×32
  nn::Sequential layer2;          ///< 2 × width channels, 16×16
  nn::Sequential layer3;          ///< 4 × width channels, 8×8
  nn::Sequential layer4;          ///< 8 × width channels, 4×4
  nn::AdaptiveAvgPool2d avgpool;  ///< the mean of each channel
  nn::Linear fc;                  ///< 8 × width → classes

 private:
  static nn::Sequential stage(std::int64_t in, std::int64_t out, std::int64_t stride) {
    return nn::Sequential(ResidualBlock(in, out, stride), ResidualBlock(out, out, 1));
  }
};
/// Holds a ResNet18Impl: `ResNet18 model;`
D2L_MODULE(ResNet18);

}  // namespace d2l::examples
