// SPDX-License-Identifier: MIT
// Expected outputs: what they keep of a capture, and that every printed character counts.
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "capture/capture_text.h"
#include "capture/lesson_check.h"
#include "capture/provenance.h"
#include "d2l/error.h"
#include "refusal.h"

namespace d2l::runner {
namespace {

using nlohmann::json;

json document() {
  return {{"section", "1.2.2"},
          {"configuration", "virtual2"},
          {"devices", {"Virtual GPU 0", "Virtual GPU 1"}},
          {"cells",
           {{{"line", 41},
             {"title", "One copy"},
             {"outputs",
              {{{"kind", "text"}, {"text", "tensor([[1.],\n        [2.]])"}},
               {{"kind", "measured"},
                {"label", "the copy"},
                {"text", "the copy: 3 ms"},
                {"value", 0.003},
                {"unit", "seconds"},
                {"low", 0},
                {"high", 10}},
               {{"kind", "measured"}, {"label", "a name"}, {"text", "some card"}},
               {{"kind", "svg"}, {"alternative", "an arrow"}, {"text", "<svg>\n</svg>"}}}}}}}};
}

TEST(Render, KeepsTheOutputThatDoesNotVary) {
  EXPECT_EQ(render(document().dump()),
            "section 1.2.2, configuration virtual2\n"
            "device Virtual GPU 0\n"
            "device Virtual GPU 1\n"
            "\n"
            "cell 1: One copy\n"
            "> tensor([[1.],\n"
            "|         [2.]])\n"
            "[measured: the copy: seconds, 0 to 10]\n"
            "[measured: a name: text]\n"
            "[picture: an arrow]\n"
            "> <svg>\n"
            "| </svg>\n");
}

TEST(Render, DistinguishesTwoOutputsFromTwoLines) {
  auto one = document();
  auto two = document();
  one["cells"][0]["outputs"] = {{{"kind", "text"}, {"text", "a\nb"}}};
  two["cells"][0]["outputs"] = {{{"kind", "text"}, {"text", "a"}}, {{"kind", "text"}, {"text", "b"}}};
  EXPECT_NE(render(one.dump()), render(two.dump()));
}

TEST(Render, RefusesWhatIsNotACapture) {
  EXPECT_THROW(render(""), ConfigurationError);
  EXPECT_THROW(render("[]"), ConfigurationError);
  EXPECT_THROW(render(R"({"section": 1})"), ConfigurationError);
  auto strange = document();
  strange["cells"][0]["outputs"][0]["kind"] = "smell";
  EXPECT_THROW(render(strange.dump()), ConfigurationError);
}

TEST(Range, ContainsTheMeasuredValues) {
  auto measured = document();
  EXPECT_TRUE(values_out_of_range(measured.dump()).empty());
  auto& output = measured["cells"][0]["outputs"][1];
  for (const json& wrong : {json(10.5), json(-0.1), json(nullptr)}) {
    output["value"] = wrong;
    EXPECT_EQ(values_out_of_range(measured.dump()).size(), 1u) << wrong;
  }
  output["value"] = 10;
  measured["cells"][0]["outputs"][2]["text"] = "";
  EXPECT_EQ(values_out_of_range(measured.dump()).size(), 1u);
}

TEST(Provenance, NamesTheCodeAndNotTheProse) {
  const std::string lesson =
      "#include <a>\n\n// %%\n// # Title\nint main() {\n  f();\n  // %%\n  // Words.\n  g();\n}\n";
  const auto changed = [&](const std::string& from, const std::string& to) {
    auto other = lesson;
    return code_fingerprint(other.replace(other.find(from), from.size(), to));
  };
  EXPECT_EQ(changed("Words.", "Other words.\n  // More."), code_fingerprint(lesson));
  EXPECT_EQ(changed("  g", "\n    g"), code_fingerprint(lesson));
  EXPECT_NE(changed("g()", "h()"), code_fingerprint(lesson));
  EXPECT_NE(changed("<a>", "<b>"), code_fingerprint(lesson));
  EXPECT_NE(changed("  // %%\n", ""), code_fingerprint(lesson)) << "the outputs belong to other cells then";

  auto cells = document();
  cells["cells"][0]["line"] = 7;
  const auto stamped = json::parse(with_provenance(cells.dump(), lesson));
  EXPECT_EQ(stamped["captured"]["cells_sha256"], code_fingerprint(lesson));
  EXPECT_EQ(stamped["captured"]["when"].get<std::string>().size(), std::string("2026-11-22").size());
  EXPECT_EQ(stamped["captured"]["on"], this_machine());
  EXPECT_EQ(stamped["cells"][0]["cell"], 2);
  EXPECT_EQ(render(stamped.dump()), render(cells.dump()));
  EXPECT_FALSE(json::parse(with_provenance(cells.dump(), ""))["captured"].contains("cells_sha256"));
  cells["cells"][0]["line"] = 5;
  EXPECT_THROW(with_provenance(cells.dump(), lesson), ConfigurationError);
  EXPECT_THROW(with_provenance("[]", lesson), ConfigurationError);
}

TEST(Compare, CatchesEveryChangedCharacter) {
  const TemporaryFolder folder;
  const auto cells = folder / "cells.json";
  const auto expected = folder / "expected.txt";
  const auto reference = render(document().dump());
  write_file(cells, document().dump());
  write_file(expected, reference);
  EXPECT_EQ(compare(cells, expected, "the command"), 0);
  ::testing::internal::CaptureStdout();  // thousands of lines of differences
  for (std::size_t i = 0; i < reference.size(); ++i) {
    auto changed = reference;
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    write_file(expected, changed);
    EXPECT_EQ(compare(cells, expected, "the command"), 1) << "character " << i;
  }
  const auto last = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(contains(last, "+| </svg>"));
  EXPECT_TRUE(contains(last, "keep it: the command\n"));
  std::filesystem::remove(cells);
  EXPECT_THROW(compare(cells, expected, "the command"), Stop);
  EXPECT_THROW(write_file("/dev/null/expected.txt", "text"), Stop);
}

TEST(CheckLesson, SkipsOtherOutputOfAnEditedLesson) {
  const TemporaryFolder folder;
  ::setenv("LEARN_ROOT", folder.path().c_str(), 1);
  auto shows = document();
  shows["cells"][0]["line"] = 1;
  folder.write("shows.json", shows.dump());
  folder.write("lesson", "#!/bin/sh\ncp \"${0%/*}/shows.json\" \"$D2L_CELLS\"\n");
  std::filesystem::permissions(folder / "lesson", std::filesystem::perms::owner_all);
  folder.write("chapters/x.cpp", "// %%\nint main() {}\n");
  folder.write("expected/x.virtual2.txt", render(shows.dump()));
  LessonCheck check{folder / "lesson",     folder / "expected",       "x",       "virtual2",
                    folder / "cells.json", folder / "chapters/x.cpp", "capture", {}};
  EXPECT_EQ(check_lesson(check), 0);
  folder.write("expected/x.virtual2.txt", "other");
  EXPECT_EQ(check_lesson(check), 1);
  folder.write(".learn/original/chapters/x.cpp", folder.read("chapters/x.cpp"));
  EXPECT_EQ(check_lesson(check), 1);
  folder.write("chapters/x.cpp", "// %%\nint main() { f(); }\n");
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(check_lesson(check), skipped_status);
  EXPECT_TRUE(contains(::testing::internal::GetCapturedStdout(), "Skipped: " + check.source + " is edited"));
  check.capture = true;
  EXPECT_EQ(check_lesson(check), 0);
  ::unsetenv("LEARN_ROOT");
}

}  // namespace
}  // namespace d2l::runner
