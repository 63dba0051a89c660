// SPDX-License-Identifier: MIT
// learn_devices: prints CPU, GPUs, driver and toolkit, and whether they fit together.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "backend/backend.h"
#include "base/machine.h"
#include "d2l/device.h"

namespace {

using namespace d2l;

std::string gibibytes(std::int64_t bytes) {
  return bytes < 0 ? "unknown memory" : fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

void line(const std::string& name, const std::string& value) { fmt::print("{:<14}{}\n", name, value); }

void show_cpu() {
  const DeviceProperties properties = device_properties(cpu());
  line("CPU", fmt::format("{}, {} core{}, {}", properties.name, properties.multiprocessors,
                          properties.multiprocessors == 1 ? "" : "s", gibibytes(properties.total_memory)));
}

void show_physical() {
  backend::Backend& cards = backend::cuda_backend();
  line("Physical GPUs", std::to_string(cards.device_count()));
  for (int i = 0; i < cards.device_count(); ++i) {
    const DeviceProperties card = cards.properties(i);
    line("", fmt::format("{}  {}, {}, compute capability {}.{}", i, card.name, gibibytes(card.total_memory), card.major,
                         card.minor));
  }
}

void show_virtual() {
  const char* asked = std::getenv("D2L_VIRTUAL_GPUS");
  if (asked == nullptr || *asked == '\0') {
    line("Virtual GPUs", "0  (D2L_VIRTUAL_GPUS=2 makes two; ./learn run does so where it helps)");
    return;
  }
  const int count = num_gpus();
  line("Virtual GPUs", fmt::format("{}  (D2L_VIRTUAL_GPUS={})", count, asked));
  for (int i = 0; i < count; ++i) {
    const DeviceProperties properties = device_properties(gpu(i));
    line("", fmt::format("{}  {}, {}", i, properties.name, gibibytes(properties.total_memory)));
  }
}

void show_software() {
  const DriverInfo info = driver_info();
  const std::string nvcc = runner::cuda_compiler().string();
  std::string driver = info.driver.empty() ? "none" : info.driver;
  if (!info.driver_cuda.empty()) driver += fmt::format(" (knows CUDA up to {})", info.driver_cuda);
  line("Driver", driver);
  line("CUDA toolkit", info.toolkit.empty()
                           ? (nvcc.empty() ? "none" : fmt::format("{}, not used by this build (--cuda uses it)", nvcc))
                           : fmt::format("{} (built with it)", info.toolkit));
  if (!info.diagnosis.empty()) fmt::print("\n{}\n", info.diagnosis);
}

}  // namespace

int main() {
  try {
    num_gpus();  // throws first when D2L_VIRTUAL_GPUS is malformed
    show_cpu();
    show_physical();
    show_virtual();
    show_software();
    return 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 2;
  }
}
