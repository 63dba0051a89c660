// SPDX-License-Identifier: MIT
// Runs a lesson with D2L_CELLS, renders what it wrote, and compares or keeps it.
#include "cells_check.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cells_provenance.h"
#include "cells_text.h"
#include "d2l/error.h"

namespace d2l::runner {

namespace {

namespace files = std::filesystem;

bool wants_card(const std::string& configuration) { return configuration.starts_with("gpu"); }

// "virtual2" → "2@host", "none" → "0", "gpu_virtual2" → "2"; empty, which unsets it, for "gpu".
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

// Returns the status that the program ended with.
int run(const LessonCheck& check) {
  const auto child = ::fork();
  if (child < 0)
    throw ConfigurationError(fmt::format("[d2l_cells] cannot start {}: {}", check.lesson, std::strerror(errno)));
  if (child == 0) {
    set("D2L_VIRTUAL_GPUS", virtual_gpus_of(check.configuration));
    set("D2L_CHECK_PLACEMENT", "1");
    set("D2L_CELLS", check.cells);
    auto program = check.lesson;
    auto arguments = check.arguments;
    std::vector<char*> words{program.data()};
    for (auto& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    fmt::print(stderr, "[d2l_cells] cannot run {}: {}\n", check.lesson, std::strerror(errno));
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int skip(const std::string& why) {
  fmt::print("Skipped: {}\n", why);
  return skipped_status;
}

std::string name_of_configuration(const std::string& cells) {
  const auto document = nlohmann::json::parse(read_file(cells), nullptr, false);
  return document.is_object() ? document.value("configuration", "") : "";
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) throw ConfigurationError(fmt::format("[d2l_cells] cannot read '{}': {}", path, std::strerror(errno)));
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  const auto temporary = path + ".part";
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) files::rename(temporary, path, error);
  if (file && !error) return;
  const int reason = error ? error.value() : errno;
  files::remove(temporary, error);
  throw ConfigurationError(fmt::format("[d2l_cells] cannot write '{}': {}", path, std::strerror(reason)));
}

int compare(const std::string& cells, const std::string& expected, const std::string& again) {
  const auto json = read_file(cells);
  const auto faults = values_out_of_range(json);
  const auto differing = difference(read_file(expected), render(json));
  for (const auto& fault : faults) fmt::print("{}\n", fault);
  if (!differing.empty()) {
    fmt::print("What the lesson showed is not what {} holds.\nIf the new output is right, keep it: {}\n{}", expected,
               again.empty() ? "build the target 'capture'." : again, differing);
  }
  return faults.empty() && differing.empty() ? 0 : 1;
}

int run_program(const LessonCheck& check) {
  std::error_code ignored;
  files::remove(check.cells, ignored);
  files::create_directories(files::path(check.cells).parent_path(), ignored);
  if (const int status = run(check); status != 0) {
    fmt::print("{} ended with status {}\n", check.lesson, status);
    return 1;
  }
  const auto source = check.source.empty() ? "" : read_file(check.source);
  write_file(check.cells, with_provenance(read_file(check.cells), source));
  return 0;
}

int check_lesson(const LessonCheck& check) {
  std::error_code ignored;
  if (const int status = run_program(check); status != 0) return status;
  const auto configuration = name_of_configuration(check.cells);
  const bool on_card = configuration != "none" && !configuration.starts_with("virtual");
  if (wants_card(check.configuration) && !on_card) {
    return check.capture ? 0 : skip("this needs a physical GPU, and none is here");
  }

  const auto expected = (files::path(check.expected) / fmt::format("{}.{}.txt", check.section, configuration)).string();
  if (check.capture) {
    if (const auto faults = values_out_of_range(read_file(check.cells)); !faults.empty()) {
      fmt::print("not kept: {}\n", fmt::join(faults, "; "));
      return 1;
    }
    files::create_directories(check.expected, ignored);
    write_file(expected, render(read_file(check.cells)));
    fmt::print("{}\n", expected);
    return 0;
  }
  if (!files::exists(expected)) {
    if (wants_card(check.configuration)) return skip(fmt::format("nothing was captured on {} yet", configuration));
    fmt::print("{} is missing: build the target 'capture'\n", expected);
    return 1;
  }
  const int status = compare(check.cells, expected, check.again);
  // A build must not take it for what it asked for.
  if (status != 0) files::rename(check.cells, check.cells + ".different", ignored);
  return status;
}

}  // namespace d2l::runner
