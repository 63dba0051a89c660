// SPDX-License-Identifier: MIT
// Section 5.8.1: pipeline parallelism: the order of the passes, the share of the time
// that is lost, and the memory of the micro-batches.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/figures.h"
#include "d2l/show.h"
#include "d2l/start_ranks.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # Pipelines
//
// *Twenty-five minutes.* After this lesson you can run a network as a pipeline of
// ranks, compute the share of the time that is lost in it, and choose an order of the
// passes by the memory that it needs.
//
// If a network is divided by its layers, rank s is *stage* s: it has the layers behind
// those of stage s − 1, whose results it receives, and sends its own to the next stage.
// Section 3.1 called that *pipeline parallelism*, and said why a batch must be cut into
// *micro-batches*: a stage can compute with one while other stages compute with others.
//
// ## Two orders
//
// A stage has a forward pass and a backward pass of each micro-batch. A backward pass
// has about twice the arithmetic: let it take 2 units of time, and a forward pass 1. In
// which order?
//
// In GPipe (Huang et al., 2019) a stage completes all forward passes before its first
// backward pass. In *1F1B*, one forward, one backward (PipeDream-Flush in Narayanan et
// al., 2021), it takes a backward pass as soon as there is one. And of k stages, stage
// s takes a forward pass only while it stores fewer than k − s micro-batches.
//
// The function below executes either. At each unit of time, every stage that is free
// takes a pass if it can: if what the pass needs is there, and if the order allows it.
// The last line of each condition is the order.

struct Pass {
  std::size_t stage;
  std::size_t batch;
  bool is_backward;
  std::size_t begin;
  std::size_t end;
};

std::vector<Pass> schedule(std::size_t stages, std::size_t batches, bool is_1f1b) {
  std::vector<std::vector<std::size_t>> forward(stages);  // when each one ends
  std::vector<std::vector<std::size_t>> backward(stages);
  std::vector<std::size_t> busy_until(stages);
  std::vector<Pass> passes;
  for (std::size_t time = 0; passes.size() < 2 * stages * batches; ++time) {
    const auto has_ended = [time](const std::vector<std::size_t>& ends,
                                  std::size_t batch) {
      return batch < ends.size() && ends[batch] <= time;
    };
    for (std::size_t s = 0; s < stages; ++s) {
      if (busy_until[s] > time) continue;
      const std::size_t f = forward[s].size();   // the next one forward
      const std::size_t b = backward[s].size();  // and backward
      const bool goes_back = b < f &&
                             (s + 1 == stages || has_ended(backward[s + 1], b)) &&
                             (is_1f1b || f == batches);
      const bool goes_on = f < batches && (s == 0 || has_ended(forward[s - 1], f)) &&
                           (!is_1f1b || f - b < stages - s);
      if (!goes_back && !goes_on) continue;
      busy_until[s] = time + (goes_back ? 2 : 1);
      (goes_back ? backward : forward)[s].push_back(busy_until[s]);
      passes.push_back({s, goes_back ? b : f, goes_back, time, busy_until[s]});
    }
  }
  return passes;
}

// %%
// The ranks start first, because a program must start them before it uses a device. We
// need them at the end of the lesson. The picture shows GPipe with three stages and
// four micro-batches. A row is a stage, a number is a micro-batch, and backward passes
// are grey.

int main() {
  start_ranks(4);
  const auto picture = [](bool is_1f1b) {
    std::vector<ScheduledPart> parts;
    for (const Pass& pass : schedule(3, 4, is_1f1b))
      parts.push_back({pass.stage, static_cast<double>(pass.begin),
                       static_cast<double>(pass.end), std::to_string(pass.batch),
                       pass.is_backward});
    return schedule_svg({"stage 0", "stage 1", "stage 2"}, parts);
  };
  show_svg(
      picture(/*is_1f1b=*/false),
      "GPipe, 18 units. Stage 0 computes four forward passes, waits for six units, "
      "and computes four backward passes. Stage 2 is busy from 2 to 14.");

  // %%
  // Stage 0 waits until micro-batch 0 comes back. Stage 2 waits at the beginning and at
  // the end.
  //
  // **Predict first.** With 1F1B, stage 0 takes the backward pass of micro-batch 0
  // before the forward pass of micro-batch 3. Does everything end earlier?
  show_svg(
      picture(/*is_1f1b=*/true),
      "1F1B, 18 units. Stage 0 computes three forward passes, waits for four units, "
      "and computes the backward pass of micro-batch 0 before the forward pass of "
      "micro-batch 3.");

  // %%
  // No. With m micro-batches each stage is busy for 3m units in both orders. And it
  // waits for 3(k − 1) units: that is how long one micro-batch takes in the other
  // stages, forward and backward. The share of the time in which a stage waits is
  // called the **bubble**: (k − 1)/(m + k − 1).
  //
  // ## Count
  //
  // What differs is the memory. A stage stores the activations of a micro-batch from
  // its forward pass to its backward pass. With GPipe these are all m. With 1F1B they
  // are at most k − s on stage s, and never more than k.
  //
  // We execute both orders with 2 to 8 stages and 1 to 16 micro-batches, count the
  // units without work and the micro-batches that are stored, and compare with these
  // formulas.
  struct Counts {
    std::size_t idle = 0;
    std::size_t end = 0;
    std::vector<std::size_t> stored = {};  // the most on each stage
  };
  const auto count = [](std::size_t k, std::size_t m, bool is_1f1b) {
    Counts counts;
    counts.stored.resize(k);
    std::vector<std::size_t> now(k);
    std::size_t busy = 0;
    for (const Pass& pass : schedule(k, m, is_1f1b)) {
      busy += pass.end - pass.begin;
      counts.end = std::max(counts.end, pass.end);
      now[pass.stage] = pass.is_backward ? now[pass.stage] - 1 : now[pass.stage] + 1;
      counts.stored[pass.stage] = std::max(counts.stored[pass.stage], now[pass.stage]);
    }
    counts.idle = k * counts.end - busy;
    return counts;
  };
  int schedules = 0;
  int as_expected = 0;
  for (std::size_t k = 2; k <= 8; ++k) {
    for (std::size_t m = 1; m <= 16; ++m) {
      for (const bool is_1f1b : {false, true}) {
        const Counts counts = count(k, m, is_1f1b);
        bool is_equal = counts.idle * (m + k - 1) == (k - 1) * k * counts.end;
        for (std::size_t s = 0; s < k; ++s)
          is_equal &= counts.stored[s] == (is_1f1b ? std::min(m, k - s) : m);
        ++schedules;
        if (is_equal) ++as_expected;
      }
    }
  }
  show(schedules, as_expected);

  // %%
  // In all 224 the bubble and the memory of every stage are as computed.
  //
  // **Predict first.** Four stages are to lose less than a tenth of the time. How many
  // micro-batches does that take, and how many of them does each stage store with 1F1B?
  for (const std::size_t m : std::vector<std::size_t>{4, 8, 16, 28}) {
    const Counts counts = count(4, m, /*is_1f1b=*/true);
    const double idle = static_cast<double>(counts.idle) / 4;
    show(m, std::round(1000 * idle / static_cast<double>(counts.end)) / 1000,
         counts.stored);
  }

  // %%
  // It takes 28: 3/31 is less than a tenth. A small bubble needs many micro-batches.
  // With GPipe each of them needs memory, and with 1F1B they need no more than four do.
  //
  // ## A step on four ranks
  //
  // Now the ranks join. (With fewer GPUs they share them, and without one all are on
  // the CPU.) Each has two of eight linear layers. For the comparison each rank draws
  // all of them; in a real program it has its own two.
  //
  // A stage keeps what goes in and what comes out, for each micro-batch on its way. It
  // sends outputs without their history, because the next stage is another process. So
  // `backward()` of an output gets the gradient that the next stage sends back.
  dist::init_process_group("gloo");
  const int rank = dist::get_rank();
  const std::vector<Device>& own = dist::local_devices();
  const Device device =
      own.empty() ? cpu()
                  : own[static_cast<std::size_t>(dist::get_local_rank()) % own.size()];
  manual_seed(8);
  constexpr std::int64_t rows = 64;
  constexpr std::int64_t width = 128;
  std::vector<nn::Sequential> stages;
  for (int s = 0; s < 4; ++s) {
    stages.emplace_back(nn::Linear(width, width), nn::Tanh(), nn::Linear(width, width),
                        nn::Tanh());
    stages.back()->to(device);
  }
  const nn::Sequential stage = stages[static_cast<std::size_t>(rank)];
  const Tensor x = randn({8 * rows, width}, device);
  const std::vector<Tensor> inputs = x.chunk(8);
  const auto step = [&](bool is_1f1b) {
    std::vector<Tensor> in(8);
    std::vector<Tensor> out(8);
    std::vector<dist::Work> sends(8);
    for (const Pass& pass : schedule(4, 8, is_1f1b)) {
      if (pass.stage != static_cast<std::size_t>(rank)) continue;
      const std::size_t j = pass.batch;
      if (pass.is_backward) {
        Tensor gradient = full({rows, width}, 1.0 / (8 * rows * width), device);
        if (rank < 3) dist::recv(gradient, rank + 1).wait();
        out[j].backward(gradient);
        if (rank > 0) dist::send(in[j].grad(), rank - 1).wait();
        sends[j].wait();
        in[j] = out[j] = Tensor();
      } else {
        in[j] = rank == 0 ? inputs[j] : empty({rows, width}, device);
        if (rank > 0) dist::recv(in[j], rank - 1).wait();
        out[j] = stage->forward(in[j].requires_grad_(rank > 0));
        if (rank < 3) sends[j] = dist::send(out[j].detach(), rank + 1);
      }
    }
  };

  // %%
  // The loss is the mean of all outputs, so the last stage begins each backward pass
  // with the derivative of a mean.
  //
  // One line is easily written wrong. A stage does not wait here until the next one has
  // received an output, only before it frees it. With 1F1B the next stage may be about
  // to send a gradient back at that time. If both waited until the other receives, they
  // would wait forever (exercise 3.7.1).
  //
  // Are the gradients those of the whole network?
  const Tensor weight = stage->parameters().front();
  const auto gradient_of = [&](const auto& work) {
    stage->zero_grad(/*set_to_none=*/true);
    work();
    return weight.grad().clone();
  };
  const Tensor expected = gradient_of([&] {
    Tensor y = x;
    for (const nn::Sequential& one : stages) y = one->forward(y);
    y.mean().backward();
  });
  for (const bool is_1f1b : {false, true})
    show(allclose(gradient_of([&] { step(is_1f1b); }), expected, 1e-4, 1e-9));

  // %%
  // Now the bytes. A result of one layer for one micro-batch is 64 · 128 · 4 = 32768
  // bytes. A stage keeps its input, which is an input of its first layer, and the
  // results of its two tanh: 98304 bytes for each micro-batch.
  //
  // **Predict first.** There are four stages and eight micro-batches. What is the peak
  // of each rank in a step, and how many bytes does rank 0 send?
  const auto measure = [&](bool is_1f1b) {
    const TransferLedger ledger;
    step(is_1f1b);
    const std::int64_t begin = ledger.memory_over_time(device).front().bytes;
    const std::int64_t bytes = ledger.sent_bytes(Connection::network);
    const Tensor peaks = zeros({4}, kLong);
    dist::all_gather_into_tensor(peaks,
                                 tensor({ledger.memory_peak(device).bytes - begin}))
        .wait();
    show(bytes, peaks);
  };
  measure(/*is_1f1b=*/false);
  measure(/*is_1f1b=*/true);

  // %%
  // With GPipe each rank stores eight micro-batches: 950784 = 8 · 98304 + 164352, where
  // the last number is the backward pass under way. With 1F1B rank 1 stores three of
  // them, 459264 = 3 · 98304 + 164352, then two, then one. Rank 0 stores four, but its
  // inputs are part of the batch, which was there before: 426496 = 4 · 65536 + 164352.
  // With 80 micro-batches GPipe would need ten times as much, and 1F1B the same.
  //
  // Rank 0 sends 8 · 32768 bytes in both orders, and receives as many gradients. That
  // depends neither on the number of layers nor on their parameters. For a large model
  // it is the least of all splits.
  //
  // ## Which split?
  //
  // | split | what is sent | when | where |
  // | --- | --- | --- | --- |
  // | tensor (5.8) | all-reduces of activations | 4 times a block | in a server |
  // | pipeline | activations to a neighbour | 2 times a micro-batch | anywhere |
  // | data (3.6, 4.5) | all-reduce of all gradients | once a step | anywhere |
  // | data, sharded (5.7) | parameters, gradients | in each pass | on fast links |
  //
  // "Activations" includes their gradients, which are as large. During the all-reduces
  // of a tensor split, the ranks can do nothing else. A stage has other micro-batches
  // meanwhile, and gradients are sent during the backward pass.
  //
  // They are used together. Narayanan et al. divided a model of a trillion parameters
  // between 3072 GPUs: each layer between the 8 GPUs of a server, the layers between 64
  // servers, and the data between 6 such pipelines.
  //
  // ## What to try next
  //
  // - Let a backward pass take 3 units. Is the bubble another share of the time?
  // - How many micro-batches do the stages store with 1F1B, if there are only two?
  // - Exercise 3.7.4 asks for 1F1B as a list for each stage, without a clock.
  dist::destroy_process_group();
}
