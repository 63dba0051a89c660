// SPDX-License-Identifier: MIT
// The script ./learn in a small tree, with programs in place of CMake and the compiler.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/root.h"
#include "base/run_limited.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// Configures, and builds a runner that prints the folder that it was built from. Two builds at once fail.
constexpr const char* cmake = R"(#!/bin/sh
case $1 in
  --version) echo "cmake version 3.25.0" ;;
  -S)
    mkdir -p build/cpu/common/course/runner && : >build/cpu/build.ninja
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2" >build/cpu/CMakeCache.txt
    ;;
  --build)
    mkdir busy || exit 1
    echo built >>builds
    sleep 0.3
    home=$(sed 's/.*=//' "$2/CMakeCache.txt")
    printf '#!/bin/sh\necho "runner of %s"\n' "$home" >"$2/common/course/runner/learn_runner"
    chmod +x "$2/common/course/runner/learn_runner"
    rmdir busy
    ;;
esac
)";

class Script : public testing::Test {
 protected:
  Script() {
    program("cmake", cmake);
    program("ninja", "#!/bin/sh\n");
    program("compiler", "#!/bin/sh\n");
    program("sudo", "#!/bin/sh\nexit 1\n");  // that of the system would not find the programs here
    folder_.write("tree/cmake/packages.txt", "");
    folder_.write("tree/common/course/runner/main.cpp", "");
    folder_.write("tree/common/emulator/src/translator/main.cpp", "");
    fs::copy(runner::root() / "learn", tree_ / "learn");
    fs::copy(runner::root() / "cmake" / "thrust_folder", tree_ / "cmake" / "thrust_folder");
    fs::copy(runner::root() / "cmake/prefix.sh", tree_ / "cmake/prefix.sh");
  }
  void program(const std::string& name, const std::string& text) const {
    folder_.write("bin/" + name, text);
    fs::permissions(folder_.path() / "bin" / name, fs::perms::owner_all);
  }
  /// Starts ./learn list, or another command, in a tree, with its output in a file.
  [[nodiscard]] int start(const fs::path& tree, const std::string& output, const std::string& command = "list") const {
    const std::string line = "exec ./learn " + command + " >\"$0\" 2>&1";
    return runner::start({"sh", "-c", line, (folder_.path() / output).string()}, tree, [&] {
      ::setenv("PATH", (folder_.path() / "bin").string().append(":").append(std::getenv("PATH")).c_str(), 1);
      ::setenv("CXX", "compiler", 1);
      for (const char* name : {"D2L_THRUST_INCLUDE", "CPATH", "CUDA_HOME", "CUDA_PATH", "CUDACXX"}) ::unsetenv(name);
    });
  }
  /// What ./learn list prints in a tree.
  [[nodiscard]] std::string learn(const fs::path& tree) const {
    EXPECT_EQ(wait_for(start(tree, "output")), 0);
    return folder_.read("output");
  }

  const TemporaryFolder folder_;
  const fs::path tree_ = folder_.path() / "tree";
};

TEST_F(Script, BuildsTheRunnerOnceWhenSeveralStart) {
  std::vector<int> processes;
  for (const char* name : {"1", "2", "3", "4"}) processes.push_back(start(tree_, name));
  for (const int process : processes) EXPECT_EQ(wait_for(process), 0);
  for (const char* name : {"1", "2", "3", "4"}) {
    EXPECT_TRUE(contains(folder_.read(name), "runner of " + tree_.string()));
  }
  EXPECT_EQ(folder_.read("tree/builds"), "built\n");
}

TEST_F(Script, BuildsAnewInACopyAndLeavesTheOtherTree) {
  static_cast<void>(learn(tree_));
  const fs::path copy = folder_.path() / "a copy";
  for (const bool linked : {false, true}) {
    if (linked) {
      fs::rename(tree_ / "build", folder_.path() / "elsewhere");
      fs::create_directory_symlink(folder_.path() / "elsewhere", tree_ / "build");
    }
    ASSERT_EQ(run({"cp", "-a", tree_.string(), copy.string()}, folder_.path()), 0);
    const std::string said = learn(copy);
    EXPECT_TRUE(contains(said, "made for another folder, " + tree_.string()));
    EXPECT_TRUE(contains(said, "runner of " + copy.string()));
    EXPECT_EQ(learn(copy), "runner of " + copy.string() + "\n");
    EXPECT_EQ(learn(tree_), "runner of " + tree_.string() + "\n");
    fs::remove_all(copy);
  }
  fs::rename(tree_, copy);
  EXPECT_TRUE(contains(learn(copy), "runner of " + copy.string()));
  fs::create_directory_symlink(copy, tree_);
  EXPECT_EQ(learn(tree_), "runner of " + copy.string() + "\n");
}

TEST_F(Script, EndsDatesOfTheFuture) {
  const fs::path source = tree_ / "common/course/runner/main.cpp";
  fs::last_write_time(source, fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_TRUE(contains(learn(tree_), "main.cpp has a date in the future"));
  EXPECT_LE(fs::last_write_time(source), fs::file_time_type::clock::now());
  EXPECT_EQ(learn(tree_), "runner of " + tree_.string() + "\n");
}

/// CUDA 12 has Thrust in include, CUDA 13 in include/cccl.
TEST_F(Script, FindsTheHeadersOfEachToolkit) {
  program("compiler", "#!/bin/sh\nexec c++ \"$@\"\n");
  program("apt-get", "#!/bin/sh\nexit 1\n");
  folder_.write("toolkit/bin/nvcc", "");
  fs::permissions(folder_ / "toolkit/bin/nvcc", fs::perms::owner_all);
  fs::create_symlink(folder_ / "toolkit/bin/nvcc", folder_ / "bin/nvcc");
  folder_.write("tree/cmake/packages.txt", "needed libthrust-dev header:of_this_toolkit/version.h Thrust\n");
  EXPECT_NE(wait_for(start(tree_, "output")), 0);
  EXPECT_TRUE(contains(folder_.read("output"), "libthrust-dev"));
  for (const std::string include : {"include", "include/cccl"}) {
    const std::string header = "toolkit/" + include + "/of_this_toolkit/version.h";
    folder_.write(header, "");
    folder_.write("toolkit/" + include + "/thrust/version.h", "#define THRUST_VERSION 101702\n");
    EXPECT_EQ(learn(tree_), "Preparing learn\nrunner of " + tree_.string() + "\n") << include;
    fs::remove_all(folder_ / "toolkit/include");
    fs::remove_all(tree_ / "build");
  }
}

TEST_F(Script, DoesNotInstallAToolkitsThrustWhereThereIsNoCompilerYet) {
  fs::remove(folder_ / "bin/compiler");
  program("apt-get", "#!/bin/sh\nexit 1\n");
  program("nvcc", "#!/bin/sh\nexit 1\n");
  folder_.write("include/thrust/version.h", "#define THRUST_VERSION 101702\n");
  folder_.write("tree/cmake/packages.txt",
                "needed libthrust-dev header:thrust/version.h Thrust\nneeded libother-dev header:other.h Other\n");
  EXPECT_NE(wait_for(start(tree_, "output")), 0);
  EXPECT_TRUE(contains(folder_.read("output"), "libother-dev")) << folder_.read("output");
  EXPECT_FALSE(contains(folder_.read("output"), "libthrust-dev")) << folder_.read("output");
}

TEST_F(Script, UsesATemporaryFolderOfItsOwnWhereTheUsersIsMissing) {
  static_cast<void>(learn(tree_));
  const std::string runner = "tree/build/cpu/common/course/runner/learn_runner";
  folder_.write(runner, "#!/bin/sh\necho \"${TMPDIR-}\"\n");
  fs::permissions(folder_ / runner, fs::perms::owner_all);
  EXPECT_EQ(learn(tree_), std::string(std::getenv("TMPDIR") == nullptr ? "" : std::getenv("TMPDIR")) + "\n");
  program("df", "#!/bin/sh\necho header\necho disk 1000000 600000 400000 60% /tmp\n");
  EXPECT_EQ(learn(tree_), (tree_ / "build/tmp").string() + "\n");
  program("df", "#!/bin/sh\necho header\necho disk 1000000 400000 600000 40% /tmp\n");
  EXPECT_NE(learn(tree_), (tree_ / "build/tmp").string() + "\n");
}

TEST_F(Script, InstallsAProgramThatIsMissingAlthoughTheRunnerIsThere) {
  static_cast<void>(learn(tree_));
  folder_.write("tree/cmake/packages.txt", "needed the-package program:the-program a program\n");
  program("sudo", "#!/bin/sh\n[ \"$1\" = -v ] || exec \"$@\"\n");
  program("apt-get", "#!/bin/sh\n");  // it says that the package is installed
  EXPECT_EQ(wait_for(start(tree_, "output")), 2);
  EXPECT_TRUE(contains(folder_.read("output"), "apt-get install --reinstall the-package"));
  const std::string path = (folder_.path() / "bin/the-program").string();
  program("apt-get", "#!/bin/sh\necho >'" + path + "' && chmod +x '" + path + "'\n");
  EXPECT_TRUE(contains(learn(tree_), "Installing what is missing: the-package"));
  EXPECT_EQ(learn(tree_), "runner of " + tree_.string() + "\n");
}

/// A machine where one package is missing and nobody may install it.
class ScriptWithoutRoot : public Script {
 protected:
  ScriptWithoutRoot() {
    program("compiler", "#!/bin/sh\nexec c++ \"$@\"\n");
    program("id", "#!/bin/sh\necho 1000\n");
    program("apt-get", R"(#!/bin/sh
for word; do last=$word; done
case " $* " in
  *" -s install "*) printf 'Inst %s (1.0 Debian:12 [all])\n' libof-a-test-dev ;;
  *" download "*) [ "$last" = libof-a-test-dev=1.0 ] && cp "$(dirname "$0")/../of_a_test.deb" . ;;
esac
)");
    folder_.write("tree/cmake/packages.txt", "needed libof-a-test-dev header:of_a_test/header.h a test\n");
    folder_.write(
        "package/DEBIAN/control",
        "Package: libof-a-test-dev\nVersion: 1.0\nArchitecture: all\nMaintainer: a test\nDescription: a test\n");
    folder_.write("package/usr/include/of_a_test/first.h", "");
    fs::permissions(folder_ / "package/DEBIAN", fs::perms(0755));
    folder_.write("package/lib/in_lib", "");
    fs::create_symlink("/usr/include/of_a_test/first.h", folder_ / "package/usr/include/of_a_test/header.h");
  }
};

TEST_F(ScriptWithoutRoot, SaysHowToGoOn) {
  EXPECT_EQ(wait_for(start(tree_, "output")), 2);
  EXPECT_TRUE(contains(folder_.read("output"), "apt-get install libof-a-test-dev"));
  EXPECT_TRUE(contains(folder_.read("output"), "./learn setup --prefix"));
}

TEST_F(Script, BuildsTheRunnerAgainWhenItsSourcesHaveChanged) {
  const std::string built = "Preparing learn\nrunner of " + tree_.string() + "\n";
  EXPECT_EQ(learn(tree_), built);
  EXPECT_EQ(learn(tree_), "runner of " + tree_.string() + "\n");
  for (const char* const source :
       {"learn", "common/course/runner/main.cpp", "common/emulator/src/translator/main.cpp"}) {
    const auto runner = fs::last_write_time(tree_ / "build/cpu/common/course/runner/learn_runner");
    fs::last_write_time(tree_ / source, runner + std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(learn(tree_), built) << source;
  }
}

TEST_F(ScriptWithoutRoot, UnpacksWhatIsMissing) {
  if (find_program("dpkg-deb").empty()) GTEST_SKIP() << "dpkg-deb is missing: only Debian and its kin have packages";
  ASSERT_EQ(run({"dpkg-deb", "--build", "package", "of_a_test.deb"}, folder_.path()), 0);
  const fs::path elsewhere = folder_ / "a folder";
  EXPECT_EQ(wait_for(start(tree_, "output", "setup --prefix '" + elsewhere.string() + "'")), 0);
  EXPECT_TRUE(contains(folder_.read("output"), "runner of " + tree_.string())) << folder_.read("output");
  EXPECT_TRUE(fs::exists(elsewhere / "usr/lib/in_lib"));  // lib is a link to usr/lib, as on the system
  EXPECT_TRUE(fs::equivalent(tree_ / ".packages", elsewhere));

  // The next command finds them by itself, and the compiler without any variable.
  fs::remove_all(tree_ / "build");
  EXPECT_EQ(learn(tree_), "Preparing learn\nrunner of " + tree_.string() + "\n");
  folder_.write("uses.cpp", "#include <of_a_test/header.h>\nint main() {}\n");
  EXPECT_EQ(run({(elsewhere / "compiler/c++").string(), "uses.cpp", "-o", "uses"}, folder_.path()), 0);

  // Another tree may share the folder without writing to it.
  const fs::path other = folder_ / "other";
  ASSERT_EQ(run({"cp", "-a", tree_.string(), other.string()}, folder_.path()), 0);
  fs::remove(other / ".packages");
  EXPECT_EQ(wait_for(start(other, "output", "setup --prefix '" + elsewhere.string() + "'")), 0);
  EXPECT_TRUE(contains(folder_.read("output"), "runner of " + other.string())) << folder_.read("output");
  EXPECT_FALSE(contains(folder_.read("output"), "Unpacking"));

  EXPECT_EQ(wait_for(start(other, "output", "setup --prefix third")), 2);
  EXPECT_TRUE(contains(folder_.read("output"), "learn already uses the packages in"));
}

TEST_F(Script, LeavesOutPackagesOfContributorsThatTheSystemDoesNotHave) {
  program("apt-get", "#!/bin/sh\necho \"$@\" >>apt-get\n");
  program("apt-cache", "#!/bin/sh\n[ \"$2\" != g++-11 ] && [ \"$2\" != chromium ]\n");
  program("dpkg-query", "#!/bin/sh\nexit 1\n");
  program("sudo", "#!/bin/sh\n[ \"$1\" = -v ] || exec \"$@\"\n");
  folder_.write("tree/cmake/packages.txt", "contributors g++-11 - the oldest compiler\ncontributors gdb - debugging\n");
  folder_.write("tree/build/venv/bin/python3", "#!/bin/sh\n");
  fs::permissions(folder_ / "tree/build/venv/bin/python3", fs::perms::owner_all);
  EXPECT_EQ(wait_for(start(tree_, "output", "setup --all")), 0);
  EXPECT_TRUE(contains(folder_.read("output"), "do not have g++-11"));
  EXPECT_EQ(folder_.read("tree/apt-get"), "update\ninstall -y --no-install-recommends gdb\n");
}

}  // namespace
}  // namespace d2l::runner
