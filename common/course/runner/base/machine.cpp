// SPDX-License-Identifier: MIT
#include "base/machine.h"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#include "base/run_limited.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

std::int64_t available_memory() {
  std::ifstream in("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  for (std::string unit; in >> name >> kibibytes;) {
    std::getline(in, unit);
    if (name == "MemAvailable:") return kibibytes * 1024;
  }
  return std::numeric_limits<std::int64_t>::max();
}

int usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

}  // namespace

PhysicalGpus physical_gpus() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return {};
  const auto initialise = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto get_count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto get_version = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  PhysicalGpus found;
  if (initialise == nullptr || get_count == nullptr || get_version == nullptr) return found;
  if (initialise(0) != 0 || get_count(&found.count) != 0 || get_version(&found.driver_cuda) != 0) return {};
  return found;
}

fs::path cuda_compiler() {
  const char* chosen = std::getenv("CUDACXX");
  if (chosen != nullptr && access(chosen, X_OK) == 0) return chosen;
  fs::path found = find_program("nvcc");
  if (!found.empty()) return found;
  const char* home = std::getenv("CUDA_HOME");
  fs::path usual = fs::path(home == nullptr ? "/usr/local/cuda" : home) / "bin" / "nvcc";
  return access(usual.c_str(), X_OK) == 0 ? usual : fs::path();
}

int cuda_version_of(const fs::path& compiler) {
  int version = 0;
  run_reading({compiler.string(), "--version"}, "/", [&](const std::string& line) {
    int major = 0;
    int minor = 0;
    const auto at = line.find("release ");
    if (at != std::string::npos && std::sscanf(line.c_str() + at, "release %d.%d", &major, &minor) == 2) {
      version = major * 1000 + minor * 10;
    }
  });
  return version;
}

int parallel_jobs() {
  constexpr std::int64_t memory_each = std::int64_t{3} << 29;
  const std::int64_t by_memory = available_memory() / memory_each;
  return static_cast<int>(std::clamp<std::int64_t>(by_memory, 1, usable_cores()));
}

}  // namespace d2l::runner
