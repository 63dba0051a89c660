// SPDX-License-Identifier: MIT
// RepeatedState: finds out that a kernel does the same again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace d2l::emulator {
struct Block;
struct KernelLaunch;
class Worker;
}  // namespace d2l::emulator

namespace d2l::emulator::watchdog {

/// Compares the state of a kernel at moments when all its threads wait: what is on their stacks, where their registers
/// are saved too, and all memory that they can use. A kernel that comes to the same state twice never ends, unless
/// something else changes its memory, or it reads a clock.
class RepeatedState {
 public:
  /// To be called at such moments. True if the state is the same as at an earlier one since forget().
  bool repeats(const Worker& worker, const Block* const* blocks, std::size_t count);
  void forget() noexcept {
    visits_ = 0;
    kept_.reset();
  }

 private:
  std::uint64_t visits_ = 0;
  std::optional<std::uint64_t>
      kept_;  ///< at the last visit whose number was a power of two, so that it finds any cycle
};

}  // namespace d2l::emulator::watchdog
