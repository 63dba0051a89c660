// SPDX-License-Identifier: MIT
// The kernels of layer and batch normalisation as functions of tensors, which are not recorded.
#pragma once

#include <cstdint>
#include <tuple>

#include "d2l/tensor.h"

namespace d2l::detail {

/// The gradients of a normalisation by its input, its weight and its bias; undefined where none is wanted.
struct NormalisationGradients {
  Tensor input;
  Tensor weight;
  Tensor bias;
};

/// What a derivative of a normalisation starts from. The weight may be undefined.
struct NormalisedInput {
  const Tensor& input;
  const Tensor& weight;
  const Tensor& statistics;  ///< float64 (2, count): the mean, and 1 / √(variance + eps)
};

/// For layer_norm(), whose normalised rows have n elements.
NormalisationGradients layer_norm_gradients(const Tensor& grad, const NormalisedInput& of, std::int64_t n,
                                            bool of_input, bool of_parameters);
/// For batch_norm(); `trains`: the statistics are those of the input.
NormalisationGradients batch_norm_gradients(const Tensor& grad, const NormalisedInput& of, bool trains, bool of_input);

}  // namespace d2l::detail
