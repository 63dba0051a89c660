// SPDX-License-Identifier: MIT
// Section 1.1: naming devices, counting them, and running on a machine with fewer GPUs than you want.
#include <vector>

#include "d2l/show.h"

using namespace d2l;

// %%
// # Computing devices
//
// *Ten minutes.* After this lesson you can name any device, count the GPUs, and write a program that
// runs unchanged on a laptop without a GPU and on a server with eight.
//
// Every tensor lives on one *device*, and operations on it run there. If you know where your data is,
// you can keep it there. Most slow GPU programs are slow because their data is in the wrong place. So
// we start with the devices, before we make any tensor.

int main() {
  show(cpu(), gpu(), gpu(1));

  // %%
  // ## A name is not a card
  //
  // This is how PyTorch prints devices. The type is `cuda` for every GPU that this library drives, and
  // the index counts GPUs from 0.
  //
  // The two types differ. `cpu()` is *all* cores and *all* of main memory. There is only one, and an
  // operation on it uses several cores by itself. `gpu(i)` is *one* card with its *own* memory. Two
  // cards are two devices. They share nothing: to use data on both, you must copy it.
  show_measured(get_num_threads(), "threads", 1, 100'000, "the CPU device uses up to");

  // %%
  // Making a device touches no hardware. A `Device` is a value of two small numbers, and it may name a
  // card that this machine does not have. This is useful: you can write a program, and print its plan,
  // on another machine than the one that will run it.
  show(gpu(2));

  // %%
  // *Using* a device that does not exist is an error, and you get it at once. The first index that does
  // not exist is `num_gpus()`:
  try {
    const Tensor nowhere = ones({2, 3}, gpu(num_gpus()));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## One card, one name
  //
  // You can also write a device as a string, as in PyTorch. `cuda` without a number means the first
  // card.
  show(Device("cuda:1"), Device("cuda"), Device("cuda") == Device("cuda:0"));

  // %%
  // The book says the same: the two names are equal. In PyTorch itself they are not quite equal. There,
  // `cuda` without a number means the *current* device, which is a setting that any code may change,
  // and the comparison gives `False`. This library has no current device. An operation runs where its
  // operands are, so you can tell what a line does without knowing what ran before it.
  //
  // A string that names no device is an error. It never selects another card:
  try {
    show(Device("cuda:-1"));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## How many are there?
  //
  // `num_gpus()` counts the cards, or the virtual GPUs that you asked for instead. A machine without a
  // driver, or with a broken one, has 0 GPUs. That is a normal result, not an error.
  show(num_gpus());

  // %%
  // ## Programs that run anyway
  //
  // You want the same program to run on a machine without a second GPU. Two small functions are
  // enough. Here is how we would write them. Look at the last line of the second function: a program
  // that loops over its devices needs at least one, so the list is never empty. (Newer editions of the
  // book return an empty list on a machine without a GPU. What does a training loop over no devices
  // learn?)
  const auto our_try_gpu = [](int index) { return index < num_gpus() ? gpu(index) : cpu(); };
  const auto our_try_all_gpus = [] {
    std::vector<Device> devices;
    for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
    return devices.empty() ? std::vector{cpu()} : devices;
  };

  // %%
  // **Predict first.** Three values: the first GPU if it exists, the eleventh if it exists, and all
  // GPUs. What will they be on your machine?
  show(our_try_gpu(0), our_try_gpu(10), our_try_all_gpus());

  // %%
  // The library has both functions, so no lesson has to repeat them. They agree with ours.
  show(try_gpu(), try_gpu(10), try_all_gpus());
  show(try_gpu(10) == our_try_gpu(10), try_all_gpus() == our_try_all_gpus());

  // %%
  // ## When a fallback would be wrong
  //
  // `try_gpu` hides that a card is missing. If you measure two GPUs, the result would then be wrong:
  // both halves would run on one device, and you would not notice. `gpus(2)` gives you two GPUs, or an
  // error that says how many it found.
  try {
    show(gpus(2));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // A negative index does not fall back either. It is a mistake in a calculation, so it is an error:
  try {
    show(try_gpu(-1));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## What to try next
  //
  // - Run this lesson with `D2L_VIRTUAL_GPUS=0`, `=1` and `=4`. Before each run, say which lines will
  //   change.
  // - Run it with `D2L_VIRTUAL_GPUS=two`. Which sentence of the error tells you how to fix it?
  // - Section 1.2 puts the first tensor on one of these devices.
}
