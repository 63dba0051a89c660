// SPDX-License-Identifier: MIT
// Section 1.2.2: bringing two tensors to one device with one copy, reading what it
// cost, and checking the result.
#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Copying
//
// *Fifteen minutes.* After this lesson you can bring two tensors to one device with as
// few copies as possible, read from the ledger what a line of code cost, and check that
// a copy is correct.
//
// `X` is on the first GPU, `Y` is on the second, and we want their sum. As section 1.2
// showed, the library does not choose a device for it. We choose the device of `Y`, so
// we copy `X`.

int main() {
  manual_seed(5);
  const Tensor X = ones({2, 3}, try_gpu());
  const Tensor Y = rand({2, 3}, try_gpu(1));
  show(X.device(), Y.device());

  // %%
  // With two or more GPUs, the picture below shows the plan. With a single GPU, `Y` is
  // in main memory instead. Then we copy `Y`, because a real program keeps its data on
  // the card. Without a GPU, both are on the CPU.
  if (num_gpus() >= 2) {
    show_figure("copy_then_add");
  } else {
    show(
        "This machine has fewer than two GPUs. To see the copy between two: "
        "D2L_VIRTUAL_GPUS=2 ./learn run 1.2.2");
  }

  // %%
  // ## One copy
  //
  // **Predict first.** The next line copies six floats. How many copies will the ledger
  // show, of how many bytes, and in which direction? Will the host (the CPU that runs
  // your program) wait for them?
  TransferLedger ledger;
  const Tensor Z = num_gpus() >= 2 ? X.cuda(1) : num_gpus() == 1 ? Y.cuda() : X;
  show(ledger.summary());

  // %%
  // The ledger shows one copy of 24 bytes, into newly allocated memory, and no
  // synchronisation: the copy went into a queue, and the program continued. Between two
  // GPUs the ledger also shows events. The queue that copies must not start before both
  // devices are ready, and the other queue must not read before the values have
  // arrived. The events enforce this order, and the host does not wait. (Section 1.2.3
  // uses events explicitly.) Without a GPU the ledger shows nothing.
  //
  // A copy makes a second tensor and does not change the first:
  show(num_gpus() == 1 ? Y : X);
  show(Z);

  // %%
  // ## The sum
  //
  // Both operands are now on one device, so the sum works, and the result is on the
  // same device. Without the copy we would have got an error:
  show(num_gpus() == 1 ? X + Z : Y + Z);
  try {
    show(X + Y);
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## A copy that does nothing
  //
  // What if `Z` is already on the device that you ask for? A function that accepts
  // tensors on any device often calls `to` without checking first. It should not make a
  // copy on each call.
  //
  // **Predict first.** What does the ledger show after this line?
  ledger.clear();
  const Tensor same = num_gpus() >= 2 ? Z.cuda(1) : Z.to(Z.device());
  show(ledger.summary());
  show(same.is_same(Z));

  // %%
  // Nothing: no copy and no allocation. `same` and `Z` are two handles to one tensor.
  // This has a consequence: when you change the tensor through one handle, you see the
  // change through the other. If you always want a second tensor, use `copy_to`, which
  // always copies:
  const Tensor other = Z.copy_to(Z.device());
  show(other.is_same(Z), other.equal(Z));

  // %%
  // ## Is the copy correct?
  //
  // A copy is correct when two things are true: the tensor is *on the right device*, as
  // reported by the driver, and its *values equal the original's*. Few programs check
  // the second. Section 1.1.1 has an example: a copy between two makers' GPUs was on
  // the right device, had the right shape and contained another tensor's numbers. Two
  // comparisons find such an error:
  const Tensor original = num_gpus() == 1 ? Y : X;
  const Tensor copy = original.copy_to(Z.device());
  show(testing::placed(copy) && copy.device() == Z.device());
  show(copy.to_vector<float>() == original.to_vector<float>());

  // %%
  // ## Without peer access
  //
  // Two cards in one machine can often reach each other's memory directly, over a link
  // or over the bus. This is called *peer access*. Some pairs of cards do not have it.
  // Then the copy is *staged*: it goes through main memory in two *legs*, one to main
  // memory and one from it. This is slower and uses the connections of both cards. The
  // result is the same, but the ledger shows the difference. We can switch peer access
  // off between virtual GPUs and look:
  if (num_gpus() >= 2) {
    testing::set_peer_access(false);
    ledger.clear();
    const Tensor detour = X.cuda(1);
    show(ledger.summary());
    show(ledger.copies(Direction::device_to_host),
         ledger.copies(Direction::host_to_device));
    testing::set_peer_access(true);
  } else {
    show(
        "A copy through main memory needs two GPUs: D2L_VIRTUAL_GPUS=2 ./learn run "
        "1.2.2");
  }

  // %%
  // ## What to try next
  //
  // - Suppose you want the sum on `cuda:0` instead. Is it cheaper to copy `Y` before
  //   the addition, or `Y + Z` after it?
  // - After the line that makes `same`, add `Tensor handle = same;` and `handle += 1;`,
  //   and show `Z`. Then do the same with `other`.
  // - With two GPUs, what does the ledger show for `X.cpu().cuda(1)`? Does the host
  //   wait?
  // - Section 1.2.3 is about copies and waits that you did not write.
}
