// SPDX-License-Identifier: MIT
// The script cmake/thrust_folder, which finds Thrust for ./learn and CMake.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "base/root.h"
#include "base/run_limited.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

class ThrustFolder : public testing::Test {
 protected:
  /// Headers of a version of Thrust, with what it needs beside them.
  void thrust(const std::string& folder, const std::string& version, bool complete = true) const {
    folder_.write(folder + "/thrust/version.h", "#pragma once\n#define THRUST_VERSION " + version + " // one value\n");
    if (complete) {
      folder_.write(folder + "/nv/target", "");
      folder_.write(folder + "/cuda/std/tuple", "");
    }
  }
  void program(const std::string& name, const std::string& text) const {
    folder_.write(name, "#!/bin/sh\n" + text);
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }
  /// The folder that the script prints with these variables, relative to the folder of the test.
  [[nodiscard]] std::string found(const std::map<std::string, std::string>& variables = {}) const {
    const fs::path output = folder_ / "output";
    const int process = start(
        {"sh", "-c", "exec sh \"$0\" compiler >\"$1\"", (root() / "cmake" / "thrust_folder").string(), output.string()},
        folder_.path(), [&] {
          for (const char* name : {"D2L_THRUST_INCLUDE", "CPATH", "CUDA_HOME", "CUDA_PATH", "CUDACXX"})
            ::unsetenv(name);
          ::setenv("PATH", (folder_ / "bin").append(":/usr/bin:/bin").c_str(), 1);
          for (const auto& [name, value] : variables) ::setenv(name.c_str(), (folder_ / value).c_str(), 1);
        });
    wait_for(process);
    std::string text = folder_.read("output");
    if (!text.empty()) text.pop_back();
    return fs::path(text).lexically_relative(fs::canonical(folder_.path())).string();
  }

  const TemporaryFolder folder_;
};

TEST_F(ThrustFolder, IsThatOfAVariableFirst) {
  thrust("named", "101702");
  thrust("first", "200302");
  thrust("toolkit/include/cccl", "300001");
  EXPECT_EQ(found({{"CUDA_HOME", "toolkit"}}), "toolkit/include/cccl");
  EXPECT_EQ(found({{"CUDA_PATH", "toolkit"}}), "toolkit/include/cccl");
  EXPECT_EQ(found({{"CUDA_HOME", "toolkit"}, {"CPATH", "first"}}), "first");
  EXPECT_EQ(found({{"CUDA_HOME", "toolkit"}, {"CPATH", "first"}, {"D2L_THRUST_INCLUDE", "named"}}), "named");
}

TEST_F(ThrustFolder, IsThatOfNvcc) {
  thrust("toolkit/targets/any-linux/include", "200802");
  program("toolkit/bin/nvcc", "exit 1\n");
  fs::create_directories(folder_ / "bin");
  fs::create_symlink(folder_ / "toolkit/bin/nvcc", folder_ / "bin/nvcc");
  EXPECT_EQ(found(), "toolkit/targets/any-linux/include");
  // A script that calls nvcc, which says where its toolkit is.
  fs::remove(folder_ / "bin/nvcc");
  thrust("other/include", "200500");
  program("bin/nvcc", "echo '#$ TOP=" + folder_ / "other" + "' >&2\n");
  EXPECT_EQ(found(), "other/include");
}

TEST_F(ThrustFolder, IsNotOneThatWouldNotCompile) {
  thrust("new/include", "300001");
  for (const auto& [version, complete] :
       std::map<std::string, bool>{{"100909", true}, {"200001", false}, {"200302", false}}) {
    thrust("old/include", version, complete);
    EXPECT_EQ(found({{"CUDA_HOME", "old"}, {"CUDA_PATH", "new"}}), "new/include") << version;
    fs::remove_all(folder_ / "old");
  }
  thrust("old/include", "101501", false);
  EXPECT_EQ(found({{"CUDA_HOME", "old"}, {"CUDA_PATH", "new"}}), "old/include");
}

/// A folder with a space in its name.
TEST_F(ThrustFolder, IsThatOfTheToolkitWithASpace) {
  thrust("my toolkit/include", "101702");
  EXPECT_EQ(found({{"CUDA_HOME", "my toolkit"}}), "my toolkit/include");
}

}  // namespace
}  // namespace d2l::runner
