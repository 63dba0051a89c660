// SPDX-License-Identifier: MIT
// Section 1.4: the three points of the chapter, each held to by a few lines that run.
#include <string>

#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Summary
//
// *Ten minutes.* Three sentences are worth keeping from this chapter. Below, each stands over a few lines
// that would fail if it were not so. Afterwards you can say why each is true, and check your own programs for
// all three.

// A claim of this page, and whether it holds; one that does not ends the program.
std::string claim(const std::string& words, bool holds) {
  if (!holds) throw Error("[summary] this is not so: " + words);
  return words + ": holds";
}

// %%
// ## You say where
//
// *A device can be chosen for storage and for calculation. Who chooses none gets main memory and the CPU.*
//
// There is no current device and no setting far away that would change what a line means. Data is where you
// made it or moved it, and work is done where its data is.

int main() {
  manual_seed(5);
  const Tensor here = rand({4, 3});
  const Tensor there = rand({4, 3}, try_gpu());
  show(here.device(), there.device());
  show(claim("by default a tensor is in main memory", testing::owner(here) == cpu()));
  show(claim("a tensor is where it was asked for, by the driver's word", testing::owner(there) == try_gpu()));
  show(claim("its results are there too", testing::owner((there * 2).sum()) == try_gpu()));

  // %%
  // The second line asked the driver, and not the tensor: a label is cheap. The third is what makes a program
  // readable, since nobody has to be told where a result is. It is where its operands were.
  //
  // The same holds for a network, because a network is its parameters (section 1.3). Send those somewhere, lazy
  // ones too, and all that comes of them is there as well:
  const nn::Sequential net(nn::LazyLinear(2), nn::ReLU(), nn::LazyLinear(1));
  net->to(try_gpu());
  const Tensor prediction = net(there);
  prediction.sum().backward();
  bool all_there = testing::owner(prediction) == try_gpu();
  for (const Tensor& parameter : net->parameters()) {
    all_there = all_there && testing::owner(parameter) == try_gpu() && testing::owner(parameter.grad()) == try_gpu();
  }
  show(claim("parameters, gradients and results are where the network was sent", all_there));

  // %%
  // ## One place at a time
  //
  // *All that an operation works on must be on one device: the CPU, or one and the same GPU.*
  //
  // Two operands in two places leave three choices: move the one, move the other, or go somewhere else with
  // both. Any of them may be right, and each is a copy that nobody would see. So the library takes none, and tells
  // you at the line where it happens. (Without a GPU there is one place only, and the line is fine.)
  try {
    show(net(here));
    show("One place is all there is here. To be told otherwise: D2L_VIRTUAL_GPUS=1 ./learn run 1.4");
  } catch (const DeviceError& error) {
    show(error.what());
  }
  show(claim("moved to where the network is, the same input will do",
             net(here.to(try_gpu())).sizes() == IntArrayRef{4, 1}));

  // %%
  // It is one word to mend it, and the word is in your code for everybody to see. Nor need you find out first
  // whether it is necessary: a copy to where something is already is none, so a program may send its data to its
  // device without looking.
  TransferLedger ledger;
  const Tensor same = there.to(try_gpu());
  show(claim("what is there already is not copied", same.is_same(there) && ledger.copies() == 0));

  // %%
  // ## Moving is what costs
  //
  // *Data that is moved without care makes a fast card slow.* The mistake that nearly everybody makes once is to
  // report the loss of each batch as it comes. Every report is a copy of four bytes, which is little; and every such
  // copy waits until the card has nothing left to do, which is much. The card then idles until the host has
  // ordered something new, and so do all other cards that the same thread feeds (section 1.2.3).
  //
  // Two models, then, that differ in this. The first reads each of its losses, the second leaves them to its board
  // (section 1.3.1).
  class Talkative : public LinearRegression {
   public:
    using LinearRegression::LinearRegression;
    Tensor training_step(const Batch& batch) override {
      Tensor loss = LinearRegression::training_step(batch);
      last_loss = loss.item<float>();
      return loss;
    }
    float last_loss = 0;
  };
  Talkative talkative(0.03);
  LinearRegression quiet(0.03);
  const SyntheticRegressionData data({.num_train = 3200, .num_val = 0});
  Trainer trainer({.max_epochs = 1, .num_gpus = 1});

  // %%
  // **Predict first.** An epoch of 100 batches. How many copies to the host does each model make, and how
  // often does the host wait? How many bytes come back that way, with the first model and with the second?
  manual_seed(1);
  ledger.clear();
  trainer.fit(talkative, data);
  const auto copies_of_talkative = ledger.copies(Direction::device_to_host);
  show(copies_of_talkative, ledger.copied_bytes(Direction::device_to_host), ledger.synchronisations());
  manual_seed(1);
  ledger.clear();
  trainer.fit(quiet, data);
  show(ledger.copies(Direction::device_to_host), ledger.copied_bytes(Direction::device_to_host),
       ledger.synchronisations());

  // %%
  // A hundred copies and a hundred waits of the first are gone in the second, and nothing is lost: all hundred
  // losses came in one copy at the end. (The first made that one as well, hence 101. On the CPU there is
  // nothing to bring back, and the numbers are 0.) What was learned is the same to the last bit, for reading
  // changes nothing but the time that it takes. This is the whole trick: keep the log where the values are made,
  // and move a log instead of a value.
  const bool on_gpu = num_gpus() > 0;
  show(claim("an epoch can be reported in one copy", ledger.copies(Direction::device_to_host) == (on_gpu ? 1 : 0)));
  show(claim("a report a batch is a copy a batch", copies_of_talkative == (on_gpu ? 101 : 0)));
  show(claim("both learned the same", quiet.net->weight.equal(talkative.net->weight)));

  // %%
  // ## What to try next
  //
  // - Which of the claims could you break, and by changing which line?
  // - Look for `item()`, for `print` and for conversions in a training loop of your own. How many are in a loop
  //   that runs for each batch?
  // - The exercises of section 1.5 let you measure all of this.
}
