// SPDX-License-Identifier: MIT
// Messages from rank to rank. One is a header with the sender's call, then the receiver's call as the answer, then the
// data.
#include <fmt/format.h>
#include <gloo/common/error.h>
#include <gloo/types.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "distributed/gloo/counted_transport.h"
#include "distributed/gloo/gloo_engine.h"
#include "distributed/store/seconds.h"

namespace d2l::distributed::detail {

namespace {

// Slots of messages, beside those of collectives.
constexpr std::uint8_t header_slot = 0x42;
constexpr std::uint8_t answer_slot = 0x43;
constexpr std::uint8_t data_slot = 0x44;

/// How long a rank looks for the cause of a broken connection: longer than the ranks need to find one together.
constexpr std::chrono::milliseconds for_the_cause = RollCall::patience + std::chrono::seconds(1);
/// How often a receive from any rank looks whether the group has failed.
constexpr std::chrono::milliseconds between_looks(50);

bool fit(const Call& a, const Call& b) { return a.count == b.count && a.dtype == b.dtype; }

std::uint64_t slot_of(std::uint8_t kind, int tag) { return gloo::Slot::build(kind, static_cast<std::uint32_t>(tag)); }

}  // namespace

void GlooEngine::guarded_message(Collective collective, int partner, const char* missed,
                                 const std::function<void(const Connected&)>& work) {
  const auto open = connected(collective);
  const CollectiveName name(name_of(collective));
  const auto began = std::chrono::steady_clock::now();
  try {
    work(*open);
  } catch (const gloo::Exception&) {
    static_cast<void>(connected(collective));  // else the cause is known
    const bool late = std::chrono::steady_clock::now() - began >= timeout_;
    const auto awaited = partner < 0 ? others() : std::vector{partner};
    // One that is late knows the cause, and its connections break: it says so before the others look for another.
    const auto until = std::chrono::steady_clock::now() + (late ? std::chrono::milliseconds(0) : for_the_cause);
    do {
      if (const auto cause = liveness_->first_cause(between_looks)) fail(collective, *cause);
    } while (!have_left(awaited) && std::chrono::steady_clock::now() < until);
    if (have_left(awaited)) fail(collective, has_left(global(awaited.front())));
    const std::string other = partner < 0 ? "no rank" : fmt::format("rank {}", global(partner));
    if (late) fail(collective, fmt::format("{} {} within {} s", other, missed, seconds(timeout_)));
    fail(collective, partner < 0 ? "a connection between ranks broke" : "the connection to " + other + " broke");
  }
}

std::vector<int> GlooEngine::others() const {
  std::vector<int> ranks;
  for (int rank = 0; rank < size(); ++rank) {
    if (rank != rank_) ranks.push_back(rank);
  }
  return ranks;
}

bool GlooEngine::have_left(const std::vector<int>& ranks) {
  const auto left = liveness_->left();
  return std::all_of(ranks.begin(), ranks.end(), [&](int rank) { return left.contains(global(rank)); });
}

void GlooEngine::send(const void* data, std::size_t count, int dst, int tag, const Call& call) {
  Call own = call;
  Call theirs;
  guarded_message(Collective::send, dst, "did not call recv", [&](const Connected& open) {
    const auto header = open.connections.transport->createUnboundBuffer(&own, sizeof own);
    const auto answer = open.connections.transport->createUnboundBuffer(&theirs, sizeof theirs);
    answer->recv(dst, slot_of(answer_slot, tag), 0, sizeof theirs);
    header->send(dst, slot_of(header_slot, tag), 0, sizeof own);
    header->waitSend(timeout_);
    answer->waitRecv(timeout_);
  });
  if (!fit(own, theirs)) {
    fail(Collective::send, fmt::format("rank {} receives another tensor than rank {} sends ({}; {})", global(dst),
                                       global(rank_), describe(theirs), describe(own)));
  }
  if (count == 0) return;
  guarded_message(Collective::send, dst, "did not complete recv", [&](const Connected& open) {
    const auto body = open.context->createUnboundBuffer(const_cast<void*>(data), count);  // Gloo reads it
    body->send(dst, slot_of(data_slot, tag), 0, count);
    body->waitSend(timeout_);
  });
}

int GlooEngine::recv(void* data, std::size_t count, int src, int tag, const Call& call) {
  Call own = call;
  Call theirs;
  guarded_message(Collective::recv, src, src < 0 ? "called send" : "did not call send", [&](const Connected& open) {
    const auto header = open.connections.transport->createUnboundBuffer(&theirs, sizeof theirs);
    if (src >= 0) {
      header->recv(src, slot_of(header_slot, tag), 0, sizeof theirs);
      header->waitRecv(timeout_);
      return;
    }
    header->recv(others(), slot_of(header_slot, tag), 0, sizeof theirs);
    src = wait_for_any(*header);
    if (src < 0) throw gloo::IoException("no more messages can come");
  });
  guarded_message(Collective::recv, src, "did not complete send", [&](const Connected& open) {
    const auto answer = open.connections.transport->createUnboundBuffer(&own, sizeof own);
    answer->send(src, slot_of(answer_slot, tag), 0, sizeof own);
    answer->waitSend(timeout_);
  });
  if (!fit(own, theirs)) {
    fail(Collective::recv, fmt::format("rank {} receives another tensor than rank {} sends ({}; {})", global(rank_),
                                       global(src), describe(own), describe(theirs)));
  }
  if (count == 0) return src;
  guarded_message(Collective::recv, src, "did not complete send", [&](const Connected& open) {
    const auto body = open.context->createUnboundBuffer(data, count);
    body->recv(src, slot_of(data_slot, tag), 0, count);
    body->waitRecv(timeout_);
  });
  return src;
}

int GlooEngine::wait_for_any(gloo::transport::UnboundBuffer& buffer) {
  std::mutex mutex;
  std::condition_variable arrived;
  bool has_arrived = false;
  std::thread look([&] {
    std::unique_lock lock(mutex);
    while (!arrived.wait_for(lock, between_looks, [&] { return has_arrived; })) {
      if (no_more_come()) return buffer.abortWaitRecv();
    }
  });
  const auto end = [&] {
    {
      const std::lock_guard lock(mutex);
      has_arrived = true;
    }
    arrived.notify_all();
    look.join();
  };
  int source = -1;
  try {
    if (!buffer.waitRecv(&source, timeout_)) source = -1;
  } catch (...) {
    end();
    throw;
  }
  end();
  return source;
}

bool GlooEngine::no_more_come() {
  {
    const std::lock_guard lock(mutex_);
    if (!broken_.empty()) return true;
  }
  return liveness_->first_cause(std::chrono::milliseconds(0)) || have_left(others());
}

}  // namespace d2l::distributed::detail
