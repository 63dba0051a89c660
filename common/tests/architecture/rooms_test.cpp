// SPDX-License-Identifier: MIT
// The READMEs of the rooms name what is there.
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "architecture/source_tree.h"
#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using d2l::tests::lines_of;
using Problems = std::vector<std::string>;

/// What the README of a room lacks, or names and does not have: the folders of src, in the first column of its table.
Problems problems_of_readme(const fs::path& room) {
  static const std::regex name("`(?:src/)?([a-z_]+)`");
  const auto lines = lines_of(room / "README.md");
  Problems problems;
  if (lines.empty() || lines.size() > 30) problems.push_back("there is no README of at most 30 lines");
  std::set<std::string> missing;
  for (const auto& entry : fs::directory_iterator(room / "src")) missing.insert(entry.path().filename());
  for (const auto& line : lines) {
    if (!line.starts_with("| `")) continue;
    const auto cell = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator match(cell.begin(), cell.end(), name), end; match != end; ++match) {
      const std::string folder = (*match)[1];
      missing.erase(folder);
      if (!fs::exists(room / "src" / folder) && !fs::exists(room / folder)) problems.push_back("no folder " + folder);
    }
  }
  for (const auto& folder : missing) problems.push_back("it does not name " + folder);
  return problems;
}

TEST(Rooms, HaveReadmesThatNameTheirFolders) {
  for (const char* room : {"machine", "tensors", "distributed", "emulator", "course"}) {
    EXPECT_EQ(problems_of_readme(fs::path(D2L_ROOT) / "common" / room), Problems{}) << room;
  }
}

TEST(Rooms, PlantedFaultsOfAReadmeAreFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write("src/known/a.cpp", "");
  tree.write("src/unknown/a.cpp", "");
  tree.write("runner/main.cpp", "");
  tree.write("README.md", "| folder | x |\n| `src/known`, `runner` | `other` |\n| `gone` | |\n");
  EXPECT_EQ(problems_of_readme(tree.path()), (Problems{"no folder gone", "it does not name unknown"}));
  tree.write("README.md", std::string(31, '\n'));
  EXPECT_EQ(problems_of_readme(tree.path()).front(), "there is no README of at most 30 lines");
}

}  // namespace
