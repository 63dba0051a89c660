// SPDX-License-Identifier: MIT
// ./learn pack
#include "commands/pack.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/run_limited.h"
#include "base/sha256.h"
#include "build/build.h"
#include "commands/subcommand.h"
#include "course/records.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The first line of a program's output; empty when the program is not installed.
std::string first_line(const Command& command) {
  std::string first;
  if (find_program(command.front()).empty() && !fs::exists(command.front())) return first;
  run_reading(command, root(), [&](const std::string& line) {
    if (first.empty()) first = line;
  });
  return first;
}

std::string compiler(const fs::path& root) {
  const std::string entry = "CMAKE_CXX_COMPILER:";
  for (const char* preset : {"cpu", "cuda"}) {
    std::ifstream cache(root / "build" / preset / "CMakeCache.txt");
    for (std::string line; std::getline(cache, line);) {
      if (line.starts_with(entry)) return first_line({line.substr(line.find('=') + 1), "--version"});
    }
  }
  return first_line({"c++", "--version"});
}

std::string platform(const fs::path& root) {
  utsname system{};
  ::uname(&system);
  return fmt::format("{} {}, {}", system.sysname, system.machine, compiler(root));
}

std::string student_name(const std::string& given) {
  if (!given.empty()) return given;
  const std::string known = first_line({"git", "config", "user.name"});
  const char* const user = std::getenv("USER");
  return !known.empty() || user == nullptr ? known : user;
}

bool is_gzip(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return in.get() == 0x1f && in.get() == 0x8b;
}

/// The number of exercises whose source is still the stub.
long untouched(const std::vector<Exercise>& exercises) {
  return std::count_if(exercises.begin(), exercises.end(), [](const Exercise& exercise) {
    return read_file(exercise.source()) == read_file(exercise.stub());
  });
}

/// The sources that a student wrote in an exercise's folder: exercise.cpp or exercise.cu, and files of their own beside
/// it.
std::vector<fs::path> student_sources(const Exercise& exercise) {
  constexpr std::array ours{"check.cpp", "stub.cpp", "stub.cu", "demonstration.cpp", "exercise.h"};
  constexpr std::array kinds{".cpp", ".h", ".cu", ".cuh"};
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(exercise.folder)) {
    const std::string name = entry.path().filename().string();
    const std::string kind = entry.path().extension().string();
    const bool source =
        entry.is_regular_file() && std::find(kinds.begin(), kinds.end(), kind) != kinds.end() && !name.starts_with(".");
    if (source && std::find(ours.begin(), ours.end(), name) == ours.end()) sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

Json manifest_of(const std::vector<Exercise>& exercises, const std::string& student) {
  const Records records = read_records(root());
  Json manifest = {{"format", 1},
                   {"course", LEARN_VERSION},
                   {"student", student},
                   {"platform", platform(root())},
                   {"files", Json::array()},
                   {"progress", Json::object()}};
  for (const Exercise& exercise : exercises) {
    if (!fs::exists(exercise.source())) {
      throw Stop(failed, fmt::format("{} is missing. To restore the stub: ./learn reset {}", exercise.shown_source(),
                                     exercise.number));
    }
    for (const fs::path& source : student_sources(exercise)) {
      const std::string path = fmt::format("exercises/{}/{}", exercise.key(), source.filename().string());
      manifest["files"].push_back({{"path", path}, {"sha256", sha256(read_file(source))}});
    }
    const Record record = records.of(exercise.key());
    if (record.checks == 0) continue;
    manifest["progress"][exercise.key()] = {
        {"verdict", record.verdict}, {"points", record.points}, {"possible", record.possible}};
  }
  return manifest;
}

/// Writes the manifest and the files that it lists, without owners and times: the same files make the same bytes.
void write_archive(const fs::path& output, const Json& manifest) {
  write_file(root() / ".learn" / "manifest.json", manifest.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  std::error_code problem;
  fs::create_directories(output.parent_path(), problem);
  const std::string partial = fmt::format("{}.{}.partial", output.string(), ::getpid());
  Command command{"tar",           "--create",       "--file",         partial,     "--use-compress-program",
                  "gzip -9n",      "--mode=644",     "--mtime=@0",     "--owner=0", "--group=0",
                  "--dereference", "--format=ustar", "--numeric-owner"};
  for (const auto& file : manifest["files"]) command.push_back(file["path"]);
  command.insert(command.end(), {"--directory=.learn", "manifest.json"});
  const bool packed = run(command, root()) == 0;
  if (packed) fs::rename(partial, output, problem);
  if (packed && !problem) return;
  fs::remove(partial, problem);
  throw Stop(failed, fmt::format("{} cannot be written", output.string()));
}

}  // namespace

int pack_exercises(const fs::path& wanted, const std::string& name) {
  const std::vector<Exercise> exercises = select(find_exercises(root()), "");
  const fs::path output = wanted.empty() ? fs::current_path() / "submission.tar.gz" : fs::absolute(wanted);
  if (fs::is_directory(output)) {
    throw Stop(wrong_usage, fmt::format("{} is a folder; name the file to write.", output.string()));
  }
  if (fs::exists(output) && !is_gzip(output)) {
    throw Stop(wrong_usage,
               fmt::format("{} exists and is not an archive of ./learn pack. Name another file.", output.string()));
  }
  write_archive(output, manifest_of(exercises, student_name(name)));
  fmt::print("Packed your sources of the exercises ({}) into {}\n", exercises.size(), output.string());
  const long unsolved = untouched(exercises);
  if (unsolved > 0) fmt::print("{} of them {} not changed yet.\n", unsolved, unsolved == 1 ? "is" : "are");
  return 0;
}

Subcommand pack_subcommand() {
  return {"pack",
          "one file of your exercises, to hand in",
          [](const Options& options) { return pack_exercises(options.path, options.student); },
          {{"--output", "the file to write; submission.tar.gz if none", &Options::path},
           {"--name", "your name; the name that git has for you if none", &Options::student}}};
}

}  // namespace d2l::runner
