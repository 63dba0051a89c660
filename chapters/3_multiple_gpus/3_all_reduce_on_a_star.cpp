// SPDX-License-Identifier: MIT
// Section 3.3: an all-reduce by hand, over one GPU, and what that GPU has to carry.
#include <cmath>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/links.h"
#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # An all-reduce on a star
//
// *Fifteen minutes.* After this lesson you can write an all-reduce for any number of
// GPUs, and say why it gets slower with each further GPU.
//
// In section 3.2 the gradients were added in main memory. The GPUs can do it
// themselves: one of them collects the tensors of all others, adds them, and sends the
// sum back. In a picture, that GPU is the centre of a star. This function takes one
// tensor on each GPU, and leaves the sum in all of them. It is the book's `allreduce`.

void all_reduce_star(std::vector<Tensor>& data) {
  for (std::size_t i = 1; i < data.size(); ++i) data[0] += data[i].to(data[0].device());
  for (std::size_t i = 1; i < data.size(); ++i) data[i].copy_(data[0]);
}

int main() {
  const std::vector<Device> devices = try_all_gpus();
  const auto k = static_cast<std::int64_t>(devices.size());
  const auto filled = [&](std::int64_t n) {
    std::vector<Tensor> data;
    for (std::int64_t i = 0; i < k; ++i) {
      data.push_back(
          full({n}, static_cast<double>(i + 1), devices[static_cast<std::size_t>(i)]));
    }
    return data;
  };

  // %%
  // GPU i has the number i + 1 in all elements. **Predict first.** What do all of them
  // have afterwards?
  std::vector<Tensor> data = filled(2);
  all_reduce_star(data);
  show(data.front(), data.back());

  // %%
  // ## Counted
  //
  // Each tensor has a million numbers, 4 MB. **Predict first.** With two GPUs, how many
  // bytes does the first one receive, and how many does it send? With four?
  data = filled(1'000'000);
  TransferLedger ledger;
  all_reduce_star(data);
  show(ledger.received_bytes(devices.front()), ledger.sent_bytes(devices.front()),
       ledger.sent_bytes(devices.back()));

  // %%
  // With k GPUs, the one in the middle receives (k − 1) · n bytes and sends as many.
  // Each of the others sends n and receives n. So the link of the one in the middle is
  // always busy, and each other link only for 1/(k − 1) of the time. Every further GPU
  // makes the exchange longer. The host has nothing to do with it, and does not wait:
  show(ledger.copies(Direction::device_to_host), ledger.synchronisations());

  // %%
  // A queue on each GPU keeps the order: the addition on the first GPU waits for the
  // copy from the second, and the copy back waits for the addition. That must hold for
  // every timing, not only for that of this run. Virtual GPUs can delay each copy and
  // each launch by a random time. The result must not change:
  bool always = true;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    testing::set_delays(seed);
    data = filled(1000);
    all_reduce_star(data);
    const std::int64_t sum = k * (k + 1) / 2;
    for (const Tensor& one : data)
      always = always && one.cpu().equal(full({1000}, static_cast<double>(sum)));
  }
  testing::set_delays(std::nullopt);
  show(always);

  // %%
  // ## With more GPUs than are here
  //
  // The model of `d2l/links.h` has the same star. A message takes the latency of the
  // link, plus its bytes divided by the bandwidth. These are the milliseconds for 100
  // MB between 2, 4 and 8 GPUs with 16 lanes of PCIe 4:
  const auto milliseconds = [](AllReduce algorithm, int gpus) {
    return std::round(
               all_reduce_seconds(algorithm, gpus, 100'000'000, link_named("PCIe 4")) *
               1e4) /
           10;
  };
  show(milliseconds(AllReduce::star, 2), milliseconds(AllReduce::star, 4),
       milliseconds(AllReduce::star, 8));

  // %%
  // Four times as many GPUs, seven times as long. Meanwhile the computation of a step
  // gets shorter, because each GPU has fewer rows. From some number of GPUs on, the
  // exchange grows by more than the computation shrinks. Then more GPUs make training
  // *slower*.
  //
  // A *tree* is better: pairs add up, then pairs of pairs, so that several links work
  // at once.
  show(milliseconds(AllReduce::tree, 2), milliseconds(AllReduce::tree, 4),
       milliseconds(AllReduce::tree, 8));

  // %%
  // Now it grows with the logarithm of k. Can it be done without growing at all? What
  // is the least that must happen? Each GPU has to send its own tensor at least once,
  // and to receive the sum once. Nothing in that depends on k. Section 3.5 finds an
  // algorithm that comes close.
  //
  // ## What to try next
  //
  // - Write the tree. Which GPU sends how many bytes?
  // - What does the first loop do if two of the tensors are on the same GPU?
  // - In which order are the numbers added? Would another order give the same bits?
}
