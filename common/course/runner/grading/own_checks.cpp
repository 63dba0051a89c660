// SPDX-License-Identifier: MIT
#include "grading/own_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "course/course.h"
#include "grading/sandbox/temporary_folder.h"
#include "grading/sandbox/untrusted_files.h"
#include "grading/sandbox/work_folder.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using runner::Stop;

/// The number of a new exercise: "1.2.1" for 1_gpus/section_2_1_name, and "1.5.9" for 1_gpus/9_name where 1.5 is the
/// chapter's section without a program.
std::string number_of(const fs::path& course, const fs::path& name) {
  std::string exercise = name.filename().string();
  std::string number = name.string().substr(0, name.string().find('_'));
  if (exercise.starts_with("section_")) {
    exercise.erase(0, 8);
  } else {
    for (const auto& chapter : runner::read_course(course)) {
      for (const auto& section : chapter.sections)
        if (chapter.folder == name.parent_path() && section.name.empty()) number = section.number;
    }
  }
  std::istringstream parts(exercise);
  for (std::string part; std::getline(parts, part, '_') && !runner::parts_of(part).empty();) number += "." + part;
  return number;
}

std::string title_of(const std::string& header) {
  for (const std::string& line : runner::lines_of(header)) {
    if (line.starts_with("// # ")) return line.substr(5);
  }
  return "without a title";
}

void take_check(Kit& kit, const std::string& name, const fs::path& folder, const Sandbox& sandbox) {
  auto known =
      std::find_if(kit.checks.begin(), kit.checks.end(), [&](const Check& check) { return check.name == name; });
  const bool is_new = known == kit.checks.end();
  if (fs::exists(folder / "exercise.h")) {
    kit.keep_header(name, folder / "exercise.h");
    make_readable(kit.folder / "exercises");
  } else if (is_new) {
    throw Stop(runner::wrong_usage,
               fmt::format("{} checks an exercise that the course does not have, so its exercise.h "
                           "must be beside it.",
                           (folder / "check.cpp").string()));
  }
  const WorkFolder work(sandbox, kit.folder / "slots", 0);
  auto command = kit.compiler();
  command.push_back("-I" + (kit.folder / "exercises" / name).string());
  command.insert(command.end(), {"-ffunction-sections", "-fdata-sections", "-c", "check.cpp"});
  for (const auto& file : regular_files(folder, 1000)) {
    fs::create_directories((work.folder() / file).parent_path());
    fs::copy_file(folder / file, work.folder() / file);
  }
  if (is_new) {
    const auto literal = [](const std::string& text) { return nlohmann::json(text).dump(); };
    const std::string header = runner::read_file(folder / "exercise.h");
    fs::copy_file(kit.course / "common" / "course" / "src" / "check" / "description.h",
                  work.folder() / "description.h");
    runner::write_file(work.folder() / "described.cpp",
                       fmt::format("#include \"description.h\"\n"
                                   "const d2l::check::Description d2l::check::description{{{}, {}, {}}};\n"
                                   "void (*const d2l::check::demonstration)() = nullptr;\n",
                                   literal(name), literal(number_of(kit.course, name)), literal(title_of(header))));
    command.emplace_back("described.cpp");
    known = kit.checks.emplace(kit.checks.end());
    known->name = name;
    known->source = "exercise.cpp";
    known->include = kit.folder / "exercises" / name;
  }
  const Ending ending = work.run(
      command, {(kit.folder / "include").string(), (kit.folder / "exercises" / name).string()}, compiling_limits());
  if (!ending.succeeded()) {
    throw Stop(runner::failed, fmt::format("{} does not compile ({}):\n{}", (folder / "check.cpp").string(),
                                           describe(ending, compiling_limits()), ending.output));
  }
  // The description and demonstration of the course's check stay.
  auto& objects = known->objects;
  objects.erase(std::remove_if(objects.begin(), objects.end(),
                               [](const std::string& object) { return object.ends_with("_check.cpp.o"); }),
                objects.end());
  objects.push_back(kit.keep(work.folder() / "check.o", "checks/" + name));
  if (is_new) objects.push_back(kit.keep(work.folder() / "described.o", "checks/" + name));
  known->judge.clear();
  make_readable(kit.folder / "checks");
}

}  // namespace

void take_own_checks(Kit& kit, const fs::path& folder, const Sandbox& sandbox) {
  bool any = false;
  for (const auto& file : regular_files(folder, 10000)) {
    const fs::path exercise = file.parent_path();
    if (file.filename() != "check.cpp" || std::distance(exercise.begin(), exercise.end()) != 2) continue;
    take_check(kit, exercise.generic_string(), folder / exercise, sandbox);
    any = true;
  }
  if (!any) {
    throw Stop(runner::wrong_usage,
               fmt::format(
                   "--checks {}: it has no check such as {}", folder.string(),
                   (folder / (kit.checks.empty() ? "1_gpus/1_name" : kit.checks.front().name) / "check.cpp").string()));
  }
}

}  // namespace d2l::grading
