// SPDX-License-Identifier: MIT
// RollCall: which rank is the cause when others have waited in vain.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace d2l::distributed::detail {

/// A rank says that it has waited in vain, in a collective.
struct Stuck {
  int rank = 0;
  std::vector<int> members;  ///< the ranks that take part
  bool late = false;         ///< the timeout has passed; else a connection broke
  std::string missed;        ///< "did not call all_reduce within 5 s"
};

/// One place hears all ranks. The first that is stuck begins the call; a rank that cannot go on because of it is stuck
/// soon, too. So a rank that does not answer is stopped or elsewhere, and is the cause.
class RollCall {
 public:
  /// How long the ranks have for their answers.
  static constexpr std::chrono::milliseconds patience = std::chrono::seconds(1);

  /// `left` has the ranks that have left on purpose.
  void answer(const Stuck& stuck, const std::set<int>& left);
  /// When the verdict is due; nullopt if there is no call.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> due() const;
  /// The cause, once: when all have answered, or when it is due.
  std::optional<std::string> verdict();

 private:
  std::optional<std::chrono::steady_clock::time_point> due_;
  Stuck first_;
  std::set<int> absent_;
  std::optional<int> left_;  ///< one of those that had left before
};

/// "rank 2 has left the group".
std::string has_left(int rank);

}  // namespace d2l::distributed::detail
