// SPDX-License-Identifier: MIT
// Exchanges: each rank sends another part to every other one, and batches of messages.
#include "distributed/exchange.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "distributed/checks.h"
#include "distributed/group.h"
#include "distributed/run.h"
#include "distributed/staged.h"
#include "ledger/ledger.h"

namespace d2l::distributed {

using d2l::detail::describe;
using d2l::detail::fail;
using detail::GroupState;
using detail::Staged;

namespace {

/// The elements of each rank's part.
using Counts = std::vector<std::int64_t>;
using List = std::vector<std::unique_ptr<Staged>>;

Counts counts_of(const std::vector<Tensor>& tensors) {
  Counts counts;
  for (const Tensor& tensor : tensors) counts.push_back(tensor.numel());
  return counts;
}

std::vector<std::size_t> bytes_of(const Counts& counts, std::int64_t each) {
  std::vector<std::size_t> bytes;
  for (const std::int64_t count : counts) bytes.push_back(static_cast<std::size_t>(count * each));
  return bytes;
}

std::size_t total(const std::vector<std::size_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

/// All ranks tell each other what they send and expect. DistributedError, the same on all ranks, unless that fits.
void agree_on_counts(detail::Engine& engine, const Counts& sent, const Counts& expected) {
  const auto size = static_cast<std::size_t>(engine.size());
  Counts own = sent;
  own.insert(own.end(), expected.begin(), expected.end());
  Counts all(size * own.size());
  {
    const d2l::detail::Unrecorded unrecorded;
    engine.all_gather(all.data(), own.data(), own.size() * sizeof(std::int64_t));
  }
  for (std::size_t from = 0; from < size; ++from) {
    for (std::size_t to = 0; to < size; ++to) {
      const std::int64_t sends = all[from * own.size() + to];
      const std::int64_t expects = all[to * own.size() + size + from];
      if (sends == expects) continue;
      fail<DistributedError>("all_to_all", "the ranks' parts do not fit",
                             fmt::format("(rank {0} sends {2} elements to rank {1}, which expects {3} from rank {0})",
                                         from, to, sends, expects),
                             "give output r the size of the part that rank r sends");
    }
  }
}

void check_parts(const std::vector<Tensor>& tensors, int count, const Tensor& model, const char* name, bool written) {
  if (tensors.size() != static_cast<std::size_t>(count)) {
    fail<ValueError>("all_to_all", fmt::format("there are {} {}", tensors.size(), name),
                     fmt::format("(expected {})", count), "give one tensor for each rank");
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    detail::check_tensor(tensors[i], "all_to_all", written);
    if (tensors[i].dtype() == model.dtype()) continue;
    fail<TypeError>(
        "all_to_all", "the tensors have different dtypes",
        fmt::format("({}[{}]: {}; inputs[0]: {})", name, i, describe(*tensors[i].impl()), describe(*model.impl())),
        "convert them with .to(dtype)");
  }
}

void copy_part(const Tensor& to, const Tensor& from) {
  const NoGradGuard unrecorded;
  if (to.numel() != from.numel()) {
    fail<ShapeError>("all_to_all", "an output and its input have different numbers of elements",
                     fmt::format("(output: {}; input: {})", describe(*to.impl()), describe(*from.impl())),
                     "give output r the size of the part that rank r sends");
  }
  Tensor(to).copy_(from.reshape(to.sizes()));
}

List stage_all(const std::vector<Tensor>& tensors, Staged::Use use) {
  List list;
  for (const Tensor& tensor : tensors) list.push_back(std::make_unique<Staged>(tensor, use));
  return list;
}

/// The split of the first dimension, with PyTorch's errors.
Counts rows_of_parts(const Tensor& tensor, const Counts& sizes, int ranks, const char* name) {
  const char* const operation = "all_to_all_single";
  const auto& impl = d2l::detail::impl_of(tensor, operation);
  const auto operands = fmt::format("({}: {}; {} ranks)", name, describe(impl), ranks);
  if (tensor.dim() == 0 || !tensor.is_contiguous()) {
    fail<ValueError>(operation, fmt::format("{} is not contiguous, or has no dimension", name), operands,
                     "give a contiguous tensor whose first dimension is split");
  }
  const std::int64_t rows = tensor.size(0);
  if (sizes.empty()) {
    if (rows % ranks != 0) {
      fail<ShapeError>(operation, "Tensor's dim 0 does not divide equally across group size", operands,
                       "give the sizes of the parts");
    }
    return Counts(static_cast<std::size_t>(ranks), rows / ranks);
  }
  if (sizes.size() != static_cast<std::size_t>(ranks)) {
    fail<ValueError>(operation, "Number of tensor splits not equal to group size", operands,
                     "give the number of rows for each rank");
  }
  std::int64_t sum = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0) fail<ValueError>(operation, fmt::format("a part has {} rows", size), operands, "give 0 or more");
    sum += size;
  }
  if (sum != rows) {
    fail<ShapeError>(operation, "Split sizes doesn't match total dim 0 size", operands,
                     fmt::format("the parts have {} rows together; give sizes that add up", sum));
  }
  return sizes;
}

std::vector<Tensor> parts_of(const Tensor& tensor, const Counts& rows) {
  const NoGradGuard unrecorded;
  std::vector<Tensor> parts;
  std::int64_t first = 0;
  for (const std::int64_t count : rows) {
    parts.push_back(tensor.narrow(0, first, count));
    first += count;
  }
  return parts;
}

}  // namespace

namespace detail {

Work all_to_all_then(GroupState& state, const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                     int devices, std::function<void()> then) {
  auto in = std::make_shared<List>(stage_all(inputs, Staged::Use::read));
  auto out = std::make_shared<List>(stage_all(outputs, Staged::Use::write));
  Call call{.collective = Collective::all_to_all,
            .dtype = static_cast<std::int32_t>(inputs[0].dtype()),
            .devices = devices};  // the ranks' numbers of elements may differ
  return run(state, call,
             [in, out, sent = counts_of(inputs), expected = counts_of(outputs),
              each = inputs[0].element_size()](Engine& engine) {
               agree_on_counts(engine, sent, expected);
               const auto in_bytes = bytes_of(sent, each);
               const auto out_bytes = bytes_of(expected, each);
               std::vector<std::byte> sends(total(in_bytes));
               std::vector<std::byte> receives(total(out_bytes));
               for (std::size_t i = 0, at = 0; i < in->size(); at += in_bytes[i++]) {
                 (*in)[i]->wait_until_readable();
                 if (in_bytes[i] > 0) std::memcpy(sends.data() + at, (*in)[i]->data(), in_bytes[i]);
               }
               engine.all_to_all(receives.data(), out_bytes, sends.data(), in_bytes);
               for (std::size_t i = 0, at = 0; i < out->size(); at += out_bytes[i++]) {
                 if (out_bytes[i] > 0) std::memcpy((*out)[i]->data(), receives.data() + at, out_bytes[i]);
               }
             },
             {nullptr, [out, then = std::move(then)] {
                for (const auto& staged : *out) staged->write_back();
                if (then) then();
              }});
}

}  // namespace detail

Work all_to_all(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "all_to_all");
  if (inputs.empty()) fail<ValueError>("all_to_all", "there are no inputs", {}, "give one tensor for each rank");
  detail::check_tensor(inputs[0], "all_to_all", false);
  check_parts(inputs, state.size(), inputs[0], "inputs", false);
  check_parts(outputs, state.size(), inputs[0], "outputs", true);
  if (state.engine != nullptr) return detail::all_to_all_then(state, outputs, inputs, 1, nullptr);
  copy_part(outputs[0], inputs[0]);
  return {};
}

Work all_to_all_single(const Tensor& output, const Tensor& input, const std::vector<std::int64_t>& output_split_sizes,
                       const std::vector<std::int64_t>& input_split_sizes, const ProcessGroup& group) {
  const GroupState& state = detail::member_of(group, "all_to_all_single");
  const auto output_rows = rows_of_parts(output, output_split_sizes, state.size(), "output");
  const auto input_rows = rows_of_parts(input, input_split_sizes, state.size(), "input");
  return all_to_all(parts_of(output, output_rows), parts_of(input, input_rows), group);
}

Work isend(const Tensor& tensor, int dst, int tag, const ProcessGroup& group) { return send(tensor, dst, tag, group); }
Work irecv(const Tensor& tensor, std::optional<int> src, int tag, const ProcessGroup& group) {
  return recv(tensor, src, tag, group);
}

P2POp::P2POp(Send operation, Tensor sent, int to, ProcessGroup in, int with)
    : op(operation), tensor(std::move(sent)), peer(to), group(std::move(in)), tag(with) {
  if (operation == &isend) return;
  fail<ValueError>("P2POp",
                   "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                   "``torch.distributed.irecv``.",
                   {}, "give isend or irecv");
}

P2POp::P2POp(Receive operation, Tensor received, int from, ProcessGroup in, int with)
    : op(operation), tensor(std::move(received)), peer(from), group(std::move(in)), tag(with) {
  if (operation == &irecv) return;
  fail<ValueError>("P2POp",
                   "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
                   "``torch.distributed.irecv``.",
                   {}, "give isend or irecv");
}

std::vector<Work> batch_isend_irecv(const std::vector<P2POp>& p2p_op_list) {
  const char* const operation = "batch_isend_irecv";
  if (p2p_op_list.empty()) fail<ValueError>(operation, "there are no messages", {}, "give a P2POp for each");
  const auto& first = detail::member_of(p2p_op_list.front().group, operation);
  for (const P2POp& message : p2p_op_list) {  // all of them before one is begun
    if (&detail::member_of(message.group, operation) != &first) {
      fail<ValueError>(operation, "All ops need to use the same group.", {}, "call it once for each group");
    }
    const bool sends = std::holds_alternative<P2POp::Send>(message.op);
    detail::check_partner(first, message.peer, message.tag, operation, "peer");
    detail::check_tensor(message.tensor, operation, /*written=*/!sends);
  }
  std::vector<Work> begun;
  for (const P2POp& message : p2p_op_list) {
    if (std::holds_alternative<P2POp::Send>(message.op)) {
      begun.push_back(isend(message.tensor, message.peer, message.tag, message.group));
    } else {
      begun.push_back(irecv(message.tensor, message.peer, message.tag, message.group));
    }
  }
  return begun;
}

}  // namespace d2l::distributed
