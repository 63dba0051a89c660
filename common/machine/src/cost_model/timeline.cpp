// SPDX-License-Identifier: MIT
// Timeline: ledger entries, sorted into the rows of a picture; the picture, and its description. The picture has no
// style sheets, scripts, fonts, or identifiers that could clash with those of another picture on the page.
#include "cost_model/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "base/axis.h"
#include "base/svg.h"
#include "base/units.h"

namespace d2l {

namespace detail {
namespace {

using svg::at;
using svg::escaped;
using Kind = LedgerEntry::Kind;

/// A time interval in nanoseconds.
struct Interval {
  std::int64_t began;
  std::int64_t ended;
};

/// The kinds of shape in the picture: launches, copies, waits, and the times at which the host issued work to a GPU.
enum class Drawn : std::int8_t { launch, copy, wait, issue };
constexpr std::array drawn_kinds{Drawn::launch, Drawn::copy, Drawn::wait, Drawn::issue};

/// A host thread or a GPU.
struct TimelineRow {
  std::string name;
  std::array<std::vector<Interval>, drawn_kinds.size()> intervals;  ///< by kind, ordered by their beginning

  [[nodiscard]] const std::vector<Interval>& of(Drawn kind) const { return intervals[static_cast<std::size_t>(kind)]; }
};

/// The rows of the picture: host threads first, then GPUs, up to the maximum number of rows.
struct Timeline {
  std::vector<TimelineRow> rows;
  std::size_t rows_left_out = 0;
  std::int64_t length = 0;  ///< from the first beginning, at 0, to the last end
};

constexpr std::size_t max_rows = 16;

/// Identifies a row; GPUs sort after all host threads.
using Key = std::pair<bool, std::uint64_t>;

struct Piece {
  Key row;
  Drawn kind;
  Interval when;
};

/// The shapes of an entry: when it ran, and when it was issued to a GPU.
std::vector<Piece> pieces_of(const LedgerEntry& entry) {
  const bool ran = entry.began >= 0 && entry.ended >= entry.began;
  const Key thread{false, entry.thread};
  const bool on_gpu = !entry.queue.is_cpu();
  const Key queue = on_gpu ? Key{true, static_cast<std::uint64_t>(entry.queue.index())} : thread;
  const Interval when{entry.began, entry.ended};
  switch (entry.kind) {
    case Kind::launch:
    case Kind::copy: {
      std::vector<Piece> pieces;
      if (ran) pieces.push_back({queue, entry.kind == Kind::copy ? Drawn::copy : Drawn::launch, when});
      if (on_gpu && !entry.captured && entry.issued >= 0)
        pieces.push_back({thread, Drawn::issue, {entry.issued, entry.issued}});
      return pieces;
    }
    case Kind::replay:
      return {{thread, Drawn::issue, {entry.issued, entry.issued}}};
    case Kind::send:
    case Kind::receive:
      return ran ? std::vector<Piece>{{thread, Drawn::copy, when}} : std::vector<Piece>{};
    case Kind::synchronisation:
      return ran ? std::vector<Piece>{{thread, Drawn::wait, when}} : std::vector<Piece>{};
    case Kind::event_wait:
      return ran ? std::vector<Piece>{{queue, Drawn::wait, when}} : std::vector<Piece>{};
    default:
      return {};
  }
}

/// The singular and plural of each kind, in the order of Drawn.
constexpr std::array<std::array<const char*, 2>, drawn_kinds.size()> kind_names{
    {{"launch", "launches"}, {"copy", "copies"}, {"wait", "waits"}, {"issued", "issued"}}};

std::string describe(const TimelineRow& row) {
  std::string text;
  for (const auto kind : drawn_kinds) {
    const auto& intervals = row.of(kind);
    if (intervals.empty()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", intervals.size(),
                        kind_names[static_cast<std::size_t>(kind)][intervals.size() == 1 ? 0 : 1]);
    if (kind == Drawn::issue) continue;
    double seconds = 0;
    for (const auto& [began, ended] : intervals) seconds += static_cast<double>(ended - began) * 1e-9;
    text += fmt::format(", {}", seconds_text(seconds));
  }
  return row.name + ": " + text;
}

Timeline timeline_of(const std::vector<LedgerEntry>& entries) {
  Timeline timeline;
  std::vector<Piece> pieces;
  for (const auto& entry : entries) {
    for (const auto& piece : pieces_of(entry)) pieces.push_back(piece);
  }
  std::int64_t start = std::numeric_limits<std::int64_t>::max();
  for (const auto& piece : pieces) start = std::min(start, piece.when.began);
  std::map<Key, TimelineRow> rows;
  for (const auto& [key, kind, when] : pieces) {
    const Interval interval{when.began - start, when.ended - start};
    timeline.length = std::max(timeline.length, interval.ended);
    rows[key].intervals[static_cast<std::size_t>(kind)].push_back(interval);
  }
  for (auto& [key, row] : rows) {
    if (timeline.rows.size() == max_rows) {
      timeline.rows_left_out = rows.size() - max_rows;
      break;
    }
    row.name = key.first ? gpu(static_cast<int>(key.second)).str() : fmt::format("host thread {}", key.second);
    for (auto& intervals : row.intervals) {
      std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) { return a.began < b.began; });
    }
    timeline.rows.push_back(std::move(row));
  }
  return timeline;
}

constexpr double width = 720;
constexpr double left = 112;
constexpr double top = 58;
constexpr double plot_width = width - left - 24;
constexpr double row_height = 36;

/// The style of a kind. Each kind has its own shape, so that colours are not needed to tell them apart. Launches are
/// drawn from the bottom of their row and all else from its top, so that they do not cover each other.
struct Style {
  const char* name;
  const char* attributes;
  double from;    ///< where it begins, relative to the middle of the row
  double height;  ///< downwards from there
  double min_width;
  bool by_share;  ///< scale the height by the busy share of the time
};

/// In the order of Drawn.
constexpr std::array<Style, drawn_kinds.size()> styles{{
    {"launch", "fill=\"#2f7fc4\"", 11, -22, 1, true},
    {"copy", "fill=\"none\" stroke=\"#c4621a\" stroke-width=\"2\"", -10, 20, 2, true},
    {"wait", "fill=\"none\" stroke=\"#7a7f87\" stroke-width=\"1.5\" stroke-dasharray=\"3 2\"", -10, 20, 2, true},
    {"issued", "fill=\"currentColor\"", 11, 5, 1, false},
}};
const Style& style_of(Drawn kind) { return styles[static_cast<std::size_t>(kind)]; }

/// Begin and end in pixels from the left of the plot, and the number of busy pixels.
struct Shape {
  double begin;
  double end;
  double busy;
};

double share_of(const Shape& part, const Style& style) {
  const double drawn = part.end - part.begin;
  return style.by_share && drawn > 1 ? std::clamp(part.busy / drawn, 0.2, 1.0) : 1;
}

std::string shape(const Shape& part, double middle, const Style& style) {
  const double length = std::max(part.end - part.begin, style.min_width);
  const double x = left + std::min(part.begin, plot_width - length);
  return fmt::format("M{} {}h{}v{}h-{}z", at(x), at(middle + style.from), at(length),
                     at(style.height * share_of(part, style)), at(length));
}

/// The intervals in pixels; intervals less than a pixel apart are merged.
std::vector<Shape> shapes_of(const std::vector<Interval>& intervals, double pixels_each, const Style& style) {
  std::vector<Shape> shapes;
  for (const auto& [began, ended] : intervals) {
    const Shape next{static_cast<double>(began) * pixels_each, static_cast<double>(ended) * pixels_each,
                     static_cast<double>(ended - began) * pixels_each};
    if (shapes.empty() || next.begin - std::max(shapes.back().end, shapes.back().begin + style.min_width) >= 1) {
      shapes.push_back(next);
    } else {
      shapes.back().end = std::max(shapes.back().end, next.end);
      shapes.back().busy += next.busy;
    }
  }
  return shapes;
}

/// All rows; sets `by_share` to true if a box is lower because it includes idle time.
std::string rows_of(const Timeline& timeline, double pixels_each, bool& by_share) {
  std::string text;
  double middle = top + row_height / 2;
  for (const auto& row : timeline.rows) {
    text += fmt::format(
        "  <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"currentColor\" font-family=\"sans-serif\" "
        "font-size=\"13\">{}</text>\n",
        at(left - 8), at(middle + 4), row.name);
    for (const auto kind : drawn_kinds) {
      if (row.of(kind).empty()) continue;
      const auto& style = style_of(kind);
      std::string path;
      for (const auto& part : shapes_of(row.of(kind), pixels_each, style)) {
        path += shape(part, middle, style);
        by_share = by_share || share_of(part, style) < 0.95;
      }
      text += fmt::format("  <path d=\"{}\" {}/>\n", path, style.attributes);
    }
    middle += row_height;
  }
  return text;
}

std::string time_axis(double seconds, double bottom) {
  const auto unit = time_unit(seconds);
  const double whole = seconds / unit.seconds;
  std::string grid;
  std::string numbers;
  const Axis axis({0, whole});
  for (const auto& tick : axis.ticks()) {
    if (tick.value > whole) continue;
    const double x = left + tick.value / whole * plot_width;
    grid += fmt::format("M{} {}V{}", at(x), at(top), at(bottom));
    numbers += fmt::format("    <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", at(x), at(bottom + 16),
                           tick.text);
  }
  return fmt::format(
      "  <path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.18\"/>\n"
      "  <path d=\"M{} {}H{}\" fill=\"none\" stroke=\"currentColor\"/>\n"
      "  <g fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"12\">\n{}"
      "    <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"13\">time in {}</text>\n  </g>\n",
      grid, at(left), at(bottom), at(left + plot_width), numbers, at(left + plot_width / 2), at(bottom + 34),
      unit.name);
}

std::string legend(bool by_share) {
  std::string text;
  double x = left;
  for (const auto kind : drawn_kinds) {
    auto style = style_of(kind);
    style.from *= 0.6;
    style.height *= 0.6;
    const double length = kind == Drawn::issue ? style.min_width : 28;
    text += fmt::format(
        "  <path d=\"{}\" {}/>\n  <text x=\"{}\" y=\"44\" fill=\"currentColor\" font-family=\"sans-serif\" "
        "font-size=\"13\">{}</text>\n",
        shape({x - left, x - left + length, length}, kind == Drawn::issue ? 30 : 39, style), style.attributes,
        at(x + length + 7), style.name);
    x += length + 68;
  }
  if (!by_share) return text;
  return text + fmt::format(
                    "  <text x=\"{}\" y=\"44\" text-anchor=\"end\" fill=\"currentColor\" "
                    "font-family=\"sans-serif\" font-size=\"12\">height: share of the time</text>\n",
                    at(width - 24));
}

}  // namespace

std::string describe_timeline(const std::vector<LedgerEntry>& entries, const std::string& label) {
  const auto timeline = timeline_of(entries);
  if (timeline.rows.empty()) return "Nothing that took time (" + label + ").";
  std::string text = fmt::format("{} in all ({}).", seconds_text(static_cast<double>(timeline.length) * 1e-9), label);
  for (const auto& row : timeline.rows) text += fmt::format(" {}.", describe(row));
  if (timeline.rows_left_out > 0) text += fmt::format(" {} more rows.", timeline.rows_left_out);
  return text;
}

std::string label_of_measured(const std::vector<LedgerEntry>& entries) {
  const bool uses_gpus = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return !e.queue.is_cpu(); });
  const bool on_host = uses_gpus && num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  return on_host ? "host threads, not a GPU" : "measured";
}

std::string draw_timeline(const std::vector<LedgerEntry>& entries, const std::string& label) {
  const auto timeline = timeline_of(entries);
  const double bottom = top + row_height * static_cast<double>(std::max<std::size_t>(timeline.rows.size(), 1));
  const double height = bottom + 44;
  const auto length = static_cast<double>(std::max<std::int64_t>(timeline.length, 1));
  const auto title = timeline.rows_left_out == 0
                         ? label
                         : fmt::format("{}; {} more rows are not drawn", label, timeline.rows_left_out);
  bool by_share = false;
  const auto rows = rows_of(timeline, plot_width / length, by_share);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">\n"
      "  <title>Timeline, {2}</title>\n  <desc>{3}</desc>\n"
      "  <text x=\"8\" y=\"22\" fill=\"currentColor\" font-family=\"sans-serif\" font-size=\"13\">{2}</text>\n"
      "{4}{5}{6}</svg>\n",
      at(width), at(height), escaped(title), escaped(describe_timeline(entries, label)), legend(by_share),
      time_axis(length * 1e-9, bottom), rows);
}

}  // namespace detail

std::string timeline_svg(const std::vector<LedgerEntry>& entries) {
  return detail::draw_timeline(entries, detail::label_of_measured(entries));
}

std::string timeline_description(const std::vector<LedgerEntry>& entries) {
  return detail::describe_timeline(entries, detail::label_of_measured(entries));
}

}  // namespace d2l
