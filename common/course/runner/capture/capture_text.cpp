// SPDX-License-Identifier: MIT
#include "capture/capture_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "d2l/error.h"

namespace d2l::runner {

namespace {

using Json = nlohmann::json;

// Gives the capture to `read`; ConfigurationError when it is malformed.
template <class Read>
void read_capture(const std::string& text, const Read& read) {
  try {
    read(Json::parse(text));
  } catch (const Json::exception& error) {
    throw ConfigurationError(fmt::format("[d2l_capture] this is not a capture: {}", error.what()));
  }
}

// Marks the first line with '>' and the others with '|', so that it is clear where an output begins.
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
  throw ConfigurationError(
      fmt::format("[d2l_capture] unknown kind of output '{}': it must be text, measured or svg", kind));
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

// The names of the devices in the header.
std::vector<std::string> devices_in(const std::string& rendered) {
  const std::string begin = "device ";
  std::vector<std::string> names;
  for (const auto& line : lines_of(rendered)) {
    if (line.empty()) break;
    if (line.starts_with(begin)) names.push_back(line.substr(begin.size()));
  }
  return names;
}

// What is wrong with a measured output; empty when it is right.
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

}  // namespace

std::string render(const std::string& json) {
  std::string text;
  read_capture(json, [&](const Json& document) { text = render_document(document); });
  return text;
}

std::string without_devices(const std::string& rendered) {
  const auto header_end = rendered.find("\n\n");
  std::string text = header_end == std::string::npos ? "" : rendered.substr(header_end);
  const auto replace = [&text](const std::string& part, const std::string& by) {
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at))
      text.replace(at, part.size(), by);
  };
  for (const auto& name : devices_in(rendered)) replace(name, "[GPU]");
  replace(" (host threads, not a GPU)", "");
  return text;
}

int count_devices(const std::string& rendered) { return static_cast<int>(devices_in(rendered).size()); }

std::vector<std::string> values_out_of_range(const std::string& json) {
  std::vector<std::string> faults;
  read_capture(json, [&](const Json& document) {
    for (const auto& cell : document.at("cells")) {
      for (const auto& output : cell.at("outputs")) {
        if (output.at("kind") != "measured") continue;
        if (auto fault = fault_of(output); !fault.empty()) faults.push_back(std::move(fault));
      }
    }
  });
  return faults;
}

}  // namespace d2l::runner
