// SPDX-License-Identifier: MIT
// The emulator's speed: barriers, threads without barriers, a tiled product; each with checks off, on, and with counts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "device.h"
#include "speed_kernels.h"

namespace {

template <class Function>
double fastest_ms(Function run) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

int main() {
  d2l::emulator::testing::Device device;
  constexpr int count = 256000;
  auto* const in = device.buffer<float>("in", count);
  auto* const other = device.buffer<float>("other", count);
  auto* const out = device.buffer<float>("out", count);
  device.seed = 1;
  for (const int level : {0, 1, 2}) {
    device.checked = level > 0;
    device.counted = level > 1;
    const auto check = [](const d2l::emulator::KernelOutcome& outcome) {
      if (outcome.fault) fmt::print("{}", outcome.fault->text);
    };
    const double barriers = fastest_ms([&] { check(device.run(1000, 256, reverse_twice, in, out)); });
    const double plain = fastest_ms([&] { check(device.run(1000, 256, add, in, other, out, count)); });
    const double tiled =
        fastest_ms([&] { check(device.run(dim3(16, 16), dim3(16, 16), product, in, other, out, 256)); });
    const char* const names[] = {"unchecked", "checked", "checked and counted"};
    fmt::print("{:<20} two barriers {:7.1f} ms, no barrier {:6.1f} ns a thread, product {:7.1f} ms\n", names[level],
               barriers, plain * 1e6 / count, tiled);
  }
}
