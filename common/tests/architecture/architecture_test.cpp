// SPDX-License-Identifier: MIT
// The architecture of the source tree: the rooms and layers of common/layers.txt against the #includes of common; sizes
// of files and folders; the seam, above which nothing knows CUDA.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "architecture/source_tree.h"
#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using d2l::tests::includes_of;
using d2l::tests::lines_of;
using d2l::tests::sources;
using Problems = std::vector<std::string>;

constexpr std::size_t max_lines = 400;            // of at most 120 columns
constexpr std::size_t max_lines_of_course = 480;  // of at most 88 columns: lessons, exercises and solutions
constexpr int max_files = 26;

/// common/layers.txt, and what the files of the tree below `root` do against it.
class Layers {
 public:
  explicit Layers(const fs::path& root) : root_(root) {
    std::string room;
    for (const auto& line : lines_of(root / "common/layers.txt")) {
      if (line.starts_with('[')) {
        room = line.substr(1, line.find(']') - 1);
        std::istringstream others(line.substr(line.find(']') + 1));
        rooms_.push_back(room);
        uses_[room] = {room};
        for (std::string name; others >> name;) uses_[room].insert(name);
      }
      const auto colon = line.find(':');
      if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
      std::istringstream folders(line.substr(0, colon)), headers(line.substr(colon + 1));
      std::string folder;
      for (std::string name; folders >> name; folder = name) {
        ranks_[name] = line_;
        rooms_of_folders_[name] = room;
      }
      for (std::string name; headers >> name;) {
        headers_["d2l/" + name] = folder;
        if (!fs::exists(root_ / "common" / room / "include/d2l" / name))
          report(name, "is listed and is not in " + room);
      }
      ++line_;
    }
  }

  /// What the table of layers on the page of the architecture lacks, or has in another order.
  [[nodiscard]] Problems problems_of_page() const {
    static const std::regex row("\\| (`[^|]*`) \\|.*");
    static const std::regex name("`([a-z_]+)`");
    std::set<std::string> missing;
    for (const auto& [folder, rank] : ranks_) {
      if (folder.find('/') == std::string::npos) missing.insert(folder);
    }
    Problems problems;
    bool is_table = false;
    int above = std::numeric_limits<int>::max();
    for (const auto& line : lines_of(root_ / "docs/pages/architecture.md")) {
      if (line.starts_with("## ")) is_table = line == "## Layers";
      std::smatch cells;
      if (!is_table || !std::regex_match(line, cells, row)) continue;
      const std::string names = cells[1];
      int lowest = above;
      for (std::sregex_iterator match(names.begin(), names.end(), name), end; match != end; ++match) {
        const std::string folder = (*match)[1];
        const auto rank = ranks_.find(folder);
        if (rank == ranks_.end()) {
          problems.push_back(folder + " is no layer");
        } else if (rank->second > above) {
          problems.push_back(folder + " stands below a lower layer");
        } else {
          lowest = std::min(lowest, rank->second);
        }
        missing.erase(folder);
      }
      above = lowest;
    }
    for (const std::string& folder : missing) problems.push_back(folder + " is missing");
    return problems;
  }

  Problems problems() {
    for (const auto& [folder, room] : rooms_of_folders_) {
      if (!fs::is_directory(root_ / "common" / room / "src" / folder))
        report(folder, "is listed and is not in " + room);
    }
    for (const auto& room : rooms_) {
      for (const auto& file : sources(root_, "common/" + room)) check(room, "common" / (room / file));
    }
    return problems_;
  }

 private:
  void check(const std::string& room, const fs::path& file) {
    const auto from = layer_of(file);
    if (from.empty() && has_layers(room) && is_of_the_library(file)) report(file, "is not in common/layers.txt");
    for (const auto& included : includes_of(root_ / file)) {
      const auto header = resolved(room, file, included);
      if (header.empty()) continue;
      const auto to_room = part(header, 1);
      if (uses_[room].count(to_room) == 0) report(file, "may not use " + to_room + ": " + included.string());
      const auto to = layer_of(header);
      if (from.empty() || to.empty() || to == from) continue;
      if (ranks_[to] > ranks_[from]) report(file, "includes upwards: " + included.string());
      if (ranks_[to] == ranks_[from]) report(file, "includes sideways: " + included.string());
    }
  }

  [[nodiscard]] bool has_layers(const std::string& room) const {
    return std::ranges::any_of(rooms_of_folders_, [&](const auto& folder) { return folder.second == room; });
  }
  static bool is_of_the_library(const fs::path& file) { return part(file, 2) == "src" || part(file, 2) == "include"; }

  /// Component number `index` of a path.
  static std::string part(const fs::path& path, int index) {
    auto at = path.begin();
    for (; index > 0 && at != path.end(); --index) ++at;
    return at == path.end() ? "" : at->string();
  }

  /// The file of a room that an #include names; "" for one of a library, of common/tests, or of CUDA, whose headers the
  /// emulator has too.
  [[nodiscard]] fs::path resolved(const std::string& room, const fs::path& file, const fs::path& included) const {
    if (fs::exists(root_ / file.parent_path() / included)) return file.parent_path() / included;
    std::vector<std::string> order = rooms_;
    std::stable_partition(order.begin(), order.end(), [&](const auto& name) { return name == room; });
    for (const auto& name : order) {
      for (const char* folder : {"src", "include", "tests", "runner"}) {
        if (name == "emulator" && std::string(folder) == "include") continue;
        if (const auto path = fs::path("common") / name / folder / included; fs::exists(root_ / path)) return path;
      }
    }
    return {};
  }

  /// The folder of common/layers.txt that a source or a public header belongs to; "" for a file that is not listed.
  [[nodiscard]] std::string layer_of(const fs::path& file) const {
    const auto room = fs::path("common") / part(file, 1);
    if (part(file, 2) == "src") {
      const auto folder = file.parent_path().lexically_relative(room / "src").string();
      const auto found = rooms_of_folders_.find(folder);
      return found != rooms_of_folders_.end() && found->second == part(file, 1) ? folder : "";
    }
    if (part(file, 2) != "include") return "";
    const auto header = file.lexically_relative(room / "include");
    for (const auto& name : {header.string(), header.parent_path().string() + "/"}) {
      if (const auto found = headers_.find(name); found != headers_.end()) return found->second;
    }
    return "";
  }

  void report(const fs::path& what, const std::string& problem) { problems_.push_back(what.string() + " " + problem); }

  fs::path root_;
  int line_ = 0;
  std::vector<std::string> rooms_;
  std::map<std::string, std::set<std::string>> uses_;    // the rooms that each may use, itself too
  std::map<std::string, std::string> rooms_of_folders_;  // of the layers
  std::map<std::string, int> ranks_;
  std::map<std::string, std::string> headers_;  // a public header, or a folder of them with its slash, and its folder
  Problems problems_;
};

/// Files that are too long, folders with too many sources, and sources of the rooms whose header is elsewhere.
Problems sizes_and_pairs(const fs::path& root) {
  Problems problems;
  for (const char* top : {"common", "chapters", "exercises", "solutions", "docs"}) {
    const bool of_course = std::string(top) != "common" && std::string(top) != "docs";
    const std::size_t limit = of_course ? max_lines_of_course : max_lines;
    std::map<fs::path, int> counts;
    for (const auto& file : sources(root, top)) {
      ++counts[file.parent_path()];
      if (lines_of(root / top / file).size() > limit) problems.push_back(file.string() + " is too long");
    }
    for (const auto& [folder, count] : counts) {
      const bool public_headers = folder.string().ends_with("include/d2l");  // their paths are the library's interface
      if (count > max_files && !public_headers) problems.push_back(folder.string() + " has too many files");
    }
  }
  for (const auto& file : sources(root, "common")) {
    const auto src = file.begin() == file.end() ? "" : "common" / *file.begin() / "src";
    const bool alone = !fs::exists(root / "common" / fs::path(file).replace_extension(".h"));
    if (file.extension() == ".h" || !alone || file.string().find("/src/") == std::string::npos) continue;
    for (const auto& included : includes_of(root / "common" / file)) {
      const bool own = included.stem() == file.stem() && fs::exists(root / src / included);
      if (own) problems.push_back(file.string() + " has its header in another folder: " + included.string());
    }
  }
  return problems;
}

/// What is forbidden above the seam (CUDA, and in public code a private dependency), in the files below `root`, as
/// "file: text"; `count` is the number of files read.
Problems breaches(const fs::path& root, int& count) {
  const std::string cuda =
      R"(#[ \t]*include[ \t]*[<"](cuda|cublas|curand|nvml|cub/)|#[ \t]*(if|ifdef|ifndef|elif)[^\n]*(CUDA|NVCC))"
      R"(|__global__|__device__|__host__|<<<)";
  const std::string dependencies = R"(|#[ \t]*include[ \t]*[<"](fmt|nlohmann|CLI|thrust|Random123|cblas|omp))";
  const std::regex in_sources(cuda);
  const std::regex in_public_code(cuda + dependencies);
  Problems found;
  std::vector<std::string> tops{"chapters", "exercises", "solutions"};
  for (const char* room : {"machine", "tensors", "distributed", "course"}) {
    for (const char* folder : {"/include", "/src"}) tops.push_back(std::string("common/") + room + folder);
  }
  for (const auto& top : tops) {
    for (const auto& file : sources(root, top)) {
      const auto name = (fs::path(top) / file).string();
      if (name.starts_with("common/machine/src/backend/") || name.starts_with("common/tensors/src/kernels/")) continue;
      if (file.extension() != ".cpp" && file.extension() != ".h") continue;
      if (name.ends_with("include/d2l/thrust.h")) continue;  // for .cu programs: its policy is a type of Thrust
      ++count;
      const auto text = d2l::tests::contents(root / name);
      const auto& forbidden = top.ends_with("/src") ? in_sources : in_public_code;
      for (std::sregex_iterator match(text.begin(), text.end(), forbidden), end; match != end; ++match) {
        found.push_back(name + ": " + match->str());
      }
    }
  }
  return found;
}

TEST(Layers, NoIncludeRunsUpwardsOrSideways) { EXPECT_EQ(Layers(D2L_ROOT).problems(), Problems{}); }

TEST(Layers, AreThoseOfThePageAboutTheArchitecture) { EXPECT_EQ(Layers(D2L_ROOT).problems_of_page(), Problems{}); }

TEST(Layers, ThatThePageLacksOrOrdersWronglyAreFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write("common/layers.txt", "low:\nmiddle middle/part:\nhigh:\n");
  tree.write("docs/pages/architecture.md",
             "| `folder` | no layer |\n## Layers\n| `low` | x |\n| `high`, `none` | x |\n## More\n| `x` "
             "| x |\n");
  EXPECT_EQ(Layers(tree.path()).problems_of_page(),
            (Problems{"high stands below a lower layer", "none is no layer", "middle is missing"}));
}

TEST(Layers, NoFileOrFolderIsTooLargeAndHeadersPairWithSources) { EXPECT_EQ(sizes_and_pairs(D2L_ROOT), Problems{}); }

TEST(Layers, PlantedBreachesAreFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write("common/layers.txt", "[a]\nlow: low.h parts/ gone.h\n[b] a\nleft right:\nhigh: high.h\nmissing:\n");
  tree.write("common/a/src/low/upwards.cpp", "#include \"high/high.h\"\n#include <vector>\n");
  tree.write("common/b/src/left/sideways.cpp", "# include \"right/right.h\"\n#include \"low/low.h\"\n");
  tree.write("common/b/src/right/right.h", "#include <d2l/parts/part.h>\n#include \"right_too.h\"\n");
  tree.write("common/b/src/right/right_too.h", "#include \"high/high.h\"\n");
  tree.write("common/b/src/high/high.h", "#include \"left/left.h\"\n");
  tree.write("common/b/src/left/left.h", "");
  tree.write("common/a/src/low/low.h", "");
  tree.write("common/a/src/high/other_room.cpp", "");
  tree.write("common/b/src/unlisted/file.cpp", "");
  tree.write("common/b/tests/left/test.cpp", "#include \"high/high.h\"\n#include \"low/low.h\"\n");
  tree.write("common/a/include/d2l/low.h", "#include \"d2l/parts/part.h\"\n");
  tree.write("common/b/include/d2l/high.h", "");
  tree.write("common/a/include/d2l/parts/part.h", "#include \"d2l/high.h\"\n");
  tree.write("common/b/include/d2l/unlisted.h", "");
  const Problems expected{"gone.h is listed and is not in a",
                          "missing is listed and is not in b",
                          "common/a/include/d2l/parts/part.h may not use b: d2l/high.h",
                          "common/a/include/d2l/parts/part.h includes upwards: d2l/high.h",
                          "common/a/src/high/other_room.cpp is not in common/layers.txt",
                          "common/a/src/low/upwards.cpp may not use b: high/high.h",
                          "common/a/src/low/upwards.cpp includes upwards: high/high.h",
                          "common/b/include/d2l/unlisted.h is not in common/layers.txt",
                          "common/b/src/left/sideways.cpp includes sideways: right/right.h",
                          "common/b/src/right/right_too.h includes upwards: high/high.h",
                          "common/b/src/unlisted/file.cpp is not in common/layers.txt"};
  EXPECT_EQ(Layers(tree.path()).problems(), expected);
}

TEST(Layers, IncludesOfARoomThatMayNotBeUsedAreFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write("common/layers.txt",
             "[machine]\nbase: base.h\n[tensors] machine\nops: ops.h\n[distributed] machine tensors\n"
             "links: links.h\n[emulator] machine\n[course] machine tensors distributed emulator\ncheck: check.h\n");
  // A header of each room. Each room's sources and tests include all of them, a header of CUDA, and one of a library.
  const std::map<std::string, std::string> headers{{"machine", "base/in_base.h"},
                                                   {"tensors", "d2l/ops.h"},
                                                   {"distributed", "links/in_links.h"},
                                                   {"emulator", "fibers/fibers.h"},
                                                   {"course", "grading/grade.h"}};
  tree.write("common/machine/include/d2l/base.h", "");
  tree.write("common/machine/src/base/in_base.h", "");
  tree.write("common/tensors/include/d2l/ops.h", "");
  tree.write("common/distributed/include/d2l/links.h", "");
  tree.write("common/distributed/src/links/in_links.h", "");
  tree.write("common/emulator/src/fibers/fibers.h", "");
  tree.write("common/emulator/include/cuda_runtime.h", "");
  tree.write("common/course/include/d2l/check.h", "");
  tree.write("common/course/runner/grading/grade.h", "");
  std::string all = "#include <cuda_runtime.h>\n#include <vector>\n";
  for (const auto& [room, header] : headers) all += "#include \"" + header + "\"\n";
  for (const auto& [room, header] : headers) tree.write("common/" + room + "/tests/all_test.cpp", all);
  tree.write("common/machine/src/base/base.cpp", all);
  tree.write("common/emulator/src/fibers/fibers.cpp", all);

  Problems expected;
  const auto refused = [&expected](const std::string& file, const Problems& rooms) {
    for (const auto& room : rooms) expected.push_back("common/" + file + " may not use " + room);
  };
  refused("machine/src/base/base.cpp", {"course", "distributed", "emulator", "tensors"});
  refused("machine/tests/all_test.cpp", {"course", "distributed", "emulator", "tensors"});
  refused("tensors/tests/all_test.cpp", {"course", "distributed", "emulator"});
  refused("distributed/tests/all_test.cpp", {"course", "emulator"});
  refused("emulator/src/fibers/fibers.cpp", {"course", "distributed", "tensors"});
  refused("emulator/tests/all_test.cpp", {"course", "distributed", "tensors"});
  Problems found;
  for (const auto& problem : Layers(tree.path()).problems()) {
    if (const auto at = problem.rfind(": "); problem.find("may not use") != std::string::npos) {
      found.push_back(problem.substr(0, at));
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(Layers, PlantedSizesAndPairsAreFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write("common/room/src/a/long.cpp", std::string(max_lines + 1, '\n'));
  tree.write("common/room/src/a/pair.h", "");
  tree.write("common/room/src/b/pair.cpp", "#include \"a/pair.h\"\n");
  for (int i = 0; i <= max_files; ++i) tree.write("chapters/full/" + std::to_string(i) + ".cpp", "");
  const Problems expected{"room/src/a/long.cpp is too long", "full has too many files",
                          "room/src/b/pair.cpp has its header in another folder: a/pair.h"};
  EXPECT_EQ(sizes_and_pairs(tree.path()), expected);
}

TEST(Seam, NothingAboveItKnowsCuda) {
  int count = 0;
  EXPECT_EQ(breaches(D2L_ROOT, count), Problems{});
  EXPECT_GE(count, 200);
}

TEST(Seam, PlantedBreachesAreFound) {
  const d2l::tests::TemporaryFolder tree;
  const std::string planted = "chapters/1_planted/1_breach.cpp";
  for (const std::string breach :
       {"#include <cuda_runtime.h>", "#ifdef D2L_CUDA", "__global__ void kernel()", "#include <thrust/sort.h>"}) {
    SCOPED_TRACE(breach);
    tree.write(planted, "int first;\n" + breach + "\n");
    int count = 0;
    EXPECT_EQ(breaches(tree.path(), count).size(), 1U);
    EXPECT_EQ(count, 1);
  }
  tree.write(planted, "");
  tree.write("common/tensors/src/kernels/kernel.h", "__global__ void kernel();\n");
  tree.write("common/tensors/src/ops/sort.cpp", "#include <thrust/sort.h>\n#include <cublas_v2.h>\n");
  int count = 0;
  EXPECT_EQ(breaches(tree.path(), count), Problems{"common/tensors/src/ops/sort.cpp: #include <cublas"});
}

}  // namespace
