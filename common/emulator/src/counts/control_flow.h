// SPDX-License-Identifier: MIT
// ControlFlow: the basic blocks that the threads of a launch have executed, and the loops that they form.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

namespace d2l::emulator {

struct BasicBlock;

/// A loop of a function: its iterations begin at the header.
struct Loop {
  BasicBlock* header;
  // The range of its places.
  std::int32_t first;
  std::int32_t last;
};

struct BasicBlock {
  explicit BasicBlock(std::int32_t at) : place(at) {}

  std::int32_t place;
  std::vector<BasicBlock*> next;
  std::vector<BasicBlock*> before;
  bool is_entry = false;           ///< of a function
  bool is_busy = false;            ///< accesses memory, calls a function or waits for other threads
  std::vector<const Loop*> loops;  ///< those around it, from the outermost

  // For ControlFlow.
  std::size_t order = 0;
  BasicBlock* dominator = nullptr;
};

class ControlFlow {
 public:
  void clear();
  /// The block at a place.
  BasicBlock* block(std::int32_t place) {
    auto& [known, block] = recent_blocks_[static_cast<std::uint32_t>(place) % recent_size];
    if (block == nullptr || known != place) {
      known = place;
      block = find_block(place);
    }
    return block;
  }
  BasicBlock* entry(std::int32_t place);
  /// A thread goes from one block to another of the same function.
  void note(BasicBlock* from, BasicBlock* to) {
    auto& [known_from, known_to] = recent_[hash(from, to)];
    if (known_from == from && known_to == to) return;
    known_from = from;
    known_to = to;
    known_ways_[hash(from->place, to->place)] = way(from->place, to->place);
    add(from, to);
  }
  /// True only if note() knows the way between the blocks at these places; entry(), if `from` is 0.
  [[nodiscard]] bool knows(std::int32_t from, std::int32_t to) const {
    return known_ways_[hash(from, to)] == way(from, to);
  }
  /// Finds the loops again if there are new ways.
  void find_loops();
  /// True for a place in a loop without a busy block, as far as threads have executed it.
  [[nodiscard]] bool is_quiet(std::int32_t place) const {
    return quiet_[static_cast<std::uint32_t>(place) % recent_size] == place;
  }
  /// A busy block was found in such a loop: none counts as quiet from now on.
  void forget_quiet_loops();
  /// Changes when loops are found again.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
  /// The loop of which the step begins the next iteration; null if there is none.
  static const Loop* next_iteration(const BasicBlock* from, const BasicBlock* to);

 private:
  static std::size_t hash(const BasicBlock* from, const BasicBlock* to) {
    const auto bits = [](const BasicBlock* block) { return reinterpret_cast<std::uintptr_t>(block) / 64; };
    return (bits(from) * 31 + bits(to)) % recent_size;
  }
  static std::size_t hash(std::int32_t from, std::int32_t to) {
    return (static_cast<std::uint32_t>(from) * 31 + static_cast<std::uint32_t>(to)) % recent_size;
  }
  static std::uint64_t way(std::int32_t from, std::int32_t to) {
    return std::uint64_t{static_cast<std::uint32_t>(from)} << 32U | static_cast<std::uint32_t>(to);
  }
  static bool dominates(const BasicBlock* header, const BasicBlock* block);
  BasicBlock* find_block(std::int32_t place);
  void add(BasicBlock* from, BasicBlock* to);
  std::vector<BasicBlock*> in_reverse_postorder();
  static void find_dominators(const std::vector<BasicBlock*>& blocks);
  void find_loop(BasicBlock* header);
  void extend(Loop& loop) const;
  void find_quiet_blocks(const std::vector<BasicBlock*>& blocks);

  static constexpr std::size_t recent_size = 256;
  std::deque<BasicBlock> blocks_;
  std::deque<Loop> loops_;
  std::unordered_map<std::int32_t, BasicBlock*> by_place_;
  std::array<std::pair<BasicBlock*, BasicBlock*>, recent_size> recent_{};
  std::array<std::pair<std::int32_t, BasicBlock*>, recent_size> recent_blocks_{};
  std::array<std::uint64_t, recent_size> known_ways_{};
  std::array<std::int32_t, recent_size> quiet_{};
  bool has_quiet_loops_ = true;
  bool changed_ = false;
  std::uint64_t version_ = 0;
};

}  // namespace d2l::emulator
