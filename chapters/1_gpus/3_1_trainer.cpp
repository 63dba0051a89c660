// SPDX-License-Identifier: MIT
// Section 1.3.1: a trainer that finds a GPU, moves model and data there, and never
// waits during training.
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
// *Twenty-five minutes.* After this lesson you can train a model on any device, say
// what each preparation step is for, and prove that no step of the training waits.
//
// Training is the same loop for every model: take a batch, compute the loss, compute
// the gradients, let the optimizer take a step. So we write it once, in a *trainer*.
// The model defines the rest: what it computes, how wrong the result was, and which
// optimizer improves it. Here is the smallest model that does this. (The library has it
// too, as `LinearRegression`.)

class Regression : public Model {
 public:
  Regression() { register_module("net", net); }
  Tensor forward(const Tensor& X) override { return net(X); }
  Tensor loss(const Tensor& prediction, const Tensor& y) override {
    return mse_loss(prediction, y);
  }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    return std::make_unique<optim::SGD>(parameters(), /*lr=*/0.03);
  }

  nn::LazyLinear net{1};
};

// %%
// ## Something to learn
//
// We generate the data, so that we know the right answer: y = 2x₁ − 3.4x₂ + 4.2, plus a
// little noise. There are a thousand examples for training and a thousand for
// validation, which the model never learns from. Batches have 32 examples. The data is
// in main memory, like data from a file.

int main() {
  const SyntheticRegressionData data;
  show(data.X.sizes(), data.y.sizes(), data.X.device());

  // %%
  // ## Which GPUs?
  //
  // You tell a trainer how many GPUs it *may* use. It takes as many of them as there
  // are. Without a GPU it trains on the CPU. This fallback does no harm, because you
  // get the same result, up to rounding, only later. (With several GPUs, each computes
  // on a part of every batch, and the sum of their gradients is that of the whole
  // batch.)
  const auto our_gpus = [](int asked) {
    std::vector<Device> found;
    for (int i = 0; i < std::min(asked, num_gpus()); ++i) found.push_back(gpu(i));
    return found;
  };
  show(our_gpus(1));

  // %%
  // But if you pay for four cards, you want to know when only one is in use. So a
  // trainer prints a line when it gets fewer GPUs than you asked for:
  const Trainer eager({.max_epochs = 3, .num_gpus = num_gpus() + 1});
  show(eager.gpus() == our_gpus(num_gpus() + 1));

  // %%
  // ## Preparing a batch
  //
  // A batch comes from main memory, and the model will be on the card. `prepare_batch`
  // copies the batch to the model's device. We would write it in one line:
  const auto our_prepare_batch = [&](Batch batch) {
    for (Tensor& part : batch) part = part.to(try_gpu());
    return batch;
  };

  // %%
  // **Predict first.** A batch is two tensors, X and y. How many copies does the first
  // call make? How many does the second call make, with the result of the first as its
  // input?
  TransferLedger ledger;
  const Batch batch = our_prepare_batch(*data.train_dataloader().begin());
  show(ledger.copies(), ledger.copied_bytes());
  ledger.clear();
  const Batch again = our_prepare_batch(batch);
  show(ledger.copies(), again[0].is_same(batch[0]));

  // %%
  // Two copies, 384 bytes in all: 32 rows of 2 + 1 numbers, of 4 bytes each. (Without a
  // GPU, nothing is copied.) A tensor that is already on the device is not copied, as
  // we saw in section 1.2.2. The trainer uses this. Its loaders send each batch
  // *ahead*: they issue the copy, from pinned memory, before the training step on the
  // previous batch. So the host does not wait for it, and `prepare_batch` has nothing
  // left to do.
  //
  // ## Preparing a model
  //
  // `prepare_model` sets the model's trainer, sets the range of the x-axis of the
  // model's *board* (which draws the loss curve), and moves the parameters to the first
  // GPU. It does this *before* the optimizer is made. Some optimizers allocate tensors
  // of their own for each parameter when they are made. If you moved the model
  // afterwards, those tensors would stay on the old device.
  Regression model;
  Trainer trainer({.max_epochs = 3, .num_gpus = 1});
  trainer.prepare_model(model);
  show(model.trainer() == &trainer, model.board.xlim->high, model.net->weight.device());
  show(trainer.prepare_batch(batch)[0].is_same(batch[0]));

  // %%
  // The layer is lazy and has had no input yet, but its device is already set. And
  // `prepare_batch` had nothing to do for a batch that we had prepared ourselves.
  //
  // ## First on the CPU
  //
  // `fit` prepares the model and the data, and trains. In a terminal you see a progress
  // bar, and everywhere one line per finished epoch. This run is the reference: the
  // same seed, the same data in the same order, no GPU.
  manual_seed(1);
  Regression reference;
  Trainer on_cpu({.max_epochs = 3});
  on_cpu.fit(reference, data);

  // %%
  // ## Then on the GPU
  //
  // We want to see the loss of every batch in a curve. `item()` would copy each loss,
  // and wait each time. The board writes the losses into a tensor on the device
  // instead, and copies that tensor once per epoch.
  //
  // **Predict first.** An epoch has 32 batches for training and 32 for validation. In
  // three epochs, how many copies go back to the host? How many bytes? How often does
  // the host wait? (The guard makes sure that there is no hidden copy.)
  manual_seed(1);
  {
    const TransferGuard guard(TransferGuard::disallow);
    ledger.clear();
    trainer.fit(model, data);
    show(ledger.copies(Direction::device_to_host),
         ledger.copied_bytes(Direction::device_to_host), ledger.synchronisations());
  }

  // %%
  // One copy per epoch, of 64 losses of four bytes, and one wait for it. (On the CPU
  // nothing is copied back, because everything is in main memory already.) Between two
  // of these copies the host only issues work, as far ahead of the card as the queue
  // allows.
  //
  // This has a price: an error *on the device* is reported late. Suppose that the
  // targets of a classifier contain a class that does not exist. The CPU stops at that
  // very batch. A GPU finds the error when it gets there, and you hear of it at the end
  // of the epoch.
  //
  // ## Are the results the same?
  //
  // A GPU adds numbers in another order than a CPU, and each order rounds differently.
  // So the losses need not be equal to the last bit, but they should be very close:
  double largest = 0;
  for (std::size_t line = 0; line < reference.board.lines().size(); ++line) {
    const auto& expected = reference.board.lines()[line].y;
    const auto& found = model.board.lines()[line].y;
    for (std::size_t i = 0; i < expected.size(); ++i)
      largest = std::max(largest, std::abs(expected[i] - found[i]));
  }
  show(largest < 1e-5);

  // %%
  // ## The loss curve
  //
  // There are two points per epoch for the training loss, each the mean of 16 batches,
  // and one for validation. Both curves fall together: the model learns the rule, not
  // just the examples.
  show_svg(model.board.svg(), model.board.description());

  // %%
  // ## What did it learn?
  //
  // We know the right answer: 2, −3.4 and 4.2. The parameters are still on their
  // device. Printing them is the first time that we read them since the training began.
  show(model.net->weight);
  show(model.net->bias);
  show(testing::owner(model.net->weight) == try_gpu());
  const auto w = model.net->weight.to_vector<float>();
  const auto b = model.net->bias.to_vector<float>();
  show(std::abs(w[0] - 2) < 0.05 && std::abs(w[1] + 3.4) < 0.05 &&
       std::abs(b[0] - 4.2) < 0.05);

  // %%
  // ## What to try next
  //
  // - `.gradient_clip_val = 1` scales the gradients down so that their joint norm is at
  //   most 1. What happens to the first epoch?
  // - Let `training_step` print its loss. How do the three numbers of the ledger
  //   change, and does the guard allow it?
  // - `D2L_VIRTUAL_GPUS=1,delay=7` delays each piece of work. Do the losses change?
  //   Does the number of waits?
  // - Section 1.4 sums up the chapter.
}
