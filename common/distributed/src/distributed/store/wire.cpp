// SPDX-License-Identifier: MIT
#include "distributed/store/wire.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace d2l::distributed::detail {

namespace {

constexpr std::size_t header_bytes = 5;

}  // namespace

bool send_frame(int descriptor, FrameKind kind, const std::string& bytes) {
  const auto length = static_cast<std::uint32_t>(bytes.size());
  std::string frame(header_bytes, '\0');
  std::memcpy(frame.data(), &length, sizeof length);
  frame[4] = static_cast<char>(kind);
  frame += bytes;
  std::size_t sent = 0;
  while (sent < frame.size()) {
    const auto count = ::send(descriptor, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool FrameReader::read(int descriptor) {
  std::array<char, 65536> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  while (true) {
    const auto count = ::recv(descriptor, chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (count == 0) return false;
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    if (static_cast<std::size_t>(count) < chunk.size()) return true;
  }
}

std::optional<Frame> FrameReader::next(bool& broken) {
  broken = false;
  if (buffer_.size() < header_bytes) return std::nullopt;
  std::uint32_t length = 0;
  std::memcpy(&length, buffer_.data(), sizeof length);
  const auto kind = static_cast<std::uint8_t>(buffer_[4]);
  if (length > largest_frame || kind > static_cast<std::uint8_t>(FrameKind::left)) {
    broken = true;
    return std::nullopt;
  }
  if (buffer_.size() < header_bytes + length) return std::nullopt;
  Frame frame{static_cast<FrameKind>(kind), buffer_.substr(header_bytes, length)};
  buffer_.erase(0, header_bytes + length);
  return frame;
}

bool wait_readable(int descriptor, std::chrono::steady_clock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd entry{descriptor, POLLIN, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000)));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

std::string joined_pair(const std::string& key, const std::string& value) {
  const auto length = static_cast<std::uint32_t>(key.size());
  std::string text(sizeof length, '\0');
  std::memcpy(text.data(), &length, sizeof length);
  return text + key + value;
}

std::optional<std::pair<std::string, std::string>> split_pair(const std::string& text) {
  std::uint32_t length = 0;
  if (text.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, text.data(), sizeof length);
  if (text.size() - sizeof length < length) return std::nullopt;
  return std::pair{text.substr(sizeof length, length), text.substr(sizeof length + length)};
}

std::string bytes_of(const Stuck& stuck) {
  std::string members(stuck.members.size() * sizeof(int), '\0');
  std::memcpy(members.data(), stuck.members.data(), members.size());
  return joined_pair(members, (stuck.late ? "1" : "0") + stuck.missed);
}

std::optional<Stuck> stuck_of(const std::string& bytes) {
  const auto parts = split_pair(bytes);
  if (!parts || parts->first.size() % sizeof(int) != 0 || parts->second.empty()) return std::nullopt;
  Stuck stuck;
  stuck.members.resize(parts->first.size() / sizeof(int));
  std::memcpy(stuck.members.data(), parts->first.data(), parts->first.size());
  stuck.late = parts->second[0] == '1';
  stuck.missed = parts->second.substr(1);
  return stuck;
}

}  // namespace d2l::distributed::detail
