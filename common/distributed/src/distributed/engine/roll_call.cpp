// SPDX-License-Identifier: MIT
#include "distributed/engine/roll_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace d2l::distributed::detail {

void RollCall::answer(const Stuck& stuck, const std::set<int>& left) {
  if (!due_) {
    due_ = std::chrono::steady_clock::now() + patience;
    first_ = stuck;
    for (const int member : stuck.members) {
      if (left.contains(member)) {
        left_ = member;
      } else {
        absent_.insert(member);
      }
    }
  }
  if (stuck.late && !first_.late) first_ = stuck;
  absent_.erase(stuck.rank);
}

std::optional<std::chrono::steady_clock::time_point> RollCall::due() const { return due_; }

std::optional<std::string> RollCall::verdict() {
  if (!due_ || (!absent_.empty() && std::chrono::steady_clock::now() < *due_)) return std::nullopt;
  const RollCall call = std::exchange(*this, {});
  const bool all_answered = call.absent_.empty();
  if (call.left_ && (all_answered || !call.first_.late)) return has_left(*call.left_);
  if (all_answered) {
    return call.first_.late ? fmt::format("a rank {}, though none has stopped", call.first_.missed)
                            : "a connection between ranks broke";
  }
  const auto absent = fmt::format("{} {}", call.absent_.size() == 1 ? "rank" : "ranks", fmt::join(call.absent_, ", "));
  return call.first_.late ? fmt::format("{} {}", absent, call.first_.missed)
                          : fmt::format("a connection between ranks broke, and {} did not answer", absent);
}

std::string has_left(int rank) { return fmt::format("rank {} has left the group", rank); }

}  // namespace d2l::distributed::detail
