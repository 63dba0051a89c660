// SPDX-License-Identifier: MIT
// ./learn pack, reset, solution and release.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/run_limited.h"
#include "base/sha256.h"
#include "commands/pack.h"
#include "commands/release.h"
#include "commands/reset.h"
#include "commands/solution.h"
#include "course/originals.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;
using tests::contents;

class HandIn : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("LEARN_ROOT", root_.path().c_str(), 1);
    for (const char* file : {"exercise.h", "stub.cpp", "exercise.cpp", "check.cpp", "hint.md", "demonstration.cpp",
                             "mistakes.md", "helper.h", "parts.cpp", ".hidden.cpp", "notes.txt"}) {
      root_.write("exercises/1_gpus/3_log/" + std::string(file), "// # Log: " + std::string(file) + "\n");
    }
    root_.write("exercises/1_gpus/3_log/exercise.cpp", "int mine;\n");
    root_.write("chapters/1_gpus/chapter.json", R"({"number": "1", "title": "GPUs", "sections": [], "exercises": [
      {"number": "1.5.3", "title": "Log", "folder": "3_log"}]})");
    root_.write("solutions/1_gpus/3_log.cpp", "int solved;\n");
  }
  void TearDown() override { ::unsetenv("LEARN_ROOT"); }
  void git(const Command& arguments) const {
    Command command{"git", "-c", "user.name=A", "-c", "user.email=a@example.org"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    EXPECT_EQ(run_reading(command, root_.path(), [](const std::string&) {}), 0);
  }

  const TemporaryFolder root_;
  const TemporaryFolder outside_;
  const std::string in_exercise_ = "exercises/1_gpus/3_log/";
};

TEST_F(HandIn, PacksTheStudentsSourcesWithTheirChecksums) {
  const fs::path archive = outside_.path() / "mine.tar.gz";
  ASSERT_EQ(pack_exercises(archive, "Ada \"A\" Łovelace"), 0);
  const fs::path folder = outside_.path() / "unpacked";
  fs::create_directories(folder);
  ASSERT_EQ(runner::run({"tar", "xzf", archive.string()}, folder), 0);
  const auto manifest = nlohmann::json::parse(contents(folder / "manifest.json"));
  EXPECT_EQ(manifest.at("format"), 1);
  EXPECT_EQ(manifest.at("student"), "Ada \"A\" Łovelace");
  EXPECT_FALSE(manifest.at("course").get<std::string>().empty());
  EXPECT_FALSE(manifest.at("platform").get<std::string>().empty());
  ASSERT_EQ(manifest.at("files").size(), 3U);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 4);
  const std::string expected[] = {"exercise.cpp", "helper.h", "parts.cpp"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& file = manifest.at("files")[i];
    EXPECT_EQ(file.at("path"), in_exercise_ + expected[i]);
    EXPECT_EQ(contents(folder / file.at("path").get<std::string>()), root_.read(in_exercise_ + expected[i]));
    EXPECT_EQ(file.at("sha256"), sha256(root_.read(in_exercise_ + expected[i])));
  }
}

TEST_F(HandIn, PacksTheSameBytesEachTime) {
  ASSERT_EQ(pack_exercises(outside_.path() / "a.tar.gz", "A"), 0);
  root_.write(in_exercise_ + "exercise.cpp", "int mine;\n");  // as old as today
  ASSERT_EQ(pack_exercises(outside_.path() / "b.tar.gz", "A"), 0);
  EXPECT_EQ(contents(outside_.path() / "a.tar.gz"), contents(outside_.path() / "b.tar.gz"));
  root_.write(in_exercise_ + "exercise.cpp", "int other;\n");
  ASSERT_EQ(pack_exercises(outside_.path() / "b.tar.gz", "A"), 0);  // over its own archive
  EXPECT_NE(contents(outside_.path() / "a.tar.gz"), contents(outside_.path() / "b.tar.gz"));
}

TEST_F(HandIn, DoesNotPackOverOtherFiles) {
  const fs::path source = root_.path() / in_exercise_ / "exercise.cpp";
  EXPECT_THROW(pack_exercises(source, "A"), Stop);
  EXPECT_THROW(pack_exercises(root_.path(), "A"), Stop);
  EXPECT_THROW(pack_exercises(source / "a.tar.gz", "A"), Stop);
  EXPECT_EQ(pack_exercises(outside_.path() / "new" / "folder" / "a.tar.gz", "A"), 0);
  EXPECT_EQ(contents(source), "int mine;\n");
  fs::remove(source);
  EXPECT_THROW(pack_exercises(outside_.path() / "a.tar.gz", "A"), Stop);
}

TEST_F(HandIn, ResetRestoresTheStubAndKeepsTheSource) {
  ASSERT_EQ(reset_exercise("1.5.3"), 0);
  EXPECT_EQ(root_.read(in_exercise_ + "exercise.cpp"), root_.read(in_exercise_ + "stub.cpp"));
  const std::string kept = ".learn/kept/1_gpus/3_log/exercise-";
  EXPECT_EQ(root_.read(kept + "1.cpp"), "int mine;\n");
  ASSERT_EQ(reset_exercise("1.5.3"), 0);  // it is the stub already
  EXPECT_FALSE(fs::exists(root_.path() / (kept + "2.cpp")));
  root_.write(in_exercise_ + "exercise.cpp", "int again;\n");
  ASSERT_EQ(reset_exercise("1.5.3"), 0);
  EXPECT_EQ(root_.read(kept + "1.cpp"), "int mine;\n");
  EXPECT_EQ(root_.read(kept + "2.cpp"), "int again;\n");
  fs::remove(root_.path() / in_exercise_ / "exercise.cpp");
  ASSERT_EQ(reset_exercise("1.5.3"), 0);
  EXPECT_EQ(root_.read(in_exercise_ + "exercise.cpp"), root_.read(in_exercise_ + "stub.cpp"));
}

TEST_F(HandIn, ResetWritesAFileThatIsReadOnly) {
  const fs::path source = root_.path() / in_exercise_ / "exercise.cpp";
  fs::permissions(source, fs::perms::owner_read);
  ASSERT_EQ(reset_exercise("1.5.3"), 0);
  EXPECT_EQ(contents(source), root_.read(in_exercise_ + "stub.cpp"));
  EXPECT_NE(fs::status(source).permissions() & fs::perms::owner_write, fs::perms::none);
}

TEST_F(HandIn, KeepsTheOriginalOfWhatAStudentMayEdit) {
  const std::string header = root_.read(in_exercise_ + "exercise.h");
  for (const bool with_git : {false, true}) {
    if (with_git && find_program("git").empty()) continue;
    if (with_git) {
      fs::remove_all(root_.path() / ".learn");
      git({"init", "--quiet"});
      git({"add", "--all"});
      git({"commit", "--quiet", "--message", "all"});
    }
    keep_originals(root_.path());
    const fs::path file = root_.path() / in_exercise_ / "exercise.h";
    EXPECT_FALSE(is_edited(root_.path(), file));
    root_.write(in_exercise_ + "exercise.h", "edited\n");
    EXPECT_TRUE(is_edited(root_.path(), file));
    ASSERT_EQ(reset_exercise("1.5.3"), 0);
    EXPECT_EQ(contents(file), header);
    EXPECT_EQ(original_of(root_.path(), root_.path() / "nosuch"), std::nullopt);
  }
}

TEST_F(HandIn, SaysWhyAFileCannotBeWritten) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit none{0, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &none);
  const auto message = tests::message_of<Stop>([&] { write_file(root_.path() / "file", "text"); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(contains(message, "cannot be written: File too large"));
}

TEST_F(HandIn, ResetChangesNothingWhenItCannotKeepTheSource) {
  root_.write(".learn", "a file where the folder should be");
  EXPECT_THROW(reset_exercise("1.5.3"), Stop);
  EXPECT_EQ(root_.read(in_exercise_ + "exercise.cpp"), "int mine;\n");
}

TEST_F(HandIn, ShowsASolutionOnlyAfterAPassOrSpoiled) {
  Options options;
  options.wanted = "1.5.3";
  EXPECT_THROW(show_solution(options), Stop);
  options.spoil = true;
  EXPECT_EQ(show_solution(options), 0);
  fs::remove_all(root_.path() / "solutions");
  const auto message = tests::message_of<Stop>([&] { show_solution(options); });
  EXPECT_TRUE(contains(message, "no solutions"));
}

class Release : public HandIn, public testing::WithParamInterface<bool> {};

TEST_P(Release, HasStubsAndNothingForTeachers) {
  if (GetParam() && find_program("git").empty()) GTEST_SKIP() << "there is no git, which knows the files";
  root_.write("CMakeLists.txt", "");
  root_.write("chapters/1_gpus/naïve \"x\".cpp", "// lesson\n");
  root_.write(".gitignore", "/build/\n/.learn/\n/exercises/*/*/exercise.cpp\n");
  root_.write("build/cpu/CMakeCache.txt", "");
  root_.write(".learn/progress.json", "{}");
  root_.write("common/course/runner/grading/main.cpp", "");
  if (GetParam()) {
    git({"init", "--quiet"});
    git({"add", "--all"});
    root_.write("untracked.txt", "");
  }
  const fs::path folder = outside_.path() / "students";
  ASSERT_EQ(release_course(folder), 0);
  EXPECT_EQ(contents(folder / in_exercise_ / "exercise.cpp"), root_.read(in_exercise_ + "stub.cpp"));
  for (const char* file : {"CMakeLists.txt", "chapters/1_gpus/naïve \"x\".cpp", "exercises/1_gpus/3_log/check.cpp",
                           "exercises/1_gpus/3_log/hint.md"}) {
    EXPECT_EQ(contents(folder / file), root_.read(file)) << file;
  }
  EXPECT_EQ(contents(folder / ".gitignore"), "/build/\n/.learn/\n");
  for (const char* file :
       {"solutions", "exercises/1_gpus/3_log/mistakes.md", "build", ".learn", ".git", "common/course/runner/grading"}) {
    EXPECT_FALSE(fs::exists(folder / file)) << file;
  }
  EXPECT_EQ(fs::exists(folder / "untracked.txt"), false);
}
INSTANTIATE_TEST_SUITE_P(Tree, Release, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "OfGit" : "OfAFolder"; });

TEST_F(HandIn, ReleasesOnlyIntoAnEmptyFolder) {
  root_.write("CMakeLists.txt", "");
  fs::create_directories(outside_.path() / "empty");
  EXPECT_EQ(release_course(outside_.path() / "empty"), 0);
  EXPECT_THROW(release_course(outside_.path() / "empty"), Stop);  // no more
  EXPECT_THROW(release_course(root_.path() / "inside"), Stop);
  EXPECT_THROW(release_course(root_.path() / "CMakeLists.txt"), Stop);
  EXPECT_FALSE(fs::exists(root_.path() / "inside"));
}

}  // namespace
}  // namespace d2l::runner
