// SPDX-License-Identifier: MIT
// Collectives with one tensor a process.
#include "d2l/distributed/collectives.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <utility>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "distributed/cards.h"
#include "distributed/checks.h"
#include "distributed/group.h"
#include "distributed/run.h"
#include "distributed/staged.h"

namespace d2l::distributed {

using detail::Call;
using detail::Collective;
using detail::Engine;
using detail::GroupState;
using detail::Staged;
using Use = detail::Staged::Use;

namespace {

/// The tensors of a list as one block of host memory.
struct Block {
  std::vector<std::byte> memory;
  std::size_t each;

  Block(std::size_t count, std::size_t bytes) : memory(count * bytes), each(bytes) {}
  [[nodiscard]] std::byte* of(std::size_t i) { return memory.data() + i * each; }
};

using List = std::vector<std::unique_ptr<Staged>>;

List stage(const std::vector<Tensor>& tensors, Use use) {
  List list;
  for (const Tensor& tensor : tensors) list.push_back(std::make_unique<Staged>(tensor, use));
  return list;
}

void read(const List& list, Block& block) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i]->wait_until_readable();
    if (block.each > 0) std::memcpy(block.of(i), list[i]->data(), block.each);
  }
}

void write(Block& block, const List& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (block.each > 0) std::memcpy(list[i]->data(), block.of(i), block.each);
  }
}

void copy(const Tensor& to, const Tensor& from) {
  const NoGradGuard unrecorded;
  Tensor(to).copy_(from);
}

std::size_t bytes_of(const Tensor& tensor) { return static_cast<std::size_t>(tensor.nbytes()); }

}  // namespace

Work all_reduce(const Tensor& tensor, ReduceOp op, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "all_reduce");
  detail::check_tensor(tensor, "all_reduce", /*written=*/true);
  detail::check_op(op, tensor, "all_reduce");
  if (detail::on_cards(state, {tensor})) return detail::all_reduce_on_cards(state, {tensor}, op);
  if (state.engine == nullptr) return {};
  return detail::all_reduce_then(state, tensor, op, 1, nullptr);
}

namespace detail {

Work all_reduce_then(GroupState& state, const Tensor& tensor, ReduceOp op, int devices, std::function<void()> then) {
  auto staged = std::make_shared<Staged>(tensor, Use::both);
  Call call = call_of(Collective::all_reduce, tensor, op);
  call.devices = devices;
  return run(state, call,
             [staged, op](Engine& engine) {
               const Tensor& own = staged->tensor();
               engine.all_reduce(staged->data(), own.numel(), own.dtype(), op);
             },
             {[staged] { staged->wait_until_readable(); },
              [staged, then = std::move(then)] {
                staged->write_back();
                if (then) then();
              }});
}

Work broadcast_then(GroupState& state, const Tensor& tensor, int src, int devices, std::function<void()> then) {
  auto staged = std::make_shared<Staged>(tensor, state.rank == src ? Use::read : Use::write);
  Call call = call_of(Collective::broadcast, tensor, ReduceOp::SUM, src);
  call.devices = devices;
  return run(state, call,
             [staged, src](Engine& engine) { engine.broadcast(staged->data(), bytes_of(staged->tensor()), src); },
             {[staged] { staged->wait_until_readable(); },
              [staged, own = state.rank == src, then = std::move(then)] {
                if (!own) staged->write_back();
                if (then) then();
              }});
}

Work reduce_then(GroupState& state, const Tensor& tensor, int dst, ReduceOp op, int devices,
                 std::function<void()> then) {
  auto staged = std::make_shared<Staged>(tensor, state.rank == dst ? Use::both : Use::read);
  Call call = call_of(Collective::reduce, tensor, op, dst);
  call.devices = devices;
  return run(state, call,
             [staged, op, dst](Engine& engine) {
               engine.reduce(staged->data(), staged->tensor().numel(), staged->tensor().dtype(), op, dst);
             },
             {[staged] { staged->wait_until_readable(); },
              [staged, own = state.rank == dst, then = std::move(then)] {
                if (own) staged->write_back();
                if (then) then();
              }});
}

Work all_gather_then(GroupState& state, const std::vector<Tensor>& outputs, const Tensor& input, int devices,
                     std::function<void()> then) {
  auto in = std::make_shared<Staged>(input, Use::read);
  auto out = std::make_shared<List>(stage(outputs, Use::write));
  Call call = call_of(Collective::all_gather, input);
  call.devices = devices;
  return run(state, call,
             [in, out](Engine& engine) {
               Block block(out->size(), bytes_of(in->tensor()));
               engine.all_gather(block.memory.data(), in->data(), block.each);
               write(block, *out);
             },
             {[in] { in->wait_until_readable(); },
              [out, then = std::move(then)] {
                for (const auto& staged : *out) staged->write_back();
                if (then) then();
              }});
}

Work reduce_scatter_then(GroupState& state, const Tensor& output, const std::vector<Tensor>& inputs, ReduceOp op,
                         int devices, std::function<void()> then) {
  auto out = std::make_shared<Staged>(output, Use::write);
  auto in = std::make_shared<List>(stage(inputs, Use::read));
  Call call = call_of(Collective::reduce_scatter, output, op);
  call.devices = devices;
  return run(state, call,
             [in, out, op](Engine& engine) {
               Block block(in->size(), bytes_of(out->tensor()));
               read(*in, block);
               engine.reduce_scatter(out->data(), block.memory.data(), out->tensor().numel(), out->tensor().dtype(),
                                     op);
             },
             {nullptr, [out, then = std::move(then)] {
                out->write_back();
                if (then) then();
              }});
}

}  // namespace detail

Work broadcast(const Tensor& tensor, int src, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "broadcast");
  detail::check_rank(state, src, "broadcast", "src");
  detail::check_tensor(tensor, "broadcast", state.rank != src);
  if (detail::on_cards(state, {tensor})) return detail::broadcast_on_cards(state, {tensor}, src);
  if (state.engine == nullptr) return {};
  return detail::broadcast_then(state, tensor, src, 1, nullptr);
}

Work reduce(const Tensor& tensor, int dst, ReduceOp op, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "reduce");
  detail::check_rank(state, dst, "reduce", "dst");
  detail::check_tensor(tensor, "reduce", state.rank == dst);
  detail::check_op(op, tensor, "reduce");
  if (detail::on_cards(state, {tensor})) return detail::reduce_on_cards(state, {tensor}, dst, op);
  if (state.engine == nullptr) return {};
  return detail::reduce_then(state, tensor, dst, op, 1, nullptr);
}

Work all_gather(const std::vector<Tensor>& outputs, const Tensor& input, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "all_gather");
  detail::check_tensor(input, "all_gather", false);
  detail::check_list(outputs, state.size(), input, "all_gather", "outputs", /*written=*/true);
  if (detail::on_cards(state, {input})) return detail::all_gather_on_cards(state, {outputs}, {input});
  if (state.engine != nullptr) return detail::all_gather_then(state, outputs, input, 1, nullptr);
  copy(outputs[0], input);
  return {};
}

Work reduce_scatter(const Tensor& output, const std::vector<Tensor>& inputs, ReduceOp op, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "reduce_scatter");
  detail::check_tensor(output, "reduce_scatter", true);
  detail::check_list(inputs, state.size(), output, "reduce_scatter", "inputs", /*written=*/false);
  detail::check_op(op, output, "reduce_scatter");
  if (detail::on_cards(state, {output})) return detail::reduce_scatter_on_cards(state, {output}, {inputs}, op);
  if (state.engine != nullptr) return detail::reduce_scatter_then(state, output, inputs, op, 1, nullptr);
  copy(output, inputs[0]);
  return {};
}

Work all_gather_into_tensor(const Tensor& output, const Tensor& input, const ProcessGroup& group) {
  const char* const operation = "all_gather_into_tensor";
  const GroupState& state = detail::member_of(group, operation);
  detail::check_tensor(output, operation, true);
  detail::check_tensor(input, operation, false);
  return all_gather(detail::parts_of(output, state.size(), input, operation, "output"), input, group);
}

Work reduce_scatter_tensor(const Tensor& output, const Tensor& input, ReduceOp op, const ProcessGroup& group) {
  const char* const operation = "reduce_scatter_tensor";
  const GroupState& state = detail::member_of(group, operation);
  detail::check_tensor(output, operation, true);
  return reduce_scatter(output, detail::parts_of(input, state.size(), output, operation, "input"), op, group);
}

Work scatter(const Tensor& output, const std::vector<Tensor>& inputs, int src, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "scatter");
  detail::check_rank(state, src, "scatter", "src");
  detail::check_tensor(output, "scatter", true);
  detail::check_list(inputs, state.rank == src ? state.size() : 0, output, "scatter", "inputs", /*written=*/false);
  if (state.engine == nullptr) {
    copy(output, inputs[0]);
    return {};
  }
  auto out = std::make_shared<Staged>(output, Use::write);
  auto in = std::make_shared<List>(stage(inputs, Use::read));
  return detail::run(state, detail::call_of(Collective::scatter, output, ReduceOp::SUM, src),
                     [in, out, src](Engine& engine) {
                       Block block(in->size(), bytes_of(out->tensor()));
                       read(*in, block);
                       engine.scatter(out->data(), in->empty() ? nullptr : block.memory.data(), bytes_of(out->tensor()),
                                      src);
                     },
                     {nullptr, [out] { out->write_back(); }});
}

Work gather(const std::vector<Tensor>& outputs, const Tensor& input, int dst, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "gather");
  detail::check_rank(state, dst, "gather", "dst");
  detail::check_tensor(input, "gather", false);
  detail::check_list(outputs, state.rank == dst ? state.size() : 0, input, "gather", "outputs", /*written=*/true);
  if (state.engine == nullptr) {
    copy(outputs[0], input);
    return {};
  }
  auto in = std::make_shared<Staged>(input, Use::read);
  auto out = std::make_shared<List>(stage(outputs, Use::write));
  return detail::run(state, detail::call_of(Collective::gather, input, ReduceOp::SUM, dst),
                     [in, out, dst](Engine& engine) {
                       Block block(out->size(), bytes_of(in->tensor()));
                       engine.gather(out->empty() ? nullptr : block.memory.data(), in->data(), bytes_of(in->tensor()),
                                     dst);
                       write(block, *out);
                     },
                     {[in] { in->wait_until_readable(); },
                      [out] {
                        for (const auto& staged : *out) staged->write_back();
                      }});
}

Work send(const Tensor& tensor, int dst, int tag, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "send");
  detail::check_partner(state, dst, tag, "send", "dst");
  detail::check_tensor(tensor, "send", false);
  auto staged = std::make_shared<Staged>(tensor, Use::read);
  auto work = std::make_shared<detail::WorkState>(nullptr);
  state.worker.add({detail::Lane::Kind::send, dst, tag}, work, [staged, dst, tag, engine = state.engine.get()] {
    staged->wait_until_readable();
    engine->send(staged->data(), bytes_of(staged->tensor()), dst, tag,
                 detail::call_of(Collective::send, staged->tensor()));
  });
  return Work(std::move(work));
}

Work recv(const Tensor& tensor, std::optional<int> src, int tag, const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "recv");
  if (src) {
    detail::check_partner(state, *src, tag, "recv", "src");
  } else {
    detail::check_any_partner(state, tag, "recv");
  }
  const int from = src.value_or(-1);
  detail::check_tensor(tensor, "recv", true);
  auto staged = std::make_shared<Staged>(tensor, Use::write);
  auto work = std::make_shared<detail::WorkState>([staged] { staged->write_back(); });
  state.worker.add({detail::Lane::Kind::receive, from, tag}, work,
                   [staged, from, tag, engine = state.engine.get(), own = work.get()] {
                     own->set_source(engine->recv(staged->data(), bytes_of(staged->tensor()), from, tag,
                                                  detail::call_of(Collective::recv, staged->tensor())));
                   });
  return Work(std::move(work));
}

Work barrier(const ProcessGroup& group) {
  GroupState& state = detail::member_of(group, "barrier");
  if (state.engine == nullptr) return {};
  return detail::run(state, Call{.collective = Collective::barrier}, [](Engine& /*engine*/) {}, {});
}

}  // namespace d2l::distributed
