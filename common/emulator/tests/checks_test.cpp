// SPDX-License-Identifier: MIT
// The tables of faulty and of right kernels, each under 20 seeds of the order.
#include <gtest/gtest.h>

#include <regex>

#include "checks_kernels.h"
#include "device.h"

namespace d2l::emulator::testing {
namespace {

constexpr std::uint64_t seeds = 20;

KernelOutcome run(const Planted& planted, std::uint64_t seed) {
  Device device;
  device.seed = seed;
  device.dynamic_shared = planted.dynamic_shared;
  static std::vector<float> host(64);
  Arguments arguments{};
  arguments.in = device.buffer<float>("in", 256);
  arguments.out = device.buffer<float>("out", 256);
  arguments.counts = device.buffer<int>("counts", 64);
  arguments.fresh = device.buffer<float>("fresh", 256, false);
  arguments.freed = device.buffer<float>("freed", 256);
  device.table.free(arguments.freed);
  arguments.host = host.data();
  arguments.bytes = device.buffer<unsigned char>("bytes", 256);
  return device.run(planted.grid, planted.block, planted.kernel, arguments);
}

std::string expected(const Planted& planted) {
  std::string text = std::regex_replace(planted.report, std::regex("FILE"), "faulty_kernels.cpp");
  // LINE, and LINE-2 for the line two above.
  const std::regex line("LINE(-([0-9]))?");
  std::smatch found;
  while (std::regex_search(text, found, line)) {
    const int above = found[2].matched ? std::stoi(found[2]) : 0;
    text = found.prefix().str() + std::to_string(planted.line - above) + found.suffix().str();
  }
  return text;
}

/// A report without the calls of functions that the compiler has put into their callers: it decides which.
std::string without_calls(const std::string& report) {
  return std::regex_replace(report, std::regex(", called at [^ :]+:[0-9]+"), "");
}

void expect_reports(const std::vector<Planted>& kernels) {
  for (const Planted& planted : kernels) {
    const std::regex report(expected(planted));
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const KernelOutcome outcome = run(planted, seed);
      if (!outcome.fault) {
        ADD_FAILURE() << planted.name << " with seed " << seed << ": no report";
      } else if (!std::regex_search(without_calls(outcome.fault->text), report)) {
        ADD_FAILURE() << planted.name << " with seed " << seed << ": " << outcome.fault->text << "expected "
                      << expected(planted);
      } else {
        continue;
      }
      break;
    }
  }
}

void expect_no_reports(const std::vector<Planted>& kernels) {
  for (const Planted& planted : kernels) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const KernelOutcome outcome = run(planted, seed);
      if (!outcome.fault) continue;
      ADD_FAILURE() << planted.name << " with seed " << seed << ": " << outcome.fault->text;
      break;
    }
  }
}

TEST(Checks, FaultyKernelsAreReported) { expect_reports(faulty_kernels()); }
TEST(Checks, RightKernelsAreClean) { expect_no_reports(right_kernels()); }
TEST(Checks, FaultyKernelsWithMatricesAreReported) { expect_reports(faulty_matrix_kernels()); }
TEST(Checks, RightKernelsWithMatricesAreClean) { expect_no_reports(right_matrix_kernels()); }

TEST(Checks, TheTablesAreLarge) {
  EXPECT_GE(faulty_kernels().size(), 40U);
  EXPECT_GE(right_kernels().size(), 40U);
}

}  // namespace
}  // namespace d2l::emulator::testing
