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
#include "base/tar.h"
#include "build/build.h"
#include "commands/subcommand.h"
#include "course/records.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What a program says in its first line; empty when it cannot be asked.
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

/// A number of exercises whose source is the stub still.
long untouched(const std::vector<Exercise>& exercises) {
  return std::count_if(exercises.begin(), exercises.end(), [](const Exercise& exercise) {
    return read_file(exercise.source()) == read_file(exercise.folder / "stub.cpp");
  });
}

void write_archive(const fs::path& output, const std::string& bytes) {
  if (find_program("gzip").empty()) throw Stop(failed, "pack needs gzip: install it (apt-get install gzip).");
  const fs::path plain = output.string() + fmt::format(".{}.tar", ::getpid());
  write_file(plain, bytes);
  const bool compressed = run({"gzip", "-9nf", plain.string()}, root()) == 0;
  std::error_code problem;
  if (compressed) fs::rename(plain.string() + ".gz", output, problem);
  if (compressed && !problem) return;
  fs::remove(plain, problem);
  throw Stop(failed, fmt::format("{} cannot be written", output.string()));
}

}  // namespace

std::vector<fs::path> student_sources(const Exercise& exercise) {
  constexpr std::array ours{"check.cpp", "stub.cpp", "demonstration.cpp", "exercise.h"};
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(exercise.folder)) {
    const std::string name = entry.path().filename().string();
    const std::string kind = entry.path().extension().string();
    const bool source = entry.is_regular_file() && (kind == ".cpp" || kind == ".h") && !name.starts_with(".");
    if (source && std::find(ours.begin(), ours.end(), name) == ours.end()) sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

std::map<std::string, std::string> packed_files(const fs::path& root, const std::vector<Exercise>& exercises,
                                                const std::string& student) {
  const Records records = read_records(root);
  std::map<std::string, std::string> files;
  Json manifest = {{"format", 1},
                   {"course", LEARN_VERSION},
                   {"student", student},
                   {"platform", platform(root)},
                   {"files", Json::array()},
                   {"progress", Json::object()}};
  for (const Exercise& exercise : exercises) {
    if (!fs::exists(exercise.source())) {
      throw Stop(failed, fmt::format("{} is missing; ./learn reset {} puts the stub back.", exercise.shown_source(),
                                     exercise.number));
    }
    for (const fs::path& source : student_sources(exercise)) {
      const std::string path = fmt::format("exercises/{}/{}", exercise.key(), source.filename().string());
      files[path] = read_file(source);
      manifest["files"].push_back({{"path", path}, {"sha256", sha256(files[path])}});
    }
    const Record record = records.of(exercise.key());
    if (record.checks == 0) continue;
    manifest["progress"][exercise.key()] = {
        {"verdict", record.verdict}, {"points", record.points}, {"possible", record.possible}};
  }
  files["manifest.json"] = manifest.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  return files;
}

int pack_exercises(const fs::path& wanted, const std::string& name) {
  const std::vector<Exercise> exercises = select(find_exercises(root()), "");
  const fs::path output = wanted.empty() ? fs::current_path() / "submission.tar.gz" : fs::absolute(wanted);
  if (fs::is_directory(output)) {
    throw Stop(wrong_usage, fmt::format("{} is a folder; name the file to write.", output.string()));
  }
  if (fs::exists(output) && !is_gzip(output)) {
    throw Stop(wrong_usage, fmt::format("{} is there already, and is no archive that pack wrote.", output.string()));
  }
  const auto files = packed_files(root(), exercises, student_name(name));
  write_archive(output, tar(files));
  fmt::print("Packed your sources of the exercises ({}) into {}\n", exercises.size(), output.string());
  const long unsolved = untouched(exercises);
  if (unsolved > 0)
    fmt::print("Of these, {} as in the beginning.\n", unsolved == 1 ? "1 is" : fmt::format("{} are", unsolved));
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
