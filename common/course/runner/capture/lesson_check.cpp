// SPDX-License-Identifier: MIT
#include "capture/lesson_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/machine.h"
#include "base/root.h"
#include "base/run_limited.h"
#include "capture/capture_text.h"
#include "capture/provenance.h"
#include "course/originals.h"

namespace d2l::runner {

namespace {

namespace files = std::filesystem;

bool wants_card(const std::string& configuration) { return configuration.starts_with("gpu"); }

/// D2L_VIRTUAL_GPUS of a configuration: "virtual2" → "2@host", "none" → "0", "gpu_virtual2" → "2", "gpu" → "" (unset).
std::string virtual_gpus_of(const std::string& configuration) {
  if (configuration == "none") return "0";
  const std::string name = "virtual";
  const auto at = configuration.find(name);
  if (at == std::string::npos) return "";
  return configuration.substr(at + name.size()) + (wants_card(configuration) ? "" : "@host");
}

void set(const char* name, const std::string& value) {
  if (value.empty()) {
    ::unsetenv(name);
  } else {
    ::setenv(name, value.c_str(), 1);
  }
}

/// The exit code of the lesson, run in the configuration that `check` names.
int run_lesson(const LessonCheck& check) {
  Command command{files::absolute(check.lesson).string()};
  command.insert(command.end(), check.arguments.begin(), check.arguments.end());
  return wait_for(start(command, files::current_path(), [&] {
    set("D2L_VIRTUAL_GPUS", virtual_gpus_of(check.configuration));
    set("D2L_CHECK_PLACEMENT", "1");
    set("D2L_CELLS", check.cells);
  }));
}

int skip(const std::string& why) {
  fmt::print("Skipped: {}\n", why);
  return skipped_status;
}

std::string name_of_configuration(const std::string& cells) {
  const auto document = nlohmann::json::parse(read_file(cells), nullptr, false);
  return document.is_object() ? document.value("configuration", "") : "";
}

void print_difference(const std::string& expected, const std::string& shown) {
  const auto print = [](const std::string& line) { fmt::print("{}\n", line); };
  run_reading({"diff", "--unified", "--label=expected", "--label=shown", expected, shown}, files::current_path(),
              print);
}

/// Compares a capture with the expected output on as many virtual GPUs; 0, or 1 when it differs.
int compare_as_virtual(const LessonCheck& check) {
  const auto shown = render(read_file(check.cells));
  const auto name = fmt::format("{}.virtual{}.txt", check.section, count_devices(shown));
  const auto expected = without_devices(read_file(files::path(check.expected) / name));
  if (expected == without_devices(shown)) return 0;
  fmt::print("The output differs from {}, apart from the names of the devices.\n", name);
  write_file(check.cells + ".expected.txt", expected);
  write_file(check.cells + ".txt", without_devices(shown));
  print_difference(check.cells + ".expected.txt", check.cells + ".txt");
  return 1;
}

}  // namespace

int compare(const std::string& cells, const std::string& expected, const std::string& again) {
  const auto json = read_file(cells);
  const auto faults = values_out_of_range(json);
  for (const auto& fault : faults) fmt::print("{}\n", fault);
  const auto shown = render(json);
  if (read_file(expected) == shown) return faults.empty() ? 0 : 1;
  fmt::print("The output differs from {}.\nIf the new output is right, keep it: {}\n", expected, again);
  write_file(cells + ".txt", shown);
  print_difference(expected, cells + ".txt");
  return 1;
}

int run_program(const LessonCheck& check) {
  std::error_code ignored;
  files::remove(check.cells, ignored);
  files::create_directories(files::path(check.cells).parent_path(), ignored);
  if (const int status = run_lesson(check); status != 0) {
    fmt::print("{} ended with exit code {}\n", check.lesson, status);
    return 1;
  }
  const auto source = check.source.empty() ? "" : read_file(check.source);
  write_file(check.cells, with_provenance(read_file(check.cells), source));
  return 0;
}

int check_lesson(const LessonCheck& check) {
  std::error_code ignored;
  // A student may change a lesson: what it shows then is no error.
  const bool edited = !check.capture && !check.source.empty() && is_edited(root(), check.source);
  if (wants_card(check.configuration) && !check.as_virtual && physical_gpus().count == 0) {
    return check.capture ? 0 : skip("this needs a physical GPU");
  }
  const auto judged = [&](int status) {
    if (status == 0 || !edited) return status;
    return skip(fmt::format("{} is edited; ./learn reset --lesson restores it", check.source));
  };
  if (const int status = run_program(check); status != 0) return judged(status);
  const auto configuration = name_of_configuration(check.cells);
  const bool on_card = configuration != "none" && !configuration.starts_with("virtual");
  if (wants_card(check.configuration) && !on_card) {
    return check.capture ? 0 : skip("this needs a physical GPU");
  }
  if (check.as_virtual) return judged(compare_as_virtual(check));

  const auto expected = (files::path(check.expected) / fmt::format("{}.{}.txt", check.section, configuration)).string();
  if (check.capture) {
    if (const auto faults = values_out_of_range(read_file(check.cells)); !faults.empty()) {
      fmt::print("not captured: {}\n", fmt::join(faults, "; "));
      return 1;
    }
    files::create_directories(check.expected, ignored);
    write_file(expected, render(read_file(check.cells)));
    fmt::print("{}\n", expected);
    return 0;
  }
  if (!files::exists(expected)) {
    if (wants_card(check.configuration)) return skip(fmt::format("no output is captured on {} yet", configuration));
    if (check.draft) return skip(fmt::format("the output of this lesson is not captured yet: {}", check.again));
    fmt::print("{} is missing. To write it: {}\n", expected, check.again);
    return 1;
  }
  const int status = compare(check.cells, expected, check.again);
  // The build must not use it as the capture.
  if (status != 0) files::rename(check.cells, check.cells + ".different", ignored);
  return judged(status);
}

}  // namespace d2l::runner
