// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <atomic>
#include <thread>
#include <utility>

#include "core/storage.h"
#include "core/tensor_impl.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "distributed/cards.h"
#include "distributed/group.h"
#include "distributed/run.h"
#include "ledger/ledger.h"

namespace d2l::distributed::detail {

namespace {

using backend::CardCollective;
using backend::CardWork;

/// A collective that was given to the thread of its group, with the tensors that it uses.
class Running : d2l::detail::NonCopyable {
 public:
  Running(std::shared_ptr<CardWork> work, std::vector<Tensor> tensors)
      : work_(std::move(work)), tensors_(std::move(tensors)) {}
  /// The memory of the tensors returns to the queues, which must not use it before.
  ~Running() {
    try {
      if (is_issued_) make_queues_wait();
    } catch (const std::exception&) {  // the device is lost, and its memory too
    }
  }
  void issue() {
    work_->issue();
    is_issued_ = true;
  }
  void make_queues_wait() {
    if (is_issued_.exchange(false)) work_->make_queues_wait();
  }
  [[nodiscard]] bool done() const { return work_->done(); }

 private:
  std::shared_ptr<CardWork> work_;
  std::vector<Tensor> tensors_;
  std::atomic<bool> is_issued_{false};
};

/// Waits until the cards are done, so that a card that waits for a lost process does not wait forever.
void watch(GroupState& state, const Running& running, const Call& call) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience(5);  // of a rank that leaves the group
  auto deadline = Clock::now() + state.cards->timeout;
  bool leaves = false;
  auto pause = std::chrono::microseconds(20);
  while (!running.done()) {
    if (state.is_leaving && !std::exchange(leaves, true)) deadline = std::min(deadline, Clock::now() + patience);
    if (Clock::now() > deadline) {
      state.cards->group->abort();
      if (state.engine != nullptr) {
        state.engine->leave(fmt::format("{} did not end on the cards within the timeout", describe(call)));
      }
      return;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
}

Work run_on_cards(GroupState& state, Call call, CardCollective collective, std::vector<Tensor> tensors,
                  std::function<void()> after) {
  call.number = state.collectives++;
  call.devices = static_cast<std::int32_t>(state.cards->devices.size());
  for (const Device device : state.cards->devices) {
    if (!d2l::detail::ledger_is_open()) break;
    LedgerEntry entry;
    entry.name = name_of(static_cast<Collective>(call.collective));
    entry.queue = device;
    entry.bytes = static_cast<std::int64_t>(collective.count * elementSize(collective.dtype));
    entry.dtype = collective.dtype;
    static_cast<void>(d2l::detail::record(entry));
  }
  auto running = std::make_shared<Running>(state.cards->group->prepare(std::move(collective)), std::move(tensors));
  auto result = std::make_shared<WorkState>([running, after = std::move(after)] {
    running->make_queues_wait();
    if (after) after();
  });
  state.worker.add({}, result, [&state, call, running] {
    if (state.engine != nullptr) state.engine->agree(call);
    running->issue();
  });
  state.worker.add({}, std::make_shared<WorkState>(nullptr), [&state, call, running] { watch(state, *running, call); });
  return Work(std::move(result));
}

/// Contiguous tensors: these, or copies.
std::vector<Tensor> contiguous(const std::vector<Tensor>& tensors) {
  const NoGradGuard unrecorded;
  std::vector<Tensor> all;
  for (const Tensor& tensor : tensors) all.push_back(tensor.contiguous());
  return all;
}

/// Copies what was computed in place of a tensor back to it, or notes that it was written.
void write_back(const Tensor& tensor, const Tensor& result) {
  const NoGradGuard unrecorded;
  if (tensor.impl()->data() != result.impl()->data() || !tensor.is_contiguous()) {
    Tensor(tensor).copy_(result.view(tensor.sizes()));
  } else {
    tensor.impl()->storage->count_write();
  }
}

void write_back(const std::vector<Tensor>& tensors, const std::vector<Tensor>& results) {
  for (std::size_t i = 0; i < tensors.size(); ++i) write_back(tensors[i], results[i]);
}

/// Rows of `count` tensors like each of these, on their devices.
std::vector<Tensor> rows_like(const std::vector<Tensor>& models, int count) {
  std::vector<Tensor> all;
  for (const Tensor& model : models) {
    all.push_back(empty({count, model.numel()}, TensorOptions(model.dtype()).device(model.device())));
  }
  return all;
}

CardCollective collective_of(CardCollective::Kind kind, const std::vector<Tensor>& in, const std::vector<Tensor>& out,
                             const Tensor& model) {
  CardCollective collective;
  collective.kind = kind;
  collective.dtype = model.dtype();
  collective.count = static_cast<std::size_t>(model.numel());
  for (std::size_t i = 0; i < in.size(); ++i) {
    collective.buffers.push_back({in[i].impl()->data(), out[i].impl()->data()});
  }
  return collective;
}

std::vector<Tensor> both(std::vector<Tensor> some, const std::vector<Tensor>& others) {
  some.insert(some.end(), others.begin(), others.end());
  return some;
}

}  // namespace

Work all_reduce_on_cards(GroupState& state, const std::vector<Tensor>& tensors, ReduceOp op) {
  const auto own = contiguous(tensors);
  auto collective = collective_of(CardCollective::Kind::all_reduce, own, own, own[0]);
  collective.op = op;
  return run_on_cards(state, call_of(Collective::all_reduce, own[0], op), std::move(collective), own,
                      [tensors, own] { write_back(tensors, own); });
}

Work broadcast_on_cards(GroupState& state, const std::vector<Tensor>& tensors, int root) {
  const auto own = contiguous(tensors);
  auto collective = collective_of(CardCollective::Kind::broadcast, own, own, own[0]);
  collective.root = root;
  return run_on_cards(state, call_of(Collective::broadcast, own[0], ReduceOp::SUM, root), std::move(collective), own,
                      [tensors, own] { write_back(tensors, own); });
}

Work reduce_on_cards(GroupState& state, const std::vector<Tensor>& tensors, int root, ReduceOp op) {
  const auto own = contiguous(tensors);
  auto collective = collective_of(CardCollective::Kind::reduce, own, own, own[0]);
  collective.op = op;
  collective.root = root;
  const int place = root - state.rank * static_cast<int>(tensors.size());
  return run_on_cards(state, call_of(Collective::reduce, own[0], op, root), std::move(collective), own,
                      [tensors, own, place] {
                        if (place < 0 || static_cast<std::size_t>(place) >= tensors.size()) return;
                        write_back(tensors[static_cast<std::size_t>(place)], own[static_cast<std::size_t>(place)]);
                      });
}

Work all_gather_on_cards(GroupState& state, const std::vector<std::vector<Tensor>>& outputs,
                         const std::vector<Tensor>& inputs) {
  const auto own = contiguous(inputs);
  const auto all = rows_like(own, state.cards->count);
  return run_on_cards(state, call_of(Collective::all_gather, own[0]),
                      collective_of(CardCollective::Kind::all_gather, own, all, own[0]), both(own, all),
                      [outputs, all] {
                        for (std::size_t i = 0; i < outputs.size(); ++i) {
                          for (std::size_t j = 0; j < outputs[i].size(); ++j) {
                            write_back(outputs[i][j], all[i].select(0, static_cast<std::int64_t>(j)));
                          }
                        }
                      });
}

Work reduce_scatter_on_cards(GroupState& state, const std::vector<Tensor>& outputs,
                             const std::vector<std::vector<Tensor>>& inputs, ReduceOp op) {
  const auto all = rows_like(outputs, state.cards->count);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t j = 0; j < inputs[i].size(); ++j) {
      const NoGradGuard unrecorded;
      all[i].select(0, static_cast<std::int64_t>(j)).copy_(inputs[i][j].reshape({outputs[i].numel()}));
    }
  }
  const auto own = contiguous(outputs);
  auto collective = collective_of(CardCollective::Kind::reduce_scatter, all, own, own[0]);
  collective.op = op;
  return run_on_cards(state, call_of(Collective::reduce_scatter, own[0], op), std::move(collective), both(own, all),
                      [outputs, own] { write_back(outputs, own); });
}

}  // namespace d2l::distributed::detail
