// SPDX-License-Identifier: MIT
// Section 1.4: the three points of the chapter, each checked by a few lines that run.
#include <string>

#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Summary
//
// *Ten minutes.* This chapter has three main points. Below, each comes with a few lines
// of code that would fail if it were not true. After this lesson you can explain why
// each point is true, and check your own programs for all three.

// Returns a claim with its result. A claim that does not hold ends the program.
std::string claim(const std::string& words, bool holds) {
  if (!holds) throw Error("[summary] this claim does not hold: " + words);
  return words + ": holds";
}

// %%
// ## You choose the device
//
// *You can choose a device for storage and for computation. If you choose none, you get
// main memory and the CPU.*
//
// There is no current device, and no global setting that could change what a line
// means. Data is where you made it or moved it, and operations run where their data is.

int main() {
  manual_seed(5);
  const Tensor here = rand({4, 3});
  const Tensor there = rand({4, 3}, try_gpu());
  show(here.device(), there.device());
  show(claim("by default a tensor is in main memory", testing::owner(here) == cpu()));
  show(claim("the driver reports a tensor on the device that we asked for",
             testing::owner(there) == try_gpu()));
  show(claim("results are on the device of their operands",
             testing::owner((there * 2).sum()) == try_gpu()));

  // %%
  // For the second line we asked the driver, not the tensor, because a label can be
  // wrong. The third line makes programs easy to read: you never have to look up where
  // a result is. It is where its operands were.
  //
  // The same is true for a network, because its operations run where its parameters are
  // (section 1.3). Move the parameters, even lazy ones, and everything computed from
  // them is on that device too:
  const nn::Sequential net(nn::LazyLinear(2), nn::ReLU(), nn::LazyLinear(1));
  net->to(try_gpu());
  const Tensor prediction = net(there);
  prediction.sum().backward();
  bool all_there = testing::owner(prediction) == try_gpu();
  for (const Tensor& parameter : net->parameters()) {
    all_there = all_there && testing::owner(parameter) == try_gpu() &&
                testing::owner(parameter.grad()) == try_gpu();
  }
  show(claim("parameters, gradients and results are on the network's device",
             all_there));

  // %%
  // ## One device per operation
  //
  // *All operands of an operation must be on one device: the CPU, or the same GPU.*
  //
  // With operands on two devices there are three choices: move the first, move the
  // second, or move both somewhere else. Any of them may be right, and each is a copy
  // that you would not see. So the library chooses none of them, and reports an error
  // at the line where it happens. (Without a GPU there is only one place, and the line
  // works.)
  try {
    show(net(here));
    show(
        "Without a GPU everything is in one place. To see the error: "
        "D2L_VIRTUAL_GPUS=1 ./learn run 1.4");
  } catch (const DeviceError& error) {
    show(error.what());
  }
  show(claim("the same input works when it is on the network's device",
             net(here.to(try_gpu())).sizes() == IntArrayRef{4, 1}));

  // %%
  // The fix is one call, `.to(...)`, and it is visible in your code. You do not have to
  // check first whether it is needed. A copy to the device where a tensor already is
  // does nothing, so a program may always send its data to its device.
  TransferLedger ledger;
  const Tensor same = there.to(try_gpu());
  show(claim("a tensor that is already there is not copied",
             same.is_same(there) && ledger.copies() == 0));

  // %%
  // ## Moving data is expensive
  //
  // *Careless copies make a fast card slow.* A mistake that nearly everyone makes once
  // is to report the loss of each batch as it comes. Each report copies four bytes,
  // which is cheap. But each such copy also waits until the card has finished all its
  // work, which is expensive. Then the card is idle until the host has issued new work,
  // and so are all other cards that the same thread issues work to (section 1.2.3).
  //
  // Sections 1.2.3 and 1.3.1 counted this in a training loop. In short: here are the
  // losses of 100 batches, read one by one, and read together.
  //
  // **Predict first.** How many copies to the host does each way make, and how often
  // does the host wait?
  const Tensor losses = rand({100}, try_gpu());
  float sum_one_by_one = 0;
  ledger.clear();
  for (int batch = 0; batch < 100; ++batch) {
    sum_one_by_one += losses[batch].item<float>();
  }
  const auto copies_one_by_one = ledger.copies(Direction::device_to_host);
  show(copies_one_by_one, ledger.synchronisations());
  ledger.clear();
  float sum_together = 0;
  for (const float loss : losses.to_vector<float>()) sum_together += loss;
  const auto copies_together = ledger.copies(Direction::device_to_host);
  show(copies_together, ledger.synchronisations());

  // %%
  // (On the CPU there is nothing to copy, and the numbers are 0.) So this is the rule:
  // keep the log on the device that computes the values, and copy the whole log instead
  // of each value. Nothing is lost: reading a value changes only the time.
  const bool on_gpu = num_gpus() > 0;
  show(claim("a report for each batch is a copy for each batch",
             copies_one_by_one == (on_gpu ? 100 : 0)));
  show(claim("one copy is enough to report an epoch",
             copies_together == (on_gpu ? 1 : 0)));
  show(claim("both ways give the same", sum_one_by_one == sum_together));

  // %%
  // ## What to try next
  //
  // - Which of the claims can you break, and by changing which line?
  // - Look for `item()`, for `print` and for conversions in a training loop of your
  //   own. How many of them run for each batch?
  // - In the exercises of section 1.5 you measure all of this yourself.
}
