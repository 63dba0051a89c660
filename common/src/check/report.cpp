// SPDX-License-Identifier: MIT
#include "check/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
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
  switch (verdict) {
    case Verdict::pass:
      return in_colour("32", "✓");
    case Verdict::fail:
      return in_colour("31", "✗");
    case Verdict::not_verifiable:
      return in_colour("33", "?");
  }
  return "";
}

void print_line(const char* label, const std::string& text) {
  if (!text.empty()) fmt::print("      {:<9} {}\n", label, text);
}

void print_finding(const Finding& finding) {
  const bool passed = finding.verdict == Verdict::pass;
  const std::string points = fmt::format("{}/{}", passed ? finding.item.points : 0, finding.item.points);
  fmt::print("  {} {:<12} {:>4}  {}\n", sign(finding.verdict), finding.item.name,
             finding.verdict == Verdict::not_verifiable ? "-" : points, finding.item.what);
  if (finding.verdict == Verdict::not_verifiable) {
    print_line("not verifiable on this hardware; it needs ", finding.needs);
  }
  if (finding.verdict != Verdict::fail) return;
  print_line("expected", finding.expected);
  print_line("found", finding.found);
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
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::not_verifiable:
      return "not_verifiable";
  }
  return "";
}

std::string word(Kind kind) {
  switch (kind) {
    case Kind::result:
      return "result";
    case Kind::placement:
      return "placement";
    case Kind::cost:
      return "cost";
    case Kind::timing:
      return "timing";
  }
  return "";
}

void print_report(const Judgement& judgement, std::uint64_t seed) {
  fmt::print("{} (seed {})\n", in_colour("1", fmt::format("{} {}", description.number, description.title)), seed);
  for (const Finding& finding : judgement.findings()) print_finding(finding);
  switch (judgement.verdict()) {
    case Verdict::pass:
      fmt::print("Pass: {} of {} points.\n", judgement.points(), judgement.possible());
      break;
    case Verdict::fail:
      fmt::print("Not yet: {} of {} points.\n", judgement.points(), judgement.possible());
      break;
    case Verdict::not_verifiable:
      fmt::print("{} of {} points; what is marked ? cannot be verified on this hardware.\n", judgement.points(),
                 judgement.possible());
      break;
  }
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
