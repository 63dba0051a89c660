// SPDX-License-Identifier: MIT
#include "calls/unread_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "calls/program_stack.h"
#include "hip/program.h"
#include "order/timeline.h"
#include "runtime/errors.h"

namespace d2l::emulator {
namespace {

struct Failed {
  CallSite site;
  std::string kernel;  ///< whose launch fails; empty for a call
  bool result_used = false;
  cudaError_t error = cudaSuccess;
  std::string why;
  CallSite later;  ///< the first call after it; its name is empty if there is none
  CallSite read;   ///< where its error was read, after that call
  std::uint64_t thread = 0;
  ReturnAddresses calls = {};
  bool tells_reader = false;  ///< why, when the program reads the error
};

struct AllFailed {
  std::mutex mutex;
  std::vector<Failed> all;
  std::size_t dropped = 0;
};
AllFailed& failed() {
  static auto* const made = new AllFailed;
  return *made;
}

std::atomic<std::uint64_t> threads{0};
thread_local const std::uint64_t this_thread = ++threads;
thread_local bool unused = false;
thread_local std::string explanation;
thread_local bool tells_reader = false;
/// True if an error of this thread was not followed by another call yet.
thread_local bool fresh = false;

constexpr std::size_t most = 100;

void tell(const std::string& what, const std::string& why) {
  std::fflush(stdout);
  fmt::print(stderr, "{}", in_names_of_program(fmt::format("{}: {}\n", what, why)));
}

std::string what_failed(const Failed& one) {
  return one.kernel.empty() ? one.site.name : "the launch of " + one.kernel;
}

void add(Failed one) {
  one.thread = this_thread;
  one.calls = calls_of_this_thread();
  one.tells_reader = std::exchange(tells_reader, false);
  fresh = true;
  const std::lock_guard lock(failed().mutex);
  if (failed().all.size() == most) {
    ++failed().dropped;
    return;
  }
  failed().all.push_back(std::move(one));
}

/// Calls that look at the state only: an error that is read after them is read in time.
bool only_looks(std::string_view name) {
  constexpr std::array<std::string_view, 6> names = {"cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString",
                                                     "cudaGetErrorName", "cudaGetDevice",       "cudaMemGetInfo"};
  return std::ranges::find(names, name) != names.end();
}

std::string text_of(const Failed& one) {
  const std::string what = what_failed(one);
  const std::string place = one.site.where();
  const std::string at = place.empty() ? "" : place + callers_text(one.calls, place);
  std::string text = fmt::format("unread error{}: {} failed with {}, {}", at.empty() ? "" : " at " + at, what,
                                 error_name(one.error), error_text(one.error));
  if (one.read.name[0] != '\0') {
    const std::string read = one.read.where();
    const std::string later = one.later.where();
    text = fmt::format("error read too late{}: {} failed with {}, {}, which the program sees by {}{}, after {}{}",
                       at.empty() ? "" : " at " + at, what, error_name(one.error), error_text(one.error), one.read.name,
                       read.empty() ? "" : " at " + read, one.later.name, later.empty() ? "" : " at " + later);
  }
  if (!one.why.empty()) text += ". " + one.why;
  if (!one.kernel.empty()) text += ". Call cudaGetLastError() right after the launch";
  return text + "\n";
}

}  // namespace

const char* const no_symbol =
    "The first argument must be a variable with __device__ or __constant__: is there a local variable of the same "
    "name, or a pointer?";

void begin_call(const CallSite& site, bool result_unused) {
  unused = result_unused;
  explanation.clear();
  tells_reader = false;
  if (!fresh || only_looks(site.name)) return;
  fresh = false;
  const std::lock_guard lock(failed().mutex);
  for (Failed& one : failed().all) {
    if (one.thread == this_thread && one.later.name[0] == '\0') one.later = site;
  }
}

void explain_failure(std::string why) { explanation = std::move(why); }

void explain_at_once(const std::string& what, std::string why) {
  explanation = std::move(why);
  tells_reader = timeline().active();  // else there are no reports of unread errors
  if (!tells_reader) tell(what, explanation);
}

void note_failed_call(cudaError_t error) {
  const CallSite site = current_call();
  if (site.name[0] == '\0') return;
  add({site, "", !unused, error, std::exchange(explanation, {}), {}, {}, 0, {}, false});
}

void note_failed_launch(const CallSite& site, const std::string& kernel, cudaError_t error) {
  add({site, kernel, false, error, std::exchange(explanation, {}), {}, {}, 0, {}, false});
}

void note_read_error(cudaError_t error, const CallSite& site) {
  if (error == cudaSuccess) return;
  const std::lock_guard lock(failed().mutex);
  std::erase_if(failed().all, [&](const Failed& one) {
    const bool is_read = one.thread == this_thread && one.error == error && one.later.name[0] == '\0';
    if (is_read && one.tells_reader) tell(fmt::format("{} at {}", what_failed(one), one.site.where()), one.why);
    return is_read;
  });
  // Of those that were followed by other calls, the last one left this error.
  const auto late = std::find_if(failed().all.rbegin(), failed().all.rend(),
                                 [&](const Failed& one) { return one.thread == this_thread && one.error == error; });
  if (late != failed().all.rend() && late->read.name[0] == '\0') late->read = site;
}

std::string unread_errors(int code) {
  const std::lock_guard lock(failed().mutex);
  std::string text;
  for (const Failed& one : failed().all) {
    const bool late = one.read.name[0] != '\0';
    // A program that ends with an error has seen that something failed; one that uses a result has looked at it.
    const bool harmless = one.error == cudaErrorPeerAccessAlreadyEnabled && !late;
    if (harmless || (code != 0 ? one.result_used || !late : one.result_used && !late)) continue;
    text += text_of(one);
  }
  if (failed().dropped > 0) text += fmt::format("and {} more\n", failed().dropped);
  return in_names_of_program(std::move(text));
}

}  // namespace d2l::emulator
