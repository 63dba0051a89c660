// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/svg.h"
#include "ledger/request_parts.h"
#include "report/sections.h"
#include "report/source_excerpts.h"

namespace d2l::emulator::report_page {
namespace {

using d2l::detail::count_columns;
using d2l::detail::count_texts;
using d2l::detail::svg::escaped;

constexpr std::size_t all_columns = count_columns.size() + 2;

/// Sectors and passes that would not be needed if the lanes asked for neighbouring bytes and for different banks.
/// `min_passes` is what an access to shared memory takes without conflicts.
std::uint64_t waste(const LineCounts& at, std::uint64_t min_passes) {
  const std::uint64_t sectors = at.load_sectors + at.store_sectors;
  const std::uint64_t needed = (at.load_bytes + at.store_bytes + 31) / 32;
  const std::uint64_t passes = min_passes * at.shared_requests;
  return (sectors > needed ? sectors - needed : 0) + (at.shared_passes > passes ? at.shared_passes - passes : 0);
}

/// A line of a kernel with its counts.
class CountedLines {
 public:
  CountedLines(const KernelRun& run, const Findings& findings) : run_(run), findings_(findings) {
    for (const LineCounts& at : run.counts.lines) {
      by_place_[{at.file, at.line}] = &at;
      if (is_costly(at) && (worst_ == nullptr || waste_of(at) > waste_of(*worst_))) worst_ = &at;
    }
  }

  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& [place, at] : by_place_) names.insert(place.first);
    return names;
  }
  [[nodiscard]] std::set<int> lines_of(const std::string& file) const {
    std::set<int> lines = findings_.lines_of(file);
    for (const auto& [place, at] : by_place_) {
      if (place.first == file) lines.insert(place.second);
    }
    return lines;
  }
  /// The row of a source line, and below it what the checks reported there, and what its accesses look like.
  [[nodiscard]] std::string rows(const std::string& file, int line, const std::string& code) const {
    const auto found = by_place_.find({file, line});
    if (found == by_place_.end()) {
      return fmt::format(
                 "<tr><th class=\"number\" scope=\"row\">{}</th><td class=\"code\">{}</td><td "
                 "colspan=\"{}\"></td></tr>\n",
                 line, escaped(code), count_columns.size()) +
             reported(file, line);
    }
    const LineCounts& at = *found->second;
    const char* const kind = &at == worst_ ? " class=\"worst\"" : is_costly(at) ? " class=\"costly\"" : "";
    return fmt::format("<tr{}><th class=\"number\" scope=\"row\">{}</th><td class=\"code\">{}</td>{}</tr>\n", kind,
                       line, escaped(code), cells(at)) +
           reported(file, line) + pictures(at);
  }
  static std::string cells(const LineCounts& at) {
    const auto texts = count_texts(at);
    std::string text;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const bool none = texts.at(i) == "0" || texts.at(i) == "0.00" || texts.at(i) == "0 %" || texts.at(i) == "0.0";
      text += fmt::format("<td data-name=\"{}\"{}>{}</td>", count_columns.at(i), none ? " class=\"none\"" : "",
                          texts.at(i));
    }
    return text;
  }

 private:
  [[nodiscard]] std::string reported(const std::string& file, int line) const {
    const std::string links = findings_.links(file, line);
    if (links.empty()) return "";
    return fmt::format("<tr class=\"more reported\"><td colspan=\"{}\">{}</td></tr>\n", all_columns, links);
  }
  /// Accesses of 8 and 16 bytes are served by parts of the warp.
  [[nodiscard]] std::uint64_t waste_of(const LineCounts& at) const {
    std::uint64_t least = 1;
    for (const WarpRequest& request : run_.counts.requests) {
      if (!request.shared || request.line != at.line || request.file != at.file) continue;
      least = std::max<std::uint64_t>(least, d2l::detail::served_parts(request).size());
    }
    return waste(at, least);
  }
  /// True if half of what it asks for or more is waste.
  [[nodiscard]] bool is_costly(const LineCounts& at) const {
    const std::uint64_t wasted = waste_of(at);
    return wasted != 0 && wasted * 2 >= at.load_sectors + at.store_sectors + at.shared_passes;
  }
  static std::string summary(const WarpRequest& request) {
    const char* const unit =
        request.shared ? (request.cost == 1 ? "pass" : "passes") : (request.cost == 1 ? "sector" : "sectors");
    return fmt::format("{} {}: {} {}", request.store ? "store to" : "load from",
                       request.array.substr(0, request.array.find(" (")), request.cost, unit);
  }
  [[nodiscard]] std::string pictures(const LineCounts& at) const {
    std::string text;
    std::string names;
    for (const WarpRequest& request : run_.counts.requests) {
      if (request.line != at.line || request.file != at.file) continue;
      names += (names.empty() ? "" : "; ") + summary(request);
      text += fmt::format("<figure><div class=\"scroll\" tabindex=\"0\">{}</div><figcaption>{}</figcaption></figure>\n",
                          request_svg(request), escaped(request_description(request)));
    }
    if (text.empty()) return "";
    return fmt::format(
        "<tr class=\"more\"><td colspan=\"{}\"><details{}><summary>{}</summary>\n{}</details></td></tr>\n", all_columns,
        &at == worst_ ? " open" : "", escaped(names), text);
  }

  const KernelRun& run_;
  const Findings& findings_;
  std::map<std::pair<std::string, int>, const LineCounts*> by_place_;
  const LineCounts* worst_ = nullptr;
};

std::string message_row(const char* kind, const std::string& message) {
  return fmt::format("<tr class=\"{}\"><td colspan=\"{}\">{}</td></tr>\n", kind, all_columns, escaped(message));
}

std::string file_rows(const CountedLines& counted, const std::string& file, const std::string& path) {
  const std::set<int> wanted = counted.lines_of(file);
  const std::vector<std::string> lines = path.empty() ? std::vector<std::string>{} : read_lines(path);
  std::string text = fmt::format("<tr class=\"file\"><th colspan=\"{}\" scope=\"rowgroup\">{}</th></tr>\n", all_columns,
                                 escaped(file));
  std::set<int> shown;
  int before = 0;
  for (const Excerpt& part : excerpts_around(lines, wanted)) {
    if (before != 0) text += message_row("cut", fmt::format("lines {} to {}", before + 1, part.first - 1));
    for (int line = before = part.first; line <= part.last; before = line++) {
      text += counted.rows(file, line, lines.at(static_cast<std::size_t>(line) - 1));
      shown.insert(line);
    }
  }
  for (const int line : wanted) {
    if (!shown.contains(line)) text += counted.rows(file, line, "(its source cannot be read)");
  }
  return text;
}

}  // namespace

std::string kernel_section(std::size_t number, const d2l::detail::KernelSums::Sum& sum, const Findings& findings,
                           const FindPath& path_of) {
  const KernelRun& run = sum.run;
  std::string text = fmt::format("<section id=\"kernel-{}\"><h2>{}</h2>\n", number, escaped(run.name));
  const std::string launches = sum.launches == 1 ? "" : fmt::format("{} launches, all together: ", sum.launches);
  text += fmt::format("<p>{}{}</p>\n", launches, escaped(d2l::detail::size_text(run.counts)));
  for (const std::string& line : d2l::detail::step_texts(run))
    text += fmt::format("<p class=\"pale\">{}</p>\n", escaped(line));
  text += "<table class=\"source\"><thead><tr><th scope=\"col\">line</th><th class=\"text\" scope=\"col\">source</th>";
  for (const char* const column : count_columns) text += fmt::format("<th scope=\"col\">{}</th>", column);
  text += "</tr></thead>\n<tbody>\n";
  const CountedLines counted(run, findings);
  for (const std::string& file : counted.files()) text += file_rows(counted, file, path_of(file));
  return text +
         fmt::format("<tr class=\"sum\"><th class=\"number\" scope=\"row\">all</th><td class=\"code\"></td>{}</tr>\n",
                     CountedLines::cells(run.counts)) +
         "</tbody></table></section>\n";
}

}  // namespace d2l::emulator::report_page
