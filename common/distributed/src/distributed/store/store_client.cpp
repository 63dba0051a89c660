// SPDX-License-Identifier: MIT
#include "distributed/store/store_client.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/message.h"
#include "distributed/store/seconds.h"
#include "launch/addresses.h"

namespace d2l::distributed::detail {

namespace {

using Clock = std::chrono::steady_clock;
using d2l::detail::fail;

/// How long a rank that reports a cause waits until the store has passed it on.
constexpr std::chrono::milliseconds for_the_answer(500);
/// How long a rank that has waited in vain waits for the store to say why.
constexpr std::chrono::milliseconds for_the_verdict = RollCall::patience + std::chrono::seconds(2);

}  // namespace

StoreClient::StoreClient(const StoreAddress& store, int rank, int world_size, std::chrono::milliseconds timeout)
    : place_(launch::with_port(store.host, store.port)),
      timeout_(timeout),
      notice_(rank, timeout, fmt::format("the host {} is looked up", store.host)),
      connection_(connect_to(store, timeout, notice_)) {
  notice_.update(fmt::format("a program listens at {} and does not answer as rank 0", place_));
  const std::array<std::int32_t, 3> words{static_cast<std::int32_t>(hello_magic), rank, world_size};
  std::string hello(sizeof words, '\0');
  std::memcpy(hello.data(), words.data(), sizeof words);
  // A program that is no store may listen there.
  const auto answers_within = connection_.is_local ? std::min(local_patience, timeout_) : timeout_;
  const Frame answer = ask(FrameKind::hello, hello, answers_within);
  if (answer.kind == FrameKind::refused) {
    fail<ConfigurationError>(
        "init_process_group", answer.bytes, fmt::format("(at {})", place_),
        "give all processes the same WORLD_SIZE, and each a RANK and each program a MASTER_PORT of "
        "its own");
  }
}

StoreClient::~StoreClient() { leave(); }

Frame StoreClient::ask(FrameKind kind, const std::string& bytes) { return ask(kind, bytes, timeout_); }

Frame StoreClient::ask(FrameKind kind, const std::string& bytes, std::chrono::milliseconds timeout) {
  const std::lock_guard lock(mutex_);
  std::vector<Frame> answers;
  const auto deadline = Clock::now() + timeout;
  bool open = !ended_ && send_frame(connection_.socket.get(), kind, bytes);
  while (open && answers.empty()) {
    open = wait_readable(connection_.socket.get(), deadline) && receive(answers);
  }
  if (answers.empty()) {
    note_end();
    fail<DistributedError>("init_process_group", cause_.value_or("rank 0 has ended"),
                           fmt::format("(the store at {} does not answer)", place_), "start all ranks again");
  }
  return std::move(answers.front());
}

bool StoreClient::receive(std::vector<Frame>& answers) {
  const bool open = reader_.read(connection_.socket.get());
  bool broken = false;
  while (auto frame = reader_.next(broken)) {
    if (frame->kind == FrameKind::cause) {
      if (!cause_) cause_ = std::move(frame->bytes);
    } else if (frame->kind == FrameKind::left) {
      left_.insert(std::atoi(frame->bytes.c_str()));
    } else if (frame->kind == FrameKind::goodbye) {
      left_.insert(0);
      ended_ = true;
    } else {
      answers.push_back(std::move(*frame));
    }
  }
  return open && !broken;
}

void StoreClient::note_end() {
  if (!ended_ && !cause_) cause_ = "rank 0 has ended";
  ended_ = true;
}

void StoreClient::set(const std::string& key, const std::string& value) {
  static_cast<void>(ask(FrameKind::set, joined_pair(key, value)));
}

std::string StoreClient::get(const std::string& key, const std::string& missing, std::chrono::milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  while (true) {
    Frame answer = ask(FrameKind::get, key);
    if (answer.kind == FrameKind::value) return std::move(answer.bytes);
    if (const auto cause = first_cause(std::chrono::milliseconds(2)); cause && Clock::now() < deadline) {
      fail<DistributedError>("init_process_group", *cause, {}, "start all ranks again");
    }
    if (Clock::now() >= deadline) {
      fail<DistributedError>("init_process_group", fmt::format("{} within {} s", missing, seconds(timeout)), {},
                             "start all ranks again");
    }
  }
}

void StoreClient::wait_for_all(std::chrono::milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  while (true) {
    const Frame answer = ask(FrameKind::present, {});
    if (answer.bytes.empty()) {
      notice_.update("the ranks connect to each other");
      return;
    }
    notice_.update(fmt::format("still waiting for {} to join", answer.bytes));
    if (const auto cause = first_cause(std::chrono::milliseconds(5))) {
      fail<DistributedError>("init_process_group", *cause, {}, "start all ranks again");
    }
    if (Clock::now() >= deadline) {
      fail<DistributedError>("init_process_group",
                             fmt::format("{} did not join within {} s", answer.bytes, seconds(timeout)), {},
                             "start all ranks, or set WORLD_SIZE to their number");
    }
  }
}

std::optional<std::string> StoreClient::first_cause(std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  receive_cause(patience);
  return cause_;
}

std::set<int> StoreClient::left() {
  const std::lock_guard lock(mutex_);
  receive_cause(std::chrono::milliseconds(0));
  return left_;
}

std::optional<std::string> StoreClient::call_roll(const Stuck& stuck) {
  const std::lock_guard lock(mutex_);
  if (!cause_ && !ended_) {
    if (send_frame(connection_.socket.get(), FrameKind::stuck, bytes_of(stuck))) receive_cause(for_the_verdict);
    if (!cause_ && !ended_) cause_ = "rank 0 " + (stuck.late ? stuck.missed : "does not answer");
  }
  return cause_;
}

void StoreClient::receive_cause(std::chrono::milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  std::vector<Frame> unexpected;
  while (!cause_ && !ended_ && wait_readable(connection_.socket.get(), deadline)) {
    if (!receive(unexpected)) note_end();
  }
}

// The store may be a thread of this process, which can end right after the report: the cause that comes back shows that
// all others have been told.
void StoreClient::report(const std::string& cause) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (ended_ || cause_) return;
    if (send_frame(connection_.socket.get(), FrameKind::report, cause)) receive_cause(for_the_answer);
  } catch (...) {
    return;  // the others find the cause without it
  }
}

void StoreClient::leave() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (!ended_) send_frame(connection_.socket.get(), FrameKind::goodbye, {});
    ended_ = true;
  } catch (...) {
    return;
  }
}

std::string StoreClient::local_address() {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const bool is_known = ::getsockname(connection_.socket.get(), generic, &length) == 0;
  if (is_known && launch::is_loopback(generic)) {
    if (const Frame answer = ask(FrameKind::address, {}); !answer.bytes.empty()) return answer.bytes;
  }
  auto text = is_known ? launch::numeric_host(generic, length) : "";
  if (text.empty()) {
    fail<DistributedError>("init_process_group", "the address of this machine is not known",
                           fmt::format("(connected to {})", place_),
                           "set GLOO_SOCKET_IFNAME to a network interface of this machine");
  }
  if (launch::is_link_local(generic)) {
    fail<DistributedError>("init_process_group",
                           fmt::format("{} is valid on one network link only, so other ranks cannot use it", text),
                           fmt::format("(connected to {})", place_),
                           "set MASTER_ADDR to an address of IPv4, or of IPv6 that does not begin with fe80");
  }
  return text;
}

}  // namespace d2l::distributed::detail
