// SPDX-License-Identifier: MIT
#include "distributed/checks.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "d2l/autograd.h"

namespace d2l::distributed::detail {

using d2l::detail::describe;
using d2l::detail::fail;

namespace {

void check_alike(const Tensor& tensor, const Tensor& model, const char* operation, const char* name, std::size_t i) {
  const auto pair = [&] {
    return fmt::format("({}[{}]: {}; expected: {})", name, i, describe(*tensor.impl()), describe(*model.impl()));
  };
  if (tensor.dtype() != model.dtype()) {
    fail<TypeError>(operation, "the tensors have different dtypes", pair(), "convert them with .to(dtype)");
  }
  if (tensor.numel() != model.numel()) {
    fail<ShapeError>(operation, "the tensors have different numbers of elements", pair(), "give tensors of one shape");
  }
}

}  // namespace

void check_tensor(const Tensor& tensor, const char* operation, bool written) {
  const auto& impl = d2l::detail::impl_of(tensor, operation);
  if (written && impl.requires_grad && GradMode::is_enabled()) {
    fail<ValueError>(operation, "a tensor that requires gradients would be written in place",
                     d2l::detail::operands({{"it", &impl}}), "use a NoGradGuard, or detach() it");
  }
}

void check_list(const std::vector<Tensor>& tensors, int count, const Tensor& model, const char* operation,
                const char* name, bool written) {
  if (tensors.size() != static_cast<std::size_t>(count)) {
    fail<ValueError>(operation, fmt::format("there are {} {}", tensors.size(), name),
                     fmt::format("(expected {})", count),
                     count == 0 ? "only the root gives a list" : "give one tensor for each rank");
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    check_tensor(tensors[i], operation, written);
    check_alike(tensors[i], model, operation, name, i);
  }
}

std::vector<Tensor> parts_of(const Tensor& whole, int count, const Tensor& model, const char* operation,
                             const char* name) {
  const auto& impl = d2l::detail::impl_of(whole, operation);
  if (!whole.is_contiguous()) {
    fail<ValueError>(operation, fmt::format("{} is not contiguous", name), d2l::detail::operands({{"it", &impl}}),
                     "give a contiguous tensor: contiguous() copies an input; for an output, use a new tensor and "
                     "copy_() the result");
  }
  const auto operands =
      fmt::format("({}: {}; each rank: {}; {} ranks)", name, describe(impl), describe(*model.impl()), count);
  if (whole.dtype() != model.dtype()) {
    fail<TypeError>(operation, "the tensors have different dtypes", operands, "convert them with .to(dtype)");
  }
  if (whole.numel() != count * model.numel()) {
    fail<ShapeError>(operation, fmt::format("{} does not have as many elements as the tensors of all ranks", name),
                     operands, fmt::format("give a tensor of {} elements", count * model.numel()));
  }
  const NoGradGuard unrecorded;
  const Tensor rows = whole.view({count, model.numel()});
  std::vector<Tensor> parts;
  for (int rank = 0; rank < count; ++rank) parts.push_back(rows[rank]);
  return parts;
}

void check_op(ReduceOp op, const Tensor& tensor, const char* operation) {
  if (op == ReduceOp::AVG && !tensor.is_floating_point()) {
    fail<TypeError>(operation, "an average needs floating-point numbers",
                    d2l::detail::operands({{"it", tensor.impl().get()}}), "use SUM, or convert it with .to(kFloat)");
  }
}

void check_rank(const GroupState& state, int rank, const char* operation, const char* name) {
  if (rank < 0 || rank >= state.size()) {
    fail<ValueError>(operation, fmt::format("{} is {}", name, rank),
                     fmt::format("(the group has {} ranks)", state.size()), "give a rank of the group, from 0");
  }
}

void check_partner(const GroupState& state, int rank, int tag, const char* operation, const char* name) {
  check_rank(state, rank, operation, name);
  if (rank == state.rank) {
    fail<ValueError>(operation, fmt::format("{} is this rank itself", name), {}, "copy the tensor instead");
  }
  check_any_partner(state, tag, operation);
}

void check_any_partner(const GroupState& state, int tag, const char* operation) {
  if (state.size() == 1) {
    fail<ValueError>(operation, "the group has no other rank", {}, "start several processes, or copy the tensor");
  }
  if (tag < 0) fail<ValueError>(operation, fmt::format("the tag is {}", tag), {}, "give 0 or more");
}

void check_devices(const std::vector<Tensor>& tensors, const char* operation, bool written) {
  if (tensors.empty()) fail<ValueError>(operation, "there are no tensors", {}, "give one for each device");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    check_tensor(tensors[i], operation, written);
    check_alike(tensors[i], tensors[0], operation, "tensors", i);
    if (tensors.size() > 1 && tensors[i].is_cpu()) {
      fail<DeviceError>(operation, "a list of several tensors needs GPUs",
                        fmt::format("(tensors[{}]: {})", i, describe(*tensors[i].impl())),
                        "move each to a GPU of its own");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (tensors[j].device() == tensors[i].device()) {
        fail<DeviceError>(operation, "two tensors are on one device",
                          fmt::format("(tensors[{}] and tensors[{}]: {})", j, i, tensors[i].device().str()),
                          "move each to a GPU of its own");
      }
    }
  }
}

}  // namespace d2l::distributed::detail
