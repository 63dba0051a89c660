// SPDX-License-Identifier: MIT
// Renders a file of cells as text, and compares two such texts.
#include "capture/capture_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "d2l/error.h"

namespace d2l::runner {

namespace {

using Json = nlohmann::json;

Json parse(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw ConfigurationError(fmt::format("[d2l_capture] this is no file of cells: {}", error.what()));
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The first line after '>', the others after '|': where an output begins is never in doubt.
std::string block(const std::string& text) {
  std::string rendered;
  char mark = '>';
  auto lines = lines_of(text);
  if (lines.empty()) lines.emplace_back();
  for (const auto& line : lines) {
    rendered += fmt::format("{}{}{}\n", mark, line.empty() ? "" : " ", line);
    mark = '|';
  }
  return rendered;
}

std::string render_measured(const Json& output) {
  const auto label = output.value("label", "");
  const auto what = label.empty() ? "" : label + ": ";
  if (!output.contains("low")) return fmt::format("[measured: {}text]\n", what);
  return fmt::format("[measured: {}{}, {} to {}]\n", what, output.at("unit").get<std::string>(),
                     output.at("low").get<double>(), output.at("high").get<double>());
}

std::string render_output(const Json& output) {
  const auto kind = output.at("kind").get<std::string>();
  if (kind == "measured") return render_measured(output);
  if (kind == "svg") {
    return fmt::format("[picture: {}]\n", output.value("alternative", "")) +
           block(output.at("text").get<std::string>());
  }
  if (kind == "text") return block(output.at("text").get<std::string>());
  throw ConfigurationError(fmt::format("[d2l_capture] an output of kind '{}'; text, measured and svg are known", kind));
}

std::string render_document(const Json& document) {
  auto text = fmt::format("section {}, configuration {}\n", document.at("section").get<std::string>(),
                          document.at("configuration").get<std::string>());
  for (const auto& device : document.at("devices")) text += fmt::format("device {}\n", device.get<std::string>());
  int number = 0;
  for (const auto& cell : document.at("cells")) {
    const auto title = cell.value("title", "");
    text += fmt::format("\ncell {}{}{}\n", ++number, title.empty() ? "" : ": ", title);
    for (const auto& output : cell.at("outputs")) text += render_output(output);
  }
  return text;
}

// Says what is wrong with one measured output; empty when nothing is.
std::string fault_of(const Json& output) {
  const auto label = output.value("label", "a measured value");
  if (!output.contains("low")) {
    return output.value("text", "").empty() ? fmt::format("{}: no text was measured", label) : "";
  }
  const double value = output.at("value").is_number() ? output.at("value").get<double>() : std::nan("");
  const double low = output.at("low").get<double>();
  const double high = output.at("high").get<double>();
  if (value >= low && value <= high) return "";
  return fmt::format("{}: {} {} is not between {} and {}", label, value, output.value("unit", ""), low, high);
}

// The lengths of the longest common subsequences of all tails of two texts.
std::vector<std::vector<int>> common_tails(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::vector<int>> length(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      length[i][j] = a[i] == b[j] ? length[i + 1][j + 1] + 1 : std::max(length[i + 1][j], length[i][j + 1]);
    }
  }
  return length;
}

// Every line of both texts, marked ' ', '-' (expected only) or '+' (actual only).
std::vector<std::string> merged(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto length = common_tails(a, b);
  std::vector<std::string> lines;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      lines.push_back(" " + a[i++]);
      ++j;
    } else if (i < a.size() && (j == b.size() || length[i + 1][j] >= length[i][j + 1])) {
      lines.push_back("-" + a[i++]);
    } else {
      lines.push_back("+" + b[j++]);
    }
  }
  return lines;
}

}  // namespace

std::string render(const std::string& json) {
  try {
    return render_document(parse(json));
  } catch (const Json::exception& error) {
    throw ConfigurationError(fmt::format("[d2l_capture] this is no file of cells: {}", error.what()));
  }
}

std::vector<std::string> values_out_of_range(const std::string& json) {
  std::vector<std::string> faults;
  try {
    const auto document = parse(json);
    for (const auto& cell : document.at("cells")) {
      for (const auto& output : cell.at("outputs")) {
        if (output.at("kind") != "measured") continue;
        if (auto fault = fault_of(output); !fault.empty()) faults.push_back(std::move(fault));
      }
    }
  } catch (const Json::exception& error) {
    throw ConfigurationError(fmt::format("[d2l_capture] this is no file of cells: {}", error.what()));
  }
  return faults;
}

std::string difference(const std::string& expected, const std::string& actual) {
  if (expected == actual) return "";
  constexpr std::size_t around = 3;
  const auto lines = merged(lines_of(expected), lines_of(actual));
  std::vector<bool> kept(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i][0] == ' ') continue;
    for (auto j = i - std::min(i, around); j < std::min(lines.size(), i + around + 1); ++j) kept[j] = true;
  }
  std::string text = "--- expected\n+++ shown\n";
  bool skipped = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!kept[i]) {
      skipped = true;
      continue;
    }
    if (skipped) text += "...\n";
    skipped = false;
    text += lines[i] + "\n";
  }
  return text;
}

}  // namespace d2l::runner
