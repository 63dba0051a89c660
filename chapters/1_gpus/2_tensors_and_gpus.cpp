// SPDX-License-Identifier: MIT
// Section 1.2: a tensor has a device, and two tensors can meet only on the same one.
#include "d2l/show.h"

using namespace d2l;

// %%
// # Tensors and GPUs
//
// *Ten minutes.* Afterwards you can ask any tensor where it is, you know why two tensors must share
// a device before they can be added, and you can read the error that says they do not.
//
// A tensor is made in main memory unless you say otherwise, and the CPU works on it.

int main() {
  const Tensor x = tensor({1, 2, 3});
  show(x);
  show(x.device());

  // %%
  // ## Where the operands are, there the work is done
  //
  // No operation takes a device as an argument. `x + x` runs where `x` is, and its result stays there.
  // The same line is a CPU program or a GPU program, and the data decides which.
  const Tensor on_gpu = x.to(try_gpu());
  show(on_gpu + on_gpu);
  show((on_gpu + on_gpu).device() == try_gpu());

  // %%
  // ## Two places, one sum
  //
  // So what should `x + on_gpu` do, when one is in main memory and the other on a card? Somebody would
  // have to choose: move the first, move the second, and where does the result go? Any choice is
  // slow, and the library cannot know which one you can afford. It refuses, and leaves it to you.
  //
  // **Predict first.** The ledger in the next lines counts all copies and all work. When the sum is
  // refused, how many bytes will have moved?
  TransferLedger ledger;
  try {
    show(x + on_gpu);
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // Without a GPU both are on the CPU, and the sum is an ordinary one (`D2L_VIRTUAL_GPUS=2` shows the
  // refusal). With one, read the message from its end: which devices met, what each operand was, and
  // what to do about it. The sentence in the middle is PyTorch's own, word for word, so that a search
  // for it finds the many who have met it before you.
  //
  // And the bytes? The devices are compared before anything is done:
  if (x.device() == on_gpu.device()) {
    show("With no GPU, nothing was refused: everything is on the CPU.");
  } else {
    show(ledger.summary());
  }

  // %%
  // Two cards are as far apart as a card and main memory. It makes no difference that both are GPUs:
  // each has memory of its own.
  if (num_gpus() >= 2) {
    try {
      show(ones({2, 3}, gpu(0)) + ones({2, 3}, gpu(1)));
    } catch (const DeviceError& error) {
      show(error.what());
    }
  } else {
    show("This needs two GPUs. Virtual ones will do: D2L_VIRTUAL_GPUS=2 ./learn run 1.2");
  }

  // %%
  // ## The mend
  //
  // You choose the place, and say so with a copy. Here the sum belongs on the card, where the larger
  // part of a real program's data would be. One explicit copy of 24 bytes (three integers of eight)
  // brings `x` over; without a card there is nowhere to bring it to, and nothing is copied.
  ledger.clear();
  const Tensor moved = x.to(on_gpu.device());
  show(ledger.copies(), ledger.copied_bytes());
  show(moved + on_gpu);

  // %%
  // ## One exception
  //
  // A plain number is no tensor and has no device; it travels with the launch. A CPU tensor *without
  // dimensions* counts as a number too, as in PyTorch. There is no choice to make: one value fits in
  // any message. The other way round is refused, since a value on the card would have to be fetched.
  show(on_gpu * 2);
  show(on_gpu + tensor(10));

  // %%
  // ## What to try next
  //
  // - `tensor({1, 2, 3}, try_gpu())` makes the tensor on the card at once. What does that save?
  // - Swap the operands of the refused sum. Which device does the message name first?
  // - Section 1.2.1 looks at what a tensor takes from the memory of its card.
}
