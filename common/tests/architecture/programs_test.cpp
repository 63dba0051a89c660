// SPDX-License-Identifier: MIT
// The programs that the sources start, against cmake/programs.txt, from which CI knows what to leave out.
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

void add_matches(const std::string& text, const std::string& form, Names& names) {
  const std::regex pattern(form);
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    const std::string path = (*match)[1].str();
    if (!path.starts_with("/proc/")) names.insert(path.substr(path.rfind('/') + 1));
  }
}

/// The programs that a source starts or looks for.
Names started_by(const fs::path& file) {
  static const std::map<std::string, std::string> forms{
      {".cpp",
       R"re((?:find_program\(|\b(?:run|run_reading|first_line|start)\(\{|\b(?:Command|Words)(?: \w+)?\{\s*|popen\()"([\w/+.-]+))re"},
      {".py", R"re(subprocess\.\w+\(\s*\["([\w/+.-]+)")re"},
      {".cmake", R"re(find_program\(\s*\w+\s+(?:NAMES\s+)?([\w+.-]+))re"},
      {"", R"re(\bcommand -v ([\w+.-]+))re"},  // ./learn
  };
  Names names;
  const auto form = forms.find(file.extension().string());
  if (form == forms.end()) return names;
  const std::string text = d2l::tests::contents(file);
  for (const char* word : {"find_program", "({\"", "Command", "Words", "popen(", "subprocess", "command -v"}) {
    if (text.find(word) == std::string::npos) continue;  // a search is much faster than the pattern
    add_matches(text, form->second, names);
    break;
  }
  return names;
}

Names started_below(const fs::path& root) {
  Names names = started_by(root / "learn");
  for (const char* top : {"common/machine/src", "common/tensors/src", "common/distributed/src", "common/emulator/src",
                          "common/course/src", "common/course/runner", "docs/weaver", "docs/notebook", "cmake"}) {
    if (!fs::is_directory(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.is_regular_file() && entry.path().extension() != "") names.merge(started_by(entry.path()));
    }
  }
  return names;
}

Names listed(const fs::path& root) {
  std::istringstream lines(d2l::tests::contents(root / "cmake/programs.txt"));
  Names names;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(' ')));
  }
  return names;
}

TEST(Programs, ThatAreStartedAreListed) {
  Names started = started_below(D2L_ROOT);
  if (!fs::exists(fs::path(D2L_ROOT) / "common/course/runner/grading"))
    started.merge(Names{"bwrap", "env"});  // of teachers
  EXPECT_EQ(started, listed(D2L_ROOT));
}

/// The names of .ci/machines with the word for when each is tested: run, all or never.
std::map<std::string, std::string> machines_of_ci(const fs::path& root) {
  static const std::regex row(R"(([\w.-]+) *\| *(run|all|never) *\|.*)");
  std::istringstream lines(d2l::tests::contents(root / ".ci/machines"));
  std::map<std::string, std::string> machines;
  for (std::string line; std::getline(lines, line);) {
    if (std::smatch match; std::regex_match(line, match, row)) machines[match[1]] = match[2];
  }
  return machines;
}

/// The same of the table in the page "Your machine".
std::map<std::string, std::string> machines_of_page(const fs::path& root) {
  static const std::map<std::string, std::string> words{
      {"each run of CI", "run"}, {"the long run of CI", "all"}, {"not yet", "never"}};
  static const std::regex row(R"(\| `([\w.-]+)` \|.*\| (each run of CI|the long run of CI|not yet)[^|]* \|)");
  std::istringstream lines(d2l::tests::contents(root / "docs/pages/your_machine.md"));
  std::map<std::string, std::string> machines;
  for (std::string line; std::getline(lines, line);) {
    if (std::smatch match; std::regex_match(line, match, row)) machines[match[1]] = words.at(match[2]);
  }
  return machines;
}

TEST(Programs, ThePageOfMachinesSaysWhatCiTests) {
  const auto machines = machines_of_ci(D2L_ROOT);
  EXPECT_GE(machines.size(), 10U);
  EXPECT_EQ(machines_of_page(D2L_ROOT), machines);
}

TEST(Programs, EachWayOfStartingOneIsFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write("learn", "if command -v apt-get >/dev/null; then\n");
  tree.write("common/course/runner/a.cpp",
             "run({\"git\", \"log\"}, folder);\nconst Command c{\n    \"/usr/bin/tar\", \"x\"};\n");
  tree.write("common/machine/src/b.cpp", "if (find_program(\"g++-11\").empty()) popen(\"uname -a\", \"r\");\n");
  tree.write("docs/notebook/c.py", "subprocess.run(\n    [\"jupyter\", \"x\"])\n");
  tree.write("cmake/d.cmake", "find_program(D2L_X ccache)\nfind_program(Y NAMES doxygen)\n");
  const Names expected{"apt-get", "ccache", "doxygen", "g++-11", "git", "jupyter", "tar", "uname"};
  EXPECT_EQ(started_below(tree.path()), expected);
}

}  // namespace
