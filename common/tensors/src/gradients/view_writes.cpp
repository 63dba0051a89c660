// SPDX-License-Identifier: MIT
// Derivatives of writing into a view, and of a view whose base was written. g is the gradient of the result.
#include "autograd/recorded_operation.h"
#include "core/construct.h"
#include "d2l/factories.h"
#include "d2l/ops.h"

namespace d2l::detail::derivatives {

namespace {

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

}  // namespace d2l::detail::derivatives
