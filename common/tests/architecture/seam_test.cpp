// SPDX-License-Identifier: MIT
// The seam: nothing above the backends and kernels knows CUDA, and no public header includes a private dependency.
#include <algorithm>
#include <regex>
#include <vector>

#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;

/// What is forbidden above the seam, in the files below `root`, as "file: text"; `count` is the number of files read.
std::vector<std::string> breaches(const fs::path& root, int& count) {
  const std::string cuda =
      R"(#[ \t]*include[ \t]*[<"](cuda|cublas|curand|nvml|cub/)|#[ \t]*(if|ifdef|ifndef|elif)[^\n]*(CUDA|NVCC))"
      R"(|__global__|__device__|__host__|<<<)";
  const std::string dependencies = R"(|#[ \t]*include[ \t]*[<"](fmt|nlohmann|CLI|thrust|Random123|cblas|omp))";
  const std::regex in_sources(cuda);
  const std::regex in_public_code(cuda + dependencies);
  std::vector<std::string> found;
  for (const char* top : {"chapters", "exercises", "solutions", "common/include", "common/src"}) {
    if (!fs::is_directory(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto name = entry.path().lexically_relative(root).string();
      const auto extension = entry.path().extension();
      if (name.rfind("common/src/backend/", 0) == 0 || name.rfind("common/src/kernels/", 0) == 0) continue;
      if (extension != ".cpp" && extension != ".h") continue;
      ++count;
      const auto text = d2l::testing::contents(entry.path());
      const auto& forbidden = std::string(top) == "common/src" ? in_sources : in_public_code;
      for (std::sregex_iterator match(text.begin(), text.end(), forbidden), end; match != end; ++match) {
        found.push_back(name + ": " + match->str());
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

using Found = std::vector<std::string>;

TEST(Seam, NothingAboveItKnowsCuda) {
  int count = 0;
  EXPECT_EQ(breaches(D2L_ROOT, count), Found{});
  EXPECT_GE(count, 200);
}

TEST(Seam, PlantedBreachesAreFound) {
  const d2l::testing::TemporaryFolder tree;
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
  EXPECT_EQ(breaches(tree.path(), count), Found{"common/src/ops/sort.cpp: #include <cublas"});
}

}  // namespace
