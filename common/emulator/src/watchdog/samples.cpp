// SPDX-License-Identifier: MIT
#include "watchdog/samples.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/crashed_at.h"
#include "calls/program_stack.h"
#include "execution/current.h"
#include "report/source_excerpts.h"
#include "watchdog/source_loops.h"

namespace d2l::emulator::watchdog {
namespace {

constexpr int sampling_signal = SIGURG;  // which is ignored by default, so that a late one does no harm
constexpr int samples = 24;

enum class State { idle, wanted, busy, taken };

/// What the thread that is looked at writes: in the handler of a signal, or where it lets others run. A kernel that
/// waits is between its threads most of the time, where the handler finds no line.
struct Sample {
  std::atomic<State> state{State::idle};
  std::atomic<pthread_t> of{};
  ReturnAddresses calls;
  const void* instruction = nullptr;
  uint3 block{};
  uint3 thread{};
};
Sample sample;
std::atomic<bool> installed{false};

void fill_sample(const void* instruction) noexcept {
  sample.calls = calls_of_this_thread();
  sample.instruction = instruction;
  sample.block = current_block_index;
  sample.thread = current_thread_index;
  sample.state.store(State::taken, std::memory_order_release);
}

void take_sample(int /*number*/, siginfo_t* /*information*/, void* context) {
  if (sample.state.load(std::memory_order_acquire) != State::wanted || wants_sample_at_wait) return;
  const int error = errno;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  fill_sample(reinterpret_cast<const void*>(detail::crashed_at(context)));
  errno = error;
}

bool answers() {
  constexpr int milliseconds = 200;
  for (int i = 0; i < milliseconds; ++i) {
    if (sample.state.load(std::memory_order_acquire) == State::taken) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

/// False if the thread did not answer.
bool ask(pthread_t thread, bool at_wait) {
  sample.of = thread;
  sample.state.store(State::wanted, std::memory_order_release);
  if (at_wait) {
    wants_sample_at_wait = true;
  } else if (::pthread_kill(thread, sampling_signal) != 0) {
    return false;
  }
  const bool taken = answers();
  wants_sample_at_wait = false;
  State wanted = State::wanted;
  sample.state.compare_exchange_strong(wanted, State::idle);
  return taken;
}

std::string source_of(const std::string& path) {
  std::string all;
  for (const std::string& line : report_page::read_lines(path)) all += line + '\n';
  return all;
}

using Stack = std::vector<SourceLine>;  // the outermost call first

/// The line of the program that is next to an instruction: a loop that the compiler has emptied has no line of its own.
Stack near_instruction(const void* instruction) {
  constexpr std::ptrdiff_t farthest = 96;
  for (std::ptrdiff_t distance = 1; distance <= farthest; ++distance) {
    for (const std::ptrdiff_t side : {-distance, distance}) {
      ReturnAddresses one;
      one.all[0] = const_cast<std::byte*>(static_cast<const std::byte*>(instruction) + side);
      one.count = 1;
      if (Stack found = lines_of_program(one, one.all[0]); !found.empty()) return found;
    }
  }
  return {};
}

/// The innermost loop in which all samples are: in the kernel, or in a function that all of them are in.
std::string loop_of(const std::vector<Stack>& stacks) {
  std::string found;
  for (std::size_t level = 0;; ++level) {
    const bool all_are_there = std::ranges::all_of(stacks, [&](const Stack& one) { return one.size() > level; });
    if (!all_are_there) return found;
    const SourceLine& one = stacks.front()[level];
    int first = one.line;
    int last = one.line;
    for (const Stack& each : stacks) {
      if (each[level].path != one.path) return found;
      first = std::min(first, each[level].line);
      last = std::max(last, each[level].line);
    }
    if (const auto loop = loop_around(source_of(one.path), first, last)) {
      found = fmt::format("in the loop at {}:{}", one.file, loop->first);
    }
    if (first != last) return found;  // they are in different calls
  }
}

}  // namespace

std::atomic<bool> wants_sample_at_wait{false};

void take_sample_at_wait() noexcept {
  if (::pthread_equal(sample.of, ::pthread_self()) == 0) return;
  State wanted = State::wanted;
  if (sample.state.compare_exchange_strong(wanted, State::busy)) fill_sample(nullptr);
}

void install_sampler() {
  struct sigaction before = {};
  if (::sigaction(sampling_signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
  static_cast<void>(calls_of_this_thread());  // loads what it needs, which a handler must not
  struct sigaction action = {};
  action.sa_sigaction = take_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  installed = ::sigaction(sampling_signal, &action, nullptr) == 0;
}

std::string where_it_stays(pthread_t thread) {
  std::vector<Stack> stacks;
  std::string name;
  bool at_wait = true;
  for (int i = 0; i < samples; ++i) {
    if (!ask(thread, at_wait)) {
      if (!at_wait || !installed) break;
      at_wait = false;
      continue;
    }
    Stack stack = lines_of_program(sample.calls, sample.instruction);
    if (stack.empty() && !at_wait) stack = near_instruction(sample.instruction);
    std::reverse(stack.begin(), stack.end());
    if (!stack.empty()) {
      name = fmt::format("block ({}, {}, {}), thread ({}, {}, {})", sample.block.x, sample.block.y, sample.block.z,
                         sample.thread.x, sample.thread.y, sample.thread.z);
      stacks.push_back(std::move(stack));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  if (stacks.empty()) return "";
  const std::string loop = loop_of(stacks);
  return fmt::format("{} is {}", name, loop.empty() ? "at " + stacks.back().back().text() : loop);
}

}  // namespace d2l::emulator::watchdog
