// SPDX-License-Identifier: MIT
// The grading of a class.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "task.h"

namespace d2l::grading {

/// What an instructor asks for.
struct Request {
  std::filesystem::path course;  ///< the checkout
  std::filesystem::path build;   ///< where its kit was built
  std::filesystem::path submissions;
  std::filesystem::path report;
  std::filesystem::path junit;
  std::filesystem::path html;
  std::filesystem::path csv;
  std::filesystem::path gradescope;
  std::string visibility = "visible";  ///< of Gradescope's tests
  std::filesystem::path checks;
  int jobs = 1;
  std::optional<std::uint64_t> seed;
  std::string virtual_gpus = "2:256MiB@host";
  bool bubblewrap = true;
  Limits limits;
};

/// Grades all submissions and writes the reports; throws runner::Stop when that cannot be.
void grade(const Request& request);

}  // namespace d2l::grading
