// SPDX-License-Identifier: MIT
// Collectives of processes that drive several GPUs: within a process by peer copies, between processes by the tensors
// of the first devices.
#include <fmt/format.h>

#include <memory>

#include "base/message.h"
#include "d2l/autograd.h"
#include "d2l/distributed/collectives.h"
#include "d2l/factories.h"
#include "distributed/cards.h"
#include "distributed/checks.h"
#include "distributed/group.h"
#include "distributed/local/local.h"
#include "distributed/run.h"

namespace d2l::distributed {

using detail::GroupState;

namespace {

/// Of the sum over processes, an average is made at the end, over all devices.
ReduceOp without_average(ReduceOp op) { return op == ReduceOp::AVG ? ReduceOp::SUM : op; }

void finish_average(const Tensor& sum, ReduceOp op, double devices) {
  const NoGradGuard unrecorded;
  if (op == ReduceOp::AVG) Tensor(sum).div_(devices);
}

void check_device(std::size_t count, int device, const char* operation, const char* name) {
  if (device < 0 || static_cast<std::size_t>(device) >= count) {
    d2l::detail::fail<ValueError>(operation, fmt::format("{} is {}", name, device),
                                  fmt::format("(of {} tensors)", count), "give the number of a tensor of the list");
  }
}

/// For each device a list of as many tensors as all processes have devices.
void check_lists(const std::vector<std::vector<Tensor>>& lists, const std::vector<Tensor>& own, int processes,
                 const char* operation, const char* name, bool written) {
  if (lists.size() != own.size()) {
    d2l::detail::fail<ValueError>(operation, fmt::format("there are {} lists of {}", lists.size(), name),
                                  fmt::format("(expected {})", own.size()), "give one for each device");
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    detail::check_list(lists[i], static_cast<int>(own.size()) * processes, own[i], operation, name, written);
  }
}

/// So many tensors like `model`, as rows of one tensor on its device.
Tensor rows_like(const Tensor& model, std::size_t count) {
  return empty({static_cast<std::int64_t>(count), model.numel()}, TensorOptions(model.dtype()).device(model.device()));
}

Tensor row(const Tensor& rows, std::size_t i) { return rows.narrow(0, static_cast<std::int64_t>(i), 1); }

void copy_elements(const Tensor& to, const Tensor& from) {
  const NoGradGuard unrecorded;
  Tensor(to).copy_(from.reshape(to.sizes()));
}

}  // namespace

Work all_reduce(const std::vector<Tensor>& tensors, ReduceOp op, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "all_reduce");
  detail::check_devices(tensors, "all_reduce", true);
  detail::check_op(op, tensors[0], "all_reduce");
  if (detail::on_cards(state, tensors)) return detail::all_reduce_on_cards(state, tensors, op);
  if (state.engine == nullptr) {
    local::all_reduce(tensors, op);
    return {};
  }
  const auto inner = without_average(op);
  if (tensors.size() > 1) copy_elements(tensors[0], local::reduce(tensors, 0, inner));
  const double devices = static_cast<double>(tensors.size()) * state.size();
  return detail::all_reduce_then(state, tensors[0], inner, static_cast<int>(tensors.size()), [tensors, op, devices] {
    finish_average(tensors[0], op, devices);
    local::broadcast(tensors, 0);
  });
}

Work broadcast(const std::vector<Tensor>& tensors, int src, int src_device, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "broadcast");
  detail::check_rank(state, src, "broadcast", "src");
  detail::check_devices(tensors, "broadcast", true);
  check_device(tensors.size(), src_device, "broadcast", "src_device");
  const int devices = static_cast<int>(tensors.size());
  if (detail::on_cards(state, tensors)) return detail::broadcast_on_cards(state, tensors, src * devices + src_device);
  if (state.engine == nullptr) {
    local::broadcast(tensors, static_cast<std::size_t>(src_device));
    return {};
  }
  if (state.rank == src && src_device != 0) copy_elements(tensors[0], tensors[static_cast<std::size_t>(src_device)]);
  return detail::broadcast_then(state, tensors[0], src, devices, [tensors] { local::broadcast(tensors, 0); });
}

Work reduce(const std::vector<Tensor>& tensors, int dst, int dst_device, ReduceOp op, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "reduce");
  detail::check_rank(state, dst, "reduce", "dst");
  detail::check_devices(tensors, "reduce", state.rank == dst);
  check_device(tensors.size(), dst_device, "reduce", "dst_device");
  detail::check_op(op, tensors[0], "reduce");
  if (detail::on_cards(state, tensors)) {
    return detail::reduce_on_cards(state, tensors, dst * static_cast<int>(tensors.size()) + dst_device, op);
  }
  const Tensor& result = tensors[static_cast<std::size_t>(dst_device)];
  if (state.engine == nullptr) {
    copy_elements(result, local::reduce(tensors, static_cast<std::size_t>(dst_device), op));
    return {};
  }
  const auto inner = without_average(op);
  const Tensor own = local::reduce(tensors, 0, inner);
  const double devices = static_cast<double>(tensors.size()) * state.size();
  return detail::reduce_then(state, own, dst, inner, static_cast<int>(tensors.size()),
                             [own, op, devices, result, written = state.rank == dst] {
                               if (!written) return;
                               finish_average(own, op, devices);
                               copy_elements(result, own);
                             });
}

Work all_gather(const std::vector<std::vector<Tensor>>& outputs, const std::vector<Tensor>& inputs,
                const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "all_gather");
  detail::check_devices(inputs, "all_gather", false);
  check_lists(outputs, inputs, state.size(), "all_gather", "outputs", true);
  if (detail::on_cards(state, inputs)) return detail::all_gather_on_cards(state, outputs, inputs);
  const std::size_t k = inputs.size();
  if (state.engine == nullptr) {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < k; ++i) copy_elements(outputs[i][j], inputs[j]);
    }
    return {};
  }
  const Tensor own = rows_like(inputs[0], k);
  for (std::size_t j = 0; j < k; ++j) copy_elements(row(own, j), inputs[j]);
  std::vector<Tensor> all;
  for (int process = 0; process < state.size(); ++process) all.push_back(rows_like(inputs[0], k));
  return detail::all_gather_then(state, all, own, static_cast<int>(k), [all, outputs, k] {
    for (const auto& list : outputs) {
      for (std::size_t j = 0; j < list.size(); ++j) copy_elements(list[j], row(all[j / k], j % k));
    }
  });
}

Work reduce_scatter(const std::vector<Tensor>& outputs, const std::vector<std::vector<Tensor>>& inputs, ReduceOp op,
                    const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "reduce_scatter");
  detail::check_devices(outputs, "reduce_scatter", true);
  check_lists(inputs, outputs, state.size(), "reduce_scatter", "inputs", false);
  detail::check_op(op, outputs[0], "reduce_scatter");
  if (detail::on_cards(state, outputs)) return detail::reduce_scatter_on_cards(state, outputs, inputs, op);
  const std::size_t k = outputs.size();
  const auto inner = without_average(op);
  const double devices = static_cast<double>(k) * state.size();
  const auto column = [&](std::size_t j) {
    std::vector<Tensor> tensors;
    for (const auto& list : inputs) tensors.push_back(list[j]);
    return tensors;
  };
  if (state.engine == nullptr) {
    for (std::size_t j = 0; j < k; ++j) copy_elements(outputs[j], local::reduce(column(j), j, op));
    return {};
  }
  std::vector<Tensor> joined;
  for (int process = 0; process < state.size(); ++process) {
    joined.push_back(rows_like(outputs[0], k));
    for (std::size_t j = 0; j < k; ++j) {
      copy_elements(row(joined.back(), j), local::reduce(column(static_cast<std::size_t>(process) * k + j), 0, inner));
    }
  }
  const Tensor own = rows_like(outputs[0], k);
  return detail::reduce_scatter_then(state, own, joined, inner, static_cast<int>(k), [own, outputs, op, devices] {
    finish_average(own, op, devices);
    for (std::size_t j = 0; j < outputs.size(); ++j) copy_elements(outputs[j], row(own, j));
  });
}

}  // namespace d2l::distributed
