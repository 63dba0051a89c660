// SPDX-License-Identifier: MIT
// Section 3.5: an all-reduce around a ring, whose bytes per GPU hardly grow with the
// number of GPUs.
#include <cmath>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/links.h"
#include "d2l/show.h"

using namespace d2l;

// %%
// # The ring
//
// *Twenty-five minutes.* After this lesson you can write the all-reduce that NCCL and
// Gloo use for large tensors, and say how many bytes each GPU sends.
//
// On the star of section 3.3, one GPU carried everything. On a *ring*, all carry the
// same. GPU i sends only to GPU i + 1, and the last one sends to the first. Each tensor
// is divided into k *chunks*, and all links carry a chunk at the same time. There are
// two rounds:
//
// - **reduce-scatter**: in step s, GPU i sends chunk i − s to its neighbour, which adds
//   it to its own. After k − 1 steps, GPU i has the finished sum of one chunk, number
//   i + 1.
// - **all-gather**: the finished chunks go around once more. After k − 1 steps all GPUs
//   have all of them.
//
// Indices count modulo k. Chunks may differ by one element, so that any length works.

/// Chunk c of k of a tensor with one dimension.
Tensor chunk_of(const Tensor& tensor, std::int64_t c, std::int64_t k) {
  const auto n = tensor.numel();
  c = (c % k + k) % k;
  return tensor.narrow(0, n * c / k, n * (c + 1) / k - n * c / k);
}

void all_reduce_ring(const std::vector<Tensor>& data) {
  const auto k = static_cast<std::int64_t>(data.size());
  const auto at = [&](std::int64_t i) { return data[static_cast<std::size_t>(i % k)]; };
  for (std::int64_t s = 0; s < k - 1; ++s) {
    std::vector<Tensor> arrived;
    for (std::int64_t i = 0; i < k; ++i)
      arrived.push_back(chunk_of(at(i), i - s, k).to(at(i + 1).device()));
    for (std::int64_t i = 0; i < k; ++i)
      chunk_of(at(i + 1), i - s, k).add_(arrived[static_cast<std::size_t>(i)]);
  }
  for (std::int64_t s = 0; s < k - 1; ++s) {
    for (std::int64_t i = 0; i < k; ++i)
      chunk_of(at(i + 1), i + 1 - s, k).copy_(chunk_of(at(i), i + 1 - s, k));
  }
}

int main() {
  const std::vector<Device> devices = try_all_gpus();
  const auto k = static_cast<std::int64_t>(devices.size());
  const auto filled = [&](std::int64_t n) {
    std::vector<Tensor> data;
    for (std::int64_t i = 0; i < k; ++i) {
      const Device device = devices[static_cast<std::size_t>(i)];
      data.push_back(arange(n, TensorOptions(kFloat).device(device)) +
                     static_cast<double>(100 * i));
    }
    return data;
  };

  // %%
  // A tensor of five elements, a length that neither 2 nor 4 divides. **Predict
  // first.** Which numbers come out with two GPUs, if the first has 0 to 4 and the
  // second 100 to 104?
  auto data = filled(5);
  all_reduce_ring(data);
  show(data.front());
  show(data.back().cpu().equal(data.front().cpu()));

  // %%
  // ## Counted
  //
  // In each of the 2(k − 1) steps, each GPU sends one chunk, n/k bytes. That is
  // 2(k − 1)/k · n in all: n for two GPUs, 1.5 n for four, and never more than 2n.
  //
  // **Predict first.** The tensors have 4 MB. How many bytes does each GPU send with
  // the GPUs that you have?
  data = filled(1'000'000);
  TransferLedger ledger;
  all_reduce_ring(data);
  show(ledger.sent_bytes(devices.front()), ledger.sent_bytes(devices.back()));
  show(all_reduce_bytes(AllReduce::ring, static_cast<int>(k), 4'000'000, 0));

  // %%
  // The same number for every GPU, and it is the one that theory gives. The library's
  // `all_reduce` of a list is this ring too, in pieces, so that a piece is added while
  // the next one is on its way:
  distributed::init_process_group("local");
  data = filled(1'000'000);
  ledger.clear();
  distributed::all_reduce(data).wait();
  show(ledger.sent_bytes(devices.front()), ledger.sent_bytes(devices.back()),
       ledger.synchronisations());
  distributed::destroy_process_group();

  // %%
  // ## Where is the order of the steps?
  //
  // Nothing in `all_reduce_ring` waits. The queues of the GPUs keep the order (section
  // 3.3). Its first round issues all copies of a step, then all additions, to show that
  // the copies of a step use all links at once. One loop would be correct as well,
  // because in a step no GPU sends the chunk that it receives. If each GPU had a
  // program of its own, as in chapter 4, that program would contain only its own copy
  // and its own addition.
  //
  // ## The cost of many messages
  //
  // A ring of k GPUs needs 2(k − 1) steps one after another, and each costs the latency
  // of a link. For large tensors that does not matter. For small ones it is all that
  // matters. The model compares ring and tree between eight GPUs with PCIe 4, for 100
  // MB and for 4 kB, in microseconds:
  const auto microseconds = [](AllReduce algorithm, std::int64_t bytes) {
    return std::round(all_reduce_seconds(algorithm, 8, bytes, link_named("PCIe 4")) *
                      1e7) /
           10;
  };
  show(microseconds(AllReduce::ring, 100'000'000),
       microseconds(AllReduce::tree, 100'000'000));
  show(microseconds(AllReduce::ring, 4000), microseconds(AllReduce::tree, 4000));

  // %%
  // So NCCL detects the topology when it starts, predicts the time of each algorithm
  // from tables of latencies and rates, and chooses by the size of the tensor. And
  // frameworks avoid small tensors: section 3.6 collects gradients in buckets.
  //
  // ## Does the star ever win?
  //
  // The bytes of the busiest GPU, sent and received, as multiples of n: 2(k − 1) on the
  // star, 4(k − 1)/k on the ring. With two GPUs they are equal. From three on, the ring
  // is better, and with eight it carries a quarter:
  const auto busiest = [](int gpus) {
    const double star = 2.0 * static_cast<double>(all_reduce_bytes(AllReduce::star,
                                                                   gpus, 1'000'000, 0));
    const double ring = 2.0 * static_cast<double>(all_reduce_bytes(AllReduce::ring,
                                                                   gpus, 1'000'000, 0));
    return star / ring;
  };
  show(busiest(2), busiest(4), busiest(8));

  // %%
  // ## What to try next
  //
  // - Let GPU i send chunk i + s instead of i − s. Why is no chunk finished with four
  //   GPUs?
  // - Use the first round alone: that is `reduce_scatter`. Which operation is the
  //   second round alone?
  // - What is the smallest number of steps for k GPUs, if in a step each GPU may send
  //   to any one of the others?
}
