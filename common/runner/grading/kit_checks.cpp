// SPDX-License-Identifier: MIT
// The instructor's own checks: compiled here, in place of the course's or beside them.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "kit.h"
#include "plain_files.h"
#include "scratch.h"
#include "workplace.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using runner::Stop;

/// "1.2.1" of 1_gpus/section_2_1_storage, "1.5.3" of 1_gpus/3_frobenius_log.
std::string number_of(const std::string& name) {
  const std::string exercise = name.substr(name.rfind('/') + 1);
  const bool section = exercise.starts_with("section_");
  std::istringstream words(exercise.substr(section ? 8 : 0));
  std::string number = name.substr(0, name.find('_')) + (section ? "" : ".5");
  for (std::string word; std::getline(words, word, '_');) {
    if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos) break;
    number += "." + word;
  }
  return number;
}

std::string title_of(const std::string& header) {
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("// # ")) return line.substr(5);
  }
  return "without a title";
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += character;
  }
  return result + "\"";
}

}  // namespace

void Kit::take_checks(const fs::path& folder, const Sandbox& sandbox) {
  bool any = false;
  for (const auto& file : plain_files(folder, 10000)) {
    const fs::path exercise = file.parent_path();
    if (file.filename() != "check.cpp" || std::distance(exercise.begin(), exercise.end()) != 2) continue;
    take_check(exercise.generic_string(), folder / exercise, sandbox);
    any = true;
  }
  if (!any) {
    throw Stop(
        runner::wrong_usage,
        fmt::format("--checks {}: there is no check in it, such as {}", folder.string(),
                    (folder / (checks_.empty() ? "1_gpus/1_name" : checks_.front().name) / "check.cpp").string()));
  }
}

void Kit::take_check(const std::string& name, const fs::path& folder, const Sandbox& sandbox) {
  auto known = std::find_if(checks_.begin(), checks_.end(), [&](const Check& check) { return check.name == name; });
  const bool is_new = known == checks_.end();
  if (fs::exists(folder / "exercise.h")) {
    keep_header(name, folder / "exercise.h");
    make_readable(place_ / "exercises");
  } else if (is_new) {
    throw Stop(runner::wrong_usage,
               fmt::format("{} checks an exercise that the course does not have, so its exercise.h "
                           "must stand beside it.",
                           (folder / "check.cpp").string()));
  }
  const Workplace work(sandbox, place_ / "slots", 0);
  auto command = compiler_with_flags();
  command.push_back("-I" + (place_ / "exercises" / name).string());
  command.insert(command.end(), {"-c", "check.cpp"});
  for (const auto& file : plain_files(folder, 1000)) {
    fs::create_directories((work.folder() / file).parent_path());
    fs::copy_file(folder / file, work.folder() / file);
  }
  if (is_new) {
    const std::string header = runner::read_file(folder / "exercise.h");
    fs::copy_file(course_ / "common" / "src" / "check" / "description.h", work.folder() / "description.h");
    runner::write_file(work.folder() / "described.cpp",
                       fmt::format("#include \"description.h\"\n"
                                   "const d2l::check::Description d2l::check::description{{{}, {}, {}}};\n"
                                   "void (*const d2l::check::demonstration)() = nullptr;\n",
                                   quoted(name), quoted(number_of(name)), quoted(title_of(header))));
    command.emplace_back("described.cpp");
    known = checks_.emplace(checks_.end());
    known->name = name;
    known->include = place_ / "exercises" / name;
  }
  const Ending ending = work.run(command, {place_ / "include", place_ / "exercises" / name}, compiling_limits());
  if (!ending.succeeded()) {
    throw Stop(runner::failed, fmt::format("{} does not compile ({}):\n{}", (folder / "check.cpp").string(),
                                           words(ending, compiling_limits()), ending.output));
  }
  // Of a check of the course the description stays, and what it demonstrates.
  auto& objects = known->objects;
  objects.erase(std::remove_if(objects.begin(), objects.end(),
                               [](const fs::path& object) { return object.string().ends_with("_check.cpp.o"); }),
                objects.end());
  objects.push_back(keep(work.folder() / "check.o", "checks/" + name));
  if (is_new) objects.push_back(keep(work.folder() / "described.o", "checks/" + name));
  make_readable(place_ / "checks");
}

}  // namespace d2l::grading
