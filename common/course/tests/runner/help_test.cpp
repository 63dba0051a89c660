// SPDX-License-Identifier: MIT
// The help of ./learn on a terminal.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "base/text.h"
#include "commands/subcommand.h"
#include "pseudo_terminal.h"

namespace d2l::runner {
namespace {

/// What ./learn prints for one or two words on a terminal; nothing where there is none.
std::string printed(std::string first, std::string second) {
  tests::PseudoTerminal terminal([&first, &second] {
    std::string name = "learn";
    std::array<char*, 3> words{name.data(), first.data(), second.data()};
    const int code = run_command_line(second.empty() ? 2 : 3, words.data());
    std::fflush(stdout);
    return code;
  });
  return terminal.is_there() ? terminal.read_until("nothing that it prints") : "";
}

TEST(Help, IsAsWideAsTheTerminal) {
  if (printed("run", "--help").empty()) GTEST_SKIP() << "there is no pseudo-terminal here";
  for (const char* const command : {"run", "check", "watch", "launch", "test", "pack", "new", "diff", "setup"}) {
    const std::string help = replaced(printed(command, "--help"), "\r", "");
    EXPECT_NE(help.find("Options:"), std::string::npos) << help;
    for (const std::string& line : lines_of(help)) EXPECT_LE(line.size(), 80U) << command << ": " << line;
  }
  const std::string refusal = replaced(printed("chekc", ""), "\r", "");
  EXPECT_NE(refusal.find("Did you mean"), std::string::npos) << refusal;
  for (const std::string& line : lines_of(refusal)) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace d2l::runner
