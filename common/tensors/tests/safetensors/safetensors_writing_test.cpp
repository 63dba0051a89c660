// SPDX-License-Identifier: MIT
// Saving: a file is whole or as it was, whatever goes wrong, and the error says what.
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "d2l/safetensors.h"
#include "messages.h"
#include "safetensors/file_test.h"

namespace d2l::testing {
namespace {

using SafetensorsWriting = FileTest;

namespace fs = std::filesystem;

StateDict some(std::int64_t count = 10) { return {{"x", ones({count})}}; }

unsigned permissions(const std::string& path) {
  struct stat found {};
  return stat(path.c_str(), &found) == 0 ? found.st_mode & 07777U : 0;
}

/// Runs a call in a process of its own, which may give up its rights, and returns what it says.
template <class Call>
std::string said_elsewhere(Call call) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const auto text = tests::message_of(call);
    const auto written = write(ends[1], text.data(), text.size());
    _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : text + " (it ended by signal or error)";
}

void become_nobody() {
  if (geteuid() != 0) return;
  if (setgid(65534) != 0 || setuid(65534) != 0) throw Error("cannot become nobody");
}

TEST_F(SafetensorsWriting, RefusesWhatTheFormatCannotHave) {
  const StateDict reserved{{"__metadata__", ones({1})}};
  expect_error<ValueError>([&] { save_file(reserved, path); }, "[save_file] a tensor cannot be named \"__metadata__\"");
  for (const auto& [bytes, place] : std::vector<std::pair<std::string, int>>{{"a\xFF", 1},
                                                                             {"\x80", 0},
                                                                             {"\xC3", 1},
                                                                             {"\xC0\x80", 0},
                                                                             {"\xE0\x80\x80", 1},
                                                                             {"é\xED\xA0\x80", 3},
                                                                             {"\xF0\x8F\xBF\xBF", 1},
                                                                             {"\xF4\x90\x80\x80", 1},
                                                                             {"\xF5\x80\x80\x80", 0},
                                                                             {"\xE2\x82(", 2}}) {
    const StateDict tensors{{bytes, ones({1})}};
    expect_error<ValueError>([&] { save_file(tensors, path); },
                             "is not UTF-8: byte " + std::to_string(place) + " of it");
  }
  expect_error<ValueError>([&] { save_file(some(), path, {{"\xFF", ""}}); }, "the metadata's name");
  expect_error<ValueError>([&] { save_file(some(), path, {{"a", "\xFF"}}); }, "the metadata's text");
  expect_error<ValueError>([&] { save_file({{"u", Tensor()}}, path); }, "the tensor \"u\" is undefined");
  for (const std::int64_t repetitions : {std::int64_t{1} << 29, std::int64_t{1} << 62}) {
    const StateDict expanded{{"e", ones({2}).slice(0, 1).expand({repetitions})}};
    expect_error<ConfigurationError>([&] { save_file(expanded, path); },
                                     "the tensor \"e\" repeats its elements " + std::to_string(repetitions) + " times");
  }
  EXPECT_EQ(folder.files(), 0);
}

TEST_F(SafetensorsWriting, NamesMayHaveAnyUnicode) {
  const auto unicode_path = folder / "ünïcode 😀.safetensors";
  auto tensors = named();
  int value = 0;
  for (const std::string name : {"\"", "\\", "/", "\xED\x9F\xBF", "\xEE\x80\x80"})
    tensors.insert(name, full({}, value++));
  tensors.insert(std::string(100'000, 'n'), full({}, value));
  save_file(tensors, unicode_path);
  EXPECT_EQ(difference(load_file(unicode_path), tensors), "");
}

TEST_F(SafetensorsWriting, SaysWhyItCannotWrite) {
  const auto missing = folder / "nowhere/parameters.safetensors";
  expect_error<ConfigurationError>([&] { save_file(some(), missing); }, "[save_file] cannot write \"" + missing +
                                                                            "\": No such file or directory; create the "
                                                                            "folder \"" +
                                                                            (folder / "nowhere") + "\" first.");
  expect_error<ConfigurationError>([&] { save_file(some(), folder.path().string()); }, "is a folder");
  expect_error<ConfigurationError>([&] { save_file(some(), (folder / "new") + "/"); }, "Is a directory");
  expect_error<ConfigurationError>([&] { save_file(some(), "/dev/full"); }, "is not a regular file");
  expect_error<ConfigurationError>([&] { save_file(some(), ""); }, "No such file");
  expect_error<ConfigurationError>([&] { save_file(some(), folder / std::string(300, 'n')); }, "too long");
  write_contents(folder / "file", "");
  expect_error<ConfigurationError>([&] { save_file(some(), folder / "file/under"); }, "Not a directory");
  fs::create_symlink("loop", folder / "loop");
  expect_error<ConfigurationError>([&] { save_file(some(), folder / "loop"); }, "symbolic links");
  EXPECT_EQ(folder.files(), 2);
}

TEST_F(SafetensorsWriting, WithoutTheRightToWriteTheOldFileStays) {
  write_contents(path, "old");
  fs::permissions(folder.path(), fs::perms(0555));
  const auto in_folder = said_elsewhere([&] {
    become_nobody();
    save_file(some(), path);
  });
  EXPECT_TRUE(
      tests::contains(in_folder, "cannot write \"" + path + "\": Permission denied (the existing file is unchanged)"));
  fs::permissions(folder.path(), fs::perms(0777));
  fs::permissions(path, fs::perms(0444));
  const auto in_file = said_elsewhere([&] {
    become_nobody();
    save_file(some(), path);
  });
  EXPECT_NE(in_file.find("Permission denied"), std::string::npos) << in_file;
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST_F(SafetensorsWriting, KeepsPermissionsAndLinks) {
  const auto before = umask(027);
  save_file(some(), folder / "new");
  umask(before);
  EXPECT_EQ(permissions(folder / "new"), 0640U) << "as the umask says";
  fs::permissions(folder / "new", fs::perms(0604));
  save_file(some(3), folder / "new");
  EXPECT_EQ(permissions(folder / "new"), 0604U) << "as the file had them";

  fs::create_directory(folder / "deep");
  fs::create_symlink("deep/link", folder / "link");
  fs::create_symlink("../new", folder / "deep/link");
  save_file(some(7), folder / "link");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(load_file(folder / "new")["x"].numel(), 7);
  fs::create_symlink(folder / "deep/made", folder / "dangling");
  save_file(some(8), folder / "dangling");
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  EXPECT_EQ(load_file(folder / "deep/made")["x"].numel(), 8);
}

TEST_F(SafetensorsWriting, ALimitOnFileSizesLeavesTheOldFile) {
  save_file(some(5), path);
  const auto old = contents(path);
  const auto large = some(1 << 20);
  for (const rlim_t limit : {rlim_t{50}, rlim_t{4096}, rlim_t{3} << 20U}) {
    const auto said = said_elsewhere([&] {
      struct rlimit most {};
      getrlimit(RLIMIT_FSIZE, &most);
      most.rlim_cur = limit;
      setrlimit(RLIMIT_FSIZE, &most);
      save_file(large, path);
    });
    EXPECT_TRUE(tests::contains(
        said, "cannot write \"" + path +
                  "\": File too large (the existing file is unchanged); this process may write files of up to " +
                  std::to_string(limit) + " bytes; raise the limit"));
    EXPECT_EQ(said.find("ended by signal"), std::string::npos) << said;
    EXPECT_EQ(contents(path), old);
    EXPECT_EQ(folder.files(), 1);
  }
  // Zeros are a hole, which the limit holds for as well.
  const StateDict tensors{{"zeros", zeros({4 << 20})}};
  const auto said = said_elsewhere([&] {
    const struct rlimit most { 4096, RLIM_INFINITY };
    setrlimit(RLIMIT_FSIZE, &most);
    save_file(tensors, path);
  });
  EXPECT_NE(said.find("File too large"), std::string::npos) << said;
  EXPECT_EQ(contents(path), old);
}

TEST_F(SafetensorsWriting, ASignalThatWasBlockedBeforeStaysBlocked) {
  sigset_t mask;
  sigset_t found;
  sigemptyset(&mask);
  sigaddset(&mask, SIGXFSZ);
  for (const int how : {SIG_BLOCK, SIG_UNBLOCK}) {
    pthread_sigmask(how, &mask, nullptr);
    save_file(some(), folder / "file");
    pthread_sigmask(SIG_BLOCK, nullptr, &found);
    EXPECT_EQ(sigismember(&found, SIGXFSZ), how == SIG_BLOCK ? 1 : 0);
  }
}

TEST_F(SafetensorsWriting, AFullDiskLeavesTheOldFile) {
  // A small file system of our own: for the superuser, in a mount namespace that ends with the process.
  const auto file = folder / "disk/file";
  const auto small = some(5);
  const auto large = some(1 << 20);
  const auto said = said_elsewhere([&] {
    fs::create_directory(folder / "disk");
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", (folder / "disk").c_str(), "tmpfs", 0, "size=1m") != 0) {
      throw Error("no small disk");
    }
    save_file(small, file);
    const auto message = tests::message_of([&] { save_file(large, file); });
    if (load_file(file)["x"].numel() != 5) throw Error("the old file is gone: " + message);
    if (std::distance(fs::directory_iterator(folder / "disk"), {}) != 1) throw Error("a file was left: " + message);
    throw Error(message);
  });
  if (said == "no small disk") GTEST_SKIP() << "a file system of one's own takes the superuser";
  EXPECT_TRUE(tests::contains(
      said, "No space left on device (the existing file is unchanged); free some space on the disk of \"" +
                (folder / "disk") + "\", which has "));
}

TEST_F(SafetensorsWriting, LeftoversOfKilledWritersAreRemovedAndThoseOfLivingOnesAreNot) {
  write_contents(folder / ".d2l-save-1-0.part", "of a writer that was killed");
  write_contents(folder / ".d2l-save-notes", "of somebody else");
  const int living = open((folder / ".d2l-save-2-0.part").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(flock(living, LOCK_EX), 0);
  save_file(some(), folder / "file");
  EXPECT_FALSE(fs::exists(folder / ".d2l-save-1-0.part"));
  EXPECT_TRUE(fs::exists(folder / ".d2l-save-2-0.part"));
  EXPECT_TRUE(fs::exists(folder / ".d2l-save-notes"));
  close(living);
  save_file(some(), folder / "file");
  EXPECT_EQ(folder.files(), 2);
}

}  // namespace
}  // namespace d2l::testing
