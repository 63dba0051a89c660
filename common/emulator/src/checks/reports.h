// SPDX-License-Identifier: MIT
// Reports: the first findings of a launch in full, then a count.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "d2l_emulator/language.h"
#include "execution/lanes.h"
#include "execution/run_kernel.h"

namespace d2l::emulator {

/// "file.cu:12", without the folder.
std::string place_text(Place place);
/// "0xffffffff", with as many digits as a warp needs.
std::string mask_text(LaneBits mask);

class Reports {
 public:
  void clear();
  /// True if a finding of this kind at this place is new and will be printed in full.
  bool is_new(const char* kind, const void* place);
  void add(FaultKind kind, const std::string& text);
  /// Adds to the end of a line that add() got.
  void append(const std::string& text, const std::string& more);
  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  [[nodiscard]] FaultKind first_kind() const noexcept { return first_kind_; }
  /// All reports, a line each.
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::size_t max_full = 5;

  std::string text_;
  std::set<std::pair<std::string, const void*>> seen_;
  std::size_t more_ = 0;
  FaultKind first_kind_ = FaultKind::check;
};

}  // namespace d2l::emulator
