// SPDX-License-Identifier: MIT
// Section 1.1: devices by name, counting them, and programs that run with fewer than they hoped for.
#include <vector>

#include "d2l/show.h"

using namespace d2l;

// %%
// # Computing devices
//
// *Ten minutes.* Afterwards you can name any device, ask how many there are, and write a program
// that runs on a laptop without a GPU and on a server with eight, unchanged.
//
// Every tensor lives on one *device*, and the work on it is done there. A program that says where
// its data lives can keep it there; most of what makes GPU programs slow is data on the wrong side.
// So before any tensor, the places.

int main() {
  show(cpu(), gpu(), gpu(1));

  // %%
  // ## A name is not a card
  //
  // These are the forms in which PyTorch prints devices: the type is `cuda` for every GPU that this
  // library drives, and the index counts them from 0.
  //
  // The two types are not alike. `cpu()` is *all* cores and *all* of main memory: there is one, and an
  // operation on it spreads over the cores by itself. `gpu(i)` is *one* card with its *own* memory:
  // two cards are two devices, and nothing is shared between them unless somebody copies it.
  show_measured(get_num_threads(), "threads", 1, 100'000, "the CPU device uses up to");

  // %%
  // Making a device touches no hardware. It is a value of two small numbers, and it may name a card
  // that this machine does not have. That is useful: a program can be written, and its plan printed,
  // away from the machine that it is for.
  show(gpu(2));

  // %%
  // *Using* a device that is not there is the error, and it comes at once. The first index that does
  // not exist is `num_gpus()`:
  try {
    const Tensor nowhere = ones({2, 3}, gpu(num_gpus()));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## One card, one identity
  //
  // Devices can be spelt out, as PyTorch does it; `cuda` without a number means the first card.
  show(Device("cuda:1"), Device("cuda"), Device("cuda") == Device("cuda:0"));

  // %%
  // The book says the same: the two names are equal. In PyTorch itself they are not quite. There, a
  // bare `cuda` means the *current* device, a setting that any code may change, and comparing the two
  // gives `False`. This library has no current device. Where an operation runs is decided by where
  // its operands are, and you never need to know what ran before to know what a line does.
  //
  // Nonsense is refused with words, not wrapped around into some other card:
  try {
    show(Device("cuda:-1"));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## How many are there?
  //
  // `num_gpus()` counts cards, or the virtual GPUs that you asked for in their place. A machine without
  // a driver, or with a broken one, has none: that is an answer, not a failure.
  show(num_gpus());

  // %%
  // ## Programs that run anyway
  //
  // You want the same program to run where the second GPU is missing. Two small functions are enough;
  // here they are as we would write them ourselves. Look at the end of the second: a program that
  // loops over its devices must find one, so the list is never empty. (Newer editions of the book
  // return an empty list on a machine without a GPU. What does a training loop over no device learn?)
  const auto our_try_gpu = [](int index) { return index < num_gpus() ? gpu(index) : cpu(); };
  const auto our_try_all_gpus = [] {
    std::vector<Device> devices;
    for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
    return devices.empty() ? std::vector{cpu()} : devices;
  };

  // %%
  // **Predict first.** Three values: the first GPU if there is one, the eleventh if there is one, and all
  // that there are. What will they be where you are?
  show(our_try_gpu(0), our_try_gpu(10), our_try_all_gpus());

  // %%
  // The library has both, so that no lesson needs to repeat them; and they agree with ours.
  show(try_gpu(), try_gpu(10), try_all_gpus());
  show(try_gpu(10) == our_try_gpu(10), try_all_gpus() == our_try_all_gpus());

  // %%
  // ## When falling back would be wrong
  //
  // `try_gpu` hides that a card is missing. In a measurement of two GPUs, silence would be a lie: both
  // halves would run in one place and the result would be believed. `gpus(2)` gives you two or says
  // how many it found.
  try {
    show(gpus(2));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // A negative index is no fallback either. It is a mistake in a calculation, and it should be heard:
  try {
    show(try_gpu(-1));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## What to try next
  //
  // - Run this again as `D2L_VIRTUAL_GPUS=0`, `=1` and `=4`; say before each which lines will change.
  // - `D2L_VIRTUAL_GPUS=two`: which sentence helps you to mend it?
  // - Section 1.2 puts the first tensor on one of these devices.
}
