// SPDX-License-Identifier: MIT
// Derivatives of poolings. g is the gradient of the result.
#include "autograd/recorded_operation.h"
#include "layer_ops/pooling.h"

namespace d2l::detail::derivatives {

D2L_DERIVATIVE(MaxPool2DWithIndicesBackward0,
               max_pool2d_gradient(g, operation.saved(1), operation.saved(0).impl()->sizes,
                                   unpacked(operation.offsets)))

D2L_DERIVATIVE(AvgPool2DBackward0,
               avg_pool2d_gradient(g, operation.saved(0).impl()->sizes, unpacked(operation.offsets)))

D2L_DERIVATIVE(AdaptiveAvgPool2DBackward0, adaptive_avg_pool2d_gradient(g, operation.saved(0).impl()->sizes))

}  // namespace d2l::detail::derivatives
