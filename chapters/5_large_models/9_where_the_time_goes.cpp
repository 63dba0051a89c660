// SPDX-License-Identifier: MIT
// Section 5.9: a profile of a training program, and what its numbers say.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "d2l/cost_model.h"
#include "d2l/cuda_graph.h"
#include "d2l/nvtx.h"
#include "d2l/show.h"

using namespace d2l;
using cuda::nvtx::range;

// %%
// # Where the time goes
//
// *Thirty minutes.* After this lesson you can read the profile of a program, and say
// which part to change. You know the faults that most profiles show, and how a CUDA
// graph makes a step of many short launches faster.
//
// A program is rarely slow where its author expects it. So measure first. A *profiler*
// records what the host and the GPU do: on a card it is Nsight Systems, and in this
// course the ledger. Both need names for the parts of the program, because "1000
// launches" does not tell which line is to blame. Such a name is a *range*. A range
// lasts from its construction to the end of its scope, and ranges nest. They are those
// of NVTX, NVIDIA's library for this, which Nsight Systems shows too.
//
// ## A program
//
// The program below trains a perceptron to tell small pictures with a bright left half
// from those with a bright right half. It is right, and slow. Its author wrote each
// part as it came to mind.

struct Examples {
  Tensor pictures;  // (N, 256)
  Tensor labels;    // (N), int64: 0 is left, 1 is right
};

Examples make_examples(std::int64_t n) {
  const Tensor labels = arange(n).remainder(2);
  Tensor pictures = rand({n, 2, 128});
  for (std::int64_t i = 0; i < n; ++i)
    pictures[i][labels[i].item<std::int64_t>()] += 0.1;
  return {pictures.flatten(1), labels};
}

nn::Sequential make_net(Device device) {
  manual_seed(9);
  nn::Sequential net(nn::Linear(256, 64), nn::ReLU(), nn::Linear(64, 32), nn::ReLU(),
                     nn::Linear(32, 2));
  net->to(device);
  return net;
}

constexpr std::int64_t batch_size = 64;

// Copies a batch to the GPU, example by example.
Examples load(const Examples& all, std::int64_t first, Device device) {
  const range part("load");
  std::vector<Tensor> pictures;
  for (std::int64_t i = first; i < first + batch_size; ++i)
    pictures.push_back(all.pictures[i].to(device));
  return {stack(pictures), all.labels.narrow(0, first, batch_size).to(device)};
}

void train_step(nn::Sequential& net, optim::Optimizer& optimizer, const Examples& batch,
                Tensor& loss) {
  const range step("step");
  optimizer.zero_grad(/*set_to_none=*/true);
  {
    const range part("forward");
    loss = cross_entropy_loss(net(batch.pictures), batch.labels);
  }
  {
    const range part("backward");
    loss.backward();
  }
  const range part("update");
  optimizer.step();
}

// The share of right answers, picture by picture.
Tensor accuracy(nn::Sequential& net, const Examples& batch) {
  const range part("accuracy");
  const NoGradGuard no_grad;
  Tensor right = zeros({}, batch.pictures.device());
  for (std::int64_t i = 0; i < batch_size; ++i) {
    const Tensor scores = net(batch.pictures.narrow(0, i, 1));
    right += (scores.argmax(1) == batch.labels[i]).sum();
  }
  return right / static_cast<double>(batch_size);
}

// %%
// ## The profile
//
// A profile adds up the ledger's entries by their range. `entry.range` has the names of
// all ranges that were open, such as `step/forward`. Three columns are enough to begin
// with: launches, copies between the host and a GPU, and waits of the host.

struct Line {
  std::int64_t launches = 0;
  std::int64_t copies = 0;
  std::int64_t waits = 0;
};

Line line_of(const TransferLedger& ledger, const std::string& name) {
  using Kind = LedgerEntry::Kind;
  Line line;
  for (const LedgerEntry& entry : ledger.entries()) {
    if (entry.range != name) continue;
    line.launches += entry.kind == Kind::launch ? 1 : 0;
    line.copies += entry.kind == Kind::copy ? 1 : 0;
    line.waits += entry.kind == Kind::synchronisation ? 1 : 0;
  }
  return line;
}

// The lines of these ranges.
std::string profile(const TransferLedger& ledger,
                    const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const auto [launches, copies, waits] = line_of(ledger, name);
    text += (text.empty() ? "" : "\n") + name + ": launches " +
            std::to_string(launches) + ", copies " + std::to_string(copies) +
            ", waits " + std::to_string(waits);
  }
  return text;
}

// %%
// **Predict first.** One iteration loads a batch of 64 examples, makes a step, computes
// the accuracy, and prints it. Which part has the most launches? Which has the most
// copies?

int main() {
  const Device device = try_gpu();
  manual_seed(1);
  const Examples all = make_examples(1024);
  nn::Sequential net = make_net(device);
  optim::SGD optimizer(net->parameters(), 0.1);
  Tensor loss;
  const std::vector<std::string> parts{"load",        "step/forward", "step/backward",
                                       "step/update", "accuracy",     "log"};
  {
    const TransferLedger ledger;
    const Examples batch = load(all, 0, device);
    train_step(net, optimizer, batch, loss);
    const Tensor right = accuracy(net, batch);
    {
      const range part("log");
      static_cast<void>(right.item<float>());
    }
    show(profile(ledger, parts));
  }

  // %%
  // Three faults are in it, and these are the most common ones:
  //
  // - *Many small copies.* `load` makes a copy for each example. A copy has a latency
  //   of some microseconds, however small it is. The pictures are 64 KiB in all, which
  //   PCIe 3 moves in five.
  // - *A loop over elements.* `accuracy` launches a dozen kernels for each picture. It
  //   looks like the cheapest part of the program, and makes nine of ten launches.
  // - *Waits.* `log` reads a number. So the host waits until the GPU is done, and then
  //   the GPU waits until the host has issued more work. One wait is no fault. One in
  //   each iteration is, if the number is not needed now.
  //
  // (On the CPU there are no copies and no waits, because there is no GPU. Run the
  // lesson with `D2L_VIRTUAL_GPUS=1`.)
  //
  // ## Remove what it shows
  //
  // The examples fit on the GPU, so copy them once. The batch is then a view, which
  // costs nothing. All answers of a batch come from one call. And the number is read
  // once for many iterations, or not at all.
  //
  // **Predict first.** What is left in each line?
  const Examples there{all.pictures.to(device), all.labels.to(device)};
  const auto view_of = [&there](std::int64_t first) {
    const range part("load");
    return Examples{there.pictures.narrow(0, first, batch_size),
                    there.labels.narrow(0, first, batch_size)};
  };
  const auto fast_accuracy = [](nn::Sequential& any, const Examples& batch) {
    const range part("accuracy");
    const NoGradGuard no_grad;
    return (any(batch.pictures).argmax(1) == batch.labels).to(kFloat).mean();
  };
  {
    const TransferLedger ledger;
    const Examples batch = view_of(0);
    train_step(net, optimizer, batch, loss);
    fast_accuracy(net, batch);
    show(profile(ledger, parts));
  }

  // %%
  // ## The trace
  //
  // Counts tell what to change. A *trace* tells when things happen: a row for each host
  // thread and for each GPU, with a box for each piece of work.
  //
  //     ledger.save_chrome_trace("step.json");
  //
  // writes one. Open it at <https://ui.perfetto.dev>, or in Chrome at
  // `chrome://tracing`. The ranges are boxes in the row of the thread, and the launches
  // lie below them. Look for two patterns. If the row of the GPU has gaps while the
  // thread is busy, the host is too slow: the program is *launch-bound*. If the thread
  // has long waits while the GPU is busy, the GPU is the limit, and only less or faster
  // work on it helps.
  //
  // ## A launch-bound step
  //
  // Which one is our step? The cost model of section 1.5 replays the ledger on a card
  // that you do not have. It says how long the step would take there, and for how much
  // of that time the GPU would be busy with arithmetic and memory.
  //
  // **Predict first.** A step has 38 launches, and an H200 takes 3 µs from one launch
  // to the next. The second line is the same card with launches and calls that take no
  // time. Which share of the step is computing?
  const Card card = card_named("H200");
  Card instant = card;
  instant.name = "H200 without latencies";
  instant.launch_latency = instant.graph_gap = 0;
  instant.host.issue = instant.host.call = instant.host.wait = 0;
  const std::string needs_gpu = "This is about the queue of a GPU: D2L_VIRTUAL_GPUS=1";
  const Examples batch = view_of(0);
  if (device.is_cuda()) {
    const TransferLedger ledger;
    train_step(net, optimizer, batch, loss);
    show(ledger.launches());
    show(replay(ledger, card));
    show(replay(ledger, instant));
  } else {
    show(needs_gpu);
  }

  // %%
  // A tenth, and most of that because the products have too few tiles to fill an H200.
  // The rest is launching: allocating results and putting kernels in the queue, one
  // after another. A larger batch would cost little here, until the arithmetic takes as
  // long as the launches. If the batch has to be small, there must be fewer launches.
  // Fused kernels are one way (exercise 5.11.1). The other one works with any kernels.
  //
  // ## Capture once, replay
  //
  // The launches of a step are the same in each iteration: the same kernels with the
  // same addresses. Only the numbers in the arrays change. A *CUDA graph* is such a
  // list of launches, recorded once. To *capture* it, run the step while the queue
  // records in place of running. A *replay* puts all launches in the queue with one
  // call. Memory is not allocated either, because the graph keeps that of its first
  // run.
  //
  // **Predict first.** How many launches does the ledger count in a replay, and how
  // many calls did the host make for them? How long does the step take now?
  cuda::CUDAGraph graph;
  if (device.is_cuda()) {
    graph.capture_begin(device);
    train_step(net, optimizer, batch, loss);
    graph.capture_end();
    const TransferLedger ledger;
    graph.replay();
    show(ledger.launches(), ledger.replays(), ledger.allocations());
    show(replay(ledger, card));
  } else {
    show(needs_gpu);
  }

  // %%
  // The GPU still runs every kernel, one after another, with about half a microsecond
  // between them. But it does not wait for the host any more. The host is faster on
  // your machine, too. This is how long it takes to put a step in the queue, without
  // waiting for the GPU:
  if (device.is_cuda()) {
    const auto submitting = [device](const auto& work) {
      double least = 1;
      for (int i = 0; i < 50; ++i) {
        synchronize(device);
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> seconds =
            std::chrono::steady_clock::now() - begin;
        least = std::min(least, seconds.count());
      }
      return least * 1e6;
    };
    const auto step = [&] { train_step(net, optimizer, batch, loss); };
    show_measured(submitting(step), "µs", 1, 1e6, "without a graph");
    show_measured(submitting([&graph] { graph.replay(); }), "µs", 0.1, 1e6, "with it");
  } else {
    show(needs_gpu);
  }

  // %%
  // ## Train with it
  //
  // A replay reads and writes the memory of the capture. So the next batch must be in
  // the same tensors: `copy_` puts it there, within the GPU. The loss is in the same
  // tensor after each replay.
  //
  // **Predict first.** Are the parameters the same as without a graph, up to rounding,
  // or to the last bit?
  const auto train = [&](bool with_graph) {
    nn::Sequential one = make_net(device);
    optim::SGD sgd(one->parameters(), 0.1);
    Examples fixed{view_of(0).pictures.clone(), view_of(0).labels.clone()};
    Tensor last;
    cuda::CUDAGraph recorded;
    if (with_graph) {
      recorded.capture_begin(device);
      train_step(one, sgd, fixed, last);
      recorded.capture_end();
    }
    for (int epoch = 0; epoch < 20; ++epoch) {
      for (std::int64_t first = 0; first < 1024; first += batch_size) {
        fixed.pictures.copy_(view_of(first).pictures);
        fixed.labels.copy_(view_of(first).labels);
        if (with_graph) {
          recorded.replay();
        } else {
          train_step(one, sgd, fixed, last);
        }
      }
    }
    show(last.item<float>() < 0.01, fast_accuracy(one, fixed).item<float>());
    return one;
  };
  const nn::Sequential plain = train(false);
  const nn::Sequential replayed = train(device.is_cuda());
  bool same = true;
  for (std::size_t i = 0; i < plain->parameters().size(); ++i)
    same = same && plain->parameters()[i].equal(replayed->parameters()[i]);
  show(same);

  // %%
  // To the last bit: these are the same kernels in the same order.
  //
  // ## What a graph cannot contain
  //
  // The host takes no part in a replay. So the captured work must not wait, read a
  // number, or decide anything by a value, and it must not copy from host memory that
  // may have changed. Here is what `item()` says during a capture:
  if (device.is_cuda()) {
    cuda::CUDAGraph refused;
    refused.capture_begin(device);
    try {
      show(loss.item<float>());
    } catch (const Error& error) {
      show(error.what());
    }
  } else {
    show(needs_gpu);
  }

  // %%
  // There are also things that a capture cannot see, and a number that the host
  // computes in each step is one: the learning rate, or the step number in Adam. The
  // graph repeats that of the capture. PyTorch has `capturable=True` for this; here
  // `Adam` refuses. The same holds for shapes. A last batch that is smaller needs a
  // second graph, or a step without one.
  //
  // ## A kernel
  //
  // If the profile says that one kernel takes the time, the next question is why. On a
  // card Nsight Compute answers it, and here the emulator (sections 2.2 to 2.9). It
  // counts the same things under other names:
  //
  // - *sectors* are the memory that was moved, in pieces of 32 bytes:
  //   `l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum`;
  // - *each* is the number of sectors in a request, at best 4 for `float`:
  //   `l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio`;
  // - *passes*, if there is more than one, are bank conflicts:
  //   `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum`;
  // - *lanes in each* is below 32 if warps diverge:
  //   `smsp__thread_inst_executed_per_inst_executed.ratio`;
  // - *tensor cores* are products of matrices: `smsp__inst_executed_pipe_tensor.sum`.
  //
  // ## What to try next
  //
  // - Save the trace of the first and of the second program, and open both in Perfetto.
  // - Which batch size makes the step on an H200 twice as long as with 64 examples?
  //   `replay` tells you.
  // - Capture the accuracy too, in a graph of its own. Why can `log` not be part of it?
  // - Use SGD with momentum. The capture fails: what must have happened before it?
}
