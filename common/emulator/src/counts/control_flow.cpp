// SPDX-License-Identifier: MIT
#include "counts/control_flow.h"

#include <algorithm>
#include <utility>

#include "counts/loop_marks.h"

namespace d2l::emulator {

void ControlFlow::clear() {
  by_place_.clear();
  loops_.clear();
  blocks_.clear();
  recent_.fill({});
  recent_blocks_.fill({});
  known_ways_.fill(0);
  quiet_.fill(0);
  has_quiet_loops_ = true;
  changed_ = false;
}

BasicBlock* ControlFlow::find_block(std::int32_t place) {
  auto [found, is_new] = by_place_.try_emplace(place, nullptr);
  if (is_new) found->second = &blocks_.emplace_back(place);
  return found->second;
}

BasicBlock* ControlFlow::entry(std::int32_t place) {
  BasicBlock* const made = block(place);
  if (!made->is_entry) changed_ = made->is_entry = true;
  known_ways_[hash(0, place)] = way(0, place);
  return made;
}

void ControlFlow::add(BasicBlock* from, BasicBlock* to) {
  if (std::ranges::find(from->next, to) != from->next.end()) return;
  from->next.push_back(to);
  to->before.push_back(from);
  changed_ = true;
}

std::vector<BasicBlock*> ControlFlow::in_reverse_postorder() {
  constexpr std::size_t unvisited = 0;
  constexpr std::size_t visited = 1;
  for (BasicBlock& each : blocks_) each.order = unvisited;
  std::vector<BasicBlock*> postorder;
  const auto visit_from = [&](BasicBlock& start) {
    std::vector<std::pair<BasicBlock*, std::size_t>> path;
    const auto come_to = [&](BasicBlock* to) {
      if (std::exchange(to->order, visited) == unvisited) path.emplace_back(to, 0);
    };
    come_to(&start);
    while (!path.empty()) {
      auto& [at, i] = path.back();
      if (i < at->next.size()) {
        come_to(at->next[i++]);
      } else {
        postorder.push_back(at);
        path.pop_back();
      }
    }
  };
  for (BasicBlock& each : blocks_) {
    if (each.is_entry) visit_from(each);
  }
  for (BasicBlock& each : blocks_) visit_from(each);
  std::ranges::reverse(postorder);
  for (std::size_t i = 0; i < postorder.size(); ++i) postorder[i]->order = i;
  return postorder;
}

/// By the algorithm of Cooper, Harvey and Kennedy. A block without a block before it is its own dominator.
void ControlFlow::find_dominators(const std::vector<BasicBlock*>& blocks) {
  for (BasicBlock* const each : blocks) {
    const bool is_first =
        std::ranges::none_of(each->before, [&](const BasicBlock* b) { return b->order < each->order; });
    each->dominator = each->is_entry || is_first ? each : nullptr;
  }
  const auto common = [](BasicBlock* a, BasicBlock* b) {
    while (a != b) {
      BasicBlock*& later = a->order > b->order ? a : b;
      if (later->dominator == later) return static_cast<BasicBlock*>(nullptr);
      later = later->dominator;
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* const each : blocks) {
      if (each->dominator == each) continue;
      BasicBlock* found = nullptr;
      bool apart = false;
      for (BasicBlock* const before : each->before) {
        if (before->dominator == nullptr || apart) continue;
        found = found == nullptr ? before : common(found, before);
        apart = found == nullptr;
      }
      if (apart) found = each;  // two functions go to it
      if (each->dominator != found) changed = true;
      each->dominator = found;
    }
  }
}

bool ControlFlow::dominates(const BasicBlock* header, const BasicBlock* block) {
  while (block->order > header->order && block->dominator != block) block = block->dominator;
  return block == header;
}

void ControlFlow::find_loop(BasicBlock* header) {
  std::vector<const BasicBlock*> inside{header};
  for (const BasicBlock* const from : header->before) {
    if (!dominates(header, from)) continue;
    // What comes to the jump without coming through the header.
    std::vector<const BasicBlock*> left{from};
    while (!left.empty()) {
      const BasicBlock* const each = left.back();
      left.pop_back();
      if (std::ranges::find(inside, each) != inside.end()) continue;
      inside.push_back(each);
      left.insert(left.end(), each->before.begin(), each->before.end());
    }
    if (from == header) inside.push_back(header);
  }
  if (inside.size() == 1) return;
  const auto [first, last] = std::ranges::minmax(inside, {}, &BasicBlock::place);
  const auto known = std::ranges::find(loops_, header, &Loop::header);
  Loop& loop = known != loops_.end() ? *known : loops_.emplace_back(Loop{header, 0, 0});
  loop.first = first->place;
  loop.last = last->place;
}

/// A compiler counts only those blocks as a loop from which the next iteration is reached. On a card, lanes that come
/// to another part of its body execute it before the others begin the next iteration.
void ControlFlow::extend(Loop& loop) const {
  const auto other_function = [this](const PlaceInLoop& in_loop) {
    return std::ranges::any_of(blocks_, [&](const BasicBlock& each) {
      return each.is_entry && in_loop.body < each.place && each.place < in_loop.place;
    });
  };
  const auto& places = places_in_loops();
  for (auto next = std::ranges::lower_bound(places, loop.first, {}, &PlaceInLoop::body);
       next != places.end() && next->body <= loop.last; ++next) {
    if (next->place > loop.last && !other_function(*next)) loop.last = next->place;
  }
}

void ControlFlow::find_loops() {
  if (!std::exchange(changed_, false)) return;
  ++version_;
  const std::vector<BasicBlock*> blocks = in_reverse_postorder();
  find_dominators(blocks);
  for (BasicBlock* const each : blocks) find_loop(each);
  std::vector<Loop*> outermost_first;
  for (Loop& loop : loops_) {
    extend(loop);
    outermost_first.push_back(&loop);
  }
  std::ranges::sort(outermost_first, [](const Loop* a, const Loop* b) {
    return a->first != b->first ? a->first < b->first : a->last > b->last;
  });
  // Also the blocks from which a loop is left are in it, which are between the others.
  for (BasicBlock* const each : blocks) {
    each->loops.clear();
    for (const Loop* const loop : outermost_first) {
      if (loop->first <= each->place && each->place <= loop->last) each->loops.push_back(loop);
    }
  }
  find_quiet_blocks(blocks);
}

void ControlFlow::find_quiet_blocks(const std::vector<BasicBlock*>& blocks) {
  quiet_.fill(0);
  if (!has_quiet_loops_) return;
  std::vector<const Loop*> busy;
  for (const BasicBlock* const each : blocks) {
    if (each->is_busy) busy.insert(busy.end(), each->loops.begin(), each->loops.end());
  }
  for (const BasicBlock* const each : blocks) {
    const bool quiet = !each->loops.empty() && std::ranges::find(busy, each->loops.back()) == busy.end();
    if (quiet) quiet_[static_cast<std::uint32_t>(each->place) % recent_size] = each->place;
  }
}

void ControlFlow::forget_quiet_loops() {
  quiet_.fill(0);
  has_quiet_loops_ = false;
}

const Loop* ControlFlow::next_iteration(const BasicBlock* from, const BasicBlock* to) {
  for (const Loop* const loop : to->loops) {
    if (loop->header == to && dominates(to, from)) return loop;
  }
  return nullptr;
}

}  // namespace d2l::emulator
