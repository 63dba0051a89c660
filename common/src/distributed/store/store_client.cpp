// SPDX-License-Identifier: MIT
#include "distributed/store/store_client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>

#include "base/message.h"

namespace d2l::distributed::detail {

namespace {

using Clock = std::chrono::steady_clock;
using d2l::detail::fail;

/// How long a rank that reports a cause waits until the store has passed it on.
constexpr std::chrono::milliseconds for_the_answer(500);

double seconds(std::chrono::milliseconds time) { return static_cast<double>(time.count()) / 1000; }

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses addresses_of(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) found = nullptr;
  return {found, freeaddrinfo};
}

/// Whether a connection that was begun without waiting is there before the deadline.
bool connected(int descriptor, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd entry{descriptor, POLLOUT, 0};
  if (::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000))) <= 0) return false;
  int error = 0;
  socklen_t length = sizeof error;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0;
}

Socket try_to_connect(const addrinfo& address, Clock::time_point deadline) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) != 0 && errno != EINPROGRESS) return {};
  if (!connected(socket.get(), deadline)) return {};
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const int flags = ::fcntl(socket.get(), F_GETFL);
  ::fcntl(socket.get(), F_SETFL, flags & ~O_NONBLOCK);
  return socket;
}

Socket connect_to(const std::string& host, int port, std::chrono::milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  bool known = false;
  while (true) {
    const auto addresses = addresses_of(host, port);
    for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
      known = true;
      Socket socket = try_to_connect(*address, deadline);
      if (socket.get() >= 0) return socket;
    }
    if (Clock::now() >= deadline) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  fail<DistributedError>("init_process_group",
                         known
                             ? fmt::format("rank 0 does not answer at {}:{} within {} s", host, port, seconds(timeout))
                             : fmt::format("the host {} is not known", host),
                         {}, "start rank 0, and set MASTER_ADDR and MASTER_PORT to its machine and port");
}

}  // namespace

StoreClient::StoreClient(const std::string& host, int port, int rank, int world_size, std::chrono::milliseconds timeout)
    : place_(fmt::format("{}:{}", host, port)), timeout_(timeout), socket_(connect_to(host, port, timeout)) {
  const std::array<std::int32_t, 3> words{static_cast<std::int32_t>(hello_magic), rank, world_size};
  std::string hello(sizeof words, '\0');
  std::memcpy(hello.data(), words.data(), sizeof words);
  const Frame answer = ask(FrameKind::hello, hello);
  if (answer.kind == FrameKind::refused) {
    fail<ConfigurationError>(
        "init_process_group", answer.bytes, fmt::format("(at {})", place_),
        "give all processes the same WORLD_SIZE, and each a RANK and each program a MASTER_PORT of "
        "its own");
  }
}

StoreClient::~StoreClient() { leave(); }

Frame StoreClient::ask(FrameKind kind, const std::string& bytes) {
  const std::lock_guard lock(mutex_);
  std::vector<Frame> answers;
  const auto deadline = Clock::now() + timeout_;
  bool open = !ended_ && send_frame(socket_.get(), kind, bytes);
  while (open && answers.empty()) {
    open = wait_readable(socket_.get(), deadline) && receive(answers);
  }
  if (answers.empty()) {
    note_end();
    fail<DistributedError>("init_process_group", cause_.value_or("rank 0 has ended"),
                           fmt::format("(the store at {} does not answer)", place_), "start all ranks again");
  }
  return std::move(answers.front());
}

bool StoreClient::receive(std::vector<Frame>& answers) {
  const bool open = reader_.read(socket_.get());
  bool broken = false;
  while (auto frame = reader_.next(broken)) {
    if (frame->kind == FrameKind::cause) {
      if (!cause_) cause_ = std::move(frame->bytes);
    } else if (frame->kind == FrameKind::left) {
      if (!left_) left_ = std::move(frame->bytes);
    } else if (frame->kind == FrameKind::goodbye) {
      if (!left_) left_ = "rank 0 has left the group";
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

std::string StoreClient::get(const std::string& key, std::chrono::milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  while (true) {
    Frame answer = ask(FrameKind::get, key);
    if (answer.kind == FrameKind::value) return std::move(answer.bytes);
    if (const auto cause = wait_for_cause(std::chrono::milliseconds(2)); cause && Clock::now() < deadline) {
      fail<DistributedError>("init_process_group", *cause, {}, "start all ranks again");
    }
    if (Clock::now() >= deadline) {
      fail<DistributedError>("init_process_group", fmt::format("no rank has set {} within {} s", key, seconds(timeout)),
                             {}, "start all ranks again");
    }
  }
}

void StoreClient::wait_for_all(std::chrono::milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  while (true) {
    const Frame answer = ask(FrameKind::present, {});
    if (answer.bytes.empty()) return;
    if (const auto cause = wait_for_cause(std::chrono::milliseconds(5))) {
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
  auto cause = wait_for_cause(patience);
  if (cause) return cause;
  const std::lock_guard lock(mutex_);
  return left_;
}

std::optional<std::string> StoreClient::wait_for_cause(std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  receive_cause(patience);
  return cause_;
}

void StoreClient::receive_cause(std::chrono::milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  std::vector<Frame> unexpected;
  while (!cause_ && !ended_ && wait_readable(socket_.get(), deadline)) {
    if (!receive(unexpected)) note_end();
  }
}

// The store may be a thread of this process, which can end right after the report: the cause that comes back shows that
// all others have been told.
void StoreClient::report(const std::string& cause) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (ended_ || cause_) return;
    if (send_frame(socket_.get(), FrameKind::report, cause)) receive_cause(for_the_answer);
  } catch (...) {
    return;  // the others find the cause without it
  }
}

void StoreClient::leave() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (!ended_) send_frame(socket_.get(), FrameKind::goodbye, {});
    ended_ = true;
  } catch (...) {
    return;
  }
}

std::string StoreClient::local_address() const {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &length);
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
  return text.data();
}

}  // namespace d2l::distributed::detail
