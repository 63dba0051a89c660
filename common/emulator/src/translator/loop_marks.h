// SPDX-License-Identifier: MIT
// LoopMarks: what the translator writes into loops, so that the counts know which instructions belong to which.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "syntax.h"

namespace d2l::emulator::translator {

/// Marks the body of each loop, and where a loop is left: to the compiler what leads out of a loop is not part of it.
class LoopMarks {
 public:
  struct Text {
    std::size_t at;  ///< in the source
    std::string text;
  };

  explicit LoopMarks(const Syntax& syntax) : syntax_(syntax) {}
  /// What to write because of the word at `i`. The words must come in their order.
  std::vector<Text> at(int i);

 private:
  struct Block {
    int open;
    int close;
    int loop;  ///< its number; 0 for a switch, which `break` leaves
  };

  std::vector<Text> begin_body(int open);
  std::vector<Text> leave(int i);
  void close_blocks(int i);
  [[nodiscard]] int loop_around(int i) const;

  const Syntax& syntax_;
  std::vector<Block> open_;
  int loops_ = 0;
};

}  // namespace d2l::emulator::translator
