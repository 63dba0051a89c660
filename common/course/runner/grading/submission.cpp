// SPDX-License-Identifier: MIT
#include "grading/submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "grading/archive.h"
#include "grading/reports/printable.h"
#include "grading/sandbox/untrusted_files.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 100'000;  // with those of Git and of builds
constexpr std::uint64_t largest_source = std::uint64_t{1} << 20;
constexpr std::uint64_t largest_companions = std::uint64_t{4} << 20;
constexpr std::size_t max_companions = 64;
constexpr std::size_t max_notes = 20;

/// Adds a note; of too many the last says so.
void note(Submission& submission, const std::string& text) {
  auto& notes = submission.notes;
  if (notes.size() < max_notes) notes.push_back(notes.size() + 1 < max_notes ? text : "and more of that kind");
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('/') + 1); }

/// The exercise of a source, by a path such as …/NAME/exercise.cpp or CHAPTER/NAME.cpp; null for none.
const Check* exercise_of(const fs::path& file, const std::vector<Check>& checks) {
  if (file.extension() != ".cpp" && file.extension() != ".cu") return nullptr;
  fs::path named = file.stem() == "exercise" ? file.parent_path() : fs::path(file).replace_extension();
  const std::string chapter = named.parent_path().filename().string();
  const std::string name = named.filename().string();
  const Check* found = nullptr;
  for (const Check& check : checks) {
    if (fs::path(check.source).extension() != file.extension()) continue;
    if (check.name == chapter + "/" + name) return &check;
    if (last_part(check.name) != name) continue;
    if (found != nullptr) return nullptr;  // two chapters have an exercise of this name
    found = &check;
  }
  return found;
}

/// Adds the files beside NAME/exercise.cpp (or .cu) that it may include, except those with names of the course's own
/// files.
void add_companions(const fs::path& folder, const std::vector<fs::path>& files, const fs::path& source,
                    Sources& sources, Submission& submission) {
  const std::set<std::string> ours{"exercise.cpp", "exercise.cu", "exercise.h",       "check.cpp",
                                   "stub.cpp",     "stub.cu",     "demonstration.cpp"};
  const std::set<std::string> kinds{".h", ".hpp", ".cuh", ".cpp", ".cu"};
  if (source.stem() != "exercise") return;
  std::uint64_t left = largest_companions;
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const bool includable = kinds.count(file.extension().string()) > 0;
    if (file.parent_path() != source.parent_path() || !includable || ours.count(name) > 0) continue;
    auto bytes = sources.size() <= max_companions ? read_regular_file(folder / file, std::min(left, largest_source))
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
  const std::vector<fs::path> files = regular_files(folder, max_files);
  std::map<std::string, fs::path> taken;
  for (const fs::path& file : files) {
    const Check* check = exercise_of(file, checks);
    if (check == nullptr) continue;
    const auto bytes = read_regular_file(folder / file, largest_source);
    Sources& sources = submission.sources[check->name];
    if (!bytes) {
      submission.problems[check->name] =
          fmt::format("{} is larger than {} or cannot be read", one_line(file.string()), format_size(largest_source));
    } else if (taken.emplace(check->name, file).second) {
      sources[check->source] = *bytes;
      add_companions(folder, files, file, sources, submission);
    } else if (sources[check->source] != *bytes) {
      submission.problems[check->name] =
          fmt::format("handed in twice: {} and {}", one_line(taken[check->name].string()), one_line(file.string()));
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
  constexpr std::size_t max_entries = 1000;  // a manifest can name one large file often
  if (files->size() > max_entries) {
    submission.notes.push_back(fmt::format("manifest.json names more than {} files", max_entries));
    return;
  }
  for (const auto& file : *files) {
    if (submission.notes.size() == max_notes) return;
    if (!file.is_object() || !file.contains("path") || !file["path"].is_string()) continue;
    const fs::path path(file["path"].get<std::string>());
    const bool inside = path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
    const auto content = inside ? read_regular_file(folder / path, largest_source) : std::nullopt;
    const auto hash = file.find("sha256");
    if (!content || hash == file.end() || !hash->is_string() || runner::sha256(*content) != hash->get<std::string>())
      note(submission, fmt::format("{} has changed since it was packed", first_line(path.string())));
  }
}

bool is_folder(const fs::path& path) { return fs::is_directory(fs::symlink_status(path)); }

/// A file that is no submission: not even an archive of a kind that is not unpacked.
bool is_loose_file(const fs::path& path) {
  const std::set<std::string> archives{".rar", ".7z", ".gz", ".xz", ".bz2", ".zst"};
  return fs::is_regular_file(path) && archive_stem(path.filename().string()).empty() &&
         archives.count(path.extension().string()) == 0;
}

/// Whether `path` is an archive, or a folder with the source of an exercise.
bool is_handed_in(const fs::path& path, const std::vector<Check>& checks) {
  if (!is_folder(path)) return !archive_stem(path.filename().string()).empty();
  const auto files = regular_files(path, max_files);
  return std::any_of(files.begin(), files.end(),
                     [&](const fs::path& file) { return exercise_of(file, checks) != nullptr; });
}

/// Whether an entry belongs to one submission: a source, a manifest, or a folder of exercises.
bool is_part(const fs::path& path, const std::vector<Check>& checks) {
  const std::string name = path.filename().string();
  if (!is_folder(path)) return name == "manifest.json" || path.extension() == ".cpp" || path.extension() == ".cu";
  return name == "exercises" || std::any_of(checks.begin(), checks.end(),
                                            [&](const Check& check) { return check.name.starts_with(name + "/"); });
}

}  // namespace

Class find_submissions(const fs::path& folder, const std::vector<Check>& checks) {
  std::vector<fs::path> entries;
  if (fs::is_regular_file(folder)) entries.push_back(folder);
  if (!fs::is_directory(folder) && entries.empty())
    throw runner::Stop(runner::wrong_usage, fmt::format("{} is not a folder of submissions.", folder.string()));
  for (const auto& entry : entries.empty() ? fs::directory_iterator(folder) : fs::directory_iterator())
    entries.push_back(entry.path());
  const auto any = [&](const auto& holds) { return std::any_of(entries.begin(), entries.end(), holds); };
  const bool checkout = fs::exists(folder / "learn") && fs::exists(folder / "exercises");
  const auto is_other = [&](const fs::path& path) { return !is_part(path, checks) && is_handed_in(path, checks); };
  // In a class, such parts are left over: only a folder without other submissions is one itself.
  if (fs::is_directory(folder) && any([&](const fs::path& path) { return is_part(path, checks); }) &&
      (checkout || !any(is_other)))
    entries = {fs::weakly_canonical(folder)};
  std::sort(entries.begin(), entries.end());

  Class found;
  std::map<std::string, int> count;
  std::vector<std::string> names;
  for (const fs::path& path : entries) {
    const std::string name = path.filename().string();
    const bool hidden = name.starts_with('.');
    if (entries.size() > 1 && (hidden ? !is_handed_in(path, checks) : is_loose_file(path))) {
      found.left_out.push_back(one_line(name) + (hidden ? ", hidden and without an exercise" : ", a loose file"));
      continue;
    }
    const std::string stem = is_folder(path) ? "" : archive_stem(name);
    names.push_back(stem.empty() ? name : stem);
    ++count[names.back()];
    found.submissions.push_back({{}, path});
  }
  if (found.submissions.empty()) {
    throw runner::Stop(runner::wrong_usage, fmt::format("{} has no submission. It should have a folder or a packed "
                                                        "archive (./learn pack) for each student.",
                                                        folder.string()));
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (count[names[i]] > 1) names[i] = found.submissions[i].path.filename().string();
  const std::vector<Name> table = names_of(names);
  for (std::size_t i = 0; i < names.size(); ++i) found.submissions[i].name = table[i];
  return found;
}

Submission read_submission(const SubmissionPath& given, const std::vector<Check>& checks, const WorkFolder& work) {
  Submission submission;
  if (is_folder(given.path)) {
    read_folder(given.path, checks, submission);
    compare_manifest(given.path, submission);
  } else if (!archive_stem(given.path.filename().string()).empty()) {
    submission.problem = unpack(given.path, work);
    if (!submission.problem.empty()) return submission;
    read_folder(work.folder() / "files", checks, submission);
    compare_manifest(work.folder() / "files", submission);
  } else {
    submission.problem = "neither a folder nor an archive that can be unpacked (.tar.gz, .zip)";
  }
  return submission;
}

}  // namespace d2l::grading
