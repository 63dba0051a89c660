// SPDX-License-Identifier: MIT
// Tests what a folder of submissions holds, and the names in the reports.
#include <gtest/gtest.h>

#include <algorithm>

#include "grading/compiler_message.h"
#include "grading/submission.h"
#include "temporary_folder.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

TEST(Intake, TellsAClassFromASubmission) {
  Check check;
  check.name = "1_gpus/3_log";
  check.source = "exercise.cpp";
  const std::string source = "/1_gpus/3_log/exercise.cpp";
  struct Case {
    Words files;
    Words students;
    Words left_out;
  };
  const Case cases[] = {
      {{"a/exercises" + source, "b.zip", "c/text"}, {"a", "b", "c"}, {}},
      {{"a/3_log.cpp", "notes.txt", "helper.cpp", "manifest.json"},
       {"a"},
       {"helper.cpp", "manifest.json", "notes.txt"}},
      {{"a" + source, "exercises/README"}, {"a", "exercises"}, {}},
      {{"a.tar.gz", "exercises" + source}, {"a", "exercises"}, {}},
      {{".a" + source, "b" + source, ".git/config", ".DS_Store"}, {".a", "b"}, {".DS_Store", ".git"}},
      {{"exercises" + source, ".git/config", "build/log", "notes.txt", "manifest.json"}, {"class"}, {}},
      {{"learn", "exercises" + source, "solutions/1_gpus/3_log.cpp"}, {"class"}, {}},
      {{"3_log.cpp", "text"}, {"class"}, {}},
      {{source.substr(1)}, {"class"}, {}},
      {{"a/text", "a.zip", "a.ZIP"}, {"a", "a.ZIP", "a.zip (2)"}, {}},
      {{"a.rar"}, {"a.rar"}, {}},
  };
  for (const auto& [files, students, left_out] : cases) {
    SCOPED_TRACE(files.front());
    const tests::TemporaryFolder folder;
    for (const std::string& file : files) {
      fs::create_directories((folder.path() / "class" / file).parent_path());
      tests::write_contents(folder.path() / "class" / file, "");
    }
    const Class found = find_submissions(folder.path() / "class", {check});
    Words names;
    for (const SubmissionPath& one : found.submissions) names.push_back(one.name.shown);
    std::sort(names.begin(), names.end());
    Words expected = students;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(names, expected);
    Words entries;
    for (const std::string& entry : found.left_out) entries.push_back(entry.substr(0, entry.find(',')));
    EXPECT_EQ(entries, left_out);
  }
}

TEST(Intake, NamesDiffer) {
  const std::string mark = "\xEF\xBF\xBD";
  const std::string cut = std::string(100, 'x') + "…";
  const std::vector<std::pair<std::string, Words>> cases{
      // an entry of the folder: the name in reports, the name of its file
      {"a b", {"a b", "a_b_3"}},
      {"a_b_2", {"a_b_2", "a_b_2"}},
      {"a_b", {"a_b", "a_b"}},
      {"A_b", {"A_b (2)", "A_b__2_"}},
      {"a\nb", {"a" + mark + "b", "a___b"}},
      {"a\u202eb", {"a" + mark + "b (2)", "a___b__2_"}},
      {std::string(250, 'x'), {cut, std::string(100, 'x')}},
      {std::string(251, 'x'), {cut + " (2)", std::string(100, 'x') + "_2"}},
  };
  Words entries;
  for (const auto& one : cases) entries.push_back(one.first);
  const std::vector<Name> names = names_of(entries);
  for (std::size_t i = 0; i < entries.size(); ++i)
    EXPECT_EQ((Words{names[i].shown, names[i].file}), cases[i].second) << entries[i];
}

TEST(Intake, FindsDirectivesThatRenameLines) {
  for (const char* source : {"#line 3 \"check.cpp\"", "  # 3 \"check.cpp\"", "%:line 3", "#/* */line 3", "#\\\nline 3",
                             "const char* a = \"/*\";\n#line 3\nconst char* b = \"*/\";"})
    EXPECT_TRUE(renames_lines(source)) << source;
  for (const char* source : {"#include \"line.h\"\nint line = 3;", "#define A 3", "#", "a ? b :line", "#/*"})
    EXPECT_FALSE(renames_lines(source)) << source;
}

}  // namespace
}  // namespace d2l::grading
