// SPDX-License-Identifier: MIT
#include "report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>

#include "base/svg.h"
#include "hip/program.h"

namespace d2l::emulator::report_page {
namespace {

using d2l::detail::svg::escaped;

constexpr std::size_t max_findings = 50;
constexpr const char* missing_colour = "#c4621a";  // visible on white and on black

std::string place_of(const Race::Side& side) {
  return side.file.empty() ? "an unknown line" : fmt::format("{}:{}", side.file, side.line);
}

std::string box(double x, double y, const std::string& access, const std::string& place) {
  return fmt::format(R"(<rect x="{0}" y="{1}" width="190" height="40" rx="3" fill="#2f7fc4" fill-opacity="0.25" )"
                     R"(stroke="currentColor"/>)"
                     R"(<text x="{2}" y="{3}" text-anchor="middle" font-weight="600">{4}</text>)"
                     R"(<text x="{2}" y="{5}" text-anchor="middle">{6}</text>)",
                     x, y, x + 95, y + 17, escaped(access), y + 33, escaped(place));
}

std::string line_at(double x, const char* colour, const char* dashes) {
  return fmt::format(
      R"(<line x1="{0}" y1="30" x2="{0}" y2="176" stroke="{1}" stroke-width="3" stroke-dasharray="{2}"/>)", x, colour,
      dashes);
}

std::string between(const Race::Side& first, const Race::Side& second) {
  return fmt::format("A __syncthreads() between {} and {}", place_of(first), place_of(second));
}

/// What orders the two accesses.
std::string remedy(const Race& race) {
  if (!race.same_block) {
    return "No barrier of a block orders threads of two blocks: use an atomic operation, or a launch for each part.";
  }
  if (race.first.file.empty() || race.second.file.empty()) return "A __syncthreads() between the two orders them.";
  if (race.first.line == race.second.line && race.first.file == race.second.file) {
    return fmt::format(
        "Both are in {}: a __syncthreads() must be between the access of one thread and that of the other, "
        "or the threads must use different elements.",
        place_of(race.first));
  }
  // The second access may be of the next iteration of a loop, or of a thread that is behind.
  const bool backwards = race.first.file == race.second.file && race.first.line > race.second.line;
  if (!backwards) return between(race.first, race.second) + " orders them.";
  return between(race.second, race.first) +
         fmt::format(" orders them or, in a loop, one after {} before the next iteration.", place_of(race.first));
}

}  // namespace

std::string race_svg(const Race& race) {
  constexpr double first_row = 54;
  constexpr double second_row = 128;
  std::string text = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 200" role="img" font-family="sans-serif" )"
      R"(font-size="12" fill="currentColor"><title>Two threads that nothing orders</title>)"
      R"(<text x="50" y="{}">{}</text><text x="50" y="{}">{}</text>)",
      first_row - 8, escaped(race.first.thread), second_row - 8, escaped(race.second.thread));
  text += R"(<path d="M8 74H692M8 148H692" stroke="currentColor" stroke-opacity="0.35"/>)";
  if (!race.barrier.empty()) {
    text += line_at(40, "currentColor", "none") +
            fmt::format(R"(<text x="8" y="22">barrier at {}</text>)", escaped(race.barrier));
  }
  text += box(90, first_row, race.first.access, place_of(race.first)) +
          box(450, second_row, race.second.access, place_of(race.second)) + line_at(365, missing_colour, "6 5") +
          fmt::format(R"(<text x="365" y="22" text-anchor="middle" fill="{}">{}</text>)", missing_colour,
                      race.same_block ? "a barrier is missing here" : "nothing orders the two blocks here");
  return text + R"(<text x="692" y="194" text-anchor="end">time →</text></svg>)";
}

std::string race_description(const Race& race) {
  return fmt::format("In this run {} made a {} of {} at {}, and then {} a {} at {}{}. {}", race.first.thread,
                     race.first.access, race.element, place_of(race.first), race.second.thread, race.second.access,
                     place_of(race.second), race.same_block ? ", with no barrier between them" : "", remedy(race));
}

void Findings::add(const std::string& reports, const std::vector<Race>& races) {
  std::istringstream lines(reports);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (findings_.size() >= max_findings) {
      ++more_;
      continue;
    }
    Finding found{in_names_of_program(line), {}, 0, {}};
    static const std::regex place(R"(^[a-z -]+ at ([^\s:]+):(\d{1,7}):)");
    if (std::smatch match; std::regex_search(line, match, place)) {
      found.file = match[1];
      found.line = std::stoi(match[2]);
    }
    std::ranges::copy_if(races, std::back_inserter(found.races), [&](const Race& race) { return race.report == line; });
    findings_.push_back(std::move(found));
  }
}

std::string Findings::html() const {
  if (findings_.empty()) return "";
  std::string text = "<section id=\"findings\"><h2>What the checks reported</h2>\n";
  std::size_t number = 0;
  for (const Finding& finding : findings_) {
    text += fmt::format("<div class=\"finding\" id=\"finding-{}\"><p>{}</p>\n", ++number, escaped(finding.text));
    for (const Race& race : finding.races) {
      text += fmt::format("<figure><div class=\"scroll\" tabindex=\"0\">{}</div><figcaption>{}</figcaption></figure>\n",
                          race_svg(race), escaped(race_description(race)));
    }
    text += "</div>\n";
  }
  if (more_ != 0) text += fmt::format("<p>and {} more lines</p>\n", more_);
  return text + "</section>\n";
}

std::set<int> Findings::lines_of(const std::string& file) const {
  std::set<int> lines;
  for (const Finding& finding : findings_) {
    if (!finding.file.empty() && finding.file == file) lines.insert(finding.line);
  }
  return lines;
}

std::string Findings::links(const std::string& file, int line) const {
  std::string text;
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    const Finding& finding = findings_[i];
    if (finding.file != file || finding.line != line) continue;
    text += fmt::format("<p><a href=\"#finding-{}\">{}</a></p>\n", i + 1, escaped(finding.text));
  }
  return text;
}

}  // namespace d2l::emulator::report_page
