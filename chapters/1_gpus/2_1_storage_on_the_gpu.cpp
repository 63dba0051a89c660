// SPDX-License-Identifier: MIT
// Section 1.2.1: a tensor takes memory of its own device only, and what happens when
// that memory is full.
#include <string>
#include <vector>

#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Storage on the GPU
//
// *Ten minutes.* After this lesson you can make a tensor on the device that needs it,
// see how much of that device's memory it takes, and continue when a card is full.
//
// You can make a tensor in main memory and move it, or make it in the right place at
// once. The second way saves a copy and the memory for it. So make it a habit: pass the
// device to the function that makes the tensor.

int main() {
  manual_seed(5);
  const std::vector<Device> devices = try_all_gpus();
  std::vector<MemoryInfo> before;
  for (const Device device : devices) before.push_back(memory_info(device));

  const Tensor X = ones({2, 3}, try_gpu());
  show(X);

  // %%
  // Now a second tensor, on the second GPU. If there is only one GPU, `try_gpu(1)`
  // falls back to the CPU. If there is none, both tensors are on the CPU. The numbers
  // are random and uniform, from 0 up to but not including 1, and you get the same ones
  // on every machine. Each number depends only on the seed and on its position in the
  // tensor, so a program draws the same numbers on any kind of device.
  const Tensor Y = rand({2, 3}, try_gpu(1));
  show(Y);

  // %%
  // ## What it costs, and where
  //
  // `X` has six elements of four bytes.
  //
  // **Predict first.** How many bytes does `X` take on its own device? And how many on
  // the others?
  show(X.nbytes());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::int64_t taken = memory_info(devices[i]).requested - before[i].requested;
    show(devices[i].str() + " requested: " + std::to_string(taken) + " bytes");
  }

  // %%
  // With two GPUs, the line of `cuda:1` counts `Y`. Each tensor takes 24 bytes on its
  // own card and none on the other. With four GPUs, the third and the fourth hold
  // nothing. With one GPU, `Y` is in main memory and is not counted here. Without a GPU
  // both are in main memory, and the line of the CPU says 48.
  //
  // ## Three answers to one question
  //
  // How much memory is taken? There are three numbers, and all of them are true:
  //
  // - **requested**: the bytes that your live tensors asked for. You can compute it
  //   with pencil and paper.
  // - **reserved**: the bytes that this process has allocated on the device. Allocating
  //   from the driver is slow. So the library allocates larger blocks, rounds up, and
  //   keeps released memory for the next tensor. This number is never smaller than
  //   *requested*.
  // - **used**: the bytes that all programs together use on the device. On a card this
  //   number comes from the driver and includes the driver's own memory, some hundreds
  //   of MiB. It is the number that `nvidia-smi` shows. That is why a card with a
  //   single tensor of 24 bytes shows far more than 24 bytes.
  for (const Device device : devices) {
    const MemoryInfo memory = memory_info(device);
    show_measured(static_cast<double>(memory.reserved), "bytes", 0, 1e15,
                  device.str() + " reserved");
    show_measured(static_cast<double>(memory.used), "bytes", 0, 1e15,
                  device.str() + " used");
  }

  // %%
  // ## Which device owns the memory?
  //
  // A tensor has a label that says where it is. A label can be wrong. The driver knows
  // which card owns an address, so we ask the driver. (`show` does this for every
  // tensor that you show.)
  show(X.device(), testing::owner(X));
  show(testing::placed(X), testing::placed(Y));

  // %%
  // ## Releasing memory
  //
  // A *handle* is a C++ variable that refers to a tensor; copying it gives a second
  // handle to the same tensor. A *view* is a tensor with another shape over the same
  // elements, such as the transpose below. Neither takes memory. A tensor's memory is
  // released when its last handle and its last view are destroyed.
  const auto requested = [] { return memory_info(try_gpu()).requested; };
  const std::int64_t at_first = requested();
  {
    const Tensor large = zeros({1024, 1024}, try_gpu());
    const Tensor view = large.t();
    show(requested() - at_first);
  }
  show(requested() - at_first);

  // %%
  // ## A full card
  //
  // A card's memory is fixed, and nothing is swapped to disk when it is full. If you
  // ask for too much, you get an error with the amount that you asked for, the amount
  // that was free, and the device. Here we ask for 2 to the power of 60 bytes, a
  // billion gibibytes. No device has that much.
  try {
    const Tensor too_large = empty({1LL << 58}, try_gpu());
  } catch (const OutOfMemoryError& error) {
    show_measured(error.what(), "out of memory");
  }

  // %%
  // You can recover from this error. Nothing is lost, and the device still works. A
  // program can catch the error and try again with half the batch.
  show(X + X);
  show(zeros({1000}, try_gpu()).nbytes());

  // %%
  // ## What to try next
  //
  // - `D2L_VIRTUAL_GPUS=2:1MiB`: which line of this lesson now fails, and what does the
  //   error say?
  // - Make `Y` on `try_gpu(0)` too. Which lines change?
  // - Section 1.2.2 adds `X` and `Y`.
}
