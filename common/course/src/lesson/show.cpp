// SPDX-License-Identifier: MIT
// show(): sends values to the output sink.
#include "d2l/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "d2l/testing.h"
#include "lesson/figures.h"
#include "output/output_sink.h"

namespace d2l::detail {

namespace {

bool is_time(const std::string& unit) {
  static constexpr std::array units{"seconds", "s", "ms", "us", "µs", "ns"};
  return std::find(units.begin(), units.end(), unit) != units.end();
}

// The label of a number; a time on virtual GPUs is labelled as not a GPU's.
std::string full_label(const std::string& label, const std::string& unit) {
  const bool virtual_gpus = num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  const std::string remark = "host threads, not a GPU";
  if (!is_time(unit) || !virtual_gpus || label.find(remark) != std::string::npos) return label;
  return label.empty() ? remark : label + " (" + remark + ")";
}

}  // namespace

void check_place(const Tensor& tensor) {
  if (!tensor.defined() || nn::is_uninitialized(tensor) || tensor.numel() == 0 || testing::placed(tensor)) return;
  throw DeviceError(
      fmt::format("[show] the tensor's device is {}, but its memory belongs to {}; move a tensor by .to(device), which "
                  "copies it, and "
                  "not by its label alone",
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
  const auto what = detail::full_label(label, unit);
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

void show_figure(const std::string& name, detail::Caller caller) {
  const detail::Figure figure = detail::figure_named(name);
  show_svg(figure.svg, figure.description, caller);
}

}  // namespace d2l
