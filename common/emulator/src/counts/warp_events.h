// SPDX-License-Identifier: MIT
// Event: what a thread of a kernel did, as its warp's log keeps it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace d2l::emulator {

/// A word that is equal for two lanes that do the same: the instruction, see compressed_place(), and what it does. The
/// lower half of an access's address is kept beside it.
class Event {
 public:
  enum class Type { access, block, entry, meeting };

  Event() = default;
  /// A load or a store.
  Event(std::int32_t place, std::uintptr_t address, std::size_t bytes, bool store, bool shared) noexcept
      : word_(of(place, Type::access) | (address >> 32U & 0xffffU) << 16U | bytes << 8U | (store ? 2U : 0U) |
              (shared ? 1U : 0U)) {}
  /// The thread comes to a basic block.
  static Event block(std::int32_t place) noexcept { return Event(of(place, Type::block)); }
  /// The thread enters a function.
  static Event entry(std::int32_t place) noexcept { return Event(of(place, Type::entry)); }
  /// A part of the lanes meets, for example at __syncwarp. The number is that of the meeting, the same for its lanes.
  static Event meeting(std::uint32_t number) noexcept {
    return Event(of(static_cast<std::int32_t>(number), Type::meeting));
  }

  [[nodiscard]] Type type() const noexcept { return static_cast<Type>(word_ >> 2U & 3U); }
  [[nodiscard]] std::int32_t place() const noexcept { return static_cast<std::int32_t>(word_ >> 32U); }
  [[nodiscard]] std::uint32_t number() const noexcept { return static_cast<std::uint32_t>(word_ >> 32U); }
  [[nodiscard]] std::uint32_t bytes() const noexcept { return static_cast<std::uint32_t>(word_ >> 8U & 0xffU); }
  /// The bits of an access's address from the 32nd on.
  [[nodiscard]] std::uintptr_t upper_half() const noexcept { return word_ >> 16U & 0xffffU; }
  [[nodiscard]] bool store() const noexcept { return (word_ & 2U) != 0; }
  [[nodiscard]] bool shared() const noexcept { return (word_ & 1U) != 0; }
  /// True if both may be one request: they differ at most in the upper half of the address.
  [[nodiscard]] bool same_instruction(const Event& other) const noexcept {
    constexpr std::uint64_t address = std::uint64_t{0xffff} << 16U;
    return (word_ & ~address) == (other.word_ & ~address);
  }
  friend bool operator==(const Event&, const Event&) = default;

 private:
  explicit Event(std::uint64_t word) noexcept : word_(word) {}
  static std::uint64_t of(std::int32_t place, Type type) noexcept {
    return std::uint64_t{static_cast<std::uint32_t>(place)} << 32U | static_cast<std::uint64_t>(type) << 2U;
  }

  std::uint64_t word_ = 0;
};

/// An event of one lane.
struct LaneEvent {
  Event event;
  std::uint32_t address = 0;  ///< the lower half; of an access
  std::uint32_t depth = 0;    ///< how many functions the lane is in
};

}  // namespace d2l::emulator
