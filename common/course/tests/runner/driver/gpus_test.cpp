// SPDX-License-Identifier: MIT
// Which GPUs ./learn counts, and which build it chooses. The driver's library, nvidia-smi and nvcc are replaced.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "base/machine.h"
#include "build/choice.h"
#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace d2l::runner {
namespace {

class Gpus : public ::testing::Test {
 protected:
  void SetUp() override {
    program("nvidia-smi", "echo 'GPU 0: one'; echo 'GPU 1: two'");
    program("nvcc", "echo 'Cuda compilation tools, release 12.4, V12.4.131'");
    setenv("PATH", (folder_.path().string() + ":" + std::getenv("PATH")).c_str(), 1);
    setenv("CUDACXX", (folder_ / "nvcc").c_str(), 1);
    driver("2", "12020");
    unsetenv("CUDA_VISIBLE_DEVICES");
  }
  static void driver(const char* gpus, const char* cuda) {
    setenv("FAKE_GPUS", gpus, 1);
    setenv("FAKE_CUDA", cuda, 1);
  }

 private:
  void program(const std::string& name, const std::string& text) const {
    folder_.write(name, "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }

  tests::TemporaryFolder folder_;
};

TEST_F(Gpus, AreThoseOfTheDriver) {
  EXPECT_EQ(physical_gpus().count, 2);
  EXPECT_EQ(choose(false).preset, "cuda");
  EXPECT_EQ(choose(false).physical_gpus, 2);
}

TEST_F(Gpus, ThatAreHiddenDoNotCount) {
  setenv("CUDA_VISIBLE_DEVICES", "", 1);  // nvidia-smi still lists them
  EXPECT_EQ(physical_gpus().count, 0);
  EXPECT_EQ(choose(false).preset, "cpu");
  EXPECT_EQ(choose(true).preset, "cuda");
  EXPECT_EQ(choose(true).physical_gpus, 0);
}

TEST_F(Gpus, OfADriverThatIsTooOldAreNotUsed) {
  driver("1", "11040");
  const Choice choice = choose(false);
  EXPECT_EQ(choice.preset, "cpu");
  EXPECT_EQ(choice.physical_gpus, 0);
  EXPECT_EQ(
      choice.remark,
      "1 GPU is visible, but the driver supports CUDA up to 11.4 and the toolkit is CUDA 12.4: update the driver, "
      "or install an older toolkit.");
}

}  // namespace
}  // namespace d2l::runner
