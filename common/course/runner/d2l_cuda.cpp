// SPDX-License-Identifier: MIT
// d2l_cuda FILE.cu...: ./learn cuda from an installed package.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "build/cuda_request.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

/// Where programs are built: a folder of the user.
fs::path cache() {
  const char* const own = std::getenv("XDG_CACHE_HOME");
  if (own != nullptr && *own != '\0') return fs::path(own) / "d2l";
  const char* const home = std::getenv("HOME");
  return (home != nullptr && *home != '\0' ? fs::path(home) / ".cache" : fs::temp_directory_path()) / "d2l";
}

int run_installed(const Command& words) {
  const CudaRequest request = read_cuda_request(words, "d2l_cuda");
  if (request.help) {
    fmt::print("{}", cuda_usage("d2l_cuda"));
    return 0;
  }
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path include = prefix / "include";
  return run_emulated(request,
                      {prefix / "share" / "d2l" / "cuda_emulator",
                       prefix.string(),
                       cache(),
                       {include / "d2l_cuda_emulator", include / "d2l"}},
                      debugger(request, false));
}

}  // namespace
}  // namespace d2l::runner

int main(int count, char** words) {
  try {
    return d2l::runner::run_installed({words + 1, words + count});
  } catch (const d2l::runner::Stop& stop) {
    fmt::print(stderr, "{}\n", stop.what());
    return stop.code();
  } catch (const std::exception& problem) {
    fmt::print(stderr, "d2l_cuda: {}\n", problem.what());
    return d2l::runner::failed;
  }
}
