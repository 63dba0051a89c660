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
#include "distributed/exchange.h"
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

/// The parts of a tensor of each device, each like that device's model.
std::vector<std::vector<Tensor>> parts_of_each(const std::vector<Tensor>& wholes, const std::vector<Tensor>& models,
                                               const char* operation, const char* name, bool written,
                                               const ProcessGroup& group) {
  const int count = static_cast<int>(models.size()) * detail::member_of(group, operation).size();
  detail::check_devices(models, operation, !written);
  if (wholes.size() != models.size()) {
    d2l::detail::fail<ValueError>(operation, fmt::format("there are {} {}s", wholes.size(), name),
                                  fmt::format("(expected {})", models.size()), "give one for each device");
  }
  std::vector<std::vector<Tensor>> parts;
  for (std::size_t i = 0; i < wholes.size(); ++i) {
    detail::check_tensor(wholes[i], operation, written);
    parts.push_back(detail::parts_of(wholes[i], count, models[i], operation, name));
  }
  return parts;
}

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

Work all_gather_into_tensor(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                            const ProcessGroup& group) {
  const char* const operation = "all_gather_into_tensor";
  return all_gather(parts_of_each(outputs, inputs, operation, "output", true, group), inputs, group);
}

Work reduce_scatter_tensor(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs, ReduceOp op,
                           const ProcessGroup& group) {
  const char* const operation = "reduce_scatter_tensor";
  return reduce_scatter(outputs, parts_of_each(inputs, outputs, operation, "input", false, group), op, group);
}

Work all_to_all(const std::vector<std::vector<Tensor>>& outputs, const std::vector<std::vector<Tensor>>& inputs,
                const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "all_to_all");
  std::vector<Tensor> first;  // of each device
  for (const auto& list : inputs) {
    if (list.empty()) break;
    first.push_back(list[0]);
  }
  detail::check_devices(first, "all_to_all", false);
  const auto k = first.size();
  check_lists(inputs, first, state.size(), "all_to_all", "inputs", false);
  check_lists(outputs, first, state.size(), "all_to_all", "outputs", true);
  if (state.engine == nullptr) {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < k; ++i) copy_elements(outputs[i][j], inputs[j][i]);
    }
    return {};
  }
  std::vector<Tensor> sent;  // to each process, its rows are the parts of a pair of devices
  std::vector<Tensor> received;
  for (std::size_t process = 0; process < static_cast<std::size_t>(state.size()); ++process) {
    sent.push_back(rows_like(first[0], k * k));
    received.push_back(rows_like(first[0], k * k));
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) copy_elements(row(sent.back(), j * k + i), inputs[i][process * k + j]);
    }
  }
  return detail::all_to_all_then(state, received, sent, static_cast<int>(k), [outputs, received, k] {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < outputs[j].size(); ++i) {
        copy_elements(outputs[j][i], row(received[i / k], j * k + i % k));
      }
    }
  });
}

}  // namespace d2l::distributed
