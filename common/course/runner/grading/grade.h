// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "grading/sandbox/task.h"

namespace d2l::grading {

/// The options of ./learn grade.
struct Request {
  std::filesystem::path course;  ///< the checkout
  std::filesystem::path build;   ///< the build folder with its grading kit
  std::filesystem::path submissions;
  std::filesystem::path report;
  std::filesystem::path junit;
  std::filesystem::path html;
  std::filesystem::path csv;
  std::filesystem::path gradescope;
  std::string visibility = "visible";  ///< of the tests in Gradescope
  std::filesystem::path checks;
  int jobs = 1;
  std::optional<std::uint64_t> seed;
  std::string virtual_gpus = "2:256MiB@host";
  bool bubblewrap = true;
  Limits limits;
};

/// Grades all submissions and writes the reports; throws runner::Stop on failure.
void grade(const Request& request);

}  // namespace d2l::grading
