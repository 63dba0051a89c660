// SPDX-License-Identifier: MIT
#include "course/records.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/lock.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int format = 1;

fs::path file_of(const fs::path& root) { return root / ".learn" / "progress.json"; }
fs::path lock_of(const fs::path& root) { return root / ".learn" / "lock"; }

int count(const Json& json, const char* name) {
  const Json& value = json.at(name);
  if (!value.is_number_unsigned() || value > 1'000'000) throw Stop(failed, fmt::format("{} is not a count", name));
  return value.get<int>();
}

Records parse(const std::string& text) {
  const Json json = Json::parse(text);
  if (json.at("format") != format) throw Stop(failed, "it is of another version");
  Records records;
  records.last = json.at("last").get<std::string>();
  for (const auto& [key, one] : json.at("exercises").items()) {
    Record& record = records.exercises[key];
    record.verdict = one.at("verdict").get<std::string>();
    record.passed = one.at("passed").get<bool>();
    record.points = count(one, "points");
    record.possible = count(one, "possible");
    record.checks = count(one, "checks");
    record.hints = count(one, "hints");
  }
  return records;
}

std::string written(const Records& records) {
  Json exercises = Json::object();
  for (const auto& [key, record] : records.exercises) {
    exercises[key] = {{"verdict", record.verdict},   {"passed", record.passed}, {"points", record.points},
                      {"possible", record.possible}, {"checks", record.checks}, {"hints", record.hints}};
  }
  const Json json = {{"format", format}, {"last", records.last}, {"exercises", exercises}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void set_aside(const fs::path& file, const std::string& why) {
  const fs::path kept = free_name(file.parent_path(), "progress.malformed", ".json");
  std::error_code problem;
  fs::rename(file, kept, problem);
  fmt::print(stderr, "learn: {} is malformed ({}), so progress begins anew.{}\n", file.string(), why,
             problem ? "" : fmt::format(" It is kept as {}.", kept.filename().string()));
}

Records read_locked(const fs::path& root) {
  const fs::path file = file_of(root);
  if (!fs::exists(file)) return {};
  try {
    return parse(read_file(file));
  } catch (const std::exception& problem) {
    set_aside(file, problem.what());
    return {};
  }
}

}  // namespace

Record Records::of(const std::string& key) const {
  const auto found = exercises.find(key);
  return found == exercises.end() ? Record() : found->second;
}

Records read_records(const fs::path& root) {
  if (!fs::exists(file_of(root))) return {};
  const FileLock lock(lock_of(root));
  return read_locked(root);
}

Records change_records(const fs::path& root, const std::function<void(Records&)>& change) {
  std::error_code ignored;
  fs::create_directories(root / ".learn", ignored);
  const FileLock lock(lock_of(root));
  Records records = read_locked(root);
  change(records);
  try {
    write_file(file_of(root), written(records));
  } catch (const Stop& problem) {
    fmt::print(stderr, "learn: progress cannot be kept: {}\n", problem.what());
  }
  return records;
}

}  // namespace d2l::runner
