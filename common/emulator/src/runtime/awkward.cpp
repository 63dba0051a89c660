// SPDX-License-Identifier: MIT
#include "d2l_emulator/awkward.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "runtime/blocking.h"

namespace d2l::emulator {
namespace {

std::atomic<std::int64_t> blocked{0};
std::atomic<std::int64_t> launched{0};
std::atomic<std::int64_t> allocated{0};
std::atomic<std::int64_t> pinned{0};

void set_from_environment(Awkward& switches) {
  const char* const text = std::getenv("D2L_AWKWARD_CARDS");
  if (text == nullptr) return;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    if (name == "no_peer_access") {
      switches.no_peer_access = true;
    } else if (name == "uses_pageable_memory") {
      switches.uses_pageable_memory = true;
    } else if (name == "too_large_is_invalid") {
      switches.too_large_is_invalid = true;
    } else if (name == "poison_freed") {
      switches.poison_freed = true;
    } else {
      std::fprintf(stderr,
                   "D2L_AWKWARD_CARDS: there is no switch %s: no_peer_access, uses_pageable_memory, "
                   "too_large_is_invalid and poison_freed exist\n",
                   name.c_str());
      std::exit(2);
    }
  }
}

}  // namespace

Awkward& awkward() {
  static auto* const made = [] {
    auto* const switches = new Awkward;
    set_from_environment(*switches);
    return switches;
  }();
  return *made;
}

void note_blocking_call() noexcept { ++blocked; }
std::int64_t blocking_calls() { return blocked.load(); }
void note_launch() noexcept { ++launched; }
std::int64_t launches() { return launched.load(); }
void note_pool_allocation() noexcept { ++allocated; }
std::int64_t pool_allocations() { return allocated.load(); }
void note_pinned_allocation() noexcept { ++pinned; }
std::int64_t pinned_allocations() { return pinned.load(); }

}  // namespace d2l::emulator
