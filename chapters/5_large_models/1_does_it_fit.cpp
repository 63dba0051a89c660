// SPDX-License-Identifier: MIT
// Section 5.1: what a training step keeps in memory, when it needs the most, and how
// large a batch may be.
#include <vector>

#include "d2l/figures.h"
#include "d2l/show.h"

using namespace d2l;

// %%
// # Does it fit?
//
// *Twenty-five minutes.* After this lesson you can predict how much memory a training
// step needs at its peak, say what takes it, and choose the size of a batch for a given
// memory.
//
// A model is too large for a GPU long before its parameters fill the memory. A step of
// training keeps four kinds of tensors:
//
// - the **parameters**;
// - a **gradient** for each parameter;
// - the **state of the optimizer**: numbers that it keeps for each parameter from step
//   to step;
// - the **activations**: the results of the forward pass that `backward()` will need.
//
// The first three depend on the network alone. The last depends on the batch, too. We
// take a small network, count each kind, and compare with what the device has
// allocated.
//
// ## Parameters
//
// `allocated()` returns the bytes of all live tensors on the device. On a GPU it is
// `cuda::memory_allocated()` of `d2l/memory.h`, by PyTorch's name. The ledger has the
// same number, and has it for the CPU, too.
//
// **Predict first.** The layers have 256 · 512, 512 · 512 and 512 · 10 weights, and
// as many biases as outputs. How many bytes are the parameters?

int main() {
  manual_seed(1);
  const Device device = try_gpu();
  const auto allocated = [device] {
    return TransferLedger().memory_over_time(device).front().bytes;
  };
  const std::int64_t begin = allocated();
  nn::Sequential net(nn::Linear(256, 512), nn::ReLU(), nn::Linear(512, 512), nn::ReLU(),
                     nn::Linear(512, 10));
  net->to(device);
  std::int64_t parameters = 0;
  for (const Tensor& parameter : net->parameters()) parameters += parameter.numel();
  show(4 * parameters, allocated() - begin);

  // %%
  // Four bytes for each of 400,000 parameters. On a GPU there are 472 bytes more: a
  // GPU's memory is given out in multiples of 512 bytes, and the last bias has ten
  // numbers, which are 40 bytes. PyTorch rounds in the same way.
  //
  // ## Activations
  //
  // **Predict first.** The forward pass makes five results: three of linear layers and
  // two of ReLU. With 64 examples, each has 64 rows. Which of them are still there when
  // the forward pass has ended?
  const auto kept_for = [&](std::int64_t examples) {
    const Tensor x = randn({examples, 256}, device);
    const std::int64_t before = allocated();
    const Tensor y = net(x);
    return allocated() - before;
  };
  show(kept_for(64), kept_for(128), kept_for(256));
  show(64 * 4 * (512 + 512 + 10));

  // %%
  // It is the two results of ReLU, and the output. The gradient of a linear layer needs
  // its input. The gradient of ReLU needs only to know where its result is 0, so the
  // number that went into ReLU is not kept. It is worth knowing what each operation
  // keeps: a function that keeps its input *and* its result takes twice as much.
  //
  // Activations grow with the batch. Without gradients nothing is kept but the output:
  {
    const NoGradGuard no_grad;
    show(kept_for(64), 64 * 4 * 10);
  }

  // %%
  // ## Gradients, and the state of the optimizer
  //
  // A gradient has the shape and the dtype of its parameter. We compute all of them
  // once, and let three optimizers make a step. What they allocate in it, they keep.
  //
  // **Predict first.** Plain SGD needs nothing but the gradient. Momentum keeps an
  // average of the gradients. Adam keeps an average of the gradients and one of their
  // squares. How many bytes is that, for each parameter?
  const auto examples_of = [device](std::int64_t n) { return randn({n, 256}, device); };
  const auto targets_of = [device](std::int64_t n) { return randn({n, 10}, device); };
  const std::int64_t before_backward = allocated();
  mse_loss(net(examples_of(64)), targets_of(64)).backward();
  show(allocated() - before_backward);

  const auto state_of = [&](optim::Optimizer&& optimizer) {
    const std::int64_t before = allocated();
    optimizer.step();
    return allocated() - before;
  };
  show(state_of(optim::SGD(net->parameters(), 0.01)));
  show(state_of(optim::SGD(net->parameters(), optim::SGDOptions(0.01).momentum(0.9))));
  show(state_of(optim::Adam(net->parameters(), 0.001)));

  // %%
  // So much for each parameter, in float32:
  //
  // | optimizer | parameter | gradient | state | together |
  // | --- | --- | --- | --- | --- |
  // | SGD | 4 | 4 | 0 | 8 bytes |
  // | SGD with momentum | 4 | 4 | 4 | 12 bytes |
  // | Adam | 4 | 4 | 8 | 16 bytes |
  //
  // Sixteen bytes for each parameter, before the first activation: a model with seven
  // billion parameters needs 112 GB. No card of 80 GB can train it, though its
  // parameters take only 28 GB.
  //
  // ## The peak
  //
  // What counts is the moment with the most memory. Gradients appear one after another
  // in the backward pass, and activations are freed one after another. We let Adam make
  // a first step, so that its state is there, and record the second one.
  optim::Adam optimizer(net->parameters(), 0.001);
  optimizer.step();
  const Tensor x = examples_of(64);
  const Tensor y = targets_of(64);
  optimizer.zero_grad(/*set_to_none=*/true);
  const TransferLedger ledger;
  const auto now = [&] { return ledger.memory_over_time(device).size(); };
  std::vector<MemoryMark> marks{{0, "forward"}};
  const Tensor loss = mse_loss(net(x), y);
  marks.push_back({now(), "backward"});
  loss.backward();
  marks.push_back({now(), "step"});
  optimizer.step();
  optimizer.zero_grad(/*set_to_none=*/true);
  show_svg(memory_svg(ledger.memory_over_time(device), marks),
           "The memory in a step of training: a high floor of parameters and states, "
           "on which the activations rise in the forward pass. The peak is near the "
           "end of the backward pass, where all gradients are.");
  const MemoryPoint peak = ledger.memory_peak(device);
  show(peak.operation, peak.bytes - begin);

  // %%
  // The high floor is the parameters and Adam's state. In the forward pass the
  // activations come on top. In the backward pass they go, and gradients take their
  // place. The peak is near the end: all gradients are there, and the gradient with
  // respect to the first hidden layer, of 64 · 512 numbers, has just been used.
  //
  // So we can write the peak down: four times the parameters, the batch with its
  // targets, that one gradient, and the loss. Each tensor is rounded as on its device:
  const auto bytes_of = [device](std::int64_t numbers) {
    const std::int64_t unit = device.is_cuda() ? 512 : 4;
    return (4 * numbers + unit - 1) / unit * unit;
  };
  std::int64_t floats = 0;
  for (const Tensor& parameter : net->parameters())
    floats += bytes_of(parameter.numel());
  const std::int64_t predicted = 4 * floats + bytes_of(x.numel()) +
                                 bytes_of(y.numel()) + bytes_of(64L * 512) +
                                 bytes_of(loss.numel());
  show(predicted, peak.bytes - begin);

  // %%
  // Equal to the byte.
  //
  // ## How large may the batch be?
  //
  // With 64 examples the parameters decide. With many, the activations do, and the peak
  // moves to the middle of the backward pass.
  //
  // **Predict first.** Below is the peak with 1024, 2048 and 3072 examples. What is the
  // third number, if you know the first two?
  const auto peak_with = [&](std::int64_t examples) {
    const Tensor inputs = examples_of(examples);
    const Tensor targets = targets_of(examples);
    const TransferLedger step;
    mse_loss(net(inputs), targets).backward();
    optimizer.step();
    optimizer.zero_grad(/*set_to_none=*/true);
    // The first batch is still there, and its loss.
    const std::int64_t others = x.nbytes() + y.nbytes() + bytes_of(1);
    return step.memory_peak(device).bytes - begin - others;
  };
  const std::int64_t with_1024 = peak_with(1024);
  const std::int64_t with_2048 = peak_with(2048);
  show(with_1024, with_2048, peak_with(3072));

  // %%
  // Each thousand examples more take as much as the thousand before. So two
  // measurements give a straight line: what the network takes, and what an example
  // takes.
  const std::int64_t for_each = (with_2048 - with_1024) / 1024;
  const std::int64_t fixed = with_1024 - 1024 * for_each;
  show(for_each, fixed);

  // %%
  // An example takes 9296 bytes at the peak: its own 256 numbers, 10 targets and 10
  // outputs, and four tensors of 512 numbers. These are both activations, and two
  // gradients of the second hidden layer: behind its ReLU, and before it.
  //
  // Now choose a batch for a given memory. Say that 64 MiB are left for this network:
  constexpr std::int64_t memory = 64LL << 20;
  const std::int64_t largest = (memory - fixed) / for_each / 128 * 128;
  show(largest, peak_with(largest) <= memory, peak_with(largest + 128) <= memory);

  // %%
  // The batch is a multiple of 128, because products of such sizes are fast. It fits,
  // and 128 examples more do not.
  //
  // A step that does not fit ends with the `OutOfMemoryError` of section 1.2.1. Its
  // message says how many bytes were asked for. That is often a small number: not the
  // tensor that takes most fails, but the one that came last. To see what takes
  // the memory, look at the picture of the ledger, or at `cuda::memory_summary()`.
  //
  // ## If it does not fit
  //
  // | what takes the memory | what helps | where |
  // | --- | --- | --- |
  // | activations | 16 bits | section 5.2 |
  // | activations | smaller batches, whose gradients are added | section 5.6 |
  // | activations | compute them again in `backward()` | section 5.6 |
  // | gradients, optimizer state | divide them between GPUs | section 5.7 |
  // | parameters | divide the layers, or each layer | section 5.8 |
  //
  // ## What to try next
  //
  // - Call `zero_grad()` without its argument: it sets the gradients to zero and keeps
  //   them. (PyTorch has released them by default since version 2.0.) Where is the peak
  //   now, and why is it higher?
  // - Put `nn::Dropout` behind each ReLU. How much more does an example take?
  // - Compute the peak for SGD before you measure it.
}
