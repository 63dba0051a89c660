// SPDX-License-Identifier: MIT
#include "distributed/store/store_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/message.h"
#include "launch/addresses.h"

namespace d2l::distributed::detail {

using d2l::detail::fail;

namespace {

/// How long rank 0 stays, when a rank was refused, for those that have not come yet: they learn the cause, too.
constexpr std::chrono::seconds for_late_ranks(2);

/// A socket that listens at a port of all addresses; else errno says why not.
Socket listen_at(int family, int port) {
  Socket listener(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (listener.get() < 0) return {};
  const int on = 1;
  const int off = 0;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_storage address{};
  address.ss_family = static_cast<sa_family_t>(family);
  socklen_t length = sizeof(sockaddr_in);
  if (family == AF_INET6) {
    ::setsockopt(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(static_cast<std::uint16_t>(port));
    length = sizeof(sockaddr_in6);
  } else {
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(static_cast<std::uint16_t>(port));
  }
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(listener.get(), generic, length) == 0 && ::listen(listener.get(), 128) == 0) return listener;
  const int error = errno;
  listener.close();
  errno = error;
  return {};
}

int port_of(const Socket& listener) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

}  // namespace

StoreServer::StoreServer(int port, int world_size) : world_size_(world_size) {
  listener_ = listen_at(AF_INET6, port);
  if (listener_.get() < 0 && errno != EADDRINUSE) listener_ = listen_at(AF_INET, port);  // a system without IPv6
  if (listener_.get() < 0) {
    const int error = errno;
    const auto what = error == EADDRINUSE ? fmt::format("port {} is in use", port)
                                          : fmt::format("port {} cannot be used: {}", port, std::strerror(error));
    fail<ConfigurationError>("init_process_group", what, {},
                             "set MASTER_PORT to a free port; another program with the same port may still run");
  }
  port_ = port_of(listener_);
  spare_ = Socket(::fcntl(listener_.get(), F_DUPFD_CLOEXEC, 0));
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    fail<ConfigurationError>("init_process_group", fmt::format("no socket pair: {}", std::strerror(errno)));
  }
  wake_ = Socket(pair[0]);
  wake_sender_ = Socket(pair[1]);
  thread_ = std::thread([this] { run(); });
}

StoreServer::~StoreServer() {
  if (has_refused_) std::this_thread::sleep_for(for_late_ranks);
  send_frame(wake_sender_.get(), FrameKind::goodbye, {});
  thread_.join();
}

void StoreServer::run() {
  while (true) {
    std::vector<pollfd> entries{{wake_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    for (const Client& client : clients_) entries.push_back({client.socket.get(), POLLIN, 0});
    int patience = -1;
    if (const auto due = roll_call_.due()) {
      const auto wait = std::chrono::ceil<std::chrono::milliseconds>(*due - std::chrono::steady_clock::now());
      patience = static_cast<int>(std::max<std::int64_t>(wait.count(), 0));
    }
    if (::poll(entries.data(), entries.size(), patience) < 0) continue;
    if (entries[0].revents != 0) break;
    std::size_t i = 2;
    for (auto client = clients_.begin(); client != clients_.end(); ++i) {
      const auto current = client++;
      if (entries[i].revents == 0 || serve(*current)) continue;
      clients_.erase(current);
    }
    if (entries[1].revents != 0) accept_client();
    if (const auto cause = roll_call_.verdict()) tell_all(FrameKind::cause, *cause);
  }
  tell_all(FrameKind::goodbye, {});
}

void StoreServer::accept_client() {
  Client client;
  client.socket = Socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (client.socket.get() < 0) {
    if (errno == EMFILE || errno == ENFILE) refuse_client();
    return;
  }
  const int on = 1;
  ::setsockopt(client.socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const timeval patience{5, 0};  // a client that reads nothing does not stop the others
  ::setsockopt(client.socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  clients_.push_back(std::move(client));
}

// Without an answer the client would wait, and the listener would be readable for ever.
void StoreServer::refuse_client() {
  const std::string why = fmt::format("rank 0 cannot accept a rank: {} (ulimit -n)", std::strerror(errno));
  spare_.close();
  {
    const Socket client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() >= 0) send_frame(client.get(), FrameKind::refused, why);
  }
  spare_ = Socket(::fcntl(listener_.get(), F_DUPFD_CLOEXEC, 0));
  tell_all(FrameKind::cause, why);
}

bool StoreServer::serve(Client& client) {
  const bool open = client.reader.read(client.socket.get());
  bool broken = false;
  while (const auto frame = client.reader.next(broken)) {
    if (frame->kind == FrameKind::goodbye) {
      forget(client, false);
      return false;
    }
    if (!answer(client, *frame)) return false;
  }
  if (open && !broken) return true;
  forget(client, true);
  return false;
}

bool StoreServer::answer(Client& client, const Frame& frame) {
  const int to = client.socket.get();
  if (frame.kind == FrameKind::hello) return greet(client, frame.bytes);
  if (client.rank < 0) return false;
  switch (frame.kind) {
    case FrameKind::set:
      if (auto pair = split_pair(frame.bytes)) values_[pair->first] = std::move(pair->second);
      return send_frame(to, FrameKind::done, {});
    case FrameKind::get: {
      const auto found = values_.find(frame.bytes);
      return found == values_.end() ? send_frame(to, FrameKind::missing, {})
                                    : send_frame(to, FrameKind::value, found->second);
    }
    case FrameKind::present:
      return send_frame(to, FrameKind::value, absent());
    case FrameKind::stuck:
      if (auto stuck = stuck_of(frame.bytes)) {
        stuck->rank = client.rank;
        roll_call_.answer(*stuck, left_);
      }
      return true;
    case FrameKind::address:
      return send_frame(to, FrameKind::value, address_of(client));
    case FrameKind::report:
      tell_all(FrameKind::cause, frame.bytes);
      return true;
    default:
      return false;
  }
}

bool StoreServer::greet(Client& client, const std::string& bytes) {
  std::array<std::int32_t, 3> words{};
  if (bytes.size() != sizeof words) return false;
  std::memcpy(words.data(), bytes.data(), sizeof words);
  const auto [magic, rank, size] = words;
  if (static_cast<std::uint32_t>(magic) != hello_magic) return false;
  // Those that wait for this rank wait in vain. A stranger that comes later does not end a group that is complete.
  const auto refuse = [&](const std::string& why) {
    send_frame(client.socket.get(), FrameKind::refused, why);
    if (static_cast<int>(joined_.size()) == world_size_) return false;
    refused_ = why;
    has_refused_ = true;
    tell_all(FrameKind::cause, why);
    return false;
  };
  if (size != world_size_) {
    return refuse(fmt::format("rank {} was started with world size {}, rank 0 with {}", rank, size, world_size_));
  }
  if (rank < 0 || rank >= size) return refuse(fmt::format("there is no rank {}", rank));
  if (!joined_.insert(rank).second) {
    return refuse(
        fmt::format("rank {} has joined already: two processes have one rank, or two programs one port", rank));
  }
  client.rank = rank;
  return send_frame(client.socket.get(), FrameKind::done, {}) &&
         (refused_.empty() || send_frame(client.socket.get(), FrameKind::cause, refused_));
}

void StoreServer::forget(const Client& client, bool died) {
  if (client.rank < 0) return;
  if (died) return tell_all(FrameKind::cause, fmt::format("rank {} has ended", client.rank));
  left_.insert(client.rank);
  tell_all(FrameKind::left, std::to_string(client.rank));
}

// Rank 0 is told last: its process, and the store with it, may end as soon as it knows.
void StoreServer::tell_all(FrameKind kind, const std::string& text) {
  for (const bool rank_0 : {false, true}) {
    for (const Client& client : clients_) {
      if (client.rank >= 0 && (client.rank == 0) == rank_0) send_frame(client.socket.get(), kind, text);
    }
  }
}

std::string StoreServer::address_of(const Client& client) const {
  std::string found;
  for (const Client& other : clients_) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (other.rank < 0 || &other == &client || ::getpeername(other.socket.get(), generic, &length) != 0) continue;
    if (launch::is_local(generic, length)) continue;
    length = sizeof address;
    if (::getsockname(other.socket.get(), generic, &length) != 0) continue;
    const auto text = launch::numeric_host(generic, length);
    const bool is_version_4 = text.find(':') == std::string::npos;
    if (found.empty() || is_version_4) found = text;
    if (is_version_4) break;
  }
  return found;
}

std::string StoreServer::absent() const {
  std::vector<int> ranks;
  for (int rank = 0; rank < world_size_; ++rank) {
    if (!joined_.contains(rank)) ranks.push_back(rank);
  }
  if (ranks.empty()) return {};
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(ranks, ", "));
}

}  // namespace d2l::distributed::detail
