// SPDX-License-Identifier: MIT
// Section 1.0: which graphics cards a machine has, what they are doing, and where a second one comes from.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

#include "d2l/show.h"

using namespace d2l;

// %%
// # Graphics cards
//
// *Five minutes.* Afterwards you can say which GPUs a machine has, how full their memory is, and
// whether driver and toolkit belong together. You will also know where a second GPU comes from,
// and one of the answers costs nothing.
//
// Why learn to use them at all? Since 2000 the arithmetic that one GPU does in a second has grown
// about a thousandfold in every decade. No processor for general use kept that pace; the networks
// of today were out of reach before, and whoever trains one works on a GPU.
//
// **Predict first.** A thousandfold in ten years: by how many percent is that each year?

int main() {
  const double growth_a_year = std::pow(1000.0, 1.0 / 10.0) - 1;
  show(std::to_string(std::lround(100 * growth_a_year)) + " percent");

  // %%
  // ## The table of cards
  //
  // It doubles every year. So much for the reason; now for the machine in front of you.
  //
  // NVIDIA's driver brings a program, `nvidia-smi`, and its table is the first thing to look at when
  // something is slow or fails: is the card there, is its memory taken, is it busy? The table below
  // asks the same questions through our library. What a card does not tell is `N/A`, as it is there.
  // Temperature, power and load change from second to second, so yours will differ.
  const auto or_unknown = [](double value, const std::string& unit) {
    return value < 0 ? "N/A" : std::to_string(std::lround(value)) + unit;
  };
  const auto mebibytes = [](std::int64_t bytes) { return std::to_string(bytes >> 20) + "MiB"; };

  const DriverInfo driver = driver_info();
  const auto version = [](const std::string& text) { return text.empty() ? "N/A" : text; };
  std::ostringstream table;
  table << "Driver Version: " << version(driver.driver) << "   CUDA Version: " << version(driver.driver_cuda) << "\n"
        << "GPU  Name                                 Temp      Pwr:Usage/Cap          Memory-Usage  GPU-Util";
  for (int i = 0; i < num_gpus(); ++i) {
    const DeviceProperties card = device_properties(gpu(i));
    const MemoryInfo memory = memory_info(gpu(i));
    table << "\n"
          << std::setw(3) << i << "  " << std::left << std::setw(36) << card.name << std::right << std::setw(5)
          << or_unknown(card.temperature, "C") << std::setw(19)
          << or_unknown(card.power, "W") + " / " + or_unknown(card.power_limit, "W") << std::setw(22)
          << mebibytes(memory.used) + " / " + mebibytes(memory.total) << std::setw(10)
          << or_unknown(card.utilisation, "%");
  }
  show_measured(table.str(), "the table of cards");

  // %%
  // ## The same, as values
  //
  // A program does not read tables; it asks. `num_gpus()` counts the cards, or the *virtual GPUs* that
  // stand in for them: parts of this library that keep their own memory, do their work in their own
  // time, and fail as a card fails. Everything in this course runs on them.
  show(num_gpus());
  if (num_gpus() == 0) {
    show("There is no GPU here, and that is fine. To get two virtual ones: D2L_VIRTUAL_GPUS=2 ./learn run 1.0");
  }

  // %%
  // `device_properties()` tells what a device *is* and `memory_info()` what its memory holds *now*.
  // The total never changes; what is free depends on every program that uses the card.
  for (int i = 0; i < num_gpus(); ++i) {
    const MemoryInfo memory = memory_info(gpu(i));
    show_measured(device_properties(gpu(i)).name, "name of cuda:" + std::to_string(i));
    show("memory of cuda:" + std::to_string(i) + ": " + mebibytes(device_properties(gpu(i)).total_memory));
    show_measured(static_cast<double>(memory.free), "bytes", 0, 1e15, "free on cuda:" + std::to_string(i));
  }

  // %%
  // The CPU is a device too: one, however many cores it has, with all of the main memory.
  show_measured(device_properties(cpu()).multiprocessors, "cores", 1, 100'000, "the CPU");

  // %%
  // ## Is there a card in my machine?
  //
  // - **Linux**: `lspci | grep -i -E 'vga|3d|display'` lists what is plugged in, with a driver or
  //   without; `nvidia-smi` answers once the driver is there.
  // - **Windows**: the Task Manager, tab *Performance*, shows each GPU; `nvidia-smi` works in PowerShell.
  // - **WSL2**: the driver of *Windows* serves the Linux inside. Install none there, only the toolkit.
  // - **Mac**: the Apple menu, *About This Mac*, or `system_profiler SPDisplaysDataType`. No Mac of
  //   today has an NVIDIA card, so on a Mac this course runs on virtual GPUs, in a Linux container
  //   or virtual machine.
  //
  // ## Which driver goes with which toolkit?
  //
  // Two things carry a version. The *driver* runs the card; the *toolkit* compiles programs. The driver
  // may be newer than the toolkit, but not of an older generation: programs made with a CUDA 12 toolkit
  // need a driver from 525 on, with CUDA 13 from 580 on. The `CUDA Version` in the table is the newest
  // that the driver understands, and no sign that a toolkit is installed. New toolkits also drop old
  // cards: CUDA 13 no longer compiles for Volta, so a V100 needs a CUDA 12 toolkit. When the parts do
  // not fit, the library says which does not and what helps:
  show_measured(driver.diagnosis.empty() ? "driver and card are ready to use" : driver.diagnosis, "diagnosis");

  // %%
  // ## Where does a second GPU come from?
  //
  // Some lessons move data between two GPUs, and few desktops have two. You can rent a machine with
  // several cards by the hour (the clouds call them multi-GPU instances), or take the two that a
  // free notebook service may offer, or type `D2L_VIRTUAL_GPUS=2`. The last shows all that
  // *happens* between two GPUs: what is copied, who waits, what runs together. It cannot show how
  // *fast* a card is, and never claims to.
  //
  // ## And cards of other makers?
  //
  // AMD's cards are driven by ROCm (on Windows also by DirectML), Intel's by oneAPI, Apple's by Metal.
  // This library knows NVIDIA's only. For another maker somebody would write one more folder behind
  // `common/src/backend/backend.h`: memory, copies, queues, events and the table of kernels; nothing
  // above it would change. Until then a machine with such a card runs the course on its CPU and on
  // virtual GPUs, just as a machine with none.
  //
  // ## What to try next
  //
  // - `D2L_VIRTUAL_GPUS=4:512MiB ./learn run 1.0`: four GPUs, half a gibibyte each.
  // - `./learn devices`: the whole diagnosis, with driver, toolkit and how they fit.
  // - Section 1.1 gives all these devices names.
}
