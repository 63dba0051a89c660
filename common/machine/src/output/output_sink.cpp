// SPDX-License-Identifier: MIT
#include "output/output_sink.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace d2l::detail {

namespace {

std::mutex sink_mutex;

// Never destroyed: a program may show something until it exits.
std::unique_ptr<OutputSink>& sink() {
  static auto* const sink = new std::unique_ptr<OutputSink>;
  return *sink;
}

void finish_sink() {
  const std::lock_guard lock(sink_mutex);
  try {
    sink()->finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    std::_Exit(2);
  }
}

void open_locked_sink() {
  if (sink()) return;
  const char* const path = std::getenv("D2L_CELLS");
  sink() = path != nullptr && *path != '\0' ? make_capture_sink(path) : make_terminal_sink();
  std::atexit(finish_sink);
}

}  // namespace

namespace {

class MutedSink : public OutputSink {
 public:
  void put(const Output& /*output*/, Caller /*caller*/) override {}
  void reach(Caller /*caller*/) override {}
  void finish() override {}
};

}  // namespace

void mute() {
  const std::lock_guard lock(sink_mutex);
  sink() = std::make_unique<MutedSink>();
}

void open_sink() {
  const std::lock_guard lock(sink_mutex);
  open_locked_sink();
}

void put(const Output& output, Caller caller) {
  const std::lock_guard lock(sink_mutex);
  open_locked_sink();
  sink()->put(output, caller);
}

void say(const std::string& line, Caller caller) {
  const std::lock_guard lock(sink_mutex);
  if (sink()) {
    sink()->put({Output::Kind::text, line, "", std::nullopt}, caller);
  } else {
    std::fputs((line + "\n").c_str(), stdout);
    std::fflush(stdout);
  }
}

void reach(Caller caller) {
  const std::lock_guard lock(sink_mutex);
  if (sink()) sink()->reach(caller);
}

std::string describe(double value, const std::string& unit) {
  const double size = std::fabs(value);
  if (unit == "seconds" && size > 0 && size < 1) {
    if (size < 1e-6) return fmt::format("{:.3g} ns", value * 1e9);
    if (size < 1e-3) return fmt::format("{:.3g} µs", value * 1e6);
    return fmt::format("{:.3g} ms", value * 1e3);
  }
  if (unit == "bytes" && size >= 1024) {
    if (size < 1 << 20) return fmt::format("{:.4g} KiB", value / (1 << 10));
    if (size < 1 << 30) return fmt::format("{:.4g} MiB", value / (1 << 20));
    return fmt::format("{:.4g} GiB", value / (1 << 30));
  }
  return fmt::format("{:.6g} {}", value, unit);
}

}  // namespace d2l::detail
