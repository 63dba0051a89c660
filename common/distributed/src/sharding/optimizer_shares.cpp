// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "base/message.h"
#include "d2l/autograd.h"
#include "d2l/distributed/collectives.h"
#include "d2l/sharding.h"
#include "nn/parameter.h"

namespace d2l::detail {

OptimizerShares::OptimizerShares(std::vector<Tensor> params, distributed::ProcessGroup group)
    : group_(std::move(group)) {
  if (params.empty()) {
    fail<ValueError>("ZeroRedundancyOptimizer", "optimizer got an empty parameter list", {},
                     "pass module->parameters()");
  }
  const auto ranks = static_cast<std::size_t>(distributed::get_world_size(group_));
  parts_.resize(ranks);
  std::vector<std::int64_t> elements(ranks, 0);
  std::vector<std::size_t> order(params.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return params[a].numel() > params[b].numel(); });
  owners_.resize(params.size());
  for (const std::size_t i : order) {
    const auto rank = static_cast<std::size_t>(std::min_element(elements.begin(), elements.end()) - elements.begin());
    parts_[rank].push_back(params[i]);
    elements[rank] += params[i].numel();
    owners_[i] = {params[i], static_cast<int>(rank)};
  }
}

std::vector<Tensor> OptimizerShares::own() const {
  return parts_[static_cast<std::size_t>(distributed::get_rank(group_))];
}

void OptimizerShares::broadcast() const {
  const NoGradGuard unrecorded;
  std::vector<distributed::Work> begun;
  for (const auto& [parameter, owner] : owners_) {
    begun.push_back(distributed::broadcast(parameter, owner, group_));
  }
  for (const auto& work : begun) work.wait();
}

void OptimizerShares::zero_grad(bool set_to_none) const {
  const NoGradGuard unrecorded;
  for (const auto& [parameter, owner] : owners_) clear_gradient(parameter, set_to_none);
}

}  // namespace d2l::detail
