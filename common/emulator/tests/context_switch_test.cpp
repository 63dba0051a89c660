// SPDX-License-Identifier: MIT
// The switch between fibers: it keeps the registers that a function must preserve, and an unwinder ends at a fiber's
// begin.
#include "fibers/context_switch.h"

#include <execinfo.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

namespace d2l::emulator {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

Context test_context;
Context fiber_context;
std::array<void*, 64> frames;
int frame_count = 0;
std::string caught;
double fiber_sum = 0;

/// Many values that live across the switch, more than there are registers that need not be preserved.
template <class Switch>
double sum_across(double seed, const Switch& to_other) {
  std::array<double, 24> real{};
  std::array<std::uint64_t, 24> whole{};
  for (std::size_t i = 0; i < real.size(); ++i) {
    volatile double next = seed * static_cast<double>(i + 1);
    real[i] = next;
    whole[i] = static_cast<std::uint64_t>(next);
  }
  to_other();
  double sum = 0;
  for (std::size_t i = 0; i < real.size(); ++i) sum += real[i] + static_cast<double>(whole[i]);
  return sum;
}

void body() {
  entered_context(fiber_context, test_context);
  frame_count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  try {
    throw std::runtime_error("in a fiber");
  } catch (const std::exception& error) {
    caught = error.what();
  }
  fiber_sum = sum_across(7, [] { switch_context(fiber_context, test_context); });
  switch_context(fiber_context, test_context);
}

class ContextSwitch : public ::testing::Test {
 protected:
  void SetUp() override {
    prepare_context(fiber_context, stack_.get(), stack_bytes, 128, &body);
    const double own = sum_across(3, [] { switch_context(test_context, fiber_context); });
    EXPECT_EQ(own, 2 * 3 * 300.0);
    EXPECT_EQ(sum_across(5, [] { switch_context(test_context, fiber_context); }), 2 * 5 * 300.0);
    release_context(fiber_context);
  }

 private:
  std::unique_ptr<std::byte[]> stack_{new std::byte[stack_bytes]};
};

TEST_F(ContextSwitch, KeepsValuesOnBothSides) { EXPECT_EQ(fiber_sum, 2 * 7 * 300.0); }

TEST_F(ContextSwitch, ABacktraceEndsAtTheFibersBegin) {
  EXPECT_GE(frame_count, 1);
  EXPECT_LE(frame_count, 3);  // the fiber's function, and what began it
  // The function's begin is nothing to which it returns: an unwinder would go on with the function before it.
  for (int i = 0; i < frame_count; ++i) {
    EXPECT_NE(frames[static_cast<std::size_t>(i)], reinterpret_cast<void*>(&body));
  }
}

TEST_F(ContextSwitch, AnExceptionIsCaughtInAFiber) { EXPECT_EQ(caught, "in a fiber"); }

void throws() {
  entered_context(fiber_context, test_context);
  throw std::runtime_error("uncaught");
}

TEST(ContextSwitchDeathTest, AnUncaughtExceptionTerminates) {
  const std::unique_ptr<std::byte[]> stack(new std::byte[stack_bytes]);
  const auto run = [&] {
    std::set_terminate([] {
      std::fputs("terminated\n", stderr);
      std::_Exit(3);
    });
    prepare_context(fiber_context, stack.get(), stack_bytes, 0, &throws);
    switch_context(test_context, fiber_context);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(3), "terminated");
}

}  // namespace
}  // namespace d2l::emulator
