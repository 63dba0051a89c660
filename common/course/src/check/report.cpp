// SPDX-License-Identifier: MIT
#include "check/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "check/description.h"
#include "runtime/configuration.h"

namespace d2l::check {
namespace {

using Json = nlohmann::ordered_json;

bool wants_colour() {
  const char* const refused = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) == 1 && (refused == nullptr || *refused == '\0');
}

std::string in_colour(const char* colour, const std::string& text) {
  return wants_colour() ? fmt::format("\033[{}m{}\033[0m", colour, text) : text;
}

std::string sign(Verdict verdict) {
  static constexpr std::array<std::array<const char*, 2>, 3> signs{{{"32", "✓"}, {"31", "✗"}, {"33", "?"}}};
  const auto& [colour, text] = signs.at(static_cast<std::size_t>(verdict));
  return in_colour(colour, text);
}

void print_line(const char* label, const std::string& text) {
  std::string indented = text;
  for (std::size_t at = 0; (at = indented.find('\n', at)) != std::string::npos; ++at) indented.insert(at + 1, 16, ' ');
  if (!text.empty()) fmt::print("      {:<9} {}\n", label, indented);
}

/// Prints a finding; `as` is an item above that fails with the same long text, or empty.
void print_finding(const Finding& finding, const std::string& as) {
  const bool passed = finding.verdict == Verdict::pass;
  const std::string points = fmt::format("{}/{}", passed ? finding.item.points : 0, finding.item.points);
  fmt::print("  {} {:<12} {:>4}  {}\n", sign(finding.verdict), finding.item.name,
             finding.verdict == Verdict::not_verifiable ? "-" : points, finding.item.what);
  if (finding.verdict == Verdict::not_verifiable) {
    print_line("not verifiable on this hardware; it needs ", finding.needs);
  }
  if (finding.verdict != Verdict::fail) return;
  print_line("expected", finding.expected);
  print_line("found", as.empty() ? finding.found : "the same as for " + as);
  print_line("where", finding.where);
  print_line("hint", fmt::format("./learn hint {} {}", description.number, finding.item.hint));
}

Json devices() {
  Json names = Json::array({device_properties(cpu()).name});
  for (int i = 0; i < num_gpus(); ++i) names.push_back(device_properties(gpu(i)).name);
  return names;
}

}  // namespace

std::string word(Verdict verdict) {
  static constexpr std::array words{"pass", "fail", "not_verifiable"};
  return words.at(static_cast<std::size_t>(verdict));
}

std::string word(Kind kind) {
  static constexpr std::array words{"result", "placement", "cost", "timing"};
  return words.at(static_cast<std::size_t>(kind));
}

void print_report(const Judgement& judgement, std::uint64_t seed) {
  fmt::print("{} (seed {})\n", in_colour("1", fmt::format("{} {}", description.number, description.title)), seed);
  constexpr std::size_t long_text = 60;
  std::map<std::string, std::string> items;  // by what was found
  for (const Finding& finding : judgement.findings()) {
    const bool repeats = finding.verdict == Verdict::fail && finding.found.size() > long_text;
    const std::string as = repeats ? items.emplace(finding.found, finding.item.name).first->second : "";
    print_finding(finding, as == finding.item.name ? "" : as);
  }
  const Verdict verdict = judgement.verdict();
  const char* const begin = verdict == Verdict::pass ? "Pass: " : verdict == Verdict::fail ? "Not yet: " : "";
  const char* const end =
      verdict == Verdict::not_verifiable ? "; what is marked ? cannot be verified on this hardware" : "";
  fmt::print("{}{} of {} points{}.\n", begin, judgement.points(), judgement.possible(), end);
}

void write_report(const Judgement& judgement, std::uint64_t seed, const std::string& path) {
  Json json = {{"exercise", description.name},
               {"number", description.number},
               {"title", description.title},
               {"seed", seed},
               {"configuration", detail::configuration_name()},
               {"devices", devices()},
               {"verdict", word(judgement.verdict())},
               {"points", judgement.points()},
               {"possible", judgement.possible()}};
  Json items = Json::array();
  for (const Finding& finding : judgement.findings()) {
    items.push_back({{"name", finding.item.name},
                     {"kind", word(finding.item.kind)},
                     {"what", finding.item.what},
                     {"points", finding.verdict == Verdict::pass ? finding.item.points : 0},
                     {"possible", finding.item.points},
                     {"verdict", word(finding.verdict)},
                     {"expected", finding.expected},
                     {"found", finding.found},
                     {"where", finding.where},
                     {"hint", finding.item.hint},
                     {"needs", finding.needs}});
  }
  json["items"] = std::move(items);
  detail::write_file("check", path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace d2l::check
