// SPDX-License-Identifier: MIT
#include "loop_marks.h"

#include <algorithm>

namespace d2l::emulator::translator {

std::vector<LoopMarks::Text> LoopMarks::at(int i) {
  close_blocks(i);
  if (const int body = syntax_.loop_body(i); body >= 0) return begin_body(body);
  if (syntax_.is(i, "switch") && syntax_.is(i + 1, "(") && syntax_.partner(i + 1) > i) {
    const int body = syntax_.partner(i + 1) + 1;
    if (syntax_.is(body, "{") && syntax_.partner(body) > body) open_.push_back({body, syntax_.partner(body), 0});
  }
  const bool leaves_switch = syntax_.is(i, "break") && !open_.empty() && open_.back().loop == 0;
  if (leaves_switch) return {};
  if (syntax_.is(i, "break") || syntax_.is(i, "return") || syntax_.is(i, "goto")) return leave(i);
  return {};
}

void LoopMarks::close_blocks(int i) {
  while (!open_.empty() && open_.back().close < i) open_.pop_back();
}

/// The innermost loop that contains the token; a macro is not part of the loop in which it is defined.
int LoopMarks::loop_around(int i) const {
  const auto is_around = [&](const Block& block) {
    return syntax_.token(block.open).directive == syntax_.token(i).directive;
  };
  const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                  [&](const Block& block) { return !is_around(block) || block.loop != 0; });
  return found == open_.rend() || !is_around(*found) ? 0 : found->loop;
}

std::vector<LoopMarks::Text> LoopMarks::begin_body(int open) {
  const int around = loop_around(open);
  const int loop = ++loops_;
  if (const int close = syntax_.partner(open); close > open) open_.push_back({open, close, loop});
  return {
      {syntax_.token(open).end, " D2L_EMULATOR_LOOP(" + std::to_string(loop) + ", " + std::to_string(around) + ")"}};
}

std::vector<LoopMarks::Text> LoopMarks::leave(int i) {
  const int loop = loop_around(i);
  const int end = loop == 0 ? -1 : syntax_.statement_end(i);
  if (end < 0) return {};
  return {{syntax_.token(i).begin, "{ D2L_EMULATOR_LEAVE(" + std::to_string(loop) + ") "},
          {syntax_.token(end).end, " }"}};
}

}  // namespace d2l::emulator::translator
