// SPDX-License-Identifier: MIT
// What every lesson is linked with: an error that nobody caught ends the program with one clear message and status 2.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "output/shown.h"
#include "runtime/runtime.h"

namespace {

[[noreturn]] void say_last_word() noexcept {
  std::fflush(stdout);
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
    std::fputs("error: the program ended itself (std::terminate), and no error says why\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
  } catch (...) {
    std::fputs("error: something was thrown that is no std::exception\n", stderr);
  }
  std::_Exit(2);
}

// Before main(): a file of cells that cannot be written is said at the start, not after the work.
const bool prepared = [] {
  std::set_terminate(say_last_word);
  d2l::detail::take_over_virtual_gpu_notice();
  d2l::detail::open_stage();
  return true;
}();

}  // namespace
