// SPDX-License-Identifier: MIT
#include "kernels/cpu/sixteen_bit_softmax.h"

#include "kernels/cpu/host_policy.h"
#include "kernels/families/fill_softmax.h"

namespace d2l::backend::kernels {
namespace {

struct ShortExponential {
  static D2L_ALWAYS_INLINE float of_nonpositive(float x) { return short_exp_of_nonpositive(x); }
};

}  // namespace

Kernel short_softmax(Operation operation) {
  switch (operation) {
    case Operation::softmax:
      return normalise<Host, ScaleReduction<float>, SoftmaxRows<float, false, ShortExponential>>;
    case Operation::safe_softmax:
      return normalise<Host, SafeScaleReduction<float>, SoftmaxRows<float, true, ShortExponential>>;
    default:
      return nullptr;
  }
}

}  // namespace d2l::backend::kernels
