// SPDX-License-Identifier: MIT
// show(): hands what it is given to the terminal or to the capture.
#include "d2l/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "d2l/testing.h"
#include "output/shown.h"

namespace d2l::detail {

namespace {

std::mutex stage_mutex;

// Never destroyed: a program may show something until its very end.
std::unique_ptr<Stage>& stage() {
  static auto* const stage = new std::unique_ptr<Stage>;
  return *stage;
}

void finish_stage() {
  const std::lock_guard lock(stage_mutex);
  try {
    stage()->finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    std::_Exit(2);
  }
}

void open_locked_stage() {
  if (stage()) return;
  const char* const path = std::getenv("D2L_CELLS");
  stage() = path != nullptr && *path != '\0' ? make_capture_stage(path) : make_terminal_stage();
  std::atexit(finish_stage);
}

void put(const Output& output, Caller caller) {
  const std::lock_guard lock(stage_mutex);
  open_locked_stage();
  stage()->put(output, caller);
}

bool is_time(const std::string& unit) {
  static constexpr std::array units{"seconds", "s", "ms", "us", "µs", "ns"};
  return std::find(units.begin(), units.end(), unit) != units.end();
}

// A time on virtual GPUs is not a GPU's, and always says so.
std::string honest(const std::string& label, const std::string& unit) {
  const bool virtual_gpus = num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  const std::string remark = "host threads, not a GPU";
  if (!is_time(unit) || !virtual_gpus || label.find(remark) != std::string::npos) return label;
  return label.empty() ? remark : label + " (" + remark + ")";
}

}  // namespace

void open_stage() {
  const std::lock_guard lock(stage_mutex);
  open_locked_stage();
}

void say(const std::string& line, Caller caller) {
  const std::lock_guard lock(stage_mutex);
  if (stage()) {
    stage()->put({Output::Kind::text, line, "", std::nullopt}, caller);
  } else {
    std::fputs((line + "\n").c_str(), stdout);
    std::fflush(stdout);
  }
}

void reach(Caller caller) {
  const std::lock_guard lock(stage_mutex);
  if (stage()) stage()->reach(caller);
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

void check_place(const Tensor& tensor) {
  if (!tensor.defined() || nn::is_uninitialized(tensor) || tensor.numel() == 0 || testing::placed(tensor)) return;
  throw DeviceError(fmt::format(
      "[show] the tensor says that it is on {}, but its memory belongs to {}; a tensor moves by .to(device), which "
      "copies it, and never by its label alone",
      tensor.device().str(), testing::owner(tensor).str()));
}

void show_tuple(const std::vector<std::string>& texts, Caller caller) {
  show_text(fmt::format("({})", fmt::join(texts, ", ")), caller);
}

void show_text(const std::string& text, Caller caller) { put({Output::Kind::text, text, "", std::nullopt}, caller); }

}  // namespace d2l::detail

namespace d2l {

void show_measured(double value, const std::string& unit, double low, double high, const std::string& label,
                   detail::Caller caller) {
  const auto what = detail::honest(label, unit);
  const auto text = detail::describe(value, unit);
  detail::put({detail::Output::Kind::measured, what.empty() ? text : what + ": " + text, what,
               detail::Output::Measurement{value, unit, low, high}},
              caller);
}

void show_measured(const std::string& text, const std::string& label, detail::Caller caller) {
  detail::put({detail::Output::Kind::measured, text, label, std::nullopt}, caller);
}

void show_svg(const std::string& svg, const std::string& alternative, detail::Caller caller) {
  detail::put({detail::Output::Kind::svg, svg, alternative, std::nullopt}, caller);
}

}  // namespace d2l
