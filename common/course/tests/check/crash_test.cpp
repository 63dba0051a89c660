// SPDX-License-Identifier: MIT
// A crash names the call that runs, and first the address of the instruction that crashed.
#include "check/crash.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

// A function of its own whose only instruction with an effect crashes.
__attribute__((noinline)) void trap() { __builtin_trap(); }

TEST(Crash, NamesTheCallAndTheInstruction) {
  Dl_info program{};
  ASSERT_NE(::dladdr(reinterpret_cast<const void*>(&trap), &program), 0);
  const auto begin = reinterpret_cast<std::uintptr_t>(&trap) - reinterpret_cast<std::uintptr_t>(program.dli_fbase);
  const auto crash = [] {
    d2l::check::report_crashes();
    const d2l::check::RunningCall call("f(3)");
    trap();
  };
  // The address is within 32 bytes of the function's begin.
  std::string places;
  for (std::uintptr_t at = begin; at < begin + 32; ++at) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(at));
    places += (places.empty() ? "" : "|") + std::string(digits);
  }
  EXPECT_DEATH(crash(), "crash: f\\(3\\)\ncrash at: \\+0x(.*\ncrash at: \\+0x)?(" + places + ")\n");
}

}  // namespace
