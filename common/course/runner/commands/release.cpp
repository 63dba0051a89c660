// SPDX-License-Identifier: MIT
// ./learn release
#include "commands/release.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/run_limited.h"
#include "base/text.h"
#include "build/build.h"
#include "commands/subcommand.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of_git(const fs::path& root) {
  std::vector<std::string> files;
  if (find_program("git").empty()) return files;
  std::string names;
  const int code = run_reading({"git", "-c", "core.quotePath=false", "ls-files", "-z"}, root,
                               [&](const std::string& line) { names += line; });
  if (code != 0) return {};
  std::istringstream in(names);
  for (std::string name; std::getline(in, name, '\0');) files.push_back(name);
  // git may have found another repository, which contains this folder.
  return std::find(files.begin(), files.end(), "CMakeLists.txt") == files.end() ? std::vector<std::string>() : files;
}

std::vector<std::string> files_of_folder(const fs::path& root) {
  const std::vector<std::string> skipped{"build", ".git", ".cache", ".venv", ".learn", ".packages"};
  std::vector<std::string> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry.depth() == 0 && std::find(skipped.begin(), skipped.end(), name) != skipped.end()) {
      entry.disable_recursion_pending();
    } else if (!entry->is_directory()) {
      files.push_back(fs::relative(entry->path(), root).string());
    }
  }
  return files;
}

void copy_one(const fs::path& from, const fs::path& to) {
  std::error_code problem;
  fs::create_directories(to.parent_path(), problem);
  fs::copy(from, to, fs::copy_options::copy_symlinks, problem);
  if (problem)
    throw Stop(failed, fmt::format("{} cannot be copied to {}: {}", from.string(), to.string(), problem.message()));
}

/// Refuses a folder that is not empty, or is in the checkout, where the next release would copy it.
void require_empty(const fs::path& root, const fs::path& folder) {
  if (fs::exists(fs::symlink_status(folder)) && (!fs::is_directory(folder) || !fs::is_empty(folder))) {
    throw Stop(wrong_usage, fmt::format("{} exists and is not an empty folder. Name a new folder.", folder.string()));
  }
  const fs::path relative = fs::weakly_canonical(folder).lexically_relative(fs::weakly_canonical(root));
  const bool inside = !relative.empty() && *relative.begin() != ".." && *relative.begin() != "build";
  if (inside) throw Stop(wrong_usage, fmt::format("{} is in the checkout. Name a folder outside it.", folder.string()));
}

/// Whether `file` is one that students edit.
bool is_answer(const std::string& file) {
  return file.starts_with("exercises/") && fs::path(file).stem() == "exercise" && fs::path(file).extension() != ".h";
}

/// Removes the pattern that makes git ignore the files that students edit.
void track_answers(const fs::path& ignored) {
  if (!fs::exists(ignored)) return;
  std::string text;
  for (const std::string& line : lines_of(read_file(ignored))) {
    if (!line.ends_with("/exercise.cpp") && !line.ends_with("/exercise.cu")) text += line + "\n";
  }
  write_file(ignored, text);
}

}  // namespace

std::vector<std::string> course_files(const fs::path& root) {
  std::vector<std::string> files = files_of_git(root);
  if (files.empty()) files = files_of_folder(root);
  std::sort(files.begin(), files.end());
  return files;
}

bool is_for_teachers(const std::string& file) {
  const fs::path path(file);
  const auto has = [&](const char* name) { return std::find(path.begin(), path.end(), name) != path.end(); };
  return *path.begin() == "solutions" || (*path.begin() == "exercises" && (has("mistakes.md") || has("hidden"))) ||
         has("grading");
}

int write_release(const fs::path& root, const fs::path& folder) {
  require_empty(root, folder);
  int count = 0;
  for (const std::string& file : course_files(root)) {
    const fs::path source = root / file;
    if (is_for_teachers(file) || is_answer(file) || !fs::exists(fs::symlink_status(source))) continue;
    copy_one(source, folder / file);
    ++count;
    const fs::path answer = fs::path(file).replace_filename("exercise" + source.extension().string());
    if (source.stem() != "stub" || !is_answer(answer.string())) continue;
    copy_one(source, folder / answer);
    ++count;
  }
  track_answers(folder / ".gitignore");
  return count;
}

int release_course(const fs::path& wanted) {
  const fs::path folder = fs::absolute(wanted);
  const int count = write_release(root(), folder);
  fmt::print("Wrote {} files into {}: without solutions, mistakes and the code for grading.\n", count, folder.string());
  fmt::print("Try it as a student would: {}\n", (folder / "learn").string() + " test");
  return 0;
}

Subcommand release_subcommand() {
  return {"release",
          "write the tree for students, without solutions",
          [](const Options& options) { return release_course(options.path); },
          {{"folder", "a folder that does not exist, or is empty", &Options::path, true}}};
}

}  // namespace d2l::runner
