// SPDX-License-Identifier: MIT
#include "grading/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "course/course.h"
#include "grading/sandbox/temporary_folder.h"
#include "grading/sandbox/work_folder.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;

void require_success(const Ending& ending, const Limits& limits, const std::string& what) {
  if (ending.succeeded()) return;
  throw runner::Stop(runner::failed, fmt::format("{} {}:\n{}", what, describe(ending, limits), ending.output));
}

// An own check's; those of the course are built with it.
void link_judge(const Kit& kit, Check& check, const WorkFolder& work) {
  require_success(work.run(kit.judge_linking(check, "judge"), kit.readable(check), compiling_limits()),
                  compiling_limits(), fmt::format("The judge of {} cannot be linked: the compiler", check.name));
  check.judge = kit.folder / "judges" / check.name / "judge";
  fs::create_directories(check.judge.parent_path());
  fs::copy_file(work.folder() / "judge", check.judge);
  fs::permissions(check.judge, fs::perms::owner_all);
  make_readable(kit.folder / "judges");
}

void ask_judge(const Kit& kit, Check& check, const WorkFolder& work, std::uint64_t seed,
               const std::string& virtual_gpus) {
  fs::create_directory(work.folder() / "inputs");
  const auto ask = [&](const Words& arguments) {
    Words command{check.judge.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    require_success(work.run(command, {check.judge.string()}, Limits(), {{"D2L_VIRTUAL_GPUS", virtual_gpus}}), Limits(),
                    fmt::format("The judge of {} ({})", check.name, arguments.front()));
  };
  ask({"items", "items.json"});
  ask({"draw", std::to_string(seed), "inputs"});

  const auto json = nlohmann::ordered_json::parse(runner::read_file(work.folder() / "items.json"));
  check.blank.exercise = check.name;
  json.at("number").get_to(check.blank.number);
  json.at("title").get_to(check.blank.title);
  json.at("items").get_to(check.blank.items);
  check.inputs = kit.folder / "inputs" / check.name;
  fs::create_directories(check.inputs.parent_path());
  fs::copy(work.folder() / "inputs", check.inputs);
}

}  // namespace

void prepare_judges(Kit& kit, const Sandbox& sandbox, std::uint64_t seed, const std::string& virtual_gpus) {
  for (Check& check : kit.checks) {
    check.fingerprint = kit.fingerprint_of(check);
    const WorkFolder work(sandbox, kit.folder / "slots", 0);
    if (check.judge.empty()) link_judge(kit, check, work);
    ask_judge(kit, check, work, seed, virtual_gpus);
  }
  std::stable_sort(kit.checks.begin(), kit.checks.end(),
                   [](const Check& a, const Check& b) { return runner::comes_before(a.blank.number, b.blank.number); });
  make_readable(kit.folder / "inputs");
}

}  // namespace d2l::grading
