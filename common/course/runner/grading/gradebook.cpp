// SPDX-License-Identifier: MIT
#include "grading/gradebook.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>

#include "base/error.h"
#include "base/files.h"
#include "grading/sandbox/folder_tree.h"
#include "grading/sandbox/untrusted_files.h"

namespace d2l::grading {

namespace fs = std::filesystem;

Gradebook::Gradebook(fs::path folder) : folder_(std::move(folder)) {
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem)
    throw runner::Stop(runner::wrong_usage, fmt::format("{} cannot be made: {}", folder_.string(), problem.message()));
  fs::permissions(folder_, fs::perms::owner_all, problem);
}

std::uint64_t Gradebook::seed(std::optional<std::uint64_t> wanted) {
  const fs::path file = folder_ / "seed";
  if (!wanted && fs::exists(file)) {
    const std::string text = runner::read_file(file);
    if (!text.empty() && text.size() < 20 && text.find_first_not_of("0123456789") == std::string::npos)
      return std::stoull(text);
  }
  std::random_device source;
  const std::uint64_t seed = wanted.value_or(source() % 1'000'000);
  runner::write_file(file, std::to_string(seed));
  return seed;
}

std::optional<ExerciseResult> Gradebook::find(const std::string& fingerprint) const {
  const auto bytes = read_regular_file(folder_ / (fingerprint + ".json"), std::uint64_t{16} << 20);
  if (!bytes) return std::nullopt;
  try {
    return nlohmann::ordered_json::parse(*bytes).get<ExerciseResult>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // damaged: grade it again
  }
}

void Gradebook::keep(const std::string& fingerprint, const ExerciseResult& result) const {
  runner::write_file(folder_ / (fingerprint + ".json"), nlohmann::ordered_json(result).dump());
}

void Gradebook::close() noexcept { remove_folder(folder_); }

}  // namespace d2l::grading
