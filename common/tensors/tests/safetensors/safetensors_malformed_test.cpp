// SPDX-License-Identifier: MIT
// Malformed files: each is refused with what is wrong and where, and before anything large is allocated.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>

#include "d2l/safetensors.h"
#include "safetensors/file_test.h"
#include "safetensors/malformed_files.h"

namespace d2l::testing {
namespace {

using SafetensorsMalformed = FileTest;

TEST_F(SafetensorsMalformed, EachIsRefusedWithWhatIsWrongAndWhere) {
  std::set<std::string> names;
  for (const auto& file : malformed_files()) {
    SCOPED_TRACE(file.name);
    EXPECT_TRUE(names.insert(file.name).second) << "this name comes twice";
    write_contents(path, file.bytes);
    const auto begin = "\"" + path + "\" is not a valid safetensors file: ";
    expect_error<ConfigurationError>([&] { return SafetensorsFile(path); }, "[SafetensorsFile] " + begin);
    expect_error<ConfigurationError>([&] { return load_file(path); }, "[load_file] " + begin);
    expect_error<ConfigurationError>([&] { return SafetensorsFile(path); }, file.says);
    try {
      static_cast<void>(SafetensorsFile(path));
    } catch (const ConfigurationError& error) {
      EXPECT_LT(std::string(error.what()).size(), 600U);
    }
  }
  EXPECT_GE(names.size(), 100U);
}

/// The most memory that the process has had, in bytes; asking begins the count anew.
std::int64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  std::int64_t kibibytes = 0;
  for (std::string word; status >> word && word != "VmHWM:";) continue;
  status >> kibibytes;
  std::ofstream("/proc/self/clear_refs") << "5";
  return kibibytes * 1024;
}

TEST_F(SafetensorsMalformed, NothingLargeIsAllocatedForWhatTheyClaim) {
  peak_memory();
  const auto before = peak_memory();
  for (const auto& file : malformed_files()) {
    write_contents(path, file.bytes);
    EXPECT_THROW(static_cast<void>(load_file(path)), ConfigurationError) << file.name;
  }
  EXPECT_LT(peak_memory() - before, 32 << 20);
}

TEST_F(SafetensorsMalformed, AFileCutAnywhereIsRefused) {
  StateDict tensors = one_of_each();
  save_file(tensors, path, {{"format", "pt"}});
  const auto whole = contents(path);
  EXPECT_EQ(load_file(path).size(), tensors.size());
  std::uint64_t length = 0;
  whole.copy(reinterpret_cast<char*>(&length), sizeof length);
  const auto header = whole.substr(8, length);
  const auto data = whole.substr(8 + length);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    write_contents(path, whole.substr(0, bytes));
    expect_error<ConfigurationError>([&] { return load_file(path); }, "is not a valid safetensors file");
  }
  // The header alone is cut, and its length says so; what is left of it is spaces at the end.
  for (std::size_t bytes = 0; bytes < header.find_last_not_of(' ') + 1; ++bytes) {
    write_contents(path, file_of(header.substr(0, bytes), data));
    expect_error<ConfigurationError>([&] { return load_file(path); }, "is not a valid safetensors file");
  }
}

TEST_F(SafetensorsMalformed, AnyByteOfAHeaderMayBeWrong) {
  const std::string header = R"({"__metadata__":{"é":"x"},"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})";
  const auto whole = file_of(header, "12345678");
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const int wrong : {0, 1, 8, 0x22, 0x2C, 0x2D, 0x39, 0x5B, 0x5D, 0x7B, 0x7D, 0x80, 0xC3, 0xFF}) {
      auto bytes = whole;
      bytes[place] = static_cast<char>(wrong);
      write_contents(path, bytes);
      try {
        static_cast<void>(load_file(path));
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
      }
    }
  }
}

TEST_F(SafetensorsMalformed, AHeaderMayHaveAHundredMegabytesAndNoMore) {
  const std::size_t most = 100'000'000;
  std::string header = "{}";
  header.resize(most, ' ');
  write_contents(path, file_of(header));
  EXPECT_EQ(SafetensorsFile(path).size(), 0U);
  header += ' ';
  write_contents(path, file_of(header));
  expect_error<ConfigurationError>([&] { return SafetensorsFile(path); },
                                   "would be 100000001 bytes long, and 100000000 is the most");
  const std::size_t large = most / 10;
  for (const auto& [begin, fill, says] : std::vector<std::tuple<std::string, char, std::string>>{
           {"{\"a\":", '[', "tensor \"a\" is a list"},
           {"{\"", 'a', "missing closing quote (byte 10000008)"},
           {"{\"a\":{\"shape\":[", '1', "the shape of tensor \"a\" has a number that is too large"},
           {"", '{', "the header is not JSON"}}) {
    header = begin;
    header.resize(large, fill);
    write_contents(path, file_of(header));
    expect_error<ConfigurationError>([&] { return SafetensorsFile(path); }, says);
  }
  header = "{\"a\":{\"shape\":[1";
  while (header.size() + 2 <= large) header += ",1";
  write_contents(path, file_of(header));
  expect_error<ConfigurationError>([&] { return SafetensorsFile(path); },
                                   "has more than 64 dimensions (before byte 15");
}

TEST_F(SafetensorsMalformed, WhatIsNoFileIsNotRead) {
  expect_error<ConfigurationError>(
      [&] { return load_file(folder / "none"); },
      "[load_file] cannot read \"" + (folder / "none") + "\": No such file or directory; ");
  expect_error<ConfigurationError>([&] { return load_file(folder.path().string()); }, "it is a folder");
  expect_error<ConfigurationError>([&] { return load_file("/dev/null"); }, "it is not a regular file");
  expect_error<ConfigurationError>([&] { return load_file(""); }, "No such file");
  const auto pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_error<ConfigurationError>([&] { return load_file(pipe); }, "it is not a regular file");
}

}  // namespace
}  // namespace d2l::testing
