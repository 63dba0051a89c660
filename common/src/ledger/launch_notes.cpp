// SPDX-License-Identifier: MIT
#include "ledger/refused_launch.h"

#include <mutex>
#include <utility>

namespace d2l::detail {
namespace {

struct Refused {
  std::mutex mutex;
  std::string text;
};

Refused& refused() {
  static auto* const made = new Refused;
  return *made;
}

}  // namespace

void note_refused_launch(const std::string& text) {
  const std::lock_guard lock(refused().mutex);
  if (refused().text.empty()) refused().text = text;
}

std::string take_refused_launch() {
  const std::lock_guard lock(refused().mutex);
  return std::exchange(refused().text, {});
}

}  // namespace d2l::detail
