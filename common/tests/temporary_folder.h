// SPDX-License-Identifier: MIT
// For tests: temporary folders and files.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace d2l::tests {

/// The bytes of a file.
inline std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Writes a new file. The old one is removed first: overwriting it may wait for the disk.
inline void write_contents(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// A new folder, removed with its content by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    auto name = (std::filesystem::temp_directory_path() / "d2l test XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create a temporary folder");
    path_ = std::filesystem::canonical(name);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file of the folder, in a subfolder if `file` names one.
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((path_ / file).parent_path());
    write_contents(path_ / file, text);
  }
  [[nodiscard]] std::string read(const std::string& file) const { return contents(path_ / file); }
  [[nodiscard]] int files() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

/// A file that the process of a death test writes: its path is in an environment variable, which that process inherits.
class FileOfDeathTest {
 public:
  explicit FileOfDeathTest(const char* variable) : variable_(variable) {
    const auto name = "d2l_test_" + std::to_string(::getpid());
    ::setenv(variable, (std::filesystem::temp_directory_path() / name).c_str(), /*overwrite=*/0);
    path_ = std::getenv(variable);
  }
  ~FileOfDeathTest() {
    ::unsetenv(variable_);
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  FileOfDeathTest(const FileOfDeathTest&) = delete;
  FileOfDeathTest& operator=(const FileOfDeathTest&) = delete;
  [[nodiscard]] std::string read() const { return contents(path_); }

 private:
  const char* variable_;
  std::filesystem::path path_;
};

}  // namespace d2l::tests
