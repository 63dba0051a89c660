// SPDX-License-Identifier: MIT
// prove_check PROGRAM PROOF CONFIGURATION REPORT: runs the program of an exercise and fails unless its check says what
// it must. PROOF is "stub", which fails each item of the kind result; a solution, which fails nothing; or a wrong
// solution, which begins with such lines:
//   // Fails: ITEM: TEXT   the item fails, with TEXT in what it found
//   // May fail: ITEM      any other failure is an error
//   // Needs: 2            GPUs without which the mistake does not show
// Exit code: 0, 1 when the check is wrong, 77 when this machine cannot tell.
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "backend/backend.h"
#include "base/error.h"
#include "base/files.h"
#include "base/run_limited.h"

namespace {

namespace fs = std::filesystem;
using namespace d2l::runner;
using nlohmann::json;

constexpr int skipped = 77;

/// What the first lines of a wrong solution announce.
struct Mistake {
  std::map<std::string, std::string> fails;
  std::set<std::string> may_fail;
  int needs = 0;
};

Mistake read_mistake(const std::string& proof) {
  static const std::regex line_of_mistake("// (Fails|May fail|Needs): ([^:]+)(: (.+))?");
  Mistake mistake;
  std::istringstream lines(read_file(proof));
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, match, line_of_mistake)) continue;
    if (match[1] == "Fails") mistake.fails[match[2]] = match[4];
    if (match[1] == "May fail") mistake.may_fail.insert(match[2]);
    if (match[1] == "Needs") mistake.needs = std::stoi(match[2]);
  }
  if (mistake.fails.empty()) throw Stop(failed, "it does not say what fails: add a line \"// Fails: ITEM: TEXT\"");
  return mistake;
}

/// Sets the environment of a configuration; the number of its GPUs, or none when this machine has no GPU for it.
std::optional<int> set_up(const std::string& configuration) {
  ::unsetenv("D2L_CELLS");
  ::unsetenv("D2L_VIRTUAL_GPUS");
  const bool physical = configuration.starts_with("gpu");
  if (physical && d2l::backend::cuda_backend().device_count() == 0) return {};  // of this build
  const std::size_t at = configuration.find("virtual");
  if (physical && at == std::string::npos) return 1;
  const std::string count = configuration == "none" ? "0" : configuration.substr(at + 7);
  ::setenv("D2L_VIRTUAL_GPUS", (count + (physical || count == "0" ? "" : ":1GiB@host")).c_str(), 1);
  return std::stoi(count);
}

void expect(bool holds, const std::string& complaint) {
  if (!holds) throw Stop(failed, complaint);
}

void judge_stub(const json& report) {
  for (const json& item : report.at("items")) {
    expect(item.at("kind") != "result" || item.at("verdict") == "fail",
           fmt::format("the stub passes {}", item.at("name").get<std::string>()));
  }
  expect(report.at("verdict") == "fail", "the stub does not fail");
}

void judge_items(const json& report, Mistake mistake) {
  for (const json& item : report.at("items")) {
    const auto name = item.at("name").get<std::string>();
    const bool fails = item.at("verdict") == "fail";
    const auto expected = mistake.fails.find(name);
    if (expected == mistake.fails.end()) {
      expect(!fails || mistake.may_fail.contains(name), name + " fails, and should not");
      continue;
    }
    expect(fails && item.at("found").get<std::string>().find(expected->second) != std::string::npos,
           fmt::format("{} should fail with \"{}\"", name, expected->second));
    mistake.fails.erase(expected);
  }
  if (!mistake.fails.empty()) throw Stop(failed, "there is no item " + mistake.fails.begin()->first);
}

int skip(const std::string& reason) {
  fmt::print("Skipped: {}\n", reason);
  return skipped;
}

int prove(const std::string& program, const std::string& proof, const std::string& configuration,
          const fs::path& file) {
  const bool wrong = proof.find("/wrong/") != std::string::npos;
  const Mistake mistake = wrong ? read_mistake(proof) : Mistake();
  const auto gpus = set_up(configuration);
  if (!gpus) return skip("this needs a physical GPU");
  if (*gpus < mistake.needs) return skip(fmt::format("this mistake shows with {} or more GPUs", mistake.needs));

  fs::create_directories(file.parent_path());
  fs::remove(file);
  const int code = run({program, "--report", file.string()}, fs::current_path());
  expect(fs::exists(file), fmt::format("{} ended with {}, without a report", program, code));
  const json report = json::parse(read_file(file));
  const std::map<std::string, int> codes{{"pass", 0}, {"fail", 1}, {"not_verifiable", skipped}};
  const auto verdict = report.at("verdict").get<std::string>();
  expect(codes.at(verdict) == code, fmt::format("exit code {} with the verdict {}", code, verdict));
  if (proof == "stub") {
    judge_stub(report);
    return 0;
  }
  judge_items(report, mistake);
  if (verdict != "not_verifiable") return 0;
  std::string needs;
  for (const json& item : report.at("items"))
    needs = item.at("needs") == "" ? needs : item.at("needs").get<std::string>();
  return skip("this needs " + needs);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 5) throw Stop(wrong_usage, "usage: prove_check PROGRAM PROOF CONFIGURATION REPORT");
    return prove(arguments[1], arguments[2], arguments[3], arguments[4]);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}: {}\n", count > 2 ? arguments[2] : "prove_check", problem.what());
    return failed;
  }
}
