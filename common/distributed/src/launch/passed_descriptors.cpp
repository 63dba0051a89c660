// SPDX-License-Identifier: MIT
#include "launch/passed_descriptors.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace d2l::launch {

namespace {

constexpr std::size_t max_descriptors = 250;

/// A message's room for descriptors.
struct Room {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(max_descriptors * sizeof(int))> bytes{};
};

}  // namespace

bool send_descriptors(int socket, const std::vector<int>& descriptors, const std::string& text) {
  iovec part{const_cast<char*>(text.data()), text.size()};
  Room room;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptors.size() > max_descriptors) return false;
  if (!descriptors.empty()) {
    const std::size_t bytes = descriptors.size() * sizeof(int);
    message.msg_control = room.bytes.data();
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(header), descriptors.data(), bytes);
  }
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) >= 0;
}

Passed receive_descriptors(int socket, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  pollfd entry{socket, POLLIN, 0};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    const int ready = ::poll(&entry, 1, std::max(static_cast<int>(left.count()), 0));
    if (ready > 0) break;
    if (ready == 0 || errno != EINTR) return {};
  }
  std::string text(2000, '\0');
  iovec part{text.data(), text.size()};
  Room room;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.bytes.data();
  message.msg_controllen = room.bytes.size();
  const auto count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  Passed passed;
  if (count <= 0) return passed;
  passed.text = text.substr(0, static_cast<std::size_t>(count));
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t bytes = header->cmsg_len - CMSG_LEN(0);
    for (std::size_t at = 0; at + sizeof(int) <= bytes; at += sizeof(int)) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(header) + at, sizeof descriptor);
      passed.descriptors.emplace_back(descriptor);
    }
  }
  return passed;
}

}  // namespace d2l::launch
