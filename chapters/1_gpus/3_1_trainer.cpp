// SPDX-License-Identifier: MIT
// Section 1.3.1: a trainer that finds its GPU, moves model and data there, and never waits while it trains.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # The trainer
//
// *Twenty-five minutes.* Afterwards you can train a model on whatever device there is, say what each
// preparation is for, and prove that no step of the training waits.
//
// Training is a loop, the same for every model: take a batch, compute the loss, go back for the gradients,
// let the optimizer take a step. So it is written once, in a *trainer*. A model says the rest: what it
// computes, how wrong it was, and how it is to be improved. Here is the smallest one that does. (The library
// has it too, as `LinearRegression`.)

class Regression : public Model {
 public:
  Regression() { register_module("net", net); }
  Tensor forward(const Tensor& X) override { return net(X); }
  Tensor loss(const Tensor& prediction, const Tensor& y) override { return mse_loss(prediction, y); }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    return std::make_unique<optim::SGD>(parameters(), /*lr=*/0.03);
  }

  nn::LazyLinear net{1};
};

// %%
// ## Something to learn
//
// The data is made up, so that we know what there is to find: y = 2x₁ − 3.4x₂ + 4.2, and a little noise. A
// thousand examples to train with, a thousand that the model never learns from, in batches of 32. They are
// in main memory, as data is that comes from a file.

int main() {
  const SyntheticRegressionData data;
  show(data.X.sizes(), data.y.sizes(), data.X.device());

  // %%
  // ## Which GPUs?
  //
  // A trainer is told how many GPUs it *may* use, and takes as many of them as there are. With none it
  // trains on the CPU. Falling back is right here: the result is the same, and only comes later. (With several
  // it trains on the first. To share the work among them takes more than a trainer, and is a chapter of its own.)
  const auto our_gpus = [](int asked) {
    std::vector<Device> found;
    for (int i = 0; i < std::min(asked, num_gpus()); ++i) found.push_back(gpu(i));
    return found;
  };
  show(our_gpus(1));

  // %%
  // But somebody who paid for four cards wants to know that one is in use. So a trainer says it when it got
  // fewer than it was asked to take:
  const Trainer eager({.max_epochs = 3, .num_gpus = num_gpus() + 1});
  show(eager.gpus() == our_gpus(num_gpus() + 1));

  // %%
  // ## Preparing a batch
  //
  // A batch comes from main memory, and the model will be on the card: `prepare_batch` brings the one to the
  // other. It is one line, as we would write it:
  const auto our_prepare_batch = [&](Batch batch) {
    for (Tensor& part : batch) part = part.to(try_gpu());
    return batch;
  };

  // %%
  // **Predict first.** A batch is two tensors, X and y. How many copies for the first call? And for
  // the second, which is given what the first returned?
  TransferLedger ledger;
  const Batch batch = our_prepare_batch(*data.train_dataloader().begin());
  show(ledger.copies(), ledger.copied_bytes());
  ledger.clear();
  const Batch again = our_prepare_batch(batch);
  show(ledger.copies(), again[0].is_same(batch[0]));

  // %%
  // What is there already is not copied; section 1.2.2 saw to that. The trainer makes use of it. Its loaders
  // send each batch *ahead*: the copy is ordered before the step on the batch before it, from pinned memory,
  // so that the host need not stand by. When `prepare_batch` is called, there is nothing left for it to do.
  //
  // ## Preparing a model
  //
  // `prepare_model` makes itself the model's trainer, tells the model's board how far the x-axis will go, and
  // moves the parameters to the first GPU. That comes *before* the optimizer is made. Some optimizers keep
  // tensors of their own beside the parameters, from the moment that they are made, and those would be left
  // behind.
  Regression model;
  Trainer trainer({.max_epochs = 3, .num_gpus = 1});
  trainer.prepare_model(model);
  show(model.trainer() == &trainer, model.board.xlim->high, model.net->weight.device());
  show(trainer.prepare_batch(batch)[0].is_same(batch[0]));

  // %%
  // The layer is lazy and has not seen any input, and yet it knows where it will be. And our batch needed no
  // other preparation than ours.
  //
  // ## First on the CPU
  //
  // `fit` prepares both and trains. Where there is a terminal you see a bar, and everywhere a line when an
  // epoch is done. This is the reference: the same seed, the same data in the same order, no GPU.
  manual_seed(1);
  Regression reference;
  Trainer on_cpu({.max_epochs = 3});
  on_cpu.fit(reference, data);

  // %%
  // ## Then on the GPU
  //
  // Every batch has a loss that we want to see in a curve. `item()` would copy each of them, and wait each
  // time. The board writes them into a tensor on the device, and fetches them when an epoch ends.
  //
  // **Predict first.** There are 32 batches to train with in an epoch, and 32 to validate with. In three
  // epochs, how many copies come back to the host? Of how many bytes? How often does the host wait?
  // (The guard makes certain that nothing comes back in secret.)
  manual_seed(1);
  {
    const TransferGuard guard(TransferGuard::disallow);
    ledger.clear();
    trainer.fit(model, data);
    show(ledger.copies(Direction::device_to_host), ledger.copied_bytes(Direction::device_to_host),
         ledger.synchronisations());
  }

  // %%
  // One copy an epoch: 64 losses of four bytes, and a single wait for it. (On the CPU nothing is copied back,
  // since nothing was away.) Between two of these copies the host does nothing but order work, as far ahead of
  // the card as the queue is long.
  //
  // The price is that an error *of the device* comes late. A class that does not exist, in the targets of a
  // classifier, stops the CPU at that very batch; a GPU finds it in its own time, and you hear of it at the end of
  // the epoch.
  //
  // ## The same?
  //
  // A GPU adds in another order than a CPU does, and every order rounds in its own way. So the
  // losses need not be equal to the last bit, and should be very nearly:
  double largest = 0;
  for (std::size_t line = 0; line < reference.board.lines().size(); ++line) {
    const auto& expected = reference.board.lines()[line].y;
    const auto& found = model.board.lines()[line].y;
    for (std::size_t i = 0; i < expected.size(); ++i) largest = std::max(largest, std::abs(expected[i] - found[i]));
  }
  show(largest < 1e-5);

  // %%
  // ## The curve
  //
  // Two points an epoch for the losses in training, each the mean of 16 batches, and one for validation. Both
  // fall, and together: the model learns the line, and not the examples.
  show_svg(model.board.svg(), model.board.description());

  // %%
  // ## What it learned
  //
  // We know what there was to find: 2, −3.4 and 4.2. The parameters are still on their device, and
  // printing them is the first read since the training began.
  show(model.net->weight);
  show(model.net->bias);
  show(testing::owner(model.net->weight) == try_gpu());
  const auto w = model.net->weight.to_vector<float>();
  const auto b = model.net->bias.to_vector<float>();
  show(std::abs(w[0] - 2) < 0.05 && std::abs(w[1] + 3.4) < 0.05 && std::abs(b[0] - 4.2) < 0.05);

  // %%
  // ## What to try next
  //
  // - `.gradient_clip_val = 1`: all gradients together are never longer than that. What becomes of the first
  //   epoch?
  // - Let `training_step` print its loss. How do the three numbers of the ledger change, and does the guard let
  //   you?
  // - `D2L_VIRTUAL_GPUS=1,delay=7` delays each piece of work. Do the losses change? Does the count of waits?
  // - Section 1.4 looks back at the chapter.
}
