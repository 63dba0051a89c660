// SPDX-License-Identifier: MIT
#include "ledger/launch_notes.h"

#include <atomic>
#include <mutex>
#include <utility>

namespace d2l::detail {
namespace {

/// A text of one kind.
class Note {
 public:
  void keep(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (text_.empty()) text_ = text;
  }
  std::string take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(text_, {});
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

Note& refused() {
  static auto* const made = new Note;
  return *made;
}

Note& on_other_stream() {
  static auto* const made = new Note;
  return *made;
}

std::atomic<std::int64_t> streams;

}  // namespace

void note_stream(int change) { streams += change; }
std::int64_t open_streams() { return streams; }
void note_refused_launch(const std::string& text) { refused().keep(text); }
std::string take_refused_launch() { return refused().take(); }
void note_launch_on_other_stream(const std::string& text) { on_other_stream().keep(text); }
std::string take_launch_on_other_stream() { return on_other_stream().take(); }

}  // namespace d2l::detail
