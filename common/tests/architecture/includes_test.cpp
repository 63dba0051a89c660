// SPDX-License-Identifier: MIT
// A file includes the header of each name that it uses, itself or by a header of the project. Newer compilers and
// libraries include less in their own headers: libstdc++ 13 no longer <cstdint>, libstdc++ 14 no longer <algorithm>,
// fmt 11 no longer the ranges. Sources that are compiled together, and precompiled headers, hide what is missing.
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "architecture/source_tree.h"
#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using d2l::tests::TemporaryFolder;

/// A header, the names that it declares, and headers that promise to declare them too.
struct Header {
  const char* name;
  const char* names;
  const char* others = "";
};

constexpr std::array headers{
    Header{"algorithm",
           "std::all_of std::any_of std::binary_search std::clamp std::copy_if std::copy_n std::count_if std::equal "
           "std::fill std::fill_n std::find std::find_if std::is_sorted std::lower_bound std::max std::max_element "
           "std::min std::min_element std::minmax std::mismatch std::none_of std::nth_element std::reverse std::rotate "
           "std::search std::sort std::stable_sort std::transform std::unique std::upper_bound"},
    Header{"array", "std::array"},
    Header{"cmath", "std::sqrt std::exp std::log std::pow std::floor std::ceil std::isnan std::isfinite"},
    Header{"cstdint",
           "std::int8_t std::int16_t std::int32_t std::int64_t std::uint8_t std::uint16_t std::uint32_t "
           "std::uint64_t std::uintptr_t"},
    Header{"cstdlib", "std::getenv std::exit std::abort std::strtod std::strtol"},
    Header{"cstring", "std::memcpy std::memmove std::memset std::memcmp std::strlen std::strcmp std::strerror"},
    Header{"exception", "std::exception_ptr std::current_exception std::rethrow_exception"},
    Header{"fmt/ranges.h", "fmt::join"},
    Header{"iterator", "std::back_inserter std::istreambuf_iterator"},
    Header{"limits", "std::numeric_limits"},
    Header{"memory", "std::unique_ptr std::shared_ptr std::make_unique std::make_shared"},
    Header{"numeric", "std::accumulate std::iota std::inner_product"},
    Header{"stdexcept", "std::runtime_error std::logic_error std::invalid_argument std::out_of_range"},
    Header{"utility", "std::exchange std::pair", "map unordered_map"},
};

std::vector<std::string> words_of(const char* text) {
  std::istringstream words(text);
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word);
  return list;
}

bool uses(std::string_view text, const std::string& name) {
  const auto continues = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
  };
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !continues(text[at - 1])) && (end == text.size() || !continues(text[end]))) return true;
  }
  return false;
}

/// The files of a tree below `root`, and the headers that each includes.
class Tree {
 public:
  explicit Tree(fs::path root) : root_(std::move(root)) {}

  std::vector<std::string> problems() {
    std::vector<std::string> found;
    for (const fs::path top : {"common", "docs/weaver"}) {
      for (const auto& file : d2l::tests::sources(root_, top)) {
        const auto place = file.string();
        if (place.starts_with("emulator/tests/programs")) continue;  // .cu files, which include "verify.h"
        if (place.starts_with("examples/") || place.starts_with("benchmarks/")) continue;
        const auto path = root_ / top / file;
        const auto code = code_of(path);
        const auto& included = included_by(path);
        for (const auto& header : headers) {
          if (included.count(header.name) > 0) continue;
          if (const auto name = missing(code, included, header); !name.empty()) {
            found.push_back((top / file).string() + " uses " + name + " without <" + header.name + ">");
          }
        }
      }
    }
    return found;
  }

 private:
  static std::string missing(const std::string& code, const std::set<std::string>& included, const Header& header) {
    for (const auto& other : words_of(header.others)) {
      if (included.count(other) > 0) return "";
    }
    for (const auto& name : words_of(header.names)) {
      if (uses(code, name)) return name;
    }
    return "";
  }

  /// The text of a file without comments, strings in one line and includes.
  static std::string code_of(const fs::path& file) {
    std::string code;
    for (const auto& line : d2l::tests::lines_of(file)) {
      bool in_string = false;
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (!in_string && line.compare(i, 2, "//") == 0) break;
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) in_string = !in_string;
        if (!in_string) code += line[i];
      }
      code += '\n';
    }
    return code;
  }

  /// The names of all that a file includes, itself and by headers of the project.
  const std::set<std::string>& included_by(const fs::path& file) {
    const auto [known, added] = included_.try_emplace(file.string());
    if (!added) return known->second;
    std::set<std::string> all;
    for (const auto& name : d2l::tests::includes_of(file)) {
      all.insert(name.string());
      if (const auto own = own_header(file, name); !own.empty()) all.merge(std::set<std::string>(included_by(own)));
    }
    return included_[file.string()] = std::move(all);
  }

  [[nodiscard]] fs::path own_header(const fs::path& file, const fs::path& name) const {
    if (fs::is_regular_file(file.parent_path() / name)) return file.parent_path() / name;
    for (const fs::path room : {"machine", "tensors", "distributed", "emulator", "course"}) {
      for (const char* folder : {"src", "include", "runner", "tests"}) {
        if (const auto path = root_ / "common" / room / folder / name; fs::is_regular_file(path)) return path;
      }
    }
    for (const char* base : {"common/tests", "common", "docs/weaver"}) {
      if (fs::is_regular_file(root_ / base / name)) return root_ / base / name;
    }
    return {};
  }

  fs::path root_;
  std::map<std::string, std::set<std::string>> included_;
};

TEST(Includes, EachFileIncludesTheHeadersOfTheNamesThatItUses) {
  EXPECT_EQ(Tree(D2L_ROOT).problems(), std::vector<std::string>{});
}

TEST(Includes, PlantedOmissionsAreFound) {
  const TemporaryFolder tree;
  tree.write("common/machine/src/a/has.h", "#include <algorithm>\n#include <map>\n");
  tree.write("common/machine/src/a/by_header.cpp",
             "#include \"a/has.h\"\nint a = std::max(1, 2);\nstd::pair<int, int> b;\n");
  tree.write("common/machine/src/a/comment.cpp",
             "// std::sort\nconst char* a = \"fmt::join\";\nauto b = std::ranges::sort;\n");
  tree.write("common/machine/src/a/joins.cpp", "#include <fmt/format.h>\nauto a = fmt::join(list, \", \");\n");
  tree.write("common/course/runner/b/number.h", "std::int64_t number = std::max<std::int64_t>(1, 2);\n");
  const std::vector<std::string> expected{"common/course/runner/b/number.h uses std::max without <algorithm>",
                                          "common/course/runner/b/number.h uses std::int64_t without <cstdint>",
                                          "common/machine/src/a/joins.cpp uses fmt::join without <fmt/ranges.h>"};
  EXPECT_EQ(Tree(tree.path()).problems(), expected);
}

}  // namespace
