// SPDX-License-Identifier: MIT
// An all-reduce is a reduce-scatter and an all-gather. Between the two, each rank has
// the mean gradient of its slice, which is all that Adam needs for the parameters of
// this slice. So the step goes in between, and what is gathered is the new parameters.
//
// The zeros that fill up the last slices stay zeros: their averages are zero, and 0/ε
// is zero.
#include <cmath>

#include "exercise.h"

using namespace d2l;

AdamState make_state(std::int64_t n) {
  const int ranks = distributed::get_world_size();
  const std::int64_t count = (n + ranks - 1) / ranks;
  return {zeros({count}), zeros({count}), 0};
}

void sharded_adam(Tensor& parameters, const Tensor& gradient, AdamState& state,
                  const AdamSettings& settings) {
  const std::int64_t n = parameters.numel();
  const std::int64_t count = state.mean.numel();
  Tensor all = zeros({count * distributed::get_world_size()});
  Tensor filled = all.narrow(0, 0, n);
  filled.copy_(gradient);
  const Tensor mean = empty({count});
  distributed::reduce_scatter_tensor(mean, all, distributed::ReduceOp::AVG).wait();

  ++state.steps;
  const auto t = static_cast<double>(state.steps);
  state.mean.mul_(settings.beta1).add_(mean * (1 - settings.beta1));
  state.square.mul_(settings.beta2).add_(mean.square() * (1 - settings.beta2));
  const Tensor direction = state.mean / (1 - std::pow(settings.beta1, t));
  const Tensor size = (state.square / (1 - std::pow(settings.beta2, t))).sqrt();

  filled.copy_(parameters);
  Tensor own = all.narrow(0, count * distributed::get_rank(), count).clone();
  own.sub_(direction / (size + settings.eps) * settings.lr);
  distributed::all_gather_into_tensor(all, own).wait();
  parameters.copy_(filled);
}
