// SPDX-License-Identifier: MIT
// Derivatives of views, of joining, and of writing into a view. g is the gradient of the result.
#include "autograd/recorded_operation.h"
#include "core/construct.h"
#include "d2l/factories.h"
#include "d2l/ops.h"

namespace d2l::detail::derivatives {

namespace {

/// Zeros of the shape of the first input.
Tensor zeros_of_input(const RecordedOperation& operation, const Tensor& g) {
  return zeros(operation.inputs[0].sizes.ref(), g.options());
}

Tensor reshaped(const RecordedOperation& operation, const Tensor& g) {
  return g.reshape(operation.inputs[0].sizes.ref());
}

/// Zeros for the gradients of a base and of a view of it, which lie in one memory as the base and the view do.
struct SharedGradients {
  SharedGradients(const Dimensions& base_sizes, const ViewGeometry& geometry, const TensorOptions& options) {
    std::int64_t extent = 1;
    for (int i = 0; i < base_sizes.count; ++i) {
      extent = base_sizes[i] == 0 ? 0 : extent + (base_sizes[i] - 1) * geometry.base_strides[i];
      if (extent == 0) break;
    }
    const Tensor memory = zeros({extent}, options);
    base = make_view(*memory.impl(), base_sizes, geometry.base_strides, 0);
    view = make_view(*memory.impl(), geometry.sizes, geometry.strides, extent == 0 ? 0 : geometry.offset);
  }

  Tensor base;
  Tensor view;
};

}  // namespace

D2L_DERIVATIVE(ViewBackward0, reshaped(operation, g))
D2L_DERIVATIVE(ReshapeAliasBackward0, reshaped(operation, g))
D2L_DERIVATIVE(SqueezeBackward0, reshaped(operation, g))
D2L_DERIVATIVE(SqueezeBackward1, reshaped(operation, g))
D2L_DERIVATIVE(UnsqueezeBackward0, reshaped(operation, g))
D2L_DERIVATIVE(ExpandBackward0, g)  // backward() sums over what was expanded
D2L_DERIVATIVE(TBackward0, g.t())
D2L_DERIVATIVE(TransposeBackward0, g.transpose(operation.integers[0], operation.integers[1]))

void PermuteBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  Dimensions inverse;
  inverse.count = operation.dims.count;
  for (int i = 0; i < inverse.count; ++i) inverse[static_cast<int>(operation.dims[i])] = i;
  results[0] = g.permute(inverse.ref());
}

void SelectBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  results[0] = zeros_of_input(operation, g);
  results[0].select(operation.integers[0], operation.integers[1]).copy_(g);
}

void SliceBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  results[0] = zeros_of_input(operation, g);
  const auto dim = operation.integers[0];
  const auto start = operation.integers[1];
  const auto step = operation.dims[0];
  const auto count = operation.sizes[static_cast<int>(dim)];
  if (count == 0) return;
  results[0].slice(dim, start, start + (count - 1) * step + 1, step).copy_(g);
}

void SplitBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  SliceBackward0(operation, g, results);
}
void SplitWithSizesBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  SliceBackward0(operation, g, results);
}

void AsStridedBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  // An expanded view repeats elements: their gradients are summed first.
  auto geometry = *operation.geometry;
  Tensor summed = g;
  for (int i = 0; i < geometry.sizes.count; ++i) {
    if (geometry.strides[i] != 0 || geometry.sizes[i] == 1) continue;
    summed = summed.sum({i}, true);
    geometry.sizes[i] = 1;
  }
  SharedGradients gradients(operation.inputs[0].sizes, geometry, g.options());
  gradients.view.copy_(summed);
  results[0] = gradients.base.contiguous();
}

void CopySlices(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& written = *operation.written;
  SharedGradients gradients(operation.sizes, *operation.geometry, g.options());
  gradients.base.copy_(g);
  Tensor& part = gradients.view;
  Gradients inner(written.inputs.size());
  derivative_table[static_cast<std::size_t>(written.kind)].apply(written, part.clone(), inner);
  for (std::size_t i = 1; i < inner.size(); ++i) results[i] = inner[i];
  if (!operation.wants(0)) return;
  if (inner[0].defined()) {
    part.copy_(inner[0]);
  } else {
    part.zero_();
  }
  results[0] = gradients.base.contiguous();
}

void CatBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto dim = operation.integers[0];
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto start = operation.offsets[i];
    const auto end = operation.offsets[i + 1];
    if (!operation.wants(i)) continue;
    results[i] = start == end ? zeros(operation.inputs[i].sizes.ref(), g.options()) : g.slice(dim, start, end);
  }
}

void StackBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (operation.wants(i)) results[i] = g.select(operation.integers[0], static_cast<std::int64_t>(i));
  }
}

}  // namespace d2l::detail::derivatives
