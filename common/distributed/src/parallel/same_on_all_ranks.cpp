// SPDX-License-Identifier: MIT
#include "parallel/same_on_all_ranks.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "base/message.h"
#include "d2l/autograd.h"
#include "d2l/distributed/collectives.h"
#include "d2l/factories.h"

namespace d2l::detail {

namespace {

/// The number, shapes and dtypes of tensors as numbers, which all ranks compare.
Tensor description_of(const std::vector<Tensor>& tensors) {
  std::uint64_t hash = 14695981039346656037U;
  const auto mix = [&hash](std::int64_t value) { hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211U; };
  for (const Tensor& tensor : tensors) {
    mix(static_cast<std::int64_t>(tensor.dtype()));
    mix(tensor.dim());
    for (const std::int64_t size : tensor.sizes()) mix(size);
  }
  std::array<std::int64_t, 2> numbers{static_cast<std::int64_t>(tensors.size()), static_cast<std::int64_t>(hash >> 1U)};
  return from_blob(numbers.data(), {2}, kLong).clone();
}

}  // namespace

void check_alike(const char* operation, const char* what, const std::vector<Tensor>& tensors,
                 const distributed::ProcessGroup& group) {
  const Tensor own = description_of(tensors);
  const Tensor least = own.clone();
  const Tensor most = own.clone();
  distributed::all_reduce(least, distributed::ReduceOp::MIN, group).wait();
  distributed::all_reduce(most, distributed::ReduceOp::MAX, group).wait();
  if (least.equal(most)) return;
  fail<DistributedError>(
      operation, fmt::format("the ranks' {} differ in their number, their shapes or their dtypes", what),
      fmt::format("(rank {} has {})", distributed::get_rank(group), tensors.size()), "make the same ones on all ranks");
}

void broadcast_all(const std::vector<Tensor>& tensors, const distributed::ProcessGroup& group) {
  const NoGradGuard unrecorded;
  std::vector<distributed::Work> begun;
  for (const Tensor& tensor : tensors) begun.push_back(distributed::broadcast(tensor, 0, group));
  for (const auto& work : begun) work.wait();
}

}  // namespace d2l::detail
