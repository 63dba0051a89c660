// SPDX-License-Identifier: MIT
#include "grading/submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "grading/reports/printable.h"
#include "grading/sandbox/untrusted_files.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 5000;
constexpr std::uint64_t largest_source = std::uint64_t{1} << 20;
constexpr std::uint64_t largest_companions = std::uint64_t{4} << 20;
constexpr std::size_t most_companions = 64;
constexpr std::size_t most_notes = 20;

/// The name of an archive without its extension; empty for any other name.
std::string archive_stem(const std::string& name) {
  for (const std::string extension : {".tar.gz", ".tgz", ".tar"}) {
    if (name.ends_with(extension)) return name.substr(0, name.size() - extension.size());
  }
  return {};
}

/// Adds a note; of too many the last says so.
void note(Submission& submission, const std::string& text) {
  auto& notes = submission.notes;
  if (notes.size() < most_notes) notes.push_back(notes.size() + 1 < most_notes ? text : "and more of that kind");
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('/') + 1); }

/// The exercise of a source, by a path such as …/NAME/exercise.cpp or CHAPTER/NAME.cpp; null for none.
const Check* exercise_of(const fs::path& file, const std::vector<Check>& checks) {
  if (file.extension() != ".cpp") return nullptr;
  fs::path named = file.filename() == "exercise.cpp" ? file.parent_path() : fs::path(file).replace_extension();
  const std::string chapter = named.parent_path().filename().string();
  const std::string name = named.filename().string();
  const Check* found = nullptr;
  for (const Check& check : checks) {
    if (check.name == chapter + "/" + name) return &check;
    if (last_part(check.name) != name) continue;
    if (found != nullptr) return nullptr;  // two chapters have an exercise of this name
    found = &check;
  }
  return found;
}

/// Adds the files beside NAME/exercise.cpp that it may include, except those with names of the course's own files.
void add_companions(const fs::path& folder, const std::vector<fs::path>& files, const fs::path& source,
                    Sources& sources, Submission& submission) {
  const std::set<std::string> ours{"exercise.cpp", "exercise.h", "check.cpp", "stub.cpp", "demonstration.cpp"};
  if (source.filename() != "exercise.cpp") return;
  std::uint64_t left = largest_companions;
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const bool includable = file.extension() == ".h" || file.extension() == ".hpp" || file.extension() == ".cpp";
    if (file.parent_path() != source.parent_path() || !includable || ours.count(name) > 0) continue;
    auto bytes = sources.size() <= most_companions ? read_regular_file(folder / file, std::min(left, largest_source))
                                                   : std::nullopt;
    if (!bytes) {
      note(submission, fmt::format("{} is not read: it is too large or no regular file, or there are too many files",
                                   first_line(file.string())));
      continue;
    }
    left -= bytes->size();
    sources[name] = std::move(*bytes);
  }
}

void read_folder(const fs::path& folder, const std::vector<Check>& checks, Submission& submission) {
  const std::vector<fs::path> files = regular_files(folder, most_files);
  std::map<std::string, fs::path> taken;
  for (const fs::path& file : files) {
    const Check* check = exercise_of(file, checks);
    if (check == nullptr) continue;
    const auto bytes = read_regular_file(folder / file, largest_source);
    Sources& sources = submission.sources[check->name];
    if (!bytes) {
      submission.problems[check->name] =
          fmt::format("{} is larger than {} or cannot be read", printable(file.string()), format_size(largest_source));
    } else if (taken.emplace(check->name, file).second) {
      sources["exercise.cpp"] = *bytes;
      add_companions(folder, files, file, sources, submission);
    } else if (sources["exercise.cpp"] != *bytes) {
      submission.problems[check->name] =
          fmt::format("handed in twice: {} and {}", printable(taken[check->name].string()), printable(file.string()));
    }
  }
  for (const auto& [exercise, problem] : submission.problems) submission.sources.erase(exercise);
  if (taken.empty())
    submission.notes.emplace_back("no file in it is named like an exercise, such as NAME/exercise.cpp");
}

/// Adds a note for each file that differs from the manifest of `./learn pack`.
void compare_manifest(const fs::path& folder, Submission& submission) {
  const auto bytes = read_regular_file(folder / "manifest.json", largest_source);
  if (!bytes) return;
  const auto json = nlohmann::json::parse(*bytes, nullptr, false);
  const auto files = json.is_object() ? json.find("files") : json.end();
  if (json.is_discarded() || !json.is_object() || files == json.end() || !files->is_array()) {
    submission.notes.emplace_back("manifest.json is not one that ./learn pack writes");
    return;
  }
  for (const auto& file : *files) {
    if (submission.notes.size() == most_notes) return;
    if (!file.is_object() || !file.contains("path") || !file["path"].is_string()) continue;
    const fs::path path(file["path"].get<std::string>());
    const bool inside = path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
    const auto content = inside ? read_regular_file(folder / path, largest_source) : std::nullopt;
    const auto hash = file.find("sha256");
    if (!content || hash == file.end() || !hash->is_string() || runner::sha256(*content) != hash->get<std::string>())
      note(submission, fmt::format("{} has changed since it was packed", first_line(path.string())));
  }
}

void unpack(const fs::path& archive, const WorkFolder& work, Submission& submission) {
  constexpr std::uint64_t largest = std::uint64_t{64} << 20;
  const auto bytes = read_regular_file(archive, largest);
  if (!bytes) {
    submission.problem = fmt::format("the archive is not a regular file, or larger than {}", format_size(largest));
    return;
  }
  std::ofstream(work.folder() / "archive", std::ios::binary) << *bytes;
  fs::create_directory(work.folder() / "files");
  Limits limits;
  limits.files = 2 * largest;
  const std::string tar =
      "exec tar --extract --file archive --directory files --touch --no-same-owner --no-same-permissions $1";
  const Ending ending =
      work.run({"/bin/sh", "-c", tar, "sh", archive.extension() == ".tar" ? "" : "--gzip"}, {}, limits);
  if (!ending.succeeded())
    submission.problem =
        fmt::format("the archive cannot be unpacked: tar {}: {}", describe(ending, limits), first_line(ending.output));
}

}  // namespace

std::vector<Place> find_submissions(const fs::path& folder, const std::vector<Check>& checks) {
  std::vector<Place> places;
  if (fs::is_regular_file(folder)) places.push_back({folder.filename().string(), folder});
  if (!fs::is_directory(folder) && places.empty())
    throw runner::Stop(runner::wrong_usage, fmt::format("{} is not a folder of submissions.", folder.string()));
  bool is_submission = false;
  for (const auto& entry : places.empty() ? fs::directory_iterator(folder) : fs::directory_iterator()) {
    const std::string name = entry.path().filename().string();
    is_submission =
        is_submission || name == "manifest.json" || name == "exercises" || entry.path().extension() == ".cpp";
    for (const Check& check : checks) is_submission = is_submission || check.name.starts_with(name + "/");
    if (!name.starts_with('.')) places.push_back({name, entry.path()});
  }
  if (is_submission) places = {{fs::weakly_canonical(folder).filename().string(), folder}};
  if (places.empty()) {
    throw runner::Stop(runner::wrong_usage, fmt::format("{} is empty. It should have a folder or a packed archive "
                                                        "(./learn pack) for each student.",
                                                        folder.string()));
  }
  std::map<std::string, int> count;
  for (Place& place : places) {
    const std::string stem = fs::is_directory(place.path) ? "" : archive_stem(place.student);
    place.student = printable(stem.empty() ? place.student : stem);
    ++count[place.student];
  }
  for (Place& place : places) {
    if (count[place.student] > 1) place.student = printable(place.path.filename().string());
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.path < b.path; });
  return places;
}

Submission read_submission(const Place& place, const std::vector<Check>& checks, const WorkFolder& work) {
  Submission submission;
  submission.student = place.student;
  if (fs::is_directory(fs::symlink_status(place.path))) {
    read_folder(place.path, checks, submission);
    compare_manifest(place.path, submission);
  } else if (!archive_stem(place.path.filename().string()).empty()) {
    unpack(place.path, work, submission);
    if (!submission.problem.empty()) return submission;
    read_folder(work.folder() / "files", checks, submission);
    compare_manifest(work.folder() / "files", submission);
  } else {
    submission.problem = "neither a folder nor an archive that ./learn pack writes (.tar.gz)";
  }
  return submission;
}

}  // namespace d2l::grading
