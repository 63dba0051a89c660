// SPDX-License-Identifier: MIT
// Linked into every lesson: an uncaught error ends the program with one message and the exit code 2.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "base/terminal_text.h"
#include "output/output_sink.h"
#include "runtime/runtime.h"

namespace {

[[noreturn]] void report_uncaught_error() noexcept {
  std::fflush(stdout);
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
    std::fputs("error: std::terminate was called without an exception\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", d2l::detail::for_standard_error(std::string("error: ") + error.what()).c_str());
  } catch (...) {
    std::fputs("error: an exception that is not a std::exception was thrown\n", stderr);
  }
  std::_Exit(2);
}

// Before main(): a capture that cannot be written is reported at the start, not after the work.
const bool prepared = [] {
  std::set_terminate(report_uncaught_error);
  d2l::detail::take_over_virtual_gpu_notice();
  // What was buffered is written when the program ends: a full disk then is an error too.
  std::atexit([] {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    std::fputs("error: the standard output cannot be written\n", stderr);
    std::_Exit(2);
  });
  d2l::detail::open_sink();
  return true;
}();

}  // namespace
