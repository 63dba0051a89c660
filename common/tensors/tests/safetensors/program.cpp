// SPDX-License-Identifier: MIT
// safetensors_program, which tests run as another process: it writes and checks the files of interop.py, saves without
// end, and saves and loads on a given device.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "files.h"
#include "malformed_files.h"

namespace {

using d2l::StateDict;
using Arguments = std::vector<std::string>;
namespace testing = d2l::testing;

/// More than 4 GiB, most of it zeros, and a few numbers at the end.
StateDict large() {
  return {{"zeros", d2l::zeros({1 << 24}, d2l::kLong).expand({33, 1 << 24})},  // 8 bytes each
          {"small", testing::patterned({5}, d2l::kByte, 7)}};
}

void expect_same(const StateDict& found, const StateDict& expected) {
  const auto different = testing::difference(found, expected);
  if (!different.empty()) throw d2l::Error(different);
}

void write(const Arguments& arguments) {
  d2l::save_file(testing::one_of_each(), arguments[0] + "/each.safetensors", {{"format", "pt"}});
  d2l::save_file(testing::named(), arguments[0] + "/named.safetensors");
  d2l::save_file({}, arguments[0] + "/none.safetensors");
}

void check(const Arguments& arguments) {
  const auto each = arguments[0] + "/each.safetensors";
  expect_same(d2l::load_file(each), testing::one_of_each());
  if (d2l::SafetensorsFile(each).metadata() != d2l::SafetensorsMetadata{{"format", "pt"}}) {
    throw d2l::Error("the metadata");
  }
  expect_same(d2l::load_file(arguments[0] + "/named.safetensors"), testing::named());
  expect_same(d2l::load_file(arguments[0] + "/none.safetensors"), {});
}

void write_large(const Arguments& arguments) { d2l::save_file(large(), arguments[0]); }

/// Checks the large file that Python wrote: lists everything and loads the last tensor.
void check_large(const Arguments& arguments) {
  const d2l::SafetensorsFile file(arguments[0]);
  const auto expected = large();
  if (file.info("zeros").nbytes != expected["zeros"].nbytes()) throw d2l::Error("the size of zeros");
  if (testing::bytes_of(file.tensor("small")) != testing::bytes_of(expected["small"])) {
    throw d2l::Error("the bytes of small");
  }
}

/// Writes the malformed files into a folder; each name says what the safetensors package does with the file.
void write_malformed(const Arguments& arguments) {
  for (const auto& file : testing::malformed_files()) {
    const char* reference = file.reference == testing::Reference::accepts ? "accepts." : "refuses.";
    testing::write_contents(arguments[0] + "/" + reference + file.name, file.bytes);
  }
  int number = 0;
  for (const auto& bytes : testing::unusual_files()) {
    testing::write_contents(arguments[0] + "/unusual." + std::to_string(number++), bytes);
  }
  for (const char* name : {"/each.safetensors", "/named.safetensors"}) {
    const StateDict tensors = name[1] == 'e' ? testing::one_of_each() : testing::named();
    d2l::save_file(tensors, arguments[0] + name, {{"format", "pt"}});
  }
}

/// Saves one state after the other to the same file, until it is killed. A state is 64 tensors of one number.
[[noreturn]] void save_for_ever(const Arguments& arguments) {
  for (int state = 1;; ++state) {
    StateDict tensors;
    for (int i = 0; i < 64; ++i) tensors.insert(std::to_string(i), d2l::full({1000}, state));
    d2l::save_file(tensors, arguments[0]);
    if (state == 1) std::cout << "begun" << std::endl;
  }
}

void save_from(const Arguments& arguments) {
  d2l::save_file({{"weight", d2l::arange(6.0).view({2, 3}).to(d2l::Device(arguments[0]))}}, arguments[1]);
}

void load_onto(const Arguments& arguments) {
  const auto weight = d2l::load_file(arguments[1], d2l::Device(arguments[0]))["weight"];
  std::cout << d2l::repr(weight) << '\n';
}

struct Command {
  void (*run)(const Arguments&);
  std::size_t arguments;
};

}  // namespace

int main(int count, char** values) {
  const std::map<std::string, Command> commands{
      {"write", {write, 1}},
      {"check", {check, 1}},
      {"write-large", {write_large, 1}},
      {"check-large", {check_large, 1}},
      {"write-malformed", {write_malformed, 1}},
      {"save-for-ever", {save_for_ever, 1}},
      {"save-from", {save_from, 2}},
      {"load-onto", {load_onto, 2}},
  };
  const Arguments arguments(values + std::min(count, 2), values + count);
  const auto found = commands.find(count > 1 ? values[1] : "");
  if (found == commands.end() || found->second.arguments != arguments.size()) {
    std::cerr << "safetensors_program: unknown command, or the wrong number of arguments\n";
    return 2;
  }
  try {
    found->second.run(arguments);
  } catch (const std::exception& error) {
    std::cerr << "safetensors_program " << values[1] << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
