// SPDX-License-Identifier: MIT
// Rank r of k has the hidden values from n·r/k to n·(r+1)/k: that divides any n as
// evenly as possible. `chunk` does not: it makes all parts but the last equally large,
// and there may be fewer of them than ranks.
//
// b2 is added behind the sum. In front of it, it would be added k times. As each rank
// then computes the same from the sum, each has the whole gradient of b2.
#include "exercise.h"

using namespace d2l;

namespace {

/// The same x on all ranks; its gradient is the sum of those of the ranks.
struct ToAllParts : autograd::Function<ToAllParts> {
  static Tensor forward(autograd::AutogradContext* /*ctx*/, const Tensor& x) {
    return x.clone();
  }
  static autograd::variable_list backward(autograd::AutogradContext* /*ctx*/,
                                          autograd::variable_list gradients) {
    const Tensor sum = gradients[0].clone();
    distributed::all_reduce(sum).wait();
    return {sum};
  }
};

/// The sum over the ranks, each of which has the gradient of the sum.
struct SumOfParts : autograd::Function<SumOfParts> {
  static Tensor forward(autograd::AutogradContext* /*ctx*/, const Tensor& term) {
    Tensor sum = term.clone();
    distributed::all_reduce(sum).wait();
    return sum;
  }
  static autograd::variable_list backward(autograd::AutogradContext* /*ctx*/,
                                          autograd::variable_list gradients) {
    return gradients;
  }
};

}  // namespace

Mlp part_of(const Mlp& whole) {
  const std::int64_t rank = distributed::get_rank();
  const std::int64_t size = distributed::get_world_size();
  const std::int64_t hidden = whole.W1.size(1);
  const std::int64_t begin = hidden * rank / size;
  const std::int64_t count = hidden * (rank + 1) / size - begin;
  const auto leaf = [](const Tensor& part) {
    return part.detach().clone().requires_grad_();
  };
  return {leaf(whole.W1.narrow(1, begin, count)),
          leaf(whole.b1.narrow(0, begin, count)),
          leaf(whole.W2.narrow(0, begin, count)), leaf(whole.b2)};
}

Tensor forward(const Tensor& x, const Mlp& part) {
  const Tensor hidden = tanh(ToAllParts::apply(x).mm(part.W1) + part.b1);
  return SumOfParts::apply(hidden.mm(part.W2)) + part.b2;
}
