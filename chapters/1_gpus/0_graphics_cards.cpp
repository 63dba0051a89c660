// SPDX-License-Identifier: MIT
// Section 1.0: the graphics cards of a machine, what they are doing, and where to get a
// second one.
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
// *Ten minutes.* After this lesson you can tell which GPUs a machine has, how full
// their memory is, and whether the driver matches the toolkit. You will also know where
// to get a second GPU. One of the answers costs nothing.
//
// Why use GPUs at all? The book puts the growth of their arithmetic at a thousandfold
// per decade: from 1 GFLOP/s in 2000 (a CPU) to 1 TFLOP/s in 2010 (one GPU) and 1
// PFLOP/s in 2020 (sixteen GPUs, in half precision). Today's networks could not have
// been trained without it.
//
// **Predict first.** A thousandfold in ten years: what percentage is that per year?

int main() {
  const double growth_per_year = std::pow(1000.0, 1.0 / 10.0) - 1;
  show(std::to_string(std::lround(100 * growth_per_year)) + " percent");

  // %%
  // ## The table of cards
  //
  // That is a doubling every year. More cards and smaller number formats are part of
  // it: the float32 rates of single cards, in section 2.0, grew about fourfold from
  // 2017 to 2024. Now look at your own machine.
  //
  // NVIDIA's driver comes with a program, `nvidia-smi`. Its table is the first thing to
  // look at when something is slow or fails: is the card there, is its memory full, is
  // it busy? The table below gets the same facts from our library. Like `nvidia-smi`,
  // it shows `N/A` for what a card does not report. Temperature, power and utilisation
  // change from second to second, so your numbers will differ.
  const auto or_unknown = [](double value, const std::string& unit) {
    return value < 0 ? "N/A" : std::to_string(std::lround(value)) + unit;
  };
  const auto mebibytes = [](std::int64_t bytes) {
    return std::to_string(bytes >> 20) + "MiB";
  };

  const DriverInfo driver = driver_info();
  const auto version = [](const std::string& text) {
    return text.empty() ? "N/A" : text;
  };
  std::ostringstream table;
  table << "Driver Version: " << version(driver.driver)
        << "   CUDA Version: " << version(driver.driver_cuda) << "\n"
        << "GPU  Name                                 Temp      Pwr:Usage/Cap          "
           "Memory-Usage  GPU-Util";
  for (int i = 0; i < num_gpus(); ++i) {
    const DeviceProperties card = device_properties(gpu(i));
    const MemoryInfo memory = memory_info(gpu(i));
    table << "\n"
          << std::setw(3) << i << "  " << std::left << std::setw(36) << card.name
          << std::right << std::setw(5) << or_unknown(card.temperature, "C")
          << std::setw(19)
          << or_unknown(card.power, "W") + " / " + or_unknown(card.power_limit, "W")
          << std::setw(22) << mebibytes(memory.used) + " / " + mebibytes(memory.total)
          << std::setw(10) << or_unknown(card.utilisation, "%");
  }
  show_measured(table.str(), "the table of cards");

  // %%
  // The table of `nvidia-smi` has more columns. This is the upper part of one from a
  // machine with a T4, in a notebook that follows the book:
  //
  // ```text
  // +-----------------------------------------------------------------------------+
  // | NVIDIA-SMI 525.85.12    Driver Version: 525.85.12    CUDA Version: 12.0     |
  // |-------------------------------+----------------------+----------------------+
  // | GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
  // | Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
  // |                               |                      |               MIG M. |
  // |   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
  // | N/A   65C    P0    26W /  70W |      0MiB / 15360MiB |      0%      Default |
  // |                               |                      |                  N/A |
  // +-------------------------------+----------------------+----------------------+
  // ```
  //
  // Each card has three lines, and the three lines above them name the fields:
  //
  // - `Persistence-M`: whether the driver keeps the card ready while no program uses
  //   it.
  // - `Bus-Id`: the card's address on the PCI bus, which `lspci` shows too.
  // - `Disp.A`: whether a display uses the card's memory.
  // - `Volatile Uncorr. ECC`: errors in memory that the card could not correct, since
  //   the driver was loaded; `N/A` if the card does not check its memory.
  // - `Fan` and `Temp`: the speed of the fan in percent, and degrees Celsius. Cards for
  //   servers have no fan of their own.
  // - `Perf`: the state of the clocks, from `P0` (the fastest) to `P12`. An idle card
  //   is often in `P8`.
  // - `Pwr:Usage/Cap`: the power now, and its limit.
  // - `Memory-Usage`: what all programs together use, and the total. A T4 has 16 GiB;
  //   correcting errors takes a sixteenth of it, which leaves 15360 MiB.
  // - `GPU-Util`: the share of the last second, or less, in which a kernel ran. It does
  //   not say how much of the card the kernel used.
  // - `Compute M.`: which programs may use the card; `Default` means any number of
  //   them.
  // - `MIG M.`: whether the card may be divided into smaller ones; `N/A` if it has no
  //   such mode.
  //
  // Below the table, `nvidia-smi` lists the processes that use a card, with the memory
  // that each takes.
  //
  // ## The same facts, as values
  //
  // A program does not read a table. It calls functions. `num_gpus()` counts the cards,
  // or the *virtual GPUs* that replace them. A virtual GPU is a part of this library.
  // It has its own memory, runs its work asynchronously, and fails the way a card
  // fails. The whole course runs on virtual GPUs.
  show(num_gpus());
  if (num_gpus() == 0) {
    show(
        "There is no GPU here, and that is fine. To get two virtual ones: "
        "D2L_VIRTUAL_GPUS=2 ./learn run 1.0");
  }

  // %%
  // `device_properties()` describes what a device *is*. `memory_info()` describes what
  // its memory holds *now*. The total never changes. The free part depends on every
  // program that uses the card.
  for (int i = 0; i < num_gpus(); ++i) {
    const MemoryInfo memory = memory_info(gpu(i));
    show_measured(device_properties(gpu(i)).name, "name of cuda:" + std::to_string(i));
    show("memory of cuda:" + std::to_string(i) + ": " +
         mebibytes(device_properties(gpu(i)).total_memory));
    show_measured(static_cast<double>(memory.free), "bytes", 0, 1e15,
                  "free on cuda:" + std::to_string(i));
  }

  // %%
  // The CPU is a device too. It is one device with all cores and all of main memory.
  show_measured(device_properties(cpu()).multiprocessors, "cores", 1, 100'000,
                "the CPU");

  // %%
  // ## Is there a card in my machine?
  //
  // - **Linux**: `lspci | grep -i -E 'vga|3d|display'` lists the cards that are plugged
  //   in, with or without a driver. `nvidia-smi` works once the driver is installed.
  // - **Windows**: the Task Manager shows each GPU in the tab *Performance*.
  //   `nvidia-smi` works in PowerShell.
  // - **WSL2**: Linux inside WSL2 uses the driver of *Windows*. Install only the
  //   toolkit in Linux, not a driver.
  // - **Mac**: open *About This Mac* in the Apple menu, or run
  //   `system_profiler SPDisplaysDataType`. No current Mac has an NVIDIA card, so on a
  //   Mac this course runs on virtual GPUs, in a Linux container or virtual machine.
  //
  // ## Which driver goes with which toolkit?
  //
  // The *driver* runs the card. The *toolkit* compiles programs. NVIDIA offers both:
  // the [driver](https://www.nvidia.com/drivers) and the
  // [toolkit](https://developer.nvidia.com/cuda-downloads). The installer puts the
  // toolkit's compiler, `nvcc`, into `/usr/local/cuda/bin`. Add this folder to your
  // `PATH`, as the installer says; the course also finds it without that. Driver and
  // toolkit each have a version. The driver may be newer than the toolkit, but not a
  // generation older: programs built with a CUDA 12 toolkit need driver 525 or newer,
  // and programs built with CUDA 13 need 580 or newer. The `CUDA Version` in the table
  // is the newest version that the driver supports. It does not mean that a toolkit is
  // installed. New toolkits also drop old cards: CUDA 13 no longer compiles for Volta,
  // so a V100 needs a CUDA 12 toolkit. When the versions do not match, the library says
  // which one is wrong and how to fix it:
  show_measured(
      driver.diagnosis.empty() ? "driver and card are ready to use" : driver.diagnosis,
      "diagnosis");

  // %%
  // ## Where does a second GPU come from?
  //
  // Some lessons move data between two GPUs, and few desktops have two. You have three
  // choices:
  //
  // - rent a machine with several cards by the hour (cloud providers call it a
  //   multi-GPU instance; AWS EC2 has some);
  // - use a free notebook service; Kaggle, for example, has offered machines with two
  //   T4 cards;
  // - type `D2L_VIRTUAL_GPUS=2`.
  //
  // Virtual GPUs show everything that *happens* between two GPUs: what is copied, what
  // waits, and what runs at the same time. They cannot show how *fast* a card is, and
  // they never claim to.
  //
  // ## What about other makers' cards?
  //
  // This library supports NVIDIA cards only. A machine with a card of AMD, Intel or
  // Apple runs the course on its CPU and on virtual GPUs, just like a machine without a
  // card. Section 1.1.1 says what drives these cards, how PyTorch names them, and how
  // to write code that runs on each.
  //
  // ## What to try next
  //
  // - `D2L_VIRTUAL_GPUS=4:512MiB ./learn run 1.0` gives you four GPUs with half a
  //   gibibyte each.
  // - `./learn devices` prints the whole diagnosis: the driver, the toolkit, and
  //   whether they match.
  // - Section 1.1 names all these devices.
}
