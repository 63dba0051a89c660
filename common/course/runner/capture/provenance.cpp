// SPDX-License-Identifier: MIT
#include "capture/provenance.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/sha256.h"
#include "base/text.h"
#include "d2l/error.h"
#include "output/lesson_source.h"

namespace d2l::runner {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  ::gmtime_r(&now, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

std::string name_of_processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return trimmed(line.substr(line.find(':') + 1));
  }
  return "";
}

int number_of_cell(const std::vector<detail::LessonCell>& cells, int line) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].line == line) return static_cast<int>(i) + 1;
  }
  throw ConfigurationError(fmt::format("[d2l_capture] the lesson's source has no cell that begins in line {}", line));
}

}  // namespace

std::string code_fingerprint(const std::string& source) {
  std::string code;
  for (const std::string& untrimmed : lines_of(source)) {
    std::string line = trimmed(untrimmed);
    const bool begins_cell = line == "// %%" || line.starts_with("// %% ");
    if (begins_cell) line = "// %%";
    if (line.empty() || (line.starts_with("//") && !begins_cell)) continue;
    code += line + "\n";
  }
  return sha256(code);
}

std::string this_machine() {
  utsname system{};
  ::uname(&system);
  std::string machine = system.machine;
  if (machine == "x86_64") machine = "x86-64";
  const unsigned cores = std::thread::hardware_concurrency();
  const std::string processor = name_of_processor();
  return fmt::format("{} {}, {} core{}{}", system.sysname, machine, cores, cores == 1 ? "" : "s",
                     processor.empty() ? "" : " (" + processor + ")");
}

std::string with_provenance(const std::string& json, const std::string& source) {
  try {
    auto document = OrderedJson::parse(json);
    OrderedJson captured{{"when", today()}, {"on", this_machine()}};
    if (!source.empty()) {
      captured["cells_sha256"] = code_fingerprint(source);
      const auto cells = detail::cells_of(source);
      for (auto& cell : document.at("cells")) cell["cell"] = number_of_cell(cells, cell.at("line").get<int>());
    }
    document["captured"] = captured;
    return document.dump(2) + "\n";
  } catch (const OrderedJson::exception& error) {
    throw ConfigurationError(fmt::format("[d2l_capture] this is not a capture: {}", error.what()));
  }
}

}  // namespace d2l::runner
