// SPDX-License-Identifier: MIT
// Uses the driver's tools and /proc, not the CUDA library.
#include "base/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
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

int physical_gpus() {
  if (!find_program("nvidia-smi").empty()) {
    int count = 0;
    const int code = run_reading({"nvidia-smi", "-L"}, "/", [&](const std::string& line) {
      if (line.starts_with("GPU ")) ++count;
    });
    return code == 0 ? count : 0;
  }
  std::error_code unreadable;
  const fs::directory_iterator cards("/proc/driver/nvidia/gpus", unreadable);
  return static_cast<int>(std::distance(begin(cards), end(cards)));
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

int parallel_jobs() {
  constexpr std::int64_t memory_each = std::int64_t{3} << 29;
  const std::int64_t by_memory = available_memory() / memory_each;
  return static_cast<int>(std::clamp<std::int64_t>(by_memory, 1, usable_cores()));
}

}  // namespace d2l::runner
