// SPDX-License-Identifier: MIT
// Collecting the points of the board on their devices, and fetching them.
#include "d2l/board.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"

namespace d2l {

namespace {

constexpr std::int64_t first_capacity = 256;

void check(const Tensor& y, int every_n) {
  const auto& impl = detail::impl_of(y, "draw");
  if (impl.numel != 1) {
    detail::fail<ValueError>("draw", "a point must have one value", detail::operands({{"y", &impl}}),
                             "reduce it, for example by y.mean()");
  }
  if (every_n < 1) {
    detail::fail<ValueError>("draw", fmt::format("every_n is {}", every_n), {}, "give 1 or more");
  }
}

/// A copy of the values with a larger capacity, converted on their device.
Tensor grown(const Tensor& values, std::int64_t capacity, ScalarType dtype) {
  auto larger = empty({capacity}, TensorOptions(values.device()).dtype(dtype));
  larger.slice(0, 0, values.size(0)).copy_(values);
  return larger;
}

}  // namespace

std::size_t ProgressBoard::line_of(const std::string& label, int every_n) {
  const auto known = std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.label == label; });
  const auto place = static_cast<std::size_t>(known - lines_.begin());
  if (known == lines_.end()) {
    lines_.push_back({label, {}, {}});
    pending_.emplace_back();
  }
  pending_[place].wanted = every_n;
  return place;
}

/// The log on the device of `value`, with a dtype that holds it exactly.
ProgressBoard::Log& ProgressBoard::log_for(const Tensor& value) {
  const auto known =
      std::find_if(logs_.begin(), logs_.end(), [&](const Log& log) { return log.values.device() == value.device(); });
  if (known == logs_.end()) {
    const auto dtype = value.is_floating_point() ? value.dtype() : kDouble;
    logs_.push_back({empty({first_capacity}, TensorOptions(value.device()).dtype(dtype)), {}});
    return logs_.back();
  }
  const auto capacity = known->values.size(0);
  const bool full = static_cast<std::int64_t>(known->entries.size()) == capacity;
  const auto dtype = known->values.dtype() == value.dtype() ? value.dtype() : kDouble;
  if (full || dtype != known->values.dtype()) {
    known->values = grown(known->values, full ? 2 * capacity : capacity, dtype);
  }
  return *known;
}

void ProgressBoard::draw(double x, const Tensor& y, const std::string& label, int every_n) {
  check(y, every_n);
  const NoGradGuard unrecorded;
  Log& log = log_for(y);
  const auto place = static_cast<std::int64_t>(log.entries.size());
  log.values.slice(0, place, place + 1).copy_(y.detach().reshape({1}));
  log.entries.push_back({line_of(label, every_n), x});
}

void ProgressBoard::draw(double x, double y, const std::string& label, int every_n) {
  draw(x, full({}, y, kDouble), label, every_n);
}

void ProgressBoard::take(std::size_t line, double x, double y) {
  Pending& pending = pending_[line];
  pending.x += x;
  pending.y += y;
  if (++pending.count < pending.wanted) return;
  lines_[line].x.push_back(pending.x / pending.count);
  lines_[line].y.push_back(pending.y / pending.count);
  pending = {0, 0, 0, pending.wanted};
}

std::vector<ProgressBoard::Mean> ProgressBoard::fetch() { return fetch({}); }

std::vector<ProgressBoard::Mean> ProgressBoard::fetch(const Join& join) {
  std::vector<Entry> entries;
  std::vector<double> values;
  for (Log& log : logs_) {
    if (log.entries.empty()) continue;
    const auto copied = log.values.slice(0, 0, static_cast<std::int64_t>(log.entries.size())).to_vector<double>();
    values.insert(values.end(), copied.begin(), copied.end());
    entries.insert(entries.end(), log.entries.begin(), log.entries.end());
    log.entries.clear();
  }
  if (join) join(values);
  std::vector<double> sums(lines_.size(), 0);
  std::vector<std::size_t> counts(lines_.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Entry& entry = entries[i];
    take(entry.line, entry.x, values[i]);
    sums[entry.line] += values[i];
    ++counts[entry.line];
  }
  std::vector<Mean> means;
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    if (counts[line] > 0) means.push_back({lines_[line].label, sums[line] / static_cast<double>(counts[line])});
  }
  return means;
}

void ProgressBoard::clear() noexcept {
  lines_.clear();
  pending_.clear();
  logs_.clear();
}

std::string ProgressBoard::description() const {
  std::string text;
  for (const Line& line : lines_) {
    if (line.y.empty()) continue;
    text += text.empty() ? "" : "; ";
    text += line.y.size() == 1 ? fmt::format("{} is {:.3g}", line.label, line.y.front())
                               : fmt::format("{} goes from {:.3g} to {:.3g} in {} points", line.label, line.y.front(),
                                             line.y.back(), line.y.size());
  }
  return text.empty() ? "no points yet" : text;
}

}  // namespace d2l
