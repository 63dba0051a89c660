// SPDX-License-Identifier: MIT
#include "d2l/custom_function.h"
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

namespace {

// TODO: a kernel for the result, one for the gradient of x, and one for the gradients
// of weight and bias.

struct LayerNorm : autograd::Function<LayerNorm> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& x,
                        const Tensor& weight, const Tensor& /*bias*/, double /*eps*/) {
    // TODO: launch the kernel, and save what backward() needs.
    ctx->save_for_backward({x, weight});
    return zeros(x.sizes(), x.options());
  }

  static autograd::variable_list backward(autograd::AutogradContext* ctx,
                                          autograd::variable_list grad_outputs) {
    // TODO: the gradients of x, weight and bias, and none for eps.
    const autograd::variable_list saved = ctx->get_saved_variables();
    const Tensor g = grad_outputs[0].contiguous();
    return {zeros(saved[0].sizes(), g.options()), zeros(saved[1].sizes(), g.options()),
            zeros(saved[1].sizes(), g.options()), Tensor()};
  }
};

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias,
                  double eps) {
  return LayerNorm::apply(x, weight, bias, eps);
}
