// SPDX-License-Identifier: MIT
// The first error in the log of a build.
#include "build/first_error.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

std::string shortened(const std::string& log, bool colour = false) {
  const TemporaryFolder root;
  root.write("build.log", log);
  return first_error(root.path() / "build.log", "/home/a student/d2l", colour);
}

const std::string gcc = R"([1/2] Building CXX object exercises/CMakeFiles/x.dir/exercise.cpp.o
FAILED: exercises/CMakeFiles/x.dir/exercise.cpp.o
/usr/bin/c++ -I/home/a student/d2l/common/include -Wall -c exercise.cpp
/home/a student/d2l/exercises/1_gpus/x/exercise.cpp: In function ‘int answer()’:
/home/a student/d2l/exercises/1_gpus/x/exercise.cpp:7:3: warning: unused variable ‘a’
    7 |   int a;
      |       ^
/home/a student/d2l/exercises/1_gpus/x/exercise.cpp:9:10: error: ‘gpus’ was not declared in this scope
    9 |   return gpus(0);
      |          ^~~~
/home/a student/d2l/exercises/1_gpus/x/exercise.cpp:12:1: error: expected ‘;’
   12 | }
      | ^
/home/a student/d2l/exercises/1_gpus/x/exercise.cpp:14:1: fatal error: too many
ninja: build stopped: subcommand failed.
)";

TEST(FirstError, IsShownWithItsLineAndARelativePath) {
  EXPECT_EQ(shortened(gcc),
            "  exercises/1_gpus/x/exercise.cpp:9:10: error: ‘gpus’ was not declared in this scope\n"
            "      9 |   return gpus(0);\n"
            "        |          ^~~~\n"
            "  … and 2 more errors\n");
}

TEST(FirstError, IsRelativeToTheCheckoutWhenTheLogIsRelativeToTheBuild) {
  EXPECT_EQ(shortened("../../exercises/x.cpp:1:2: error: no\n"), "  exercises/x.cpp:1:2: error: no\n");
}

TEST(FirstError, IsInColourOnRequest) { EXPECT_TRUE(contains(shortened(gcc, true), "\033[1;31m error: \033[0m")); }

TEST(FirstError, OfALinkerNamesTheFunction) {
  EXPECT_EQ(
      shortened(
          "[2/2] Linking CXX executable x\nFAILED: x\n: && /usr/bin/c++ -O3 check.cpp.o -o x\n"
          "/usr/bin/ld: check.cpp.o: in function `run':\ncheck.cpp:(.text+0x1): undefined reference to `answer(int)'\n"
          "collect2: error: ld returned 1 exit status\nninja: build stopped: subcommand failed.\n"),
      "  check.cpp:(.text+0x1): undefined reference to `answer(int)'\n");
}

TEST(FirstError, InAHeaderNamesTheLineOfTheExerciseThatCausedIt) {
  EXPECT_EQ(shortened("/usr/include/c++/12/x.h: In instantiation of ‘f(T)’:\n"
                      "/home/a student/d2l/exercises/1_gpus/x/exercise.cpp:5:4:   required from here\n"
                      "/usr/include/c++/12/x.h:99:3: error: no match\n   99 |   f(a);\n"),
            "  exercises/1_gpus/x/exercise.cpp:5:4:   required from here\n"
            "  /usr/include/c++/12/x.h:99:3: error: no match\n     99 |   f(a);\n");
}

TEST(FirstError, MayBeOneOfCMake) {
  EXPECT_EQ(
      shortened("-- Found fmt\nCMake Error at CMakeLists.txt:3 (message):\n  Thrust is missing.\n\n\n-- Configuring "
                "incomplete\n"),
      "  CMake Error at CMakeLists.txt:3 (message):\n    Thrust is missing.\n");
}

TEST(FirstError, IsTheEndOfALogWithoutAnError) {
  std::string log;
  for (int i = 1; i <= 40; ++i) log += "line " + std::to_string(i) + "\n";
  const std::string text = shortened(log);
  EXPECT_FALSE(contains(text, "line 28\n")) << text;
  EXPECT_TRUE(text.starts_with("  line 29\n") && text.ends_with("line 40\n")) << text;
  EXPECT_EQ(shortened(""), "");
  const std::string long_line = shortened("a.cpp:1:1: error: " + std::string(100000, 'x') + "\n");
  EXPECT_LT(long_line.size(), 400U);
}

TEST(LeadingLine, IsTheProgramsOwnBeforeAnErrorInAHeader) {
  const std::vector<std::string> output{
      "/usr/include/thrust/a.h:5:1: In instantiation of ‘f(g)’:",
      "/usr/include/thrust/b.h:7:1:   required from ‘h’",
      "add.cu:9:20:   required from here",
      "/usr/include/thrust/a.h:6:2: error: no match for call to ‘(Wrong) (float&)’",
      "add.cu:3:33: note: candidate: ‘float Wrong::operator()(const char*) const’",
  };
  EXPECT_EQ(leading_line(output, {"add.cu"}), "add.cu:9:20:   required from here");
  EXPECT_EQ(leading_line(output, {"other.cu"}), std::nullopt);
  EXPECT_EQ(leading_line({"add.cu:9:20: error: expected ‘;’"}, {"add.cu"}), std::nullopt);
  EXPECT_EQ(leading_line({}, {"add.cu"}), std::nullopt);
  EXPECT_EQ(without_escape_codes("\033[01m\033[Kadd.cu:9:\033[m\033[K make"), "add.cu:9: make");
}

TEST(LeadingLine, IsThatOfAMacroOrOfAnInclude) {
  const std::vector<std::string> macro = {"checks.h:4:9: error: no member ‘bad’", "    4 |   if (e.bad)",
                                          "add.cu:7:3: note: in expansion of macro ‘CHECK’"};
  EXPECT_EQ(leading_line(macro, {"add.cu"}), macro[2]);
  const std::vector<std::string> plain = {"In file included from other.h:1,", "                 from add.cu:2:",
                                          "bad.h:2:25: error: ‘nothing’ was not declared in this scope"};
  EXPECT_EQ(leading_line(plain, {"add.cu"}), plain[1]);
}

TEST(LeadingLine, IsNotThatOfALaterError) {
  const std::vector<std::string> output = {"bad.h:2:25: error: one", "worse.h:3:1: error: two",
                                           "add.cu:7:3: note: in expansion of macro ‘CHECK’"};
  EXPECT_EQ(leading_line(output, {"add.cu"}), std::nullopt);
}

TEST(LeadingLine, IsTheErrorItselfIfMuchIsWrittenBehindIt) {
  std::vector<std::string> output = {"add.cu:9:20: error: no matching function"};
  output.resize(20, "atomics.h:3:5: note: candidate");
  EXPECT_EQ(leading_line(output, {"add.cu"}), std::nullopt);
  output.emplace_back("atomics.h:3:5: note: candidate");
  EXPECT_EQ(leading_line(output, {"add.cu"}), output.front());
}

}  // namespace
}  // namespace d2l::runner
