// SPDX-License-Identifier: MIT
#include "checks/leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "calls/call_site.h"

namespace d2l::emulator {
namespace {

struct Leaks {
  std::mutex mutex;
  std::unordered_map<const void*, std::pair<std::size_t, std::string>> live;
};
Leaks& leaks() {
  static auto* const made = new Leaks;
  return *made;
}

bool checks_leaks() {
  static const bool on = [] {
    const char* const text = std::getenv("D2L_CHECK_LEAKS");
    return text != nullptr && !std::string_view(text).empty() && std::string_view(text) != "0";
  }();
  return on;
}

void report_leaks() {
  struct Sum {
    std::size_t count = 0;
    std::size_t bytes = 0;
  };
  std::map<std::string, Sum> sums;
  {
    const std::lock_guard lock(leaks().mutex);
    for (const auto& [memory, one] : leaks().live) {
      Sum& sum = sums[one.second];
      ++sum.count;
      sum.bytes += one.first;
    }
  }
  std::vector<std::pair<std::string, Sum>> lines(sums.begin(), sums.end());
  std::ranges::stable_sort(lines, [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  constexpr std::size_t most = 10;
  std::fflush(stdout);
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) {
    const auto& [what, sum] = lines[i];
    if (sum.bytes == 0) {  // no memory: an object
      fmt::print(stderr, "never destroyed: {} object{}, {}\n", sum.count, sum.count == 1 ? "" : "s", what);
      continue;
    }
    fmt::print(stderr, "never freed: {} allocation{}, {} bytes, {}\n", sum.count, sum.count == 1 ? "" : "s", sum.bytes,
               what);
  }
  if (lines.size() > most) fmt::print(stderr, "never freed: memory of {} more places\n", lines.size() - most);
}

/// Before the program's own static objects, so that it runs after their destructors.
[[gnu::constructor(101)]] void register_report() {
  if (checks_leaks()) std::atexit(report_leaks);
}

}  // namespace

std::string with_place(const char* call) {
  CallSite site = current_call();
  site.name = call;
  return site.text();
}

void note_allocated(const void* memory, std::size_t bytes, const std::string& what) {
  if (!checks_leaks()) return;
  const std::lock_guard lock(leaks().mutex);
  leaks().live[memory] = {bytes, what};
}
void note_freed(const void* memory) {
  if (!checks_leaks()) return;
  const std::lock_guard lock(leaks().mutex);
  leaks().live.erase(memory);
}

}  // namespace d2l::emulator
