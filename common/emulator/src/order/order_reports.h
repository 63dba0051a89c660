// SPDX-License-Identifier: MIT
// OrderReports: what is said about two operations that use the same bytes and are in no order.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "order/accesses.h"
#include "order/operation.h"

namespace d2l::emulator {

class OrderReports {
 public:
  /// `ordered`: the later operation is in order, but uses memory that the earlier one frees.
  void add(const Operation& earlier, const Operation& later, const Allocation& allocation, const Overlap& overlap,
           bool ordered);
  /// An operation that the host has not waited for when the program ends.
  void add_unawaited(const Operation& kernel);
  /// What is left to say when the process ends: how many more there are.
  void finish();
  /// True if something wrong was found, outside of check_kernels().
  [[nodiscard]] bool any() const noexcept { return any_; }

 private:
  static constexpr std::size_t max_full = 5;
  void print(const std::string& text);

  std::set<std::pair<std::string, std::string>> seen_;  ///< the places of both
  std::size_t printed_ = 0;
  std::size_t more_ = 0;
  bool any_ = false;
};

}  // namespace d2l::emulator
