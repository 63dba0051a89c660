// SPDX-License-Identifier: MIT
// The gradients of layer and batch normalisation.
#pragma once

#include <cstdint>
#include <tuple>

#include "autograd/recorded_operation.h"

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

/// Gives the gradients that are wanted the shapes of the inputs: the weight and the bias have another shape than a
/// vector in layer_norm().
void set_normalisation(const RecordedOperation& operation, const NormalisationGradients& gradients, Gradients& results);

}  // namespace d2l::detail
