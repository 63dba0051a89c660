// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

Tensor forward(const Tensor& x, const Mixture& mixture) {
  // TODO: the router chooses experts for the tokens of this rank. Send each token to
  // the rank of its expert, and the result back. This uses the first expert of this
  // rank for all tokens, and is not weighted.
  const Tensor p = softmax(x.mm(mixture.router), 1);
  const Expert& expert = mixture.experts[0];
  const Tensor hidden = gelu(x.mm(expert.W1) + expert.b1);
  return hidden.mm(expert.W2) + expert.b2;
}
