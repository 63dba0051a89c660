// SPDX-License-Identifier: MIT
#include "distributed/gloo/thread_transport.h"

#include <gloo/common/error.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "distributed/gloo/gloo_engine.h"

namespace d2l::distributed::detail {

namespace {

class ThreadBuffer : public gloo::transport::UnboundBuffer {
 public:
  ThreadBuffer(std::shared_ptr<MessageBoard> board, std::string group, int rank, std::chrono::milliseconds timeout,
               void* memory, std::size_t bytes)
      : UnboundBuffer(memory, bytes),
        board_(std::move(board)),
        group_(std::move(group)),
        rank_(rank),
        timeout_(timeout) {}

  bool waitRecv(int* rank, std::chrono::milliseconds timeout) override {
    const auto from = board_->receive(group_, rank_, wanted_,
                                      timeout == gloo::transport::kUnsetTimeout ? timeout_ : timeout, is_aborted_);
    if (rank != nullptr) *rank = from.value_or(-1);
    return from.has_value();
  }
  bool waitSend(int* rank, std::chrono::milliseconds /*timeout*/) override {
    if (rank != nullptr) *rank = sent_.front();
    sent_.pop_front();
    return true;
  }
  void abortWaitRecv() override { board_->abort(is_aborted_); }
  void abortWaitSend() override {}
  void send(int to, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    const char* const first = static_cast<const char*>(ptr) + offset;
    board_->send({group_, rank_, to, slot, std::vector<char>(first, first + count(offset, bytes))});
    sent_.push_back(to);
  }
  void recv(int from, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    recv(std::vector<int>{from}, slot, offset, bytes);
  }
  void recv(std::vector<int> from, std::uint64_t slot, std::size_t offset, std::size_t bytes) override {
    wanted_.push_back({std::move(from), slot, static_cast<char*>(ptr) + offset, count(offset, bytes)});
  }

 private:
  [[nodiscard]] std::size_t count(std::size_t offset, std::size_t bytes) const {
    return bytes == kUnspecifiedByteCount ? size - offset : bytes;
  }

  std::shared_ptr<MessageBoard> board_;
  std::string group_;
  int rank_;
  std::chrono::milliseconds timeout_;
  std::vector<MessageBoard::Wanted> wanted_;
  std::deque<int> sent_;
  bool is_aborted_ = false;  ///< the board's mutex protects it
};

[[noreturn]] void refuse() { throw gloo::InvalidOperationException("threads have no pairs"); }

class NoPair : public gloo::transport::Pair {
 public:
  [[nodiscard]] const gloo::transport::Address& address() const override { refuse(); }
  void connect(const std::vector<char>& /*address*/) override { refuse(); }
  void close() override {}
  void setSync(bool /*enable*/, bool /*poll*/) override { refuse(); }
  std::unique_ptr<gloo::transport::Buffer> createSendBuffer(int, void*, std::size_t) override { refuse(); }
  std::unique_ptr<gloo::transport::Buffer> createRecvBuffer(int, void*, std::size_t) override { refuse(); }
  void send(gloo::transport::UnboundBuffer*, std::uint64_t, std::size_t, std::size_t) override { refuse(); }
  void recv(gloo::transport::UnboundBuffer*, std::uint64_t, std::size_t, std::size_t) override { refuse(); }
};

class BoardLiveness : public Liveness {
 public:
  BoardLiveness(std::shared_ptr<MessageBoard> board, int rank) : board_(std::move(board)), rank_(rank) {}
  std::optional<std::string> first_cause(std::chrono::milliseconds patience) override {
    return board_->first_cause(patience);
  }
  std::set<int> left() override { return board_->left(); }
  std::optional<std::string> call_roll(const Stuck& stuck) override { return board_->call_roll(stuck); }
  void report(const std::string& cause) noexcept override { board_->report(cause); }
  void leave() noexcept override { board_->leave(rank_); }

 private:
  std::shared_ptr<MessageBoard> board_;
  int rank_;
};

}  // namespace

void MessageBoard::send(Message message) {
  {
    const std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
  }
  changed_.notify_all();
}

std::optional<int> MessageBoard::take(const std::string& group, int rank, std::vector<Wanted>& wanted) {
  for (auto message = messages_.begin(); message != messages_.end(); ++message) {
    if (message->to != rank || message->group != group) continue;
    const auto found = std::find_if(wanted.begin(), wanted.end(), [&](const Wanted& want) {
      return want.slot == message->slot &&
             std::find(want.from.begin(), want.from.end(), message->from) != want.from.end();
    });
    if (found == wanted.end()) continue;
    if (found->bytes > 0) std::memcpy(found->to, message->bytes.data(), std::min(found->bytes, message->bytes.size()));
    const int from = message->from;
    wanted.erase(found);
    messages_.erase(message);
    return from;
  }
  return std::nullopt;
}

std::optional<int> MessageBoard::receive(const std::string& group, int rank, std::vector<Wanted>& wanted,
                                         std::chrono::milliseconds timeout, const bool& is_aborted) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  std::unique_lock lock(mutex_);
  while (true) {
    if (const auto from = take(group, rank, wanted)) return from;
    if (is_aborted) return std::nullopt;
    if (waits_for_gone(group, rank, wanted)) throw gloo::IoException("a rank has gone");
    if (std::chrono::steady_clock::now() >= deadline) throw gloo::IoException("timed out");
    changed_.wait_until(lock, deadline);
  }
}

bool MessageBoard::waits_for_gone(const std::string& group, int own, const std::vector<Wanted>& wanted) const {
  const auto gone = [&](int rank) { return gone_.contains({group, rank}); };
  return gone(own) || std::any_of(wanted.begin(), wanted.end(), [&](const Wanted& want) {
           return std::all_of(want.from.begin(), want.from.end(), gone);
         });
}

void MessageBoard::close(const std::string& group, int rank) {
  {
    const std::lock_guard lock(mutex_);
    gone_.insert({group, rank});
  }
  changed_.notify_all();
}

std::optional<std::string> MessageBoard::first_cause(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [this] { return cause_.has_value(); });
  return cause_;
}

void MessageBoard::abort(bool& is_aborted) {
  {
    const std::lock_guard lock(mutex_);
    is_aborted = true;
  }
  changed_.notify_all();
}

std::set<int> MessageBoard::left() {
  const std::lock_guard lock(mutex_);
  return left_;
}

std::optional<std::string> MessageBoard::call_roll(const Stuck& stuck) {
  std::unique_lock lock(mutex_);
  roll_call_.answer(stuck, left_);
  while (!cause_) {
    cause_ = roll_call_.verdict();
    if (cause_) break;
    if (const auto due = roll_call_.due()) changed_.wait_until(lock, *due);
  }
  changed_.notify_all();
  return cause_;
}

void MessageBoard::report(const std::string& cause) {
  {
    const std::lock_guard lock(mutex_);
    if (!cause_) cause_ = cause;
  }
  changed_.notify_all();
}

void MessageBoard::leave(int rank) {
  const std::lock_guard lock(mutex_);
  left_.insert(rank);
}

ThreadTransport::ThreadTransport(std::shared_ptr<MessageBoard> board, std::string group, int own_rank, int own_size)
    : Context(own_rank, own_size),
      board_(std::move(board)),
      group_(std::move(group)),
      pair_(std::make_unique<NoPair>()) {}

std::unique_ptr<gloo::transport::Pair>& ThreadTransport::getPair(int /*other*/) { return pair_; }

std::unique_ptr<gloo::transport::UnboundBuffer> ThreadTransport::createUnboundBuffer(void* memory, std::size_t bytes) {
  return std::make_unique<ThreadBuffer>(board_, group_, rank, getTimeout(), memory, bytes);
}

std::vector<std::unique_ptr<Engine>> make_thread_engines(int size, std::chrono::milliseconds timeout) {
  const auto board = std::make_shared<MessageBoard>();
  const Connect connect = [board, timeout](const std::vector<int>& ranks, int rank, const std::string& key) {
    auto transport = std::make_shared<ThreadTransport>(board, key, rank, static_cast<int>(ranks.size()));
    transport->setTimeout(timeout);
    const auto close = [board, key, rank] { board->close(key, rank); };
    return Connections{std::move(transport), close, close};
  };
  std::vector<int> all;
  for (int rank = 0; rank < size; ++rank) all.push_back(rank);
  std::vector<std::unique_ptr<Engine>> engines;
  for (int rank = 0; rank < size; ++rank) {
    engines.push_back(std::make_unique<GlooEngine>(all, rank, "all", timeout, connect,
                                                   std::make_shared<BoardLiveness>(board, rank), true));
  }
  return engines;
}

}  // namespace d2l::distributed::detail
