// SPDX-License-Identifier: MIT
#include "trainer/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "output/output_sink.h"

namespace d2l::detail {

namespace {

constexpr auto between_bars = std::chrono::milliseconds(100);

bool has_terminal() {
  const char* const name = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && name != nullptr && std::string_view(name) != "dumb";
}

}  // namespace

std::string bar_text(const std::string& title, std::int64_t done, std::int64_t steps) {
  constexpr std::int64_t width = 24;
  const auto part = steps > 0 ? static_cast<double>(std::min(done, steps)) / static_cast<double>(steps) : 1.0;
  const auto full = static_cast<std::size_t>(part * width);
  return fmt::format("{}  [{}{}] {:3.0f} %", title, std::string(full, '#'), std::string(width - full, ' '), part * 100);
}

EpochProgress::EpochProgress(std::string title, std::int64_t steps, Caller caller, bool silent)
    : title_(std::move(title)),
      steps_(steps),
      caller_(caller),
      silent_(silent),
      on_terminal_(!silent && has_terminal()),
      next_(std::chrono::steady_clock::now() + between_bars) {
  if (on_terminal_) reach(caller_);
}

EpochProgress::~EpochProgress() { erase(); }

void EpochProgress::step() {
  ++done_;
  if (on_terminal_ && std::chrono::steady_clock::now() >= next_) draw();
}

void EpochProgress::draw() {
  std::fputs(("\r" + bar_text(title_, done_, steps_)).c_str(), stdout);
  std::fflush(stdout);
  drawn_ = true;
  next_ = std::chrono::steady_clock::now() + between_bars;
}

void EpochProgress::erase() noexcept {
  if (!drawn_) return;
  std::fputs("\r\033[K", stdout);
  std::fflush(stdout);
  drawn_ = false;
}

void EpochProgress::finish(const std::string& summary) {
  erase();
  if (silent_) return;
  say(summary.empty() ? title_ : title_ + "  " + summary, caller_);
}

}  // namespace d2l::detail
