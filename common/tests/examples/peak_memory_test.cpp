// SPDX-License-Identifier: MIT
// The peak of the memory in a training step is what a formula predicts, to the byte: parameters, gradients, optimizer
// state, the batch, the activations that are kept, and the two gradients of the operation at the peak.
#include "d2l/memory.h"
#include "small_models.h"

namespace d2l::examples {
namespace {

/// The bytes of a block of so many elements.
std::int64_t block(std::int64_t elements, std::int64_t each = 4) { return (elements * each + 511) / 512 * 512; }

/// A model and what its step needs beside parameters, gradients, state and batch, for a number of examples.
struct Predicted {
  std::string name;
  std::function<std::shared_ptr<nn::Module>()> make;
  std::function<Batch(std::int64_t)> batch;
  std::function<std::int64_t(std::int64_t)> rest;
  std::string operation;  ///< at the peak
};

constexpr std::int64_t hidden = 64;

TransformerOptions transformer_sizes() {
  TransformerOptions sizes;
  sizes.width = 16;
  sizes.hidden = 32;
  sizes.dropout = 0.1;
  return sizes;
}

/// relu keeps its result. Its backward() has the gradients of its result and of its input.
std::int64_t rest_of_mlp(std::int64_t n) { return 3 * block(n * hidden) + block(1); }

/// The first sigmoid has by far the largest result, and it is the last whose gradient is computed.
std::int64_t rest_of_lenet(std::int64_t n) { return 3 * block(n * 6 * 28 * 28) + block(1); }

/// All activations are there when the gradient of the scores is computed from that of their log_softmax.
std::int64_t rest_of_transformer(std::int64_t n) {
  const TransformerOptions sizes = transformer_sizes();
  const std::int64_t positions = n * sizes.length;
  const std::int64_t x = block(positions * sizes.width);
  const std::int64_t inner = block(positions * sizes.hidden);
  const std::int64_t weights = block(n * sizes.heads * sizes.length * sizes.length);
  const std::int64_t statistics = block(2 * positions, 8);
  const std::int64_t normalised = x + statistics;
  const std::int64_t dropped = 2 * x;  // the mask, in float32, and the sum after it
  // Scaled queries, keys, values; weights, their mask, and what is left; the means of the heads beside each other.
  const std::int64_t attention = 3 * x + 3 * weights + x;
  const std::int64_t perceptron = 2 * inner;  // before and after gelu
  const std::int64_t a_block = normalised + attention + dropped + normalised + perceptron + dropped;
  const std::int64_t scores = block(positions * sizes.symbols);
  return dropped + sizes.layers * a_block + normalised + 3 * scores + block(1);
}

std::vector<Predicted> predictions() {
  const auto digits = [](std::int64_t n) { return draw_digits(n, 1).tensors(); };
  return {{"MLP", [] { return nn::Sequential(nn::Linear(28, hidden), nn::ReLU(), nn::Linear(hidden, 10)).ptr(); },
           [](std::int64_t n) {
             return Batch{ones({n, 28}), zeros({n}, kLong)};
           },
           rest_of_mlp, "relu_backward"},
          {"LeNet", [] { return LeNet().ptr(); }, digits, rest_of_lenet, "sigmoid_backward"},
          {"Transformer", [] { return Transformer(transformer_sizes()).ptr(); },
           [](std::int64_t n) {
             return draw_sequences(n, transformer_sizes().length, transformer_sizes().symbols, 1).tensors();
           },
           rest_of_transformer, "log_softmax_backward"}};
}

/// An optimizer, and how many numbers it keeps for each parameter.
struct Kept {
  std::function<std::unique_ptr<optim::Optimizer>(std::vector<Tensor>)> make;
  std::int64_t numbers;
};

std::vector<Kept> optimizers() {
  return {{[](std::vector<Tensor> all) { return std::make_unique<optim::SGD>(std::move(all), 0.01); }, 0},
          {[](std::vector<Tensor> all) {
             return std::make_unique<optim::SGD>(std::move(all), optim::SGDOptions(0.01).momentum(0.9));
           },
           1},
          {[](std::vector<Tensor> all) { return std::make_unique<optim::Adam>(std::move(all)); }, 2}};
}

TEST(PeakMemory, OfAStepIsAsPredicted) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  for (const Predicted& predicted : predictions()) {
    for (const Kept& kept : optimizers()) {
      for (const std::int64_t n : {32, 50}) {
        SCOPED_TRACE(predicted.name + ", " + std::to_string(kept.numbers) + ", " + std::to_string(n));
        const auto before = cuda::memory_allocated();
        const auto model = predicted.make();
        model->to(gpu());
        Batch batch;
        for (const Tensor& tensor : predicted.batch(n)) batch.push_back(tensor.to(gpu()));
        const auto optimizer = kept.make(model->parameters());
        step(*model, batch, *optimizer);  // makes the gradients and the state
        cuda::reset_peak_memory_stats();
        const TransferLedger ledger;
        step(*model, batch, *optimizer);
        std::int64_t expected = predicted.rest(n);
        for (const Tensor& parameter : model->parameters()) expected += (2 + kept.numbers) * block(parameter.numel());
        for (const Tensor& buffer : model->buffers()) expected += block(buffer.numel(), buffer.element_size());
        for (const Tensor& tensor : batch) expected += block(tensor.numel(), tensor.element_size());
        EXPECT_EQ(cuda::max_memory_allocated() - before, expected);
        EXPECT_EQ(ledger.memory_peak(gpu()).bytes - before, expected);
        EXPECT_EQ(ledger.memory_peak(gpu()).operation, predicted.operation);
      }
    }
  }
}

}  // namespace
}  // namespace d2l::examples
