// SPDX-License-Identifier: MIT
/// @file
/// LeNet: the convolutional network of the book's chapter on convolutions, after LeCun et al. (1998).
#pragma once

#include <cstdint>

#include "d2l/d2l.h"

namespace d2l::examples {

/// Images (N, 1, 28, 28) → one score for each class (N, classes): two convolutions, each with a sigmoid and average
/// pooling, then three fully connected layers.
class LeNetImpl : public nn::Module {
 public:
  /// Draws the weights as the book does (Glorot and Bengio, 2010), because sigmoids need larger ones than PyTorch's.
  explicit LeNetImpl(std::int64_t classes = 10)
      : conv1(register_module("conv1", nn::Conv2d(nn::Conv2dOptions(1, 6, 5).padding(2)))),
        conv2(register_module("conv2", nn::Conv2d(nn::Conv2dOptions(6, 16, 5)))),
        pool(register_module("pool", nn::AvgPool2d(nn::AvgPool2dOptions(2).stride(2)))),
        fc1(register_module("fc1", nn::Linear(16 * 5 * 5, 120))),
        fc2(register_module("fc2", nn::Linear(120, 84))),
        fc3(register_module("fc3", nn::Linear(84, classes))) {
    for (const Tensor& parameter : parameters()) {
      if (parameter.dim() > 1) nn::init::xavier_uniform_(parameter);
    }
  }

  /// (N, 1, 28, 28) → (N, classes); errors of the layers.
  Tensor forward(const Tensor& images) override {
    Tensor x = pool(sigmoid(conv1(images)));  // (N, 6, 14, 14)
    x = pool(sigmoid(conv2(x)));              // (N, 16, 5, 5)
    x = sigmoid(fc1(x.flatten(1)));
    x = sigmoid(fc2(x));
    return fc3(x);
  }

  nn::Conv2d conv1;    ///< 1 → 6 channels, 5×5
  nn::Conv2d conv2;    ///< 6 → 16 channels, 5×5
  nn::AvgPool2d pool;  ///< halves height and width
  nn::Linear fc1;      ///< 400 → 120
  nn::Linear fc2;      ///< 120 → 84
  nn::Linear fc3;      ///< 84 → classes
};
/// Holds a LeNetImpl: `LeNet model;`
D2L_MODULE(LeNet);

}  // namespace d2l::examples
