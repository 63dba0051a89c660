// SPDX-License-Identifier: MIT
#include "distributed/gloo/gloo_engine.h"

#include <fmt/format.h>
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/broadcast.h>
#include <gloo/common/error.h>
#include <gloo/gather.h>
#include <gloo/reduce.h>
#include <gloo/scatter.h>
#include <gloo/types.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/message.h"
#include "distributed/gloo/counted_transport.h"
#include "distributed/gloo/reductions.h"
#include "distributed/store/seconds.h"
#include "ops/element_type.h"

namespace d2l::distributed::detail {

namespace {

// Slots of our own messages, beside those of Gloo's collectives.
constexpr std::uint8_t agree_slot = 0x40;
constexpr std::uint8_t agreed_slot = 0x45;
constexpr std::uint8_t scatter_slot = 0x41;
constexpr std::uint8_t exchange_slot = 0x46;

static_assert(std::is_trivially_copyable_v<Call>);

using Clock = std::chrono::steady_clock;

/// Gloo's context over a transport of ours.
class ContextOver : public gloo::Context {
 public:
  explicit ContextOver(std::shared_ptr<gloo::transport::Context> transport)
      : Context(transport->rank, transport->size) {
    transportContext_ = std::move(transport);
  }
};

std::size_t bytes_each(ScalarType dtype) { return static_cast<std::size_t>(elementSize(dtype)); }

char* bytes(void* data) { return static_cast<char*>(data); }
char* bytes(const void* data) { return static_cast<char*>(const_cast<void*>(data)); }  // Gloo reads it

[[noreturn]] void raise(Collective collective, const std::string& cause) {
  d2l::detail::fail<DistributedError>(name_of(collective), cause, {}, "end all ranks and start them again");
}

}  // namespace

GlooEngine::GlooEngine(std::vector<int> global_ranks, int rank, const std::string& key,
                       std::chrono::milliseconds timeout, Connect connect, std::shared_ptr<Liveness> liveness,
                       bool is_all)
    : global_ranks_(std::move(global_ranks)),
      rank_(rank),
      timeout_(timeout),
      connect_(std::move(connect)),
      liveness_(std::move(liveness)),
      is_all_(is_all) {
  if (size() == 1) return;
  Connections connections = connect_(global_ranks_, rank_, key);
  const Context context =
      std::make_shared<ContextOver>(std::make_shared<CountedTransport>(connections.transport, global_ranks_));
  context->setTimeout(timeout_);
  connected_ = std::make_shared<Connected>(Connected{std::move(connections), context});
}

void GlooEngine::wait_for_all() { agree({.collective = Collective::new_group, .number = -1}); }

GlooEngine::~GlooEngine() { leave({}); }

std::shared_ptr<GlooEngine::Connected> GlooEngine::connected(Collective collective) {
  const std::lock_guard lock(mutex_);
  if (!broken_.empty()) raise(collective, broken_);
  return connected_;
}

void GlooEngine::close() {
  std::shared_ptr<Connected> open;
  {
    const std::lock_guard lock(mutex_);
    open = connected_;
  }
  if (open != nullptr) open->connections.close();
}

void GlooEngine::guarded(Collective collective, const std::function<void(const Context&)>& work) {
  const auto open = connected(collective);
  const CollectiveName name(name_of(collective));
  const auto began = Clock::now();
  try {
    work(open->context);
  } catch (const gloo::Exception&) {
    fail_together(collective, Clock::now() - began >= timeout_, "continue");
  }
}

void GlooEngine::fail_together(Collective collective, bool late, const char* missed) {
  static_cast<void>(connected(collective));  // else the cause is known
  close();                                   // the others need not wait for this rank any longer
  const auto text = fmt::format("did not {} {} within {} s", missed, name_of(collective), seconds(timeout_));
  const auto cause = liveness_->call_roll({global(rank_), global_ranks_, late, text});
  if (cause) fail(collective, *cause);
  // Rank 0 has left, and with it the place that hears the others.
  const bool had_rank_0 = std::find(global_ranks_.begin(), global_ranks_.end(), 0) != global_ranks_.end();
  fail(collective, had_rank_0 ? has_left(0) : late ? "a rank " + text : "a connection between ranks broke");
}

void GlooEngine::fail(Collective collective, const std::string& found) {
  std::string cause;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = broken_.empty();
    if (is_first) broken_ = found;
    cause = broken_;
  }
  if (is_first) liveness_->report(cause);
  close();
  raise(collective, cause);
}

// Rank 0 collects the calls and sends all of them to all. If every rank sent its own to every other, messages would
// meet on each connection, and Gloo's thread spins while another one writes to a connection that has data.
void GlooEngine::agree(const Call& call) {
  const auto open = connected(call.collective);
  if (size() == 1) return;
  const auto number = static_cast<std::uint32_t>(++number_);
  const auto own_slot = gloo::Slot::build(agree_slot, number);
  const auto all_slot = gloo::Slot::build(agreed_slot, number);
  std::vector<Call> calls(global_ranks_.size());
  calls[static_cast<std::size_t>(rank_)] = call;
  const auto deadline = Clock::now() + timeout_;
  const auto left = [&deadline] {
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()),
                    std::chrono::milliseconds(1));
  };
  const std::size_t bytes_of_all = calls.size() * sizeof(Call);
  try {
    const auto table = open->connections.transport->createUnboundBuffer(calls.data(), bytes_of_all);
    if (rank_ == 0) {
      for (int other = 1; other < size(); ++other) {
        table->recv(other, own_slot, static_cast<std::size_t>(other) * sizeof(Call), sizeof(Call));
      }
      for (int i = 1; i < size(); ++i) table->waitRecv(left());
      for (int other = 1; other < size(); ++other) table->send(other, all_slot, 0, bytes_of_all);
      for (int i = 1; i < size(); ++i) table->waitSend(left());
    } else {
      table->send(0, own_slot, static_cast<std::size_t>(rank_) * sizeof(Call), sizeof(Call));
      table->waitSend(left());
      table->recv(0, all_slot, 0, bytes_of_all);
      table->waitRecv(left());
    }
  } catch (const gloo::Exception&) {
    fail_together(call.collective, Clock::now() >= deadline, "call");
  }
  if (const auto text = difference(calls, rank_, global_ranks_); !text.empty()) fail(call.collective, text);
}

void GlooEngine::all_reduce(void* data, std::int64_t count, ScalarType dtype, ReduceOp op) {
  if (count == 0 || size() == 1) return;
  guarded(Collective::all_reduce, [&](const Context& context) {
    gloo::AllreduceOptions options(context);
    const auto elements = static_cast<std::size_t>(count);
    d2l::detail::with_element_type(dtype, [&]<class T>() { options.setOutput(static_cast<T*>(data), elements); });
    options.setReduceFunction(reduction_of(dtype, op));
    options.setTag(tag());
    options.setTimeout(timeout_);
    gloo::allreduce(options);
  });
  if (op == ReduceOp::AVG) divide(data, count, dtype, size());
}

void GlooEngine::broadcast(void* data, std::size_t count, int src) {
  if (count == 0 || size() == 1) return;
  guarded(Collective::broadcast, [&](const Context& context) {
    gloo::BroadcastOptions options(context);
    options.setOutput(bytes(data), count);
    options.setRoot(src);
    options.setTag(tag());
    options.setTimeout(timeout_);
    gloo::broadcast(options);
  });
}

void GlooEngine::reduce(void* data, std::int64_t count, ScalarType dtype, ReduceOp op, int dst) {
  if (count == 0 || size() == 1) return;
  guarded(Collective::reduce, [&](const Context& context) {
    const auto elements = static_cast<std::size_t>(count);
    std::vector<char> scratch;  // Gloo writes partial results on every rank
    void* out = data;
    if (rank_ != dst) {
      scratch.resize(elements * bytes_each(dtype));
      out = scratch.data();
    }
    gloo::ReduceOptions options(context);
    d2l::detail::with_element_type(dtype, [&]<class T>() {
      options.setInput(static_cast<T*>(data), elements);
      options.setOutput(static_cast<T*>(out), elements);
    });
    options.setReduceFunction(reduction_of(dtype, op));
    options.setRoot(dst);
    options.setTag(tag());
    options.setTimeout(timeout_);
    gloo::reduce(options);
  });
  if (op == ReduceOp::AVG && rank_ == dst) divide(data, count, dtype, size());
}

void GlooEngine::all_gather(void* out, const void* in, std::size_t count) {
  if (count == 0) return;
  if (size() == 1) {
    std::memcpy(out, in, count);
    return;
  }
  guarded(Collective::all_gather, [&](const Context& context) {
    gloo::AllgatherOptions options(context);
    options.setInput(bytes(in), count);
    options.setOutput(bytes(out), count * global_ranks_.size());
    options.setTag(tag());
    options.setTimeout(timeout_);
    gloo::allgather(options);
  });
}

// Gloo has none for buffers of any dtype. Around a ring, in size - 1 steps: part r ends, complete, at rank r.
void GlooEngine::reduce_scatter(void* out, void* in, std::int64_t count, ScalarType dtype, ReduceOp op) {
  const auto elements = static_cast<std::size_t>(count);
  const std::size_t each = elements * bytes_each(dtype);
  if (count == 0) return;
  const auto k = static_cast<std::size_t>(size());
  const auto own = static_cast<std::size_t>(rank_);
  if (k > 1) {
    guarded(Collective::reduce_scatter, [&](const Context& context) {
      const auto join = reduction_of(dtype, op);
      const auto slot = gloo::Slot::build(scatter_slot, tag());
      std::vector<char> received(each);
      const auto sent = context->createUnboundBuffer(in, each * k);
      const auto arrived = context->createUnboundBuffer(received.data(), each);
      for (std::size_t step = 1; step < k; ++step) {
        const std::size_t sends = (own + k - step) % k;
        const std::size_t receives = (own + k - step - 1) % k;
        arrived->recv(static_cast<int>((own + k - 1) % k), slot, 0, each);
        sent->send(static_cast<int>((own + 1) % k), slot, sends * each, each);
        arrived->waitRecv(timeout_);
        sent->waitSend(timeout_);
        char* const part = bytes(in) + receives * each;
        join(part, part, received.data(), elements);
      }
    });
  }
  std::memcpy(out, bytes(in) + own * each, each);
  if (op == ReduceOp::AVG) divide(out, count, dtype, size());
}

void GlooEngine::scatter(void* out, const void* in, std::size_t count, int src) {
  if (count == 0) return;
  if (size() == 1) {
    std::memcpy(out, in, count);
    return;
  }
  guarded(Collective::scatter, [&](const Context& context) {
    gloo::ScatterOptions options(context);
    if (rank_ == src) {
      std::vector<char*> parts;
      for (std::size_t i = 0; i < global_ranks_.size(); ++i) parts.push_back(bytes(in) + i * count);
      options.setInputs(parts, count);
    }
    options.setOutput(bytes(out), count);
    options.setRoot(src);
    options.setTag(tag());
    options.setTimeout(timeout_);
    gloo::scatter(options);
  });
}

void GlooEngine::gather(void* out, const void* in, std::size_t count, int dst) {
  if (count == 0) return;
  if (size() == 1) {
    std::memcpy(out, in, count);
    return;
  }
  guarded(Collective::gather, [&](const Context& context) {
    gloo::GatherOptions options(context);
    options.setInput(bytes(in), count);
    if (rank_ == dst) options.setOutput(bytes(out), count * global_ranks_.size());
    options.setRoot(dst);
    options.setTag(tag());
    options.setTimeout(timeout_);
    gloo::gather(options);
  });
}

// Gloo's takes one count for all parts. All messages are begun at once; step by step, each rank sends to the next one.
void GlooEngine::all_to_all(void* out, const std::vector<std::size_t>& out_bytes, const void* in,
                            const std::vector<std::size_t>& in_bytes) {
  const auto k = static_cast<std::size_t>(size());
  const auto own = static_cast<std::size_t>(rank_);
  const auto places = [k](const std::vector<std::size_t>& parts) {
    std::vector<std::size_t> begins(k + 1, 0);
    for (std::size_t i = 0; i < k; ++i) begins[i + 1] = begins[i] + parts[i];
    return begins;
  };
  const auto from = places(in_bytes);
  const auto to = places(out_bytes);
  if (in_bytes[own] > 0) std::memcpy(bytes(out) + to[own], bytes(in) + from[own], in_bytes[own]);
  if (k == 1) return;
  guarded(Collective::all_to_all, [&](const Context& context) {
    const auto slot = gloo::Slot::build(exchange_slot, tag());
    const auto sent = context->createUnboundBuffer(bytes(in), from[k]);
    const auto arrived = context->createUnboundBuffer(out, to[k]);
    std::size_t sends = 0;
    std::size_t receives = 0;
    for (std::size_t step = 1; step < k; ++step) {
      const std::size_t source = (own + k - step) % k;
      if (out_bytes[source] == 0) continue;
      arrived->recv(static_cast<int>(source), slot, to[source], out_bytes[source]);
      ++receives;
    }
    for (std::size_t step = 1; step < k; ++step) {
      const std::size_t target = (own + step) % k;
      if (in_bytes[target] == 0) continue;
      sent->send(static_cast<int>(target), slot, from[target], in_bytes[target]);
      ++sends;
    }
    for (; receives > 0; --receives) arrived->waitRecv(timeout_);
    for (; sends > 0; --sends) sent->waitSend(timeout_);
  });
}

std::unique_ptr<Engine> GlooEngine::split(const std::vector<int>& ranks, const std::string& key) {
  std::vector<int> members;
  for (const int member : ranks) members.push_back(global(member));
  const auto own = std::find(ranks.begin(), ranks.end(), rank_) - ranks.begin();
  auto engine = std::make_unique<GlooEngine>(std::move(members), static_cast<int>(own), key, timeout_, connect_,
                                             liveness_, false);
  engine->wait_for_all();
  return engine;
}

void GlooEngine::leave(const std::string& failure) noexcept {
  try {
    std::shared_ptr<Connected> last;
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(left_, true)) return;
      last = std::move(connected_);
      if (broken_.empty()) broken_ = "this rank has left the group";
    }
    if (!failure.empty()) liveness_->report(fmt::format("rank {} has failed: {}", global(rank_), failure));
    if (is_all_) liveness_->leave();
    if (last != nullptr) last->connections.end_waits();
  } catch (...) {
    return;  // the others see that the connections end
  }
}

}  // namespace d2l::distributed::detail
