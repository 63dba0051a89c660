// SPDX-License-Identifier: MIT
#include "distributed/gloo/counted_transport.h"

#include <deque>
#include <utility>

#include "ledger/ledger.h"

namespace d2l::distributed::detail {

namespace {

thread_local const char* collective_name = "message";

using Spans = std::deque<std::shared_ptr<d2l::backend::Span>>;

class CountedBuffer : public WrappedBuffer {
 public:
  CountedBuffer(std::unique_ptr<UnboundBuffer> buffer, const std::vector<int>& global_ranks, int own)
      : WrappedBuffer(std::move(buffer)), global_ranks_(global_ranks), own_(own) {}

  bool waitRecv(int* rank, std::chrono::milliseconds timeout) override {
    return end(receives_, WrappedBuffer::waitRecv(rank, timeout));
  }
  bool waitSend(int* rank, std::chrono::milliseconds timeout) override {
    return end(sends_, WrappedBuffer::waitSend(rank, timeout));
  }
  void send(int to, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    note(LedgerEntry::Kind::send, to, offset, bytes, sends_);
    WrappedBuffer::send(to, slot, offset, bytes);
  }
  void recv(int from, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    note(LedgerEntry::Kind::receive, from, offset, bytes, receives_);
    WrappedBuffer::recv(from, slot, offset, bytes);
  }
  void recv(std::vector<int> from, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    note(LedgerEntry::Kind::receive, from.size() == 1 ? from[0] : -1, offset, bytes, receives_);
    WrappedBuffer::recv(std::move(from), slot, offset, bytes);
  }

 private:
  void note(LedgerEntry::Kind kind, int other, std::size_t offset, std::size_t bytes, Spans& spans) {
    if (!d2l::detail::ledger_is_open()) return;
    auto span = d2l::detail::record({.kind = kind,
                                     .name = collective_name,
                                     .bytes = static_cast<std::int64_t>(length_of(offset, bytes)),
                                     .rank = global_ranks_[static_cast<std::size_t>(own_)],
                                     .peer = other < 0 ? -1 : global_ranks_[static_cast<std::size_t>(other)]});
    if (span == nullptr) return;
    span->began = d2l::backend::steady_nanoseconds();
    spans.push_back(std::move(span));
  }
  static bool end(Spans& spans, bool completed) {
    if (!spans.empty()) {
      spans.front()->ended = d2l::backend::steady_nanoseconds();
      spans.pop_front();
    }
    return completed;
  }

  const std::vector<int>& global_ranks_;
  int own_;
  Spans sends_;
  Spans receives_;
};

}  // namespace

CollectiveName::CollectiveName(const char* name) { collective_name = name; }
CollectiveName::~CollectiveName() { collective_name = "message"; }

CountedTransport::CountedTransport(std::shared_ptr<gloo::transport::Context> transport, std::vector<int> global_ranks)
    : WrappedTransport(std::move(transport)), global_ranks_(std::move(global_ranks)) {}

std::unique_ptr<gloo::transport::UnboundBuffer> CountedTransport::createUnboundBuffer(void* memory, std::size_t bytes) {
  return std::make_unique<CountedBuffer>(WrappedTransport::createUnboundBuffer(memory, bytes), global_ranks_, rank);
}

}  // namespace d2l::distributed::detail
