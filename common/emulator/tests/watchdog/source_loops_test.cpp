// SPDX-License-Identifier: MIT
// The loop of a source file in which a line is.
#include "watchdog/source_loops.h"

#include <gtest/gtest.h>

#include <string>

namespace d2l::emulator::watchdog {
namespace {

/// The line of the loop around these lines; 0: none.
int loop_at(const std::string& source, int first, int last = 0) {
  const auto loop = loop_around(source, first, last == 0 ? first : last);
  return loop ? loop->first : 0;
}

const std::string nested = R"(void f(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += i;
    while (sum > 100)
      sum -= 3;
    do {
      ++sum;
    } while (sum < 7 &&
             n > 0);
    if (n > 5)
      for (;;) sum = g(sum, [](int a) { return a; });
    else
      --sum;
  }
  // for (;;) {
  /* while (true) { */
  print("for (;;) {");
  int forward = sum, whiles = 1'000;
}
)";

TEST(SourceLoops, AreForWhileAndDo) {
  EXPECT_EQ(loop_at(nested, 2), 0);
  EXPECT_EQ(loop_at(nested, 3), 3);
  EXPECT_EQ(loop_at(nested, 4), 3);
  EXPECT_EQ(loop_at(nested, 5), 5);
  EXPECT_EQ(loop_at(nested, 6), 5);
  EXPECT_EQ(loop_at(nested, 8), 7);
  EXPECT_EQ(loop_at(nested, 9), 7);
  EXPECT_EQ(loop_at(nested, 10), 7);
  EXPECT_EQ(loop_at(nested, 11), 3);
  EXPECT_EQ(loop_at(nested, 12), 12);
  EXPECT_EQ(loop_at(nested, 14), 3);
}

TEST(SourceLoops, AreNotInCommentsLiteralsAndNames) {
  for (const int line : {16, 17, 18, 19, 20, 21}) EXPECT_EQ(loop_at(nested, line), 0) << line;
}

TEST(SourceLoops, ContainAllLinesOfARange) {
  EXPECT_EQ(loop_at(nested, 5, 6), 5);
  EXPECT_EQ(loop_at(nested, 6, 8), 3);
  EXPECT_EQ(loop_at(nested, 2, 8), 0);
}

TEST(SourceLoops, MayBeUnfinished) {
  EXPECT_EQ(loop_at("while (x", 1), 1);
  EXPECT_EQ(loop_at("do", 1), 1);
  EXPECT_EQ(loop_at("for (;;) { '", 1), 1);
  EXPECT_EQ(loop_at("", 1), 0);
}

}  // namespace
}  // namespace d2l::emulator::watchdog
