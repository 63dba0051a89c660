// SPDX-License-Identifier: MIT
// The summary of a report of CTest.
#include <gtest/gtest.h>

#include "build/test_report.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

TestReport read(const std::string& cases) {
  const TemporaryFolder folder;
  folder.write("report.xml",
               "<?xml version=\"1.0\"?>\n<testsuite name=\"Linux\" tests=\"4\">\n" + cases + "</testsuite>\n");
  return read_report(folder / "report.xml");
}

const char* const passed = R"(	<testcase name="unit.A" classname="unit.A" time="0.1" status="run">
		<properties><property name="cmake_labels" value="unit"/></properties>
		<system-out>[  PASSED  ] Skipped: not really</system-out>
	</testcase>
)";
const char* const broken = R"(	<testcase name="unit.B" classname="unit.B" time="0.1" status="fail">
		<failure message=""/>
		<system-out>a &lt; b</system-out>
	</testcase>
)";
const char* const by_exit_code = R"(	<testcase name="gpu.C" classname="gpu.C" time="0.1" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out>Skipped: these tests need a GPU &amp; none is here.
</system-out>
	</testcase>
)";
const char* const by_google = R"(	<testcase name="unit.D" classname="unit.D" time="0.1" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
		<system-out>[ RUN      ] Some.D
/somewhere/d_test.cpp:12: Skipped
one core is not enough

[  SKIPPED ] Some.D (0 ms)
</system-out>
	</testcase>
)";

TEST(Report, CountsEachOutcome) {
  const TestReport report = read(std::string(passed) + broken + by_exit_code + by_google + by_exit_code);
  EXPECT_EQ(report.passed, 1);
  EXPECT_EQ(report.failed, std::vector<std::string>{"unit.B"});
  EXPECT_EQ(report.skipped,
            (std::map<std::string, int>{{"these tests need a GPU & none is here.", 2}, {"one core is not enough", 1}}));
}

TEST(Report, EndsWithTheThreeNumbers) {
  const std::string text = summary(read(std::string(passed) + broken + by_google));
  EXPECT_TRUE(contains(text, "FAILED   unit.B\n"));
  EXPECT_TRUE(contains(text, "one core is not enough"));
  EXPECT_TRUE(text.ends_with("\n1 passed, 1 failed, 1 skipped\n")) << text;
}

TEST(Report, CountsATestThatCouldNotBeRunAsFailed) {
  const char* const missing = R"(	<testcase name="unit.E" classname="unit.E" time="0" status="notrun">
		<failure message="Unable to find executable"/>
	</testcase>
)";
  EXPECT_EQ(read(missing).failed, std::vector<std::string>{"unit.E"});
}

}  // namespace
}  // namespace d2l::runner
