// SPDX-License-Identifier: MIT
#include "execution/host_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "backend/cpu/host_memory.h"
#include "hip/program.h"
#include "runtime/errors.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t worth_a_look = std::size_t{64} << 20;  // fewer bytes are not worth the time of a look

std::int64_t number_in(const char* file) {
  std::int64_t number = -1;
  std::ifstream(file) >> number;  // "max" leaves 0
  return number;
}

/// What is left for this process, of the machine and of its container, without what others may need.
std::int64_t memory_left() {
  auto memory = backend::host_memory::system_memory();
  const std::int64_t limit = number_in("/sys/fs/cgroup/memory.max");
  if (limit > 0 && limit < memory.total) {
    memory.total = limit;
    memory.available = std::min(memory.available, limit - number_in("/sys/fs/cgroup/memory.current"));
  }
  return memory.available - std::min(memory.total / 16, std::int64_t{512} << 20);
}

}  // namespace

void require_memory_of_host(std::size_t bytes, const char* call) {
  static std::atomic<std::size_t> since_last_look{0};
  if (since_last_look.fetch_add(bytes) + bytes < worth_a_look && bytes < worth_a_look) return;
  since_last_look = 0;
  const std::int64_t left = memory_left();
  if (left > 0 && bytes / 2 <= static_cast<std::size_t>(left)) return;
  constexpr double mebi = 1 << 20;
  const std::string text = fmt::format(
      "{} of {:.0f} MiB: the machine has {:.0f} MiB of memory left, and the memory of a virtual GPU is a part of "
      "it. The call returns cudaErrorMemoryAllocation\n",
      call, static_cast<double>(bytes) / mebi, static_cast<double>(std::max<std::int64_t>(left, 0)) / mebi);
  fmt::print(stderr, "{}", in_names_of_program(text));
  throw Failure{cudaErrorMemoryAllocation};
}

}  // namespace d2l::emulator
