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
    int rank = 0;
    std::string room;
    for (const auto& line : lines_of(root / "common/layers.txt")) {
      if (line.starts_with('[')) {
        room = line.substr(1, line.find(']') - 1);
        std::istringstream others(line.substr(line.find(']') + 1));
        uses_[room] = {room};
        for (std::string name; others >> name;) uses_[room].insert(name);
      }
      const auto colon = line.find(':');
      if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
      std::istringstream folders(line.substr(0, colon)), headers(line.substr(colon + 1));
      std::string folder;
      for (std::string name; folders >> name; folder = name) {
        ranks_[name] = rank;
        rooms_[name] = room;
      }
      for (std::string name; headers >> name;) headers_["d2l/" + name] = folder;
      ++rank;
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
      if (line.starts_with("## ")) is_table = line == "## Layers of the library";
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
    for (const auto& [folder, rank] : ranks_) {
      if (!fs::is_directory(root_ / "common/src" / folder)) report(folder, "is listed and does not exist");
    }
    for (const auto& [header, folder] : headers_) {
      if (!fs::exists(root_ / "common/include" / header)) report(header, "is listed and does not exist");
    }
    for (const char* base : {"common/src", "common/include"}) {
      for (const auto& file : sources(root_, base)) check(base, file);
    }
    for (const auto& [top, room] : further_) {
      for (const auto& file : sources(root_, top)) check_room(top / file, room);
    }
    return problems_;
  }

 private:
  /// The folder that a file of common/src or a public header belongs to; "" for a file that is not listed.
  [[nodiscard]] std::string folder_of(const fs::path& file) const {
    const auto folder = file.parent_path().string();
    if (ranks_.count(folder) > 0) return folder;
    for (const auto& name : {file.string(), folder + "/"}) {
      if (const auto found = headers_.find(name); found != headers_.end()) return found->second;
    }
    return "";
  }

  void check(const fs::path& base, const fs::path& file) {
    const auto from = folder_of(file);
    if (from.empty()) return report(file, "is not in common/layers.txt");
    check_room(base / file, rooms_[from]);
    for (const auto& included : includes_of(root_ / base / file)) {
      if (!fs::exists(root_ / "common/src" / included) && !fs::exists(root_ / "common/include" / included)) continue;
      const auto to = folder_of(included);
      if (to.empty() || to == from) continue;
      if (ranks_[to] > ranks_[from]) report(file, "includes upwards: " + included.string());
      if (ranks_[to] == ranks_[from]) report(file, "includes sideways: " + included.string());
    }
  }

  /// Reports what a file of `room` includes of a room that it may not use.
  void check_room(const fs::path& file, const std::string& room) {
    for (const auto& included : includes_of(root_ / file)) {
      const auto to = room_of(file, included);
      if (!to.empty() && uses_[room].count(to) == 0) report(file, "may not use " + to + ": " + included.string());
    }
  }

  /// The room of an included file; "" for that of a library, and for CUDA's, which the emulator's headers stand for.
  [[nodiscard]] std::string room_of(const fs::path& file, const fs::path& included) const {
    for (const auto& [top, room] : further_) {
      const bool is_in_it = fs::path(file.lexically_relative(top)).begin()->string() != "..";
      if (is_in_it && (fs::exists(root_ / top / included) || fs::exists(root_ / file.parent_path() / included))) {
        return room;
      }
    }
    if (fs::exists(root_ / "common/src" / included) || fs::exists(root_ / "common/include" / included)) {
      const auto layer = rooms_.find(folder_of(included));
      return layer == rooms_.end() ? "" : layer->second;
    }
    for (const auto& [top, room] : further_) {
      if (fs::exists(root_ / top / included)) return room;
    }
    return "";
  }

  void report(const fs::path& what, const std::string& problem) { problems_.push_back(what.string() + " " + problem); }

  fs::path root_;
  const std::map<fs::path, std::string> further_{{"common/emulator", "emulator"}, {"common/runner", "course"}};
  std::map<std::string, std::set<std::string>> uses_;  // the rooms that each may use, itself too
  std::map<std::string, std::string> rooms_;           // of the folders
  std::map<std::string, int> ranks_;
  std::map<std::string, std::string> headers_;  // a public header, or a folder of them with its slash, and its folder
  Problems problems_;
};

/// Files that are too long, folders with too many sources, and sources of common/src whose header is elsewhere.
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
      const bool public_headers = folder == "include/d2l";  // their paths are the library's interface
      if (count > max_files && !public_headers) problems.push_back(folder.string() + " has too many files");
    }
  }
  for (const auto& file : sources(root, "common/src")) {
    if (file.extension() == ".h" || fs::exists(root / "common/src" / fs::path(file).replace_extension(".h"))) continue;
    for (const auto& included : includes_of(root / "common/src" / file)) {
      const bool own = included.stem() == file.stem() && fs::exists(root / "common/src" / included);
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
  for (const char* top : {"chapters", "exercises", "solutions", "common/include", "common/src"}) {
    for (const auto& file : sources(root, top)) {
      const auto name = (fs::path(top) / file).string();
      if (name.starts_with("common/src/backend/") || name.starts_with("common/src/kernels/")) continue;
      if (file.extension() != ".cpp" && file.extension() != ".h") continue;
      if (name == "common/include/d2l/thrust.h") continue;  // for .cu programs: its policy is a type of Thrust
      ++count;
      const auto text = d2l::tests::contents(root / name);
      const auto& forbidden = std::string(top) == "common/src" ? in_sources : in_public_code;
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
             "| `folder` | no layer |\n## Layers of the library\n| `low` | x |\n| `high`, `none` | x |\n## More\n| `x` "
             "| x |\n");
  EXPECT_EQ(Layers(tree.path()).problems_of_page(),
            (Problems{"high stands below a lower layer", "none is no layer", "middle is missing"}));
}

TEST(Layers, NoFileOrFolderIsTooLargeAndHeadersPairWithSources) { EXPECT_EQ(sizes_and_pairs(D2L_ROOT), Problems{}); }

TEST(Layers, PlantedBreachesAreFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write("common/layers.txt", "# bottom up\nlow: low.h parts/ gone.h\nleft right:\nhigh: high.h\nmissing:\n");
  tree.write("common/src/low/upwards.cpp", "#include \"high/high.h\"\n#include <vector>\n");
  tree.write("common/src/left/sideways.cpp", "# include \"right/right.h\"\n#include \"low/low.h\"\n");
  tree.write("common/src/right/right.h", "#include <d2l/parts/part.h>\n");
  tree.write("common/src/high/high.h", "#include \"left/left.h\"\n");
  tree.write("common/src/left/left.h", "");
  tree.write("common/src/low/low.h", "");
  tree.write("common/src/unlisted/file.cpp", "");
  tree.write("common/include/d2l/low.h", "#include \"d2l/high.h\"\n");
  tree.write("common/include/d2l/high.h", "");
  tree.write("common/include/d2l/parts/part.h", "#include \"d2l/low.h\"\n");
  tree.write("common/include/d2l/unlisted.h", "");
  const Problems expected{"missing is listed and does not exist",
                          "d2l/gone.h is listed and does not exist",
                          "left/sideways.cpp includes sideways: right/right.h",
                          "low/upwards.cpp includes upwards: high/high.h",
                          "unlisted/file.cpp is not in common/layers.txt",
                          "d2l/low.h includes upwards: d2l/high.h",
                          "d2l/unlisted.h is not in common/layers.txt"};
  EXPECT_EQ(Layers(tree.path()).problems(), expected);
}

TEST(Layers, IncludesOfARoomThatMayNotBeUsedAreFound) {
  const d2l::tests::TemporaryFolder tree;
  tree.write("common/layers.txt",
             "[machine]\nbase: base.h\n[tensors] machine\nops: ops.h\n[distributed] machine tensors\n"
             "links: links.h\n[emulator] machine\n[course] machine tensors distributed emulator\ncheck: check.h\n");
  // Each room's file, which includes one of every other room, a header of CUDA, and one of its own.
  const std::map<std::string, std::string> files{{"common/src/base/base.cpp", "base/in_base.h"},
                                                 {"common/src/ops/ops.cpp", "d2l/ops.h"},
                                                 {"common/src/links/links.cpp", "links/in_links.h"},
                                                 {"common/emulator/base/fibers.cpp", "base/fibers.h"},
                                                 {"common/runner/main.cpp", "main.h"}};
  for (const char* header : {"base", "ops", "links", "check"}) {
    const std::string name = header;
    tree.write("common/include/d2l/" + name + ".h", "");
    tree.write("common/src/" + name + "/in_" + name + ".h", "");
  }
  tree.write("common/emulator/base/fibers.h", "");
  tree.write("common/emulator/include/cuda_runtime.h", "");
  tree.write("common/runner/main.h", "");
  std::string all = "#include <cuda_runtime.h>\n#include <vector>\n";
  for (const auto& [file, header] : files) all += "#include \"" + header + "\"\n";
  for (const auto& [file, header] : files) tree.write(file, all);

  Problems expected;
  const auto refused = [&expected](const std::string& file, const Problems& rooms) {
    for (const auto& room : rooms) expected.push_back(file + " may not use " + room);
  };
  refused("common/src/base/base.cpp", {"emulator", "course", "distributed", "tensors"});
  refused("common/src/links/links.cpp", {"emulator", "course"});
  refused("common/src/ops/ops.cpp", {"emulator", "course", "distributed"});
  refused("common/emulator/base/fibers.cpp", {"course", "distributed", "tensors"});
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
  tree.write("common/src/a/long.cpp", std::string(max_lines + 1, '\n'));
  tree.write("common/src/a/pair.h", "");
  tree.write("common/src/b/pair.cpp", "#include \"a/pair.h\"\n");
  for (int i = 0; i <= max_files; ++i) tree.write("chapters/full/" + std::to_string(i) + ".cpp", "");
  const Problems expected{"src/a/long.cpp is too long", "full has too many files",
                          "b/pair.cpp has its header in another folder: a/pair.h"};
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
  tree.write("common/src/kernels/kernel.h", "__global__ void kernel();\n");
  tree.write("common/src/ops/sort.cpp", "#include <thrust/sort.h>\n#include <cublas_v2.h>\n");
  int count = 0;
  EXPECT_EQ(breaches(tree.path(), count), Problems{"common/src/ops/sort.cpp: #include <cublas"});
}

}  // namespace
