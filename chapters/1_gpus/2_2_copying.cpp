// SPDX-License-Identifier: MIT
// Section 1.2.2: bringing two tensors together with one copy, seeing what it cost, and checking that it arrived.
#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// The plan of this lesson; drawn in the colour of the text around it, for light pages and dark ones.
const char* const picture = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 190" width="460" role="img">
  <title>X on cuda:0 is copied to cuda:1 as Z; there Y and Z are added</title>
  <g fill="none" stroke="currentColor">
    <rect x="10" y="30" width="146" height="150" rx="10" stroke-dasharray="5 4"/>
    <rect x="230" y="30" width="220" height="150" rx="10" stroke-dasharray="5 4"/>
    <rect x="55" y="65" width="56" height="40" rx="6"/>
    <rect x="260" y="65" width="56" height="40" rx="6"/>
    <rect x="260" y="130" width="56" height="40" rx="6"/>
    <rect x="375" y="97" width="60" height="40" rx="6"/>
    <path d="M111 85 H252 m-9 -6 l9 6 l-9 6" stroke-width="2"/>
    <path d="M316 85 L366 108 m-10 2 l10 -2 l-4 -9 M316 150 L366 126 m-4 9 l4 -9 l-10 -2"/>
  </g>
  <g fill="currentColor" text-anchor="middle" font-family="sans-serif" font-size="16">
    <text x="83" y="20">cuda:0</text> <text x="340" y="20">cuda:1</text>
    <text x="83" y="90">X</text> <text x="288" y="90">Z</text> <text x="288" y="155">Y</text>
    <text x="405" y="122">Y + Z</text>
    <text x="193" y="76" font-size="12">copy</text> <text x="193" y="104" font-size="12">24 bytes</text>
  </g>
</svg>
)";

// %%
// # Copying
//
// *Fifteen minutes.* Afterwards you can bring two tensors together with as few copies as there can be,
// tell from the ledger what a line has cost, and check that a copy is one.
//
// `X` is on the first GPU, `Y` on the second, and we want their sum. As section 1.2 showed, the library
// will not choose a place for it. We choose: the sum belongs where `Y` is, so `X` has to move.

int main() {
  manual_seed(5);
  const Tensor X = ones({2, 3}, try_gpu());
  const Tensor Y = rand({2, 3}, try_gpu(1));
  show(X.device(), Y.device());

  // %%
  // Below is the plan. With a single GPU `Y` has fallen back to main memory, and then it is `Y` that
  // should move: a real program's data is on the card. With none there is one place, and nothing to do.
  if (num_gpus() >= 2) {
    show_svg(picture, "X on cuda:0 is copied to cuda:1 as Z, 24 bytes; there Y and Z are added");
  } else {
    show("This machine has fewer than two GPUs. To see the copy between two: D2L_VIRTUAL_GPUS=2 ./learn run 1.2.2");
  }

  // %%
  // ## One copy
  //
  // **Predict first.** The next line moves six floats. How many copies will the ledger show, of how
  // many bytes, in which direction? And will the host wait for any of it?
  TransferLedger ledger;
  const Tensor Z = num_gpus() >= 2 ? X.cuda(1) : num_gpus() == 1 ? Y.cuda() : X;
  show(ledger.summary());

  // %%
  // One copy of 24 bytes into memory that was allocated for it, and no synchronisation: the copy was put
  // in a queue, and the program went on. Between two GPUs there are events beside it. The queue that
  // copies must not begin before both ends are ready, and the other must not read before the values
  // have come; the two settle that among themselves (section 1.2.3 does it by hand). With no GPU the
  // ledger holds nothing at all.
  //
  // `X` has not gone anywhere. A copy makes a second tensor, and the first is as it was:
  show(num_gpus() == 1 ? Y : X);
  show(Z);

  // %%
  // ## The sum
  //
  // Both operands are in one place now, so the sum is an ordinary operation, and its result is there too.
  // Had we forgotten the copy, we would have heard of it:
  show(num_gpus() == 1 ? X + Z : Y + Z);
  try {
    show(X + Y);
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // ## A copy that is none
  //
  // What if `Z` is already where you send it? Code that takes tensors from anywhere sends them to its
  // device without looking, on each call, and it would be a pity to pay for that.
  //
  // **Predict first.** What does the ledger hold after this line?
  ledger.clear();
  const Tensor same = num_gpus() >= 2 ? Z.cuda(1) : Z.to(Z.device());
  show(ledger.summary());
  show(same.is_same(Z));

  // %%
  // Nothing: no copy, no allocation; `same` and `Z` are two handles to one tensor. Mind what follows from
  // it: a change made through one is seen through the other. When you want a second tensor for certain, ask for it with
  // `copy_to`, which copies always:
  const Tensor other = Z.copy_to(Z.device());
  show(other.is_same(Z), other.equal(Z));

  // %%
  // ## Did it arrive?
  //
  // A copy is right when two things hold: the tensor is *on the device*, by the word of whoever owns the
  // memory, and its *values are those of the original*. The second is seldom looked at. One of the
  // documents that this lesson grew from copies a tensor of ones between two graphics chips of another
  // maker, with a driver of that time. It came out as 0.8269, 0.8915, 0.6630: on the right device, of the
  // right shape, without a warning, and wrong. The page adds it to `Y`, prints what looks like a sum, and
  // goes on. A glance does not catch that; two comparisons do.
  const Tensor original = num_gpus() == 1 ? Y : X;
  const Tensor copy = original.copy_to(Z.device());
  show(testing::placed(copy) && copy.device() == Z.device());
  show(copy.to_vector<float>() == original.to_vector<float>());

  // %%
  // ## When there is no road
  //
  // Two cards in one machine can often reach each other's memory, through a link of their own or
  // through the bus. Some pairs cannot. Then the copy takes two legs, through main memory, which is
  // slower and takes up both roads. The result is the same, and only the ledger tells. We can
  // close the road between virtual GPUs and look:
  if (num_gpus() >= 2) {
    testing::set_peer_access(false);
    ledger.clear();
    const Tensor detour = X.cuda(1);
    show(ledger.summary());
    show(ledger.copies(Direction::device_to_host), ledger.copies(Direction::host_to_device));
    testing::set_peer_access(true);
  } else {
    show("A detour needs two GPUs: D2L_VIRTUAL_GPUS=2 ./learn run 1.2.2");
  }

  // %%
  // ## What to try next
  //
  // - The sum could be wanted on `cuda:0` after all. Is it cheaper to move `Y` first or `Y + Z` last?
  // - Add `Z += 1` after `same` was made, and show both. Then the same with `other`.
  // - With two GPUs, what does the ledger say of `X.cpu().cuda(1)`? Who waits?
  // - Section 1.2.3 is about the copies and waits that nobody wrote down.
}
