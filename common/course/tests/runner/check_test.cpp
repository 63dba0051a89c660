// SPDX-License-Identifier: MIT
// ./learn check, hint, next and list in a small course: output, records and exit codes.
#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "base/text.h"
#include "course/records.h"
#include "mini_course.h"

namespace d2l::runner {
namespace {

class Check : public InMiniCourse {
 protected:
  /// Runs ./learn with arguments, and expects an exit code and parts of the output.
  static std::string expect(const Command& arguments, int code, const std::vector<std::string>& words) {
    const auto said = course_->learn(arguments);
    EXPECT_EQ(said.code, code) << said.text;
    for (const auto& word : words) EXPECT_TRUE(contains(said.text, word));
    return said.text;
  }
  static Record record() { return read_records(course_->root().path()).of("1_gpus/section_1_first"); }
};

TEST_F(Check, SaysWhatToDoAfterAFailAndAfterAPass) {
  expect({"check", "1.1"}, 1,
         {"verdict fail", "Edit exercises/1_gpus/section_1_first/exercise.cpp", "./learn hint 1.1"});
  EXPECT_EQ(record().verdict, "fail");
  course_->answer("int answer() { return 42; }\n");
  expect({"check", "first"}, 0, {"verdict pass", "Solved: 1 of 2", "Next: ./learn next  (1.5.3 Title of 3_third)"});
  EXPECT_TRUE(record().passed);
  const auto again = expect({"check", "1.1"}, 0, {"verdict pass", "Next: ./learn next"});
  EXPECT_FALSE(contains(again, "Solved"));
  EXPECT_EQ(record().checks, 3);
}

TEST_F(Check, CountsWhatCannotBeVerifiedAsDone) {
  course_->answer("int answer() { return 77; }\n");
  expect({"check", "1.1"}, 0, {"needs other hardware", "counts as done here", "Next: ./learn next  (1.5.3"});
  EXPECT_FALSE(record().passed);
  course_->answer("int answer() { return 42; }\n", "3_third");
  expect({"check", "1.5.3"}, 0, {"All exercises are passed, but for 1", "Title of section_1_first"});
}

TEST_F(Check, MakesTheMissingFileFromTheStub) {
  const auto source = course_->root().path() / "exercises/1_gpus/section_1_first/exercise.cpp";
  std::filesystem::remove(source);
  expect({"check", "1.1"}, 1, {"exercise.cpp is missing", "./learn reset 1.1", "verdict fail"});
  EXPECT_TRUE(std::filesystem::exists(source));
  std::filesystem::remove(source);
  expect({"next"}, 0, {"Edit"});
  EXPECT_TRUE(std::filesystem::exists(source));
}

TEST_F(Check, PassesTheSeedToTheProgram) {
  expect({"check", "1.1", "--seed", "1234567890123"}, 1, {"seed 1234567890123"});
}

TEST_F(Check, ShowsTheFirstErrorOfTheCompilerShort) {
  course_->answer("int answer() {\n  return nosuch;\n}\nint b() { return other; }\n");
  const auto said =
      expect({"check", "1.1"}, 1,
             {"does not compile yet", "  exercises/1_gpus/section_1_first/exercise.cpp:2:10: error: ", "return nosuch;",
              "1 more error", "The whole log: build/", "Stuck?"});
  EXPECT_FALSE(contains(said, "other"));
  EXPECT_FALSE(contains(said, "FAILED"));
  EXPECT_EQ(record().verdict, "fail");
  course_->answer("int other() { return 1; }\n");
  expect({"check", "1.1"}, 1, {"undefined reference to `answer()'"});
}

TEST_F(Check, WritesNoProgressIntoAVerdictInAFile) {
  course_->answer(
      "#include <cstdio>\n#include <unistd.h>\n"
      "int answer() { for (int i = 0; i < 3; ++i) { std::puts(\"a line\"); std::fflush(stdout); ::sleep(1); } return "
      "42; }\n");
  const auto said = expect({"check", "1.1"}, 0, {"a line", "verdict pass"});
  EXPECT_FALSE(contains(said, "Checking")) << said;
}

TEST_F(Check, StopsAnEndlessLoop) {
  course_->answer("int answer() { for (volatile int i = 0;; i = 1 - i) {} }\n");
  const auto begin = std::chrono::steady_clock::now();
  expect({"check", "1.1", "--limit", "1"}, 1,
         {"check begins", "did not end within 1 s", "endless loop", "wait for something"});
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_EQ(record().verdict, "fail");
}

TEST_F(Check, TellsWhatIsNoMistakeOfTheStudentAndKeepsThePass) {
  course_->answer("int answer() { return 42; }\n");
  expect({"check", "1.1"}, 0, {"verdict pass"});
  course_->answer("#define AGAIN\nint answer() { return 42; }\n");
  course_->break_compiler("x.s: fatal error: error writing to x.s: No space left on device\n");
  expect({"check", "1.1"}, 2, {"Not checked: the disk is full", "not a mistake of yours"});
  course_->break_compiler("");
  course_->answer(
      "#include <cstdio>\n#include <cstdlib>\nint answer() { "
      "std::fputs(\"error: D2L_VIRTUAL_GPUS is '-1'\\n\", stderr); exit(2); }\n");
  expect({"check", "1.1"}, 2, {"error: D2L_VIRTUAL_GPUS is '-1'", "Not checked: for the reason above"});
  const std::string check = course_->root().read("exercises/check.cpp");
  course_->root().write("exercises/check.cpp", check + "nonsense\n");
  expect({"check", "1.1"}, 2, {"nonsense", "Not checked: the check or the library cannot be compiled"});
  expect({"check"}, 1, {"· 1.1 ", "not checked: the check or the library"});
  course_->root().write("exercises/check.cpp", check);
  EXPECT_EQ(record().verdict, "pass");
  EXPECT_EQ(record().checks, 1);
}

TEST_F(Check, ShowsTheWarningsOfTheStudentsFileEachTime) {
  course_->answer("int answer() { int left; if (left == 7) return 1; }\n");
  for (int i = 0; i < 2; ++i)
    expect({"check", "1.1"}, 1, {"The compiler warns:", "exercise.cpp:1:", "[-Wreturn-type]"});
  course_->answer("int answer() { return 42; }\n");
  EXPECT_FALSE(contains(expect({"check", "1.1"}, 0, {}), "warns"));
}

TEST_F(Check, ShowsTheDeclarationThatIsExpected) {
  for (const char* code : {"int reply() { return 42; }\n", "int answer(int) { return 42; }\n",
                           "#include \"exercise.h\"\nlong answer() { return 42; }\n"}) {
    course_->answer(code);
    expect({"check", "1.1"}, 1, {"must define exactly what exercise.h declares:\n\n  int answer();\n"});
  }
  const std::string header = "exercises/1_gpus/section_1_first/exercise.h";
  const std::string text = course_->root().read(header);
  course_->root().write(header, replaced(text, "int answer()", "int answer(int)"));
  course_->answer("#include \"exercise.h\"\nint answer(int) { return 42; }\n");
  expect({"check", "1.1"}, 1, {"exercise.h is changed. ./learn reset 1.1 restores it"});
  expect({"reset", "1.1"}, 0, {"exercise.h is as the course has it again", "begins anew"});
  EXPECT_EQ(course_->root().read(header), text);
}

TEST_F(Check, SetupNamesTheGeneratorWhereThereIsNoMake) {
  expect({"check", "1.1"}, 1, {});
  course_->root().write("build/cpu/summary.txt", "a summary\n");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  expect({"setup"}, 0, {"a summary", "make is missing", "-G Ninja", "Ready"});
  ::setenv("PATH", path.c_str(), 1);
}

TEST_F(Check, BoundsOutputAndMemory) {
  course_->answer(
      "#include <cstdio>\nint answer() { for (int i = 0; i < 200000; ++i) std::puts(\"0123456789\"); "
      "return 42; }\n");
  EXPECT_LT(expect({"check", "1.1"}, 0, {"more than 1 MiB of output: the rest is not shown", "1.1 Title\nverdict pass"})
                .size(),
            1'100'000U);
  course_->answer(
      "#include <vector>\nint answer() { std::vector<std::vector<char>> all; "
      "for (;;) all.emplace_back(1 << 20, 'x'); }\n");
  expect({"check", "1.1"}, 1, {"used more than 1024 MiB of memory"});
}

TEST_F(Check, ChecksWhatWasSavedWhileItCompiled) {
  static_cast<void>(course_->learn({"check"}));
  const auto hold = course_->root().path() / "compile.hold";
  course_->root().write("compile.hold", "");
  course_->answer("int answer() { return 1; }\n");
  auto said = std::async(std::launch::async, [] { return course_->learn({"check", "1.1"}); });
  while (!std::filesystem::exists(course_->root().path() / "compile.compiled") &&
         said.wait_for(std::chrono::milliseconds(10)) == std::future_status::timeout) {
  }
  course_->answer("int answer() { return 42; }\n");
  std::filesystem::remove(hold);
  EXPECT_EQ(said.get().code, 0);
}

/// Whether a process runs; a zombie does not.
bool runs(const std::string& process) {
  std::ifstream in("/proc/" + process + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return in >> number >> name >> state && state != "Z" && state != "X";
}

TEST_F(Check, KillsAProgramThatIgnoresSigtermAndItsChildren) {
  course_->answer(R"(#include <csignal>
#include <cstdio>
#include <unistd.h>
int answer() {
  signal(SIGTERM, SIG_IGN);
  const int child = fork();
  if (child != 0) {
    std::FILE* out = std::fopen("child", "w");
    std::fprintf(out, "%d", child);
    std::fclose(out);
  }
  for (;;) pause();
}
)");
  expect({"check", "1.1", "--limit", "1"}, 1, {"did not end within 1 s"});
  const std::string child = course_->root().read("child");
  ASSERT_FALSE(child.empty());
  for (int i = 0; runs(child) && i < 3000; ++i) ::usleep(10'000);
  EXPECT_FALSE(runs(child));
}

TEST_F(Check, NamesTheSignalOfACrashAndShowsTheOutput) {
  course_->answer(
      "#include <cstdio>\n#include <cstdlib>\nint answer() { std::puts(\"last words\"); "
      "std::fflush(stdout); std::abort(); }\n");
  expect({"check", "1.1"}, 1, {"last words", "ended by a signal: Aborted"});
}

TEST_F(Check, NamesTheCallAndTheLinesOfACrash) {
  course_->answer(
      "#include <execinfo.h>\n#include <cstdio>\n#include <cstdlib>\n"
      "extern \"C\" const char __executable_start;\nint answer() {\n  void* here = nullptr;\n"
      "  backtrace(&here, 1);\n  std::printf(\"crash: f(3)\\ncrash at: +0x%zx\\n\", "
      "(std::size_t)here - (std::size_t)&__executable_start - 1);\n"
      "  std::fflush(stdout);\n  std::abort();\n}\n");
  const auto said = expect({"check", "1.1"}, 1, {"ended by a signal", "It crashed in the call f(3)"});
  EXPECT_TRUE(find_program("addr2line").empty() || contains(said, "In your file:\n  exercise.cpp:7  in answer()"));
}

TEST_F(Check, FailsAProgramThatExitsWithoutAVerdict) {
  for (const char* end : {"exit(0)", "_Exit(0)", "exit(77)"}) {
    course_->answer("#include <cstdlib>\n#include <cstdio>\nint answer() { std::puts(\"verdict pass\"); " +
                    std::string(end) + "; }\n");
    expect({"check", "1.1"}, 1, {"ended early, with exit code"});
    EXPECT_FALSE(record().passed);
  }
}

TEST_F(Check, OfAllIsATable) {
  course_->answer("int answer() { return 42; }\n");
  course_->answer("int answer() { return nosuch; }\n", "3_third");
  expect({"check"}, 1,
         {"✓ 1.1    Title of section_1_first", "3/3", "✗ 1.5.3  Title of 3_third", "does not compile",
          "1 passed, 1 not yet, 0 not verifiable here; 3 of 3 points."});
  course_->answer("int answer() { return 77; }\n", "3_third");
  expect({"check"}, 0, {"needs a better world", "1 passed, 0 not yet, 1 not verifiable here; 3 of 6 points."});
}

TEST_F(Check, GivesHintsOneAtATime) {
  expect({"hint", "1.1"}, 0, {"hint 1 of 2, First", "Think.\n", "One more: ./learn hint 1.1"});
  expect({"hint", "1.1"}, 0, {"hint 2 of 2, Second", "This was the last"});
  expect({"hint", "1.1"}, 0, {"hint 2 of 2", "You have read all"});
  expect({"hint", "1.1", "1"}, 0, {"hint 1 of 2"});
  expect({"hint", "2"}, 0, {"1.1 Title of section_1_first: hint 2 of 2"});
  for (const char* bad : {"3", "0", "-1", "x", "99999999999"}) EXPECT_EQ(course_->learn({"hint", "1.1", bad}).code, 2);
}

TEST_F(Check, ShowsTheDifferencesFromTheStubAndAfterAPassFromTheSolution) {
  expect({"diff", "1.1"}, 0, {"exercises/1_gpus/section_1_first/exercise.cpp is the stub."});
  course_->answer("int answer() { return 42; }\n");
  const std::string from_the_stub =
      "--- exercises/1_gpus/section_1_first/stub.cpp\n"
      "+++ exercises/1_gpus/section_1_first/exercise.cpp\n@@ -1 +1 @@\n"
      "-int answer() { return 0; }\n+int answer() { return 42; }\n";
  EXPECT_EQ(expect({"diff", "1.1"}, 0, {}), from_the_stub);
  course_->root().write("solutions/1_gpus/section_1_first.cpp", "int answer() { return 6 * 7; }\n");
  EXPECT_EQ(expect({"diff", "1.1"}, 0, {}), from_the_stub);
  expect({"check", "1.1"}, 0, {"verdict pass"});
  expect({"diff"}, 0, {"--- solutions/1_gpus/section_1_first.cpp\n", "-int answer() { return 6 * 7; }\n"});
  EXPECT_EQ(expect({"diff", "--stub"}, 0, {}), from_the_stub);
}

TEST_F(Check, ShowsTheNextExerciseUntilAllAreDone) {
  expect({"next"}, 0, {"1.1 Title of section_1_first", "\nAnswer.\n", "Edit   exercises/1_gpus/section_1_first/"});
  for (const char* name : {"section_1_first", "3_third"}) course_->answer("int answer() { return 42; }\n", name);
  expect({"check"}, 0, {"2 passed"});
  expect({"next", "1.5.3"}, 0, {"1.5.3 Title of 3_third"});
  expect({"next"}, 0, {"All 2 exercises are passed"});
  expect({"list"}, 0, {"✓ 1.1 ", "3/3", "✓ 1.5.3", "2 of 2 exercises passed."});
}

TEST_F(Check, RefusesWrongUsageWithTheExitCode2) {
  expect({"check", "nosuch"}, 2, {"no exercise \"nosuch\"", "1.5.3"});
  expect({"check", "1.1", "1.2"}, 2, {"1.2"});
  for (const char* seed : {"x", "-1", "99999999999999999999"}) {
    expect({"check", "1.1", "--seed", seed}, 2, {"--seed", "is not a seed: give a whole number"});
  }
  expect({"run", "1.5.3"}, 2, {"1.5.3 Title of 3_third is an exercise", "./learn next 1.5.3"});
  expect({"run", "1.5"}, 2, {"is an exercise"});
  expect({"reset"}, 2, {"./learn reset 1.1"});
  expect({"reset", "--lesson", "1.9"}, 2, {"no section"});
  expect({"check", "1.1", "--limit", "0"}, 2, {"--limit"});
  expect({"check", "1.1", "--demonstrate"}, 2, {"no demonstration"});
  expect({"hint", "1"}, 0, {"hint 1"});
  expect({"watch", "1.1"}, 2, {"watch needs a terminal", "./learn check 1.1"});
  expect({"reset", "1_gpus"}, 2, {"say which"});
  expect({"release"}, 2, {"folder"});
  expect({"pack", "extra"}, 2, {"extra"});
  expect({"next", "extra"}, 2, {"extra"});
}

}  // namespace
}  // namespace d2l::runner
