// SPDX-License-Identifier: MIT
// A lesson on a terminal.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "d2l/caller.h"
#include "gtest/gtest.h"
#include "output/output_sink.h"
#include "pseudo_terminal.h"
#include "temporary_folder.h"

namespace d2l {
namespace {

using tests::PseudoTerminal;

const char* const lesson =
    "// %%\n"
    "// # Title\n"
    "//\n"
    "// **Predict first.** Which number?\n"
    "show(1);\n"
    "// %%\n"
    "// No question.\n"
    "show(2);\n";

/// Prints the lesson, with one output a cell, and waits until it is ended.
int print_lesson(const std::string& file) {
  ::setenv("NO_COLOR", "1", 1);
  {
    const auto sink = detail::make_terminal_sink();
    sink->put({detail::Output::Kind::text, "answer 1", "", std::nullopt}, {5, file.c_str()});
    sink->put({detail::Output::Kind::text, "answer 2", "", std::nullopt}, {8, file.c_str()});
    sink->finish();
  }
  std::fflush(stdout);
  ::pause();
  return 0;
}

TEST(LessonOnATerminal, StopsBeforeEachAnswerIfItIsWanted) {
  const tests::TemporaryFolder folder;
  folder.write("lesson.cpp", lesson);
  const std::string file = folder / "lesson.cpp";
  PseudoTerminal terminal([&file] {
    ::setenv("D2L_STEP", "1", 1);
    return print_lesson(file);
  });
  if (!terminal.is_there()) GTEST_SKIP() << "there is no pseudo-terminal here";
  const auto question = terminal.read_until("[Enter shows the answer] ");
  EXPECT_NE(question.find("| show(1);"), std::string::npos) << question;
  EXPECT_NE(question.find("[Enter shows the answer] "), std::string::npos) << question;
  EXPECT_EQ(terminal.read_until("answer", std::chrono::milliseconds(300)).find("answer"), std::string::npos);
  ASSERT_TRUE(terminal.type("\n"));
  const auto rest = terminal.read_until("answer 2");
  EXPECT_NE(rest.find("answer 1"), std::string::npos) << rest;
  EXPECT_NE(rest.find("answer 2"), std::string::npos) << rest;
}

TEST(LessonOnATerminal, PrintsEverythingOtherwise) {
  const tests::TemporaryFolder folder;
  folder.write("lesson.cpp", lesson);
  const std::string file = folder / "lesson.cpp";
  PseudoTerminal terminal([&file] {
    ::unsetenv("D2L_STEP");
    return print_lesson(file);
  });
  if (!terminal.is_there()) GTEST_SKIP() << "there is no pseudo-terminal here";
  EXPECT_NE(terminal.read_until("answer 2").find("answer 2"), std::string::npos);
}

TEST(LessonOnATerminal, WrapsTheDescriptionOfAPicture) {
  PseudoTerminal terminal([] {
    const auto sink = detail::make_terminal_sink();
    std::string label = "bars";
    for (int i = 0; i < 30; ++i) label += " of some height";
    sink->put({detail::Output::Kind::svg, "<svg/>", label + " end", std::nullopt}, {1, ""});
    ::pause();
    return 0;
  });
  if (!terminal.is_there()) GTEST_SKIP() << "there is no pseudo-terminal here";
  const auto text = terminal.read_until("end]");
  ASSERT_NE(text.find("end]"), std::string::npos) << text;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find("\r\n", begin), text.size());
    EXPECT_LE(end - begin, 80U) << text.substr(begin, end - begin);
    begin = end + 2;
  }
}

}  // namespace
}  // namespace d2l
