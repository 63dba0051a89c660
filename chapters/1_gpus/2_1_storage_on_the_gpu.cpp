// SPDX-License-Identifier: MIT
// Section 1.2.1: a tensor takes memory of its own device and of no other, and what happens when there is not enough.
#include <string>
#include <vector>

#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Storage on the GPU
//
// *Ten minutes.* Afterwards you can make a tensor on the device where it belongs, read what it costs
// there, and go on when a card is full.
//
// A tensor can be made in main memory and moved, or made in place. The second saves a copy and the
// memory for it, so it is the habit to have: give the factory a device.

int main() {
  manual_seed(5);
  const std::vector<Device> devices = try_all_gpus();
  std::vector<MemoryInfo> before;
  for (const Device device : devices) before.push_back(memory_info(device));

  const Tensor X = ones({2, 3}, try_gpu());
  show(X);

  // %%
  // A second tensor, on the second GPU. Where there is only one GPU, `try_gpu(1)` falls back to the
  // CPU, and where there is none both are there. The numbers are random, uniform from 0 to below 1, and
  // yet the same for you as for everybody: they are a function of the seed and of their position, so
  // that a program does not compute something else when its data moves to another kind of device.
  const Tensor Y = rand({2, 3}, try_gpu(1));
  show(Y);

  // %%
  // ## What it costs, and where
  //
  // `X` has six elements of four bytes.
  //
  // **Predict first.** How many bytes does `X` take on its own device? And how many on the others?
  show(X.nbytes());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::int64_t taken = memory_info(devices[i]).requested - before[i].requested;
    show(devices[i].str() + " requested: " + std::to_string(taken) + " bytes");
  }

  // %%
  // With two GPUs, the second line is not `X` but `Y`: 24 bytes each, and neither shows up on the
  // other's card. With four, the third and fourth hold nothing. With one, `Y` is in main memory and
  // does not count here. With none, both are, and the CPU's line says 48.
  //
  // ## Three answers to one question
  //
  // Ask how much memory is taken and you will hear three numbers, all true:
  //
  // - **requested**: what your live tensors asked for. You can work it out with pencil and paper.
  // - **reserved**: what this process has taken from the device in their name. Asking a driver for
  //   memory is slow, so the library takes larger blocks, rounds up, and keeps what is given back for
  //   the next tensor. It is never less than *requested*.
  // - **used**: what the device's keeper sees taken by everybody. On a card that includes other
  //   programs and the driver's own needs, some hundreds of MiB, and it is the number that `nvidia-smi`
  //   shows. This is why a card with one tensor of 24 bytes does not show 24 bytes.
  for (const Device device : devices) {
    const MemoryInfo memory = memory_info(device);
    show_measured(static_cast<double>(memory.reserved), "bytes", 0, 1e15, device.str() + " reserved");
    show_measured(static_cast<double>(memory.used), "bytes", 0, 1e15, device.str() + " used");
  }

  // %%
  // ## Whose memory is it?
  //
  // A tensor carries a label that says where it is. The label is a claim; the driver knows which card an
  // address belongs to, and can be asked. (`show` does ask, for every tensor that you show.)
  show(X.device(), testing::owner(X));
  show(testing::placed(X), testing::placed(Y));

  // %%
  // ## What is given back
  //
  // When the last handle to a tensor goes away its memory is free again. A view, or a second
  // handle, is not a second tensor: it shares the elements and costs nothing.
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
  // Memory on a card is the one thing that you cannot buy more of while the program runs. Asking for
  // too much is an error that names the amount asked for, what was free, and the device. Here we ask
  // for 2 to the power of 60 bytes, a billion gibibytes: more than any device has.
  try {
    const Tensor too_large = empty({1LL << 58}, try_gpu());
  } catch (const OutOfMemoryError& error) {
    show_measured(error.what(), "out of memory");
  }

  // %%
  // It is an error that you can recover from. Nothing was lost and the device works on; a program may
  // catch it and try again with half the batch.
  show(X + X);
  show(zeros({1000}, try_gpu()).nbytes());

  // %%
  // ## What to try next
  //
  // - `D2L_VIRTUAL_GPUS=2:1MiB`: which line of this lesson now fails, and with what words?
  // - Make `Y` on `try_gpu(0)` as well. Which two lines change?
  // - Section 1.2.2 brings `X` and `Y` together.
}
