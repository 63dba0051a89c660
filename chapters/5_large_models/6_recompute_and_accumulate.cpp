// SPDX-License-Identifier: MIT
// Section 5.6: less memory for more time: activations that are computed again, and
// gradients of small batches that are added.
#include <vector>

#include "d2l/checkpoint.h"
#include "d2l/figures.h"
#include "d2l/show.h"

using namespace d2l;

// %%
// # Recompute and accumulate
//
// *Twenty-five minutes.* After this lesson you can train a network whose activations do
// not fit, in two ways: compute them again when they are needed, or take small batches
// and add their gradients. You can say what each way costs, and where the second is not
// the same as a large batch.
//
// Section 5.1 found the peak of a step. With a large batch it is the activations, which
// the forward pass makes and the backward pass needs. A network of many layers keeps
// them all, most of them for a long time.
//
// ## A deep network
//
// Ours has 16 blocks. Each is a linear layer of 128 units and a tanh, whose derivative
// needs only its result. With 2048 examples, a result has 1 MiB.

int main() {
  manual_seed(6);
  const Device device = try_gpu();
  constexpr std::size_t count = 16;
  std::vector<nn::Sequential> blocks;
  std::vector<Tensor> parameters;
  for (std::size_t i = 0; i < count; ++i) {
    blocks.emplace_back(nn::Linear(128, 128), nn::Tanh());
    blocks.back()->to(device);
    for (const Tensor& one : blocks.back()->parameters()) parameters.push_back(one);
  }
  const Tensor x = randn({2048, 128}, device);
  const auto through = [&](Tensor y, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) y = blocks[i](y);
    return y;
  };
  optim::SGD optimizer(parameters, 0.1);
  // The bytes that a step adds at its peak, its launches, and the first gradient.
  struct Result {
    std::int64_t peak;
    std::int64_t launches;
    Tensor gradient;
  };
  const auto run = [&](const auto& step) {
    optimizer.zero_grad(/*set_to_none=*/true);
    const TransferLedger ledger;
    step();
    const std::int64_t begin = ledger.memory_over_time(device).front().bytes;
    return Result{ledger.memory_peak(device).bytes - begin, ledger.launches(),
                  parameters[0].grad().clone()};
  };
  const Result plain = run([&] { through(x, 0, count).square().mean().backward(); });
  show(plain.peak, plain.launches);

  // %%
  // Sixteen results of 1 MiB are 16.8 million bytes. The rest are the squares, and the
  // gradients with which the backward pass begins.
  //
  // ## Compute them again
  //
  // `utils::checkpoint(function, x)` calls the function, and keeps its input and its
  // output, but nothing of what is in between. In the backward pass it calls the
  // function again with the same input. This time everything is kept, for as long as
  // the backward pass of this part takes.
  //
  // Here each part has four blocks, so that four inputs are kept. In the backward pass
  // there are also the four results of the part that has been computed again.
  //
  // **Predict first.** How many MiB is the peak now, and how many launches are there?
  const auto in_parts_of = [&](std::size_t size) {
    Tensor y = x;
    for (std::size_t first = 0; first < count; first += size) {
      const auto part = [&through, first, size](const Tensor& input) {
        return through(input, first, first + size);
      };
      y = utils::checkpoint(part, y);
    }
    return y;
  };
  const Result fours = run([&] { in_parts_of(4).square().mean().backward(); });
  show(fours.peak, fours.launches);
  show(fours.gradient.equal(plain.gradient));

  // %%
  // Six tenths of the memory, for a forward pass more: the three launches of each block
  // run twice. A backward pass has twice the arithmetic of a forward pass, so a step
  // has a third more. The gradients are the same to the last bit, because the same
  // operations have computed them. (That holds with dropout too. A checkpoint keeps the
  // state of the random numbers, and draws them again.)
  optimizer.zero_grad(/*set_to_none=*/true);
  const TransferLedger ledger;
  const auto now = [&] { return ledger.memory_over_time(device).size(); };
  const Tensor y = in_parts_of(4);
  const std::vector<MemoryMark> marks{{0, "forward"}, {now(), "backward"}};
  y.square().mean().backward();
  show_svg(
      memory_svg(ledger.memory_over_time(device), marks),
      "The memory in a step with four checkpoints: four low steps in the forward "
      "pass, and four peaks in the backward pass, each lower than the one before.");

  // %%
  // In the forward pass the memory rises and falls within each part, and grows by one
  // result from part to part. Each hill of the backward pass is a part that is computed
  // again. The hills become lower, because the inputs of the parts are freed.
  //
  // ## How large a part?
  //
  // With parts of k blocks, 16/k inputs are kept, and k results are computed again.
  //
  // **Predict first.** Which k has the lowest peak? And what do you gain with one
  // checkpoint around the whole network?
  for (const std::size_t size : std::vector<std::size_t>{1, 2, 4, 8, 16}) {
    const Result result = run([&] { in_parts_of(size).square().mean().backward(); });
    show(size, result.peak, result.launches);
  }

  // %%
  // 16/k + k is smallest at k = 4, the square root of 16. A network of n equal layers
  // needs memory for 2 √n of them in place of n. One checkpoint around everything gains
  // nothing: at the end of the recomputation all results are there, as before. Neither
  // do checkpoints around single blocks here, since a block keeps nothing but its
  // result. A block of a transformer keeps many times as much as its input, and is a
  // good part.
  //
  // ## Add gradients
  //
  // The other way is a smaller batch. If it must not be small for the optimizer, take
  // several small batches for one step: `backward()` *adds* to the gradients. The loss
  // is a mean, so the mean over the whole batch is the mean of the means.
  //
  // **Predict first.** What happens without the division below?
  const auto in_batches = [&](std::int64_t batches) {
    return [&through, x, batches] {
      for (const Tensor& part : x.chunk(batches)) {
        const Tensor loss = through(part, 0, count).square().mean();
        (loss / static_cast<double>(batches)).backward();
      }
    };
  };
  for (const std::int64_t batches : {1, 4, 16}) {
    const Result result = run(in_batches(batches));
    show(batches, result.peak, result.launches);
    show(allclose(result.gradient, plain.gradient, 1e-4, 1e-9));
  }

  // %%
  // With four small batches the activations take a quarter; the gradients of the
  // parameters do not become smaller. There are four times as many launches, each with
  // a quarter of the work, and those that add gradients. That is cheap, as long as a
  // small batch still fills the GPU. The gradients are equal up to rounding: sums are
  // taken in another order. Without the division they would be 4 or 16 times too large,
  // which SGD would take for a larger learning rate.
  //
  // The mean of means is right only if all parts have the same number of examples. For
  // parts of different sizes, weight each loss by its share of the examples.
  //
  // ## Where it is not the same
  //
  // Batch normalisation computes a mean over its batch. With four small batches there
  // are four different means, and each output depends on other examples than before.
  // Layer normalisation takes each example for itself.
  const auto same_with = [&](nn::Sequential net) {
    net->to(device);
    const Tensor weight = net->parameters().front();
    const auto gradient_of = [&](std::int64_t batches) {
      net->zero_grad(/*set_to_none=*/true);
      for (const Tensor& part : x.chunk(batches)) {
        const Tensor loss = net(part).tanh().mean();
        (loss / static_cast<double>(batches)).backward();
      }
      return weight.grad().clone();
    };
    return allclose(gradient_of(4), gradient_of(1), 1e-3, 1e-8);
  };
  show(same_with(nn::Sequential(nn::Linear(128, 64), nn::LayerNorm(64))));
  show(same_with(nn::Sequential(nn::Linear(128, 64), nn::BatchNorm1d(64))));

  // %%
  // So a network with batch normalisation learns something else if you accumulate. It
  // is one of the reasons why large models use layer normalisation. (With `checkpoint`
  // there is another trap: batch normalisation updates its running statistics in each
  // forward pass, and the recomputation is one.)
  //
  // ## Which of the two?
  //
  // | what | recompute | accumulate |
  // | --- | --- | --- |
  // | memory for n layers | about 2 √n of n | a k-th, with k small batches |
  // | arithmetic | a third more | the same; many launches if a batch is small |
  // | gradients | equal bit by bit | equal up to rounding |
  // | helps with one example | yes | no |
  //
  // The last line decides for long texts and large pictures, where one example alone
  // does not fit. Large models do both.
  //
  // ## What to try next
  //
  // - Call the last four blocks without a checkpoint. There are fewer launches, and the
  //   peak is no higher. Why is it higher with the last eight?
  // - Accumulate with a checkpoint in each small batch, and find the lowest peak.
  // - Leave out the division, and let Adam make the step. Why is the mistake hardly
  //   visible?
}
