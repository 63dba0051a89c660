// SPDX-License-Identifier: MIT
#include "check/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/output_sink.h"

namespace d2l::check {
namespace {

/// How many characters wide a text is.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;  // not the later bytes of a character
  }));
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - width_of(cells[i]), ' ');
    text += i == 0 ? cells[i] + padding : "  " + padding + cells[i];
  }
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) text += (text.empty() ? "" : "\n") + line(row, widths);
  return text;
}

std::string in_seconds(double seconds) {
  return seconds < 1 ? detail::describe(seconds, "seconds") : fmt::format("{:.3g} s", seconds);
}
std::string in_gigaflops(double flops, double seconds) { return fmt::format("{:.3g} GFLOP/s", flops / seconds * 1e-9); }
std::string times(double ratio) { return fmt::format("{:.2f} ×", ratio); }
std::string against(double modelled, double measured) {
  return fmt::format("{:.2f} × the measured", modelled / measured);
}

std::string measured_here() {
  if (num_gpus() == 0) return "measured on the CPU";
  const auto properties = device_properties(gpu(0));
  return properties.kind == DeviceKind::virtual_gpu_on_host ? "measured; host threads, not a GPU"
                                                            : "measured on " + properties.name;
}

const Card* card_here() {
  if (num_gpus() == 0) return nullptr;
  const auto properties = device_properties(gpu(0));
  if (properties.kind == DeviceKind::virtual_gpu_on_host) return nullptr;
  for (const Card& card : cards()) {
    if (properties.name.find(card.name) != std::string::npos) return &card;
  }
  return nullptr;
}

std::vector<LedgerEntry> issued_by(const std::function<void()>& work) {
  const TransferLedger ledger;
  work();
  return ledger.entries();
}

}  // namespace d2l::check
