// SPDX-License-Identifier: MIT
// The judges: programs that hold a check and no submission.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "course/exercises.h"
#include "kit.h"
#include "plain_files.h"
#include "scratch.h"
#include "workplace.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using runner::Stop;

void must_succeed(const Ending& ending, const Limits& limits, const std::string& what) {
  if (ending.succeeded()) return;
  throw Stop(runner::failed, fmt::format("{} {}:\n{}", what, words(ending, limits), ending.output));
}

}  // namespace

void Kit::prepare(const Sandbox& sandbox, std::uint64_t seed, const std::string& virtual_gpus) {
  for (Check& check : checks_) {
    check.fingerprint = fingerprint_of(check);
    link_judge(check, sandbox);
    ask_judge(check, sandbox, seed, virtual_gpus);
  }
  std::stable_sort(checks_.begin(), checks_.end(),
                   [](const Check& a, const Check& b) { return runner::comes_before(a.blank.number, b.blank.number); });
  make_readable(place_ / "inputs");
}

/// The call of the function that students write stays open in it: a judge never runs it.
void Kit::link_judge(Check& check, const Sandbox& sandbox) const {
  const Workplace work(sandbox, place_ / "slots", 0);
  auto command = compiler_with_flags();
  command.insert(command.end(), link_flags_.begin(), link_flags_.end());
  command.insert(command.end(), {"-no-pie", "-Wl,--unresolved-symbols=ignore-in-object-files"});
  const auto append = [&](const std::vector<fs::path>& objects) {
    for (const auto& object : objects) command.push_back(object.string());
  };
  append(check.objects);
  append(objects_);
  append(archives_);
  command.insert(command.end(), libraries_.begin(), libraries_.end());
  command.insert(command.end(), {"-o", "judge"});
  must_succeed(work.run(command, readable(check), compiling_limits()), compiling_limits(),
               fmt::format("The judge of {} cannot be linked: the compiler", check.name));
  check.judge = place_ / "judges" / check.name / "judge";
  fs::create_directories(check.judge.parent_path());
  fs::copy_file(work.folder() / "judge", check.judge);
  fs::permissions(check.judge, fs::perms::owner_all);
  make_readable(place_ / "judges");
}

void Kit::ask_judge(Check& check, const Sandbox& sandbox, std::uint64_t seed, const std::string& virtual_gpus) const {
  const Workplace work(sandbox, place_ / "slots", 0);
  const std::map<std::string, std::string> environment{{"D2L_VIRTUAL_GPUS", virtual_gpus}};
  fs::create_directory(work.folder() / "inputs");
  const auto ask = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> command{check.judge.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    must_succeed(work.run(command, {check.judge}, Limits(), environment), Limits(),
                 fmt::format("The judge of {} ({})", check.name, arguments.front()));
  };
  ask({"--items", "items.json"});
  ask({"--draw", std::to_string(seed), "inputs"});

  const auto json = nlohmann::ordered_json::parse(runner::read_file(work.folder() / "items.json"));
  check.blank.exercise = check.name;
  json.at("number").get_to(check.blank.number);
  json.at("title").get_to(check.blank.title);
  json.at("items").get_to(check.blank.items);
  check.inputs = place_ / "inputs" / check.name;
  fs::create_directories(check.inputs.parent_path());
  fs::copy(work.folder() / "inputs", check.inputs);
}

}  // namespace d2l::grading
