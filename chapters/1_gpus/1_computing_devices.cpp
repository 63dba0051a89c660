// SPDX-License-Identifier: MIT
// Section 1.1: naming devices, counting them, and running on a machine with fewer GPUs
// than you want.
#include <vector>

#include "d2l/show.h"

using namespace d2l;

// %%
// # Computing devices
//
// *Ten minutes.* After this lesson you can name any device, count the GPUs, and write a
// program that runs unchanged on a laptop without a GPU and on a server with eight.
//
// Every tensor is stored on one *device*, and operations on it run on that device. If
// you know where your data is, you can avoid copies. Many GPU programs are slow because
// their data is on the wrong device. So we start with the devices, before we create any
// tensor. (The book also calls the device of a tensor its *context*. In CUDA, a context
// is something else: what one process keeps on one card, such as its memory and its
// kernels.)

int main() {
  show(cpu(), gpu(), gpu(1));

  // %%
  // ## CPU and GPU devices
  //
  // The output above has the format in which PyTorch prints devices. The type is `cuda`
  // for every GPU that this library uses, and the index counts GPUs from 0.
  //
  // The two types differ. `cpu()` is *all* cores and *all* of main memory. There is
  // only one CPU device, and an operation on it can use several cores. `gpu(i)` is
  // *one* card with its *own* memory. Two cards are two devices. They share no memory:
  // to use data on both, you must copy it.
  show_measured(get_num_threads(), "threads", 1, 100'000, "the CPU device uses up to");

  // %%
  // Creating a `Device` does not access the hardware. A `Device` holds a type and an
  // index, and it may name a card that this machine does not have. This is useful: you
  // can write a program, and print which devices it will use, without the machine that
  // will run it.
  show(gpu(2));

  // %%
  // *Using* a device that does not exist is an error, which is thrown immediately. The
  // first index that does not exist is `num_gpus()`:
  try {
    const Tensor nowhere = ones({2, 3}, gpu(num_gpus()));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## Devices from strings
  //
  // You can also write a device as a string, as in PyTorch. `cuda` without a number
  // means the first card.
  show(Device("cuda:1"), Device("cuda"), Device("cuda") == Device("cuda:0"));

  // %%
  // The book also says that `cuda` and `cuda:0` are equivalent. In PyTorch itself they
  // are not equal. There, `torch.device('cuda')` has no index and prints none. It means
  // the *current* device, which is a setting that any code may change, and the
  // comparison gives `False`. One edition of the book also shows
  // `torch.cuda.device('cuda')`. That is not a device: it is a context manager, which
  // changes the current device inside a `with` block. This library has no current
  // device. An operation runs where its operands are, so you can tell what a line does
  // without knowing what ran before it.
  //
  // A string that names no device is an error. It never selects another card:
  try {
    show(Device("cuda:-1"));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## The number of GPUs
  //
  // `num_gpus()` counts the cards, or the virtual GPUs that you asked for instead. A
  // machine without a driver, or with a broken one, has 0 GPUs. That is a normal
  // result, not an error.
  show(num_gpus());

  // %%
  // ## Falling back to the CPU
  //
  // You want the same program to run on a machine without a second GPU. Two small
  // functions are enough. Here is how we would write them. Look at the last line of the
  // second function: a program that loops over its devices needs at least one, so the
  // list is never empty. (In newer editions of the book, the list is empty on a machine
  // without a GPU. A training loop over an empty list of devices trains nothing.)
  const auto our_try_gpu = [](int index) {
    return index < num_gpus() ? gpu(index) : cpu();
  };
  const auto our_try_all_gpus = [] {
    std::vector<Device> devices;
    for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
    return devices.empty() ? std::vector{cpu()} : devices;
  };

  // %%
  // **Predict first.** The next line shows three values: the first GPU if it exists,
  // the eleventh if it exists, and all GPUs. What will they be on your machine?
  show(our_try_gpu(0), our_try_gpu(10), our_try_all_gpus());

  // %%
  // The library has both functions, so no lesson has to repeat them. They return the
  // same values as ours.
  show(try_gpu(), try_gpu(10), try_all_gpus());
  show(try_gpu(10) == our_try_gpu(10), try_all_gpus() == our_try_all_gpus());

  // %%
  // ## When a fallback would be wrong
  //
  // `try_gpu` hides that a card is missing. A measurement of two GPUs would then be
  // wrong: half of the work, or all of it, would run on the CPU, and you would not
  // notice. `gpus(2)` returns two GPUs, or throws an error that says how many it found.
  try {
    show(gpus(2));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // A negative index does not fall back to the CPU. It is always a mistake, so it is an
  // error:
  try {
    show(try_gpu(-1));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## What to try next
  //
  // - Run this lesson with `D2L_VIRTUAL_GPUS=0`, `=1` and `=4`. Before each run, say
  //   which lines will change.
  // - Run it with `D2L_VIRTUAL_GPUS=two`. Which sentence of the error tells you how to
  //   fix it?
  // - Section 1.2 puts the first tensor on one of these devices.
}
