// SPDX-License-Identifier: MIT
// Submissions take the compiled headers of the library from the fifth one on, with kernels and without.
#include "grading/precompiled_headers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "grading/sandbox/temporary_folder.h"
#include "grading/sandbox/work_folder.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;

class PrecompiledHeadersTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      sandbox_.emplace(true);
    } catch (const runner::Stop& stop) {
      GTEST_SKIP() << stop.what();
    }
    kit_.emplace(D2L_COURSE, D2L_BUILD, temporary_.folder() / "kit");
    if (!kit_->can_precompile) GTEST_SKIP() << "another compiler than GCC";
  }
  /// How the compiler ends for this text as a submission.
  Ending compiled(const Check& check, const std::string& text, const Words& first) {
    const WorkFolder work(*sandbox_, slots_, 0);
    runner::write_file(work.folder() / check.source, text);
    Ending ending;
    for (const Words& command : kit_->compilation(check, first)) ending = work.run(command, kit_->readable(check), {});
    return ending;
  }

  std::optional<Sandbox> sandbox_;
  std::optional<Kit> kit_;
  TemporaryFolder temporary_;
  fs::path slots_ = temporary_.folder() / "slots";
};

TEST_P(PrecompiledHeadersTest, AreTakenFromTheFifthSubmissionOn) {
  const auto check = std::ranges::find(kit_->checks, GetParam(), &Check::name);
  ASSERT_NE(check, kit_->checks.end());
  PrecompiledHeaders headers(*kit_, *sandbox_, slots_);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(headers.options(*check, 0), Words());
  const Words first = headers.options(*check, 0);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(headers.options(*check, 0), first);

  // An error where they do not fit, as with other options of the compiler.
  Words strict = first;
  strict.insert(strict.end(), {"-Winvalid-pch", "-Werror=invalid-pch"});
  const auto ending = compiled(*check, check->stub, strict);
  EXPECT_TRUE(ending.succeeded()) << ending.output;
  strict.insert(strict.begin(), "-fopenmp");
  EXPECT_FALSE(compiled(*check, check->stub, strict).succeeded());
}

INSTANTIATE_TEST_SUITE_P(Exercises, PrecompiledHeadersTest,
                         testing::Values("1_gpus/section_1_try_all_gpus", "2_under_the_hood/section_2_any_n"),
                         [](const auto& one) { return one.index == 0 ? "OnTheHost" : "WithKernels"; });

}  // namespace
}  // namespace d2l::grading
