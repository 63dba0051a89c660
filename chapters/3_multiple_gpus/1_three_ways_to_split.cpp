// SPDX-License-Identifier: MIT
// Section 3.1: three ways to divide the training of a network between GPUs, and the
// bytes that each of them moves.
#include <algorithm>
#include <cmath>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/links.h"
#include "d2l/show.h"

using namespace d2l;

// %%
// # Three ways to split
//
// *Twenty minutes.* After this lesson you can name three ways to divide the training of
// a network between several GPUs, compute how many bytes each of them moves in a step,
// and choose one for a given network.
//
// One GPU is too slow, or its memory is too small. You have several. The first question
// is what to divide: the *network*, so that each GPU has some of the layers; each
// *layer*, so that every GPU has a part of all of them; or the *data*, so that every
// GPU has the whole network and some of the examples. All three compute the same. They
// differ in what must go from GPU to GPU, and the link between two GPUs is far slower
// than the memory of either.
//
// So we count. The ledger of section 1.2.2 also records connections:
// `sent_bytes(Connection::peer)` is what went from one GPU to another. We use all GPUs
// that are here. Where there is only one, or none, everything is on one device and all
// counts are 0; the page of this lesson also shows the outputs for two and for four
// virtual GPUs.

int main() {
  const std::vector<Device> devices = try_all_gpus();
  const auto k = static_cast<std::int64_t>(devices.size());
  const Device first = devices.front();
  const Device last = devices.back();
  show(k, first, last);

  // %%
  // Our network is small, so that its bytes are easy to check: 64 examples of 256
  // numbers, a hidden layer of 256 units, and 10 outputs. It stands in the middle of a
  // larger network, so its input needs a gradient too.
  constexpr std::int64_t rows = 64;
  constexpr std::int64_t width = 256;
  constexpr std::int64_t outputs = 10;
  manual_seed(3);
  const Tensor x = randn({rows, width}, first).requires_grad_();
  const Tensor w1 = (randn({width, width}, first) / 16).requires_grad_();
  const Tensor w2 = (randn({width, outputs}, first) / 16).requires_grad_();
  const Tensor y = relu(x.mm(w1)).mm(w2);
  y.sum().backward();
  const Tensor gradient = w1.grad().clone();
  show(w1.nbytes() + w2.nbytes(), x.nbytes(), y.nbytes());

  // %%
  // These are the three sizes that count: the parameters, the input of a layer, and the
  // output.
  //
  // ## Split the network
  //
  // The first layer goes to the first GPU and the second to the last. Each GPU holds
  // the parameters of its own layers only, so a network of equal layers may be twice as
  // large as one memory. Between the layers, the hidden values must cross. `to()` is an
  // operation like any other: its gradient goes the other way.
  //
  // **Predict first.** With two GPUs, how many bytes go from GPU to GPU in a forward
  // and a backward pass?
  const Tensor w2_there = w2.detach().to(last).requires_grad_();
  TransferLedger ledger;
  {
    const Tensor hidden = relu(x.mm(w1));
    const Tensor result = hidden.to(last).mm(w2_there);
    result.sum().backward();
    show(ledger.sent_bytes(Connection::peer), result.device());
  }

  // %%
  // The hidden values are 64 × 256 × 4 = 65536 bytes, and their gradient is as large.
  // This does not depend on the number of parameters: a layer may be huge, and only
  // what it computes is sent.
  //
  // But look at the order. The second GPU cannot begin before the first has finished,
  // and the first has nothing to do until the gradient comes back. Two GPUs take as
  // long as one, plus the copies. To keep both busy, divide the batch into
  // *micro-batches*, and send them through the network one after another. That is a
  // *pipeline*, and the split is called *pipeline parallelism*. It is hard to balance:
  // it is as slow as its slowest part.
  //
  // ## Split each layer
  //
  // Every GPU holds some columns of the first matrix and the same rows of the second,
  // and computes these hidden units. This is *tensor parallelism*. All GPUs need the
  // whole input. The output is a sum, and each GPU computes one term of it, so these
  // terms must be added on one of the GPUs.
  //
  // **Predict first.** Which tensors cross now, and how often?
  ledger.clear();
  {
    const auto columns_of = [&](std::int64_t i) {
      return width * (i + 1) / k - width * i / k;
    };
    std::vector<Tensor> parts;
    for (std::int64_t i = 0; i < k; ++i) {
      const Device device = devices[static_cast<std::size_t>(i)];
      const Tensor columns = w1.detach()
                                 .narrow(1, width * i / k, columns_of(i))
                                 .cpu()
                                 .to(device)
                                 .requires_grad_();
      const Tensor lines = w2.detach()
                               .narrow(0, width * i / k, columns_of(i))
                               .cpu()
                               .to(device)
                               .requires_grad_();
      parts.push_back(relu(x.to(device).mm(columns)).mm(lines));
    }
    Tensor result = parts[0];
    for (std::int64_t i = 1; i < k; ++i)
      result = result + parts[static_cast<std::size_t>(i)].to(first);
    show(ledger.sent_bytes(Connection::peer),
         result.allclose(y, /*rtol=*/1e-4, /*atol=*/1e-5));
    result.sum().backward();
    show(ledger.sent_bytes(Connection::peer));
  }

  // %%
  // (The weights came through main memory here, so that they are not counted: in a real
  // program they are where they belong from the start.) For each further GPU, the input
  // goes out, 65536 bytes, and a term of the output comes back, 2560 bytes. In the
  // backward pass the gradients of the same tensors go the opposite way. Together these
  // are 136192 bytes for each further GPU, and that *for every pair of layers*. The
  // GPUs work at the same time, but they wait for each other four times per pair of
  // layers: for the input and for the outputs, forward and again backward. Between
  // cards with NVLink that is done for very large layers; over a slow link it is
  // hopeless.
  //
  // ## Split the data
  //
  // Every GPU has all parameters, and computes on its own rows: *data parallelism*.
  // Nothing crosses in the forward pass, and nothing in the backward pass. At its end
  // each GPU has the gradients of its own rows, and their sum is the gradient of the
  // batch. So once in a step the gradients are added up over all GPUs, and each gets
  // the sum. This is an *all-reduce*. It is one call, and sections 3.3 and 3.5 write
  // it.
  distributed::init_process_group("local");
  ledger.clear();
  {
    std::vector<Tensor> gradients;
    for (std::int64_t i = 0; i < k; ++i) {
      const Device device = devices[static_cast<std::size_t>(i)];
      const Tensor own_w1 = w1.detach().cpu().to(device).requires_grad_();
      const Tensor own_w2 = w2.detach().cpu().to(device).requires_grad_();
      const Tensor own_x =
          x.detach()
              .cpu()
              .narrow(0, rows * i / k, rows * (i + 1) / k - rows * i / k)
              .to(device);
      relu(own_x.mm(own_w1)).mm(own_w2).sum().backward();
      gradients.push_back(cat({own_w1.grad().flatten(), own_w2.grad().flatten()}));
    }
    const std::int64_t before = ledger.sent_bytes(Connection::peer);
    distributed::all_reduce(gradients).wait();
    show(before, ledger.sent_bytes(Connection::peer),
         gradients[0]
             .narrow(0, 0, width * width)
             .allclose(gradient.flatten(), 1e-4, 1e-4));
  }
  distributed::destroy_process_group();

  // %%
  // With two GPUs, each sends as many bytes as the parameters have: 272384, so 544768
  // in all. That is more than the other two ways needed for these two layers. But it
  // does not depend on the number of examples, and nothing waits between two layers.
  // Ten times as many examples per step add no bytes. And the program changes in one
  // place only.
  //
  // ## Which one?
  //
  // The links decide how long the bytes take. The model of `d2l/links.h` has the
  // published figures of some. ResNet-18 has 11.7 million parameters, 46.8 MB. These
  // are the milliseconds of one exchange of its gradients between four devices, over
  // NVLink, PCIe 4 and a network of 1 Gbit/s:
  const auto milliseconds = [](const char* link) {
    return std::round(
               all_reduce_seconds(AllReduce::ring, 4, 46'800'000, link_named(link)) *
               1e5) /
           100;
  };
  show(milliseconds("NVLink 4"), milliseconds("PCIe 4"),
       milliseconds("1 Gbit/s Ethernet"));

  // %%
  // A step of ResNet-18 takes tens of milliseconds on a card. Within one computer the
  // exchange is small beside that; over the slow network it takes longer than the step.
  // So: **split the data as long as the network fits into one memory**, as this chapter
  // does from here on. Split the network or its layers only when it does not fit.
  //
  // What must fit is more than the parameters: training also needs as many gradients,
  // and what the optimizer keeps, with Adam two numbers for each parameter. In float32
  // that makes 16 bytes for each parameter. Then there are the *activations*, the
  // values of the layers that the backward pass needs. They grow with the number of
  // rows.
  //
  // ## What to try next
  //
  // - Make the batch ten times as large. Which of the three counts change, and how?
  // - For which numbers of rows does splitting the network move fewer bytes than
  //   splitting the data?
  // - Predict the bytes of a layer split with four GPUs, then look at the outputs for
  //   four virtual GPUs.
}
