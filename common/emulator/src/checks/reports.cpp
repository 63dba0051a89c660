// SPDX-License-Identifier: MIT
#include "checks/reports.h"

#include <fmt/format.h>

#include <string_view>

namespace d2l::emulator {

std::string place_text(Place place) {
  const std::string_view file = place.file;
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), place.line);
}

std::string mask_text(LaneBits mask) { return fmt::format("{:#0{}x}", mask, 2 + warp_size() / 4); }

void Reports::clear() {
  text_.clear();
  seen_.clear();
  more_ = 0;
  first_kind_ = FaultKind::check;
}

bool Reports::is_new(const char* kind, const void* place) {
  if (seen_.size() < max_full && seen_.emplace(kind, place).second) return true;
  ++more_;
  return false;
}

void Reports::add(FaultKind kind, const std::string& text) {
  if (text_.empty()) first_kind_ = kind;
  text_ += text + "\n";
}

void Reports::append(const std::string& text, const std::string& more) {
  const std::size_t at = text_.find(text + "\n");
  if (at != std::string::npos) text_.insert(at + text.size(), more);
}

std::string Reports::text() const { return more_ == 0 ? text_ : text_ + fmt::format("and {} more\n", more_); }

}  // namespace d2l::emulator
