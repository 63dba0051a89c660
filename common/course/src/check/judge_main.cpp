// SPDX-License-Identifier: MIT
// The judge of an exercise, for grading: it draws a case and judges an outcome. It is linked without what students
// write.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <span>
#include <string_view>

#include "check/files.h"
#include "check/verdict.h"

namespace d2l::check {
namespace {

int draw(std::string_view text, const std::string& folder) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw ConfigurationError(fmt::format("draw takes a seed and a folder, and '{}' is not a seed", text));
  }
  Files::write(inputs(seed), folder);
  return 0;
}

int judge_files(const std::string& case_folder, const std::string& outcome_folder, const std::string& path) {
  const Inputs drawn = Files::read_inputs(case_folder);
  Judgement judgement(items());
  try {
    const auto [outcome, error] = Files::read_outcome(outcome_folder);
    judgement = judged(drawn, outcome, error);
  } catch (const std::exception& error) {
    judgement.fail_all(fmt::format("the outcome cannot be read: {}", error.what()));
  }
  return report(judgement, drawn.seed(), path);
}

int run_command(std::span<char* const> words) {
  const std::string_view command = words.empty() ? "" : words[0];
  if (command == "items" && words.size() == 2) {
    write_items(words[1]);
    return 0;
  }
  if (command == "draw" && words.size() == 3) return draw(words[1], words[2]);
  if (command == "judge" && words.size() == 4) return judge_files(words[1], words[2], words[3]);
  throw ConfigurationError("A judge takes: items FILE, draw SEED FOLDER, or judge INPUTS OUTCOME REPORT");
}

}  // namespace
}  // namespace d2l::check

int main(int count, char** words) {
  try {
    return d2l::check::run_command({words + 1, words + count});
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
