// SPDX-License-Identifier: MIT
#include "distributed/store/connecting.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/message.h"
#include "distributed/store/seconds.h"
#include "launch/addresses.h"

namespace d2l::distributed::detail {

namespace {

using Clock = std::chrono::steady_clock;
using d2l::detail::fail;

/// How long a rank waits for a route to its own machine.
constexpr std::chrono::milliseconds for_a_route = std::chrono::seconds(1);
constexpr std::chrono::milliseconds between_attempts(20);

/// What one attempt at all addresses of the store has found.
struct Attempt {
  Socket socket;
  bool is_known = false;  ///< the host has addresses
  bool is_local = false;  ///< the last of them that was tried is of this machine
  int error = 0;          ///< of the last one; of getaddrinfo if the host is not known
};

/// Whether a connection that was begun without waiting is there before the deadline; else errno says why not.
bool connected(int descriptor, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd entry{descriptor, POLLOUT, 0};
  const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000)));
  if (ready == 0) errno = ETIMEDOUT;
  if (ready <= 0) return false;
  int error = 0;
  socklen_t length = sizeof error;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return false;
  errno = error;
  return error == 0;
}

/// Whether a socket is connected to itself: the system has given it the port that it connects to, at which nothing
/// listens.
bool is_own_peer(int descriptor) {
  sockaddr_storage own{};
  sockaddr_storage peer{};
  socklen_t own_length = sizeof own;
  socklen_t peer_length = sizeof peer;
  return ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &own_length) == 0 &&
         ::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &peer_length) == 0 &&
         own_length == peer_length && std::memcmp(&own, &peer, own_length) == 0;
}

/// A connection; else errno says why there is none.
Socket try_to_connect(const addrinfo& address, Clock::time_point deadline) {
  Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.get() < 0) return {};
  const bool begun = ::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0 || errno == EINPROGRESS;
  const bool joined = begun && connected(socket.get(), deadline);
  const bool with_itself = joined && is_own_peer(socket.get());
  if (!joined || with_itself) {
    const int error = with_itself ? ECONNREFUSED : errno;
    // A port that waits after its connection has ended cannot be used for the next attempt.
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    if (with_itself) ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    socket.close();
    errno = error;
    return {};
  }
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const int flags = ::fcntl(socket.get(), F_GETFL);
  ::fcntl(socket.get(), F_SETFL, flags & ~O_NONBLOCK);
  return socket;
}

/// Tries the addresses of IPv4 first: where a machine has both, all ranks then use the same. Those of one link come
/// last, because groups cannot use them.
Attempt try_all(const StoreAddress& store, Clock::time_point deadline) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  Attempt attempt;
  attempt.error = ::getaddrinfo(store.host.c_str(), std::to_string(store.port).c_str(), &hints, &found);
  if (attempt.error != 0) return attempt;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  attempt.is_known = true;
  std::vector<const addrinfo*> addresses;
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) addresses.push_back(entry);
  const auto place = [](const addrinfo* entry) {
    return entry->ai_family == AF_INET ? 0 : launch::is_link_local(entry->ai_addr) ? 2 : 1;
  };
  std::stable_sort(addresses.begin(), addresses.end(),
                   [&](const addrinfo* first, const addrinfo* second) { return place(first) < place(second); });
  for (const addrinfo* const entry : addresses) {
    attempt.socket = try_to_connect(*entry, deadline);
    attempt.error = errno;
    attempt.is_local = launch::is_local(entry->ai_addr, entry->ai_addrlen);
    if (attempt.socket.get() >= 0) break;
  }
  return attempt;
}

std::string problem_of(const StoreAddress& store, const Attempt& attempt) {
  const auto where = launch::with_port(store.host, store.port);
  if (!attempt.is_known) {
    return fmt::format("the host {} is not known ({})", store.host, ::gai_strerror(attempt.error));
  }
  switch (attempt.error) {
    case ECONNREFUSED:
      return fmt::format("nothing listens at {}", where);
    case ETIMEDOUT:
      return fmt::format("{} does not answer", where);
    default:
      return fmt::format("{} cannot be reached: {}", where, std::strerror(attempt.error));
  }
}

std::string fix_of(const Attempt& attempt) {
  if (attempt.is_known && attempt.is_local && attempt.error != ECONNREFUSED) {
    return "set the loopback interface up (as root: ip link set lo up), or set MASTER_ADDR to another address of this "
           "machine";
  }
  return "start rank 0, and set MASTER_ADDR and MASTER_PORT to its machine and port";
}

/// How long this rank goes on after such an attempt.
std::chrono::milliseconds patience_after(const Attempt& attempt, const StoreAddress& store,
                                         std::chrono::milliseconds timeout) {
  if (!attempt.is_known) return std::min(local_patience, timeout);
  if (!attempt.is_local) return timeout;
  if (attempt.error == ECONNREFUSED) return store.is_watched ? timeout : std::min(local_patience, timeout);
  return std::min(attempt.error == ETIMEDOUT ? local_patience : for_a_route, timeout);
}

}  // namespace

WaitNotice::WaitNotice(int rank, std::chrono::milliseconds timeout, std::string what)
    : what_(std::move(what)), thread_([this, rank, timeout] { run(rank, timeout); }) {}

void WaitNotice::run(int rank, std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, until_notice, [this] { return !is_waiting_; })) return;
  std::fputs(fmt::format("rank {} has waited {} s: {}; it waits up to {} s in all\n", rank, seconds(until_notice),
                         what_, seconds(timeout))
                 .c_str(),
             stderr);
}

void WaitNotice::update(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
}

void WaitNotice::end() {
  {
    const std::lock_guard lock(mutex_);
    is_waiting_ = false;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Connection connect_to(const StoreAddress& store, std::chrono::milliseconds timeout, WaitNotice& notice) {
  const auto began = Clock::now();
  while (true) {
    Attempt attempt = try_all(store, began + timeout);
    if (attempt.socket.get() >= 0) return {std::move(attempt.socket), attempt.is_local};
    const auto patience = patience_after(attempt, store, timeout);
    const auto problem = problem_of(store, attempt);
    if (Clock::now() - began >= patience) {
      fail<DistributedError>("init_process_group",
                             attempt.is_known
                                 ? fmt::format("rank 0 does not answer within {} s: {}", seconds(patience), problem)
                                 : problem,
                             {}, fix_of(attempt));
    }
    notice.update(problem);
    std::this_thread::sleep_for(between_attempts);
  }
}

}  // namespace d2l::distributed::detail
