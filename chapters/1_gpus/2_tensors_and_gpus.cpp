// SPDX-License-Identifier: MIT
// Section 1.2: a tensor is on one device, and an operation needs all its operands on
// the same one.
#include "d2l/show.h"

using namespace d2l;

// %%
// # Tensors and GPUs
//
// *Ten minutes.* After this lesson you can ask any tensor where it is, explain why two
// tensors must be on the same device before you can add them, and read the error that
// you get when they are not.
//
// By default a tensor is made in main memory, and the CPU works on it.

int main() {
  const Tensor x = tensor({1, 2, 3});
  show(x);
  show(x.device());

  // %%
  // ## An operation runs where its operands are
  //
  // Only copies and factory functions take a device as an argument. `x + x` runs where
  // `x` is, and its result stays there. The same line can run on the CPU or on a GPU.
  // Its data decides.
  const Tensor on_gpu = x.to(try_gpu());
  show(on_gpu + on_gpu);
  show((on_gpu + on_gpu).device() == try_gpu());

  // %%
  // ## Two devices, one sum
  //
  // What should `x + on_gpu` do when one operand is in main memory and the other on a
  // card? The library could move the first or the second, and it would have to choose a
  // place for the result. Each choice is slow, and the library cannot know which one is
  // acceptable. So it raises an error, and you decide.
  //
  // **Predict first.** The `TransferLedger` in the next lines counts all copies and all
  // operations from its creation on. (Section 1.2.2 reads such a *ledger* line by
  // line.) When the sum is refused, how many bytes will have moved?
  TransferLedger ledger;
  try {
    show(x + on_gpu);
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // Without a GPU both tensors are on the CPU, and the sum works. (`D2L_VIRTUAL_GPUS=2`
  // shows the error.) With a GPU, the message names the two devices, describes both
  // operands, and tells you how to fix it. The sentence in the middle is PyTorch's own,
  // word for word, so you can search for it and find others who had the same problem.
  //
  // And how many bytes moved? The library compares the devices before it does anything
  // else:
  if (x.device() == on_gpu.device()) {
    show("With no GPU, nothing was refused: everything is on the CPU.");
  } else {
    show(ledger.summary());
  }

  // %%
  // Two cards are as separate as a card and main memory. It does not help that both are
  // GPUs: each has its own memory.
  if (num_gpus() >= 2) {
    try {
      show(ones({2, 3}, gpu(0)) + ones({2, 3}, gpu(1)));
    } catch (const DeviceError& error) {
      show(error.what());
    }
  } else {
    show(
        "This needs two GPUs. Virtual ones will do: D2L_VIRTUAL_GPUS=2 ./learn run "
        "1.2");
  }

  // %%
  // ## The fix
  //
  // You choose the device, and you write the copy. Here the sum belongs on the card,
  // where most of a real program's data would be. One explicit copy of 24 bytes (three
  // integers of eight bytes) moves `x` there. Without a card, `x` is already in the
  // right place, and nothing is copied.
  ledger.clear();
  const Tensor moved = x.to(on_gpu.device());
  show(ledger.copies(), ledger.copied_bytes());
  show(moved + on_gpu);

  // %%
  // ## One exception
  //
  // A plain number is not a tensor and has no device. It is sent along with the
  // operation. A CPU tensor *without dimensions* counts as a number too, as in PyTorch.
  // Here the library has nothing to choose, because one value is small enough to send
  // along. The other way round is refused, because the library would have to fetch a
  // value from the card.
  show(on_gpu * 2);
  show(on_gpu + tensor(10));

  // %%
  // ## What to try next
  //
  // - `tensor({1, 2, 3}, try_gpu())` makes the tensor on the card at once. What does
  //   that save?
  // - Swap the operands of the refused sum. Which device does the message name first?
  // - Section 1.2.1 looks at how much of its card's memory a tensor takes.
}
