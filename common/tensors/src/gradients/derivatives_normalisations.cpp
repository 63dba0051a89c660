// SPDX-License-Identifier: MIT
// Derivatives of normalisations and embeddings. g is the gradient of the result.
#include "autograd/recorded_operation.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "layer_ops/normalisation_checks.h"
#include "layer_ops/normalisations.h"
#include "ops/lines.h"

namespace d2l::detail::derivatives {

namespace {

/// The gradients that are wanted; the weight and the bias have another shape than a vector in layer_norm().
void set_normalisation(const RecordedOperation& operation, const NormalisationGradients& gradients,
                       Gradients& results) {
  if (operation.wants(0)) results[0] = gradients.input;
  if (operation.wants(1)) results[1] = gradients.weight.view(operation.inputs[1].sizes.ref());
  if (operation.wants(2)) results[2] = gradients.bias.view(operation.inputs[2].sizes.ref());
}

}  // namespace

void NativeLayerNormBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor weight = saved_or_undefined(operation, 1);
  const bool of_parameters = operation.wants(1) || operation.wants(2);
  set_normalisation(operation,
                    layer_norm_gradients(g, {operation.saved(0), weight, operation.saved(2)}, operation.integers[0],
                                         operation.wants(0), of_parameters),
                    results);
}

void NativeBatchNormBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor weight = saved_or_undefined(operation, 1);
  set_normalisation(operation,
                    batch_norm_gradients(g, {operation.saved(0), weight, operation.saved(2)},
                                         operation.integers[0] != 0, operation.wants(0)),
                    results);
}

void EmbeddingBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& table = operation.inputs[0].sizes;
  const auto [padding, scales] = operation.integers;
  const Tensor& list = operation.saved(0);
  const IndexAlong rows{list, 0, true, IndexUse::index_select};
  Tensor values = g.reshape({list.numel(), table[1]});
  if (padding >= 0) values = values.masked_fill(list.eq(padding).unsqueeze(1), 0);
  results[0] = index_add(values, table, rows);
  if (scales == 0) return;
  const Tensor counts = index_add(ones({list.numel()}, g.options()), {{table[0]}, 1}, rows);
  results[0] = results[0] / counts.clamp_min(1).unsqueeze(1);
}

}  // namespace d2l::detail::derivatives
