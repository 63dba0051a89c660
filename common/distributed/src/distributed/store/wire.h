// SPDX-License-Identifier: MIT
// The frames between the store and its clients: a length, a kind and bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/non_copyable.h"
#include "distributed/engine/roll_call.h"

namespace d2l::distributed::detail {

using Socket = d2l::detail::Descriptor;

enum class FrameKind : std::uint8_t {
  hello,    ///< to the store: magic number, rank and world size
  set,      ///< to the store: key, value
  get,      ///< to the store: key; the answer is `value` or `missing`
  present,  ///< to the store; the answer is `value`: the ranks that have not joined, as text
  report,   ///< to the store: the cause for which this rank fails
  stuck,    ///< to the store: this rank has waited in vain
  address,  ///< to the store; the answer is `value`: where other machines can reach this rank's
  goodbye,  ///< both ways: this side leaves on purpose
  done,     ///< from the store
  value,    ///< from the store
  missing,  ///< from the store
  refused,  ///< from the store: why
  cause,    ///< from the store, at any time: why the group fails
  left      ///< from the store, at any time: the number of a rank that has left on purpose
};

struct Frame {
  FrameKind kind = FrameKind::done;
  std::string bytes;
};

inline constexpr std::uint32_t largest_frame = 16U << 20U;
inline constexpr std::uint32_t hello_magic = 0x64326c01;

/// Sends a frame; false if the connection is broken.
bool send_frame(int descriptor, FrameKind kind, const std::string& bytes);

/// What a connection has received and is not a whole frame yet.
class FrameReader {
 public:
  /// Reads what is there without waiting; false at the end of the connection.
  bool read(int descriptor);
  /// The next whole frame. `broken` is set if what was received is no frame.
  std::optional<Frame> next(bool& broken);

 private:
  std::string buffer_;
};

/// What a rank says to a RollCall, as bytes.
std::string bytes_of(const Stuck& stuck);
/// nullopt if the bytes are none of that. The rank is not in them.
std::optional<Stuck> stuck_of(const std::string& bytes);

/// Whether there is something to read before the deadline.
bool wait_readable(int descriptor, std::chrono::steady_clock::time_point deadline);

/// A key and a value in one text.
std::string joined_pair(const std::string& key, const std::string& value);
/// The key and the value; nullopt if the text has neither.
std::optional<std::pair<std::string, std::string>> split_pair(const std::string& text);

}  // namespace d2l::distributed::detail
