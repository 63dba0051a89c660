// SPDX-License-Identifier: MIT
// Code that depends on the processor is listed in common/processors.txt, each file with a test.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using Problems = std::vector<std::string>;

/// The relative paths of the sources of a tree, in order.
std::vector<std::string> sources(const fs::path& root) {
  static const std::set<std::string> extensions{".h", ".cpp", ".cu", ".cuh", ".def"};
  std::vector<std::string> files;
  for (const char* top : {"chapters", "common", "docs", "exercises", "solutions"}) {
    if (!fs::is_directory(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (extensions.count(entry.path().extension()) > 0) files.push_back(entry.path().lexically_relative(root));
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether a file is a test of a room, or of the whole.
bool is_test(const std::string& file) {
  return file.starts_with("common/") && file.find("/tests/") != std::string::npos;
}

bool depends_on_the_processor(const std::string& text) {
  static const std::vector<const char*> marks{
      "__x86_64__",      "__amd64__",       "__i386__",       "__aarch64__", "__arm__",
      "__ARM_",          "__AVX",           "__SSE",          "__FMA__",     "__builtin_cpu_supports",
      "__builtin_ia32_", "target(\"",       "target_clones(", "mmintrin.h",  "<arm_",
      "rdtsc",           "__builtin_cpu_is"};
  return std::ranges::any_of(marks, [&](const char* mark) { return text.find(mark) != std::string::npos; });
}

/// common/processors.txt against the tree below `root`.
Problems problems(const fs::path& root) {
  std::map<std::string, std::string> listed;
  std::istringstream list(d2l::tests::contents(root / "common/processors.txt"));
  for (std::string line; std::getline(list, line);) {
    const auto colon = line.find(": ");
    if (!line.empty() && line[0] != '#' && colon != std::string::npos)
      listed[line.substr(0, colon)] = line.substr(colon + 2);
  }
  Problems found;
  std::string tests;
  for (const auto& file : sources(root)) {
    const auto text = d2l::tests::contents(root / file);
    if (is_test(file)) {
      tests += text;
    } else if (depends_on_the_processor(text) != (listed.count(file) > 0)) {
      found.push_back(file + (listed.count(file) > 0 ? " is listed and does not depend" : " depends") +
                      " on the processor");
    }
  }
  for (const auto& [file, test] : listed) {
    const auto dot = test.find('.');
    const auto definition = "(" + test.substr(0, dot) + ", " + test.substr(dot + 1) + ")";
    if (!fs::exists(root / file)) found.push_back(file + " does not exist");
    if (tests.find(definition) == std::string::npos) found.push_back(file + ": there is no test " + test);
  }
  return found;
}

TEST(ProcessorCode, EachFileIsListedWithItsTest) { EXPECT_EQ(problems(D2L_ROOT), Problems{}); }

TEST(ProcessorCode, PlantedOnesAreFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write(
      "common/processors.txt",
      "# files\ncommon/machine/src/known.h: A.b\ncommon/machine/src/plain.h: A.b\ncommon/machine/src/c.h: A.c\n");
  tree.write("common/machine/tests/a_test.cpp", "TEST_F(A, b) {}\n");
  tree.write("common/machine/src/known.h", "#if defined(__x86_64__)\n#endif\n");
  tree.write("common/machine/src/c.h", "__attribute__((target(\"avx2\")))\n");
  tree.write("common/machine/src/plain.h", "");
  tree.write("chapters/a/new.cpp", "#include <immintrin.h>\n");
  const Problems expected{"chapters/a/new.cpp depends on the processor",
                          "common/machine/src/plain.h is listed and does not depend on the processor",
                          "common/machine/src/c.h: there is no test A.c"};
  EXPECT_EQ(problems(tree.path()), expected);
}

}  // namespace
