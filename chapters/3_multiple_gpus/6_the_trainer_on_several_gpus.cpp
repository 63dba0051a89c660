// SPDX-License-Identifier: MIT
// Section 3.6: the trainer with several GPUs: buckets of gradients that are added up
// while backward() still runs.
#include <algorithm>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/parallel.h"
#include "d2l/show.h"

using namespace d2l;

// %%
// # The trainer on several GPUs
//
// *Twenty minutes.* After this lesson you can train on several GPUs by changing one
// number, say what a bucket is, and show that the first bucket is sent before the
// backward pass has ended.
//
// Everything in sections 3.2 to 3.5 belongs to training and not to the model. So it
// belongs in the trainer of section 1.3.1. The model is an ordinary one: it names no
// device. Its optimizer has *momentum*: for each parameter it keeps a sum of the
// gradients, in which older ones count less, and each step follows that sum.

class Perceptron : public Model {
 public:
  Perceptron() { register_module("net", net); }
  Tensor forward(const Tensor& x) override { return net(x); }
  Tensor loss(const Tensor& scores, const Tensor& y) override {
    return cross_entropy_loss(scores, y);
  }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    return std::make_unique<optim::SGD>(parameters(),
                                        optim::SGDOptions(0.1).momentum(0.9));
  }

  nn::Sequential net{nn::Linear(20, 200), nn::ReLU(), nn::Linear(200, 200), nn::ReLU(),
                     nn::Linear(200, 10)};
};

// %%
// The data is a task that a network of this size can learn: the class of a row is the
// place of its largest number among the first ten.

class Places : public DataModule {
 public:
  [[nodiscard]] DataLoader train_dataloader() const override {
    manual_seed(7);
    const Tensor x = randn({1000, 20});
    return DataLoader(TensorDataset({x, x.narrow(1, 0, 10).argmax(1)}),
                      DataLoaderOptions(50).shuffle(true).seed(7));
  }
};

Tensor weights_after(int gpus, double bucket_cap_mb = 25) {
  manual_seed(1);
  Perceptron model;
  Trainer trainer({.max_epochs = 2, .num_gpus = gpus, .bucket_cap_mb = bucket_cap_mb});
  trainer.fit(model, Places());
  return model.parameters().front().detach().cpu();
}

int main() {
  const int count = num_gpus();

  // %%
  // First on one device, then on all. Batches stay as they are: each GPU gets its part
  // of the rows.
  //
  // **Predict first.** Are the losses of the two runs equal, nearly equal, or
  // different?
  const Tensor one = weights_after(std::min(count, 1));
  const Tensor all = weights_after(count);
  show(all.allclose(one, /*rtol=*/1e-3, /*atol=*/1e-5));

  // %%
  // For this network it is the same training, up to the rounding of sums in another
  // order. With dropout, or with batch normalisation over the rows of one GPU, it is
  // not. Section 3.4 showed how to compare bits.
  //
  // ## Buckets
  //
  // The network has six parameters, and the smallest is ten numbers. Six all-reduces
  // would send many small messages. The trainer collects gradients in *buckets* of up
  // to `bucket_cap_mb` MiB, 25 unless you choose. `backward()` reaches the last layer
  // first, so its gradients are in the first bucket. The library's
  // `DistributedDataParallel`, for several processes (section 4.5), makes the same
  // buckets, and shows their bytes:
  distributed::init_process_group("local");
  {
    Perceptron model;
    const auto sizes = [&](double cap) {
      return nn::parallel::DistributedDataParallel(model.net, {.bucket_cap_mb = cap})
          .bucket_sizes();
    };
    show(sizes(25));
    show(sizes(0.1));
  }
  distributed::destroy_process_group();

  // %%
  // With 25 MiB everything is in one bucket: one all-reduce, but it can begin only when
  // the *last* gradient is there, that is, when `backward()` is over. With 0.1 MiB
  // there are three. The first has the last layer and the bias of the layer before it.
  // It is complete early, and its bytes travel while the GPU computes the other
  // gradients. (A parameter is never divided, so one that is larger than the limit has
  // a bucket of its own.)
  //
  // ## Does it overlap?
  //
  // With small buckets some peer copies must be issued before the last kernel of the
  // backward pass. The ledger has all entries in the order of issue. We look at the
  // first step, and count the launches *before* its first peer copy. With one bucket,
  // these are all kernels of the forward and the backward passes. With three, the first
  // copy is issued before the last of them.
  const auto launches_before_the_first_copy = [&](double cap) {
    manual_seed(1);
    Perceptron model;
    Trainer trainer({.max_epochs = 0, .num_gpus = count, .bucket_cap_mb = cap});
    trainer.fit(model, Places());
    trainer.fit_epoch();
    TransferLedger ledger;
    trainer.fit_epoch();
    const auto entries = ledger.entries();
    const auto is_peer = [](const LedgerEntry& entry) {
      return entry.kind == LedgerEntry::Kind::copy && entry.source.is_cuda() &&
             entry.destination.is_cuda() && !(entry.source == entry.destination);
    };
    const auto first = std::ranges::find_if(entries, is_peer);
    return std::count_if(entries.begin(), first, [](const LedgerEntry& entry) {
      return entry.kind == LedgerEntry::Kind::launch;
    });
  };
  show(launches_before_the_first_copy(0.1) < launches_before_the_first_copy(25));

  // %%
  // (On one device there are no peer copies, so there is nothing to compare.) How small
  // should a bucket be? Small enough that the first one leaves early, large enough that
  // the latency of a link does not matter: at PCIe 4, a message of 1 MB takes about six
  // times as long as an empty one. PyTorch's 25 MiB are chosen for networks with a
  // thousand times as many parameters as ours, and its first bucket has 1 MiB, so that
  // it leaves early.
  //
  // ## What the trainer does in a step
  //
  // It copies each part of the batch to its GPU, without waiting. It runs the forward
  // and backward pass on each GPU, whose loss is weighted by its share of the rows. It
  // all-reduces each bucket as soon as all GPUs have filled it. Then each GPU's
  // optimizer takes the same step. The host waits once in an epoch, for the losses:
  {
    Perceptron model;
    Trainer trainer({.max_epochs = 0, .num_gpus = count});
    trainer.fit(model, Places());
    trainer.fit_epoch();
    const TransferLedger ledger;
    trainer.fit_epoch();
    show(ledger.synchronisations(), ledger.copies(Direction::device_to_host));
  }

  // %%
  // On cards of one machine, frameworks let
  // [NCCL](https://docs.nvidia.com/deeplearning/nccl/) do the all-reduce. It finds out
  // which cards have NVLink, builds rings over the fastest links, and adds in the
  // kernel that copies.
  //
  // ## What to try next
  //
  // - Use a network with one huge layer. How many buckets can overlap?
  // - Let the batch have 3 rows and use four GPUs. What does the trainer do?
  // - Set `gradient_clip_val`. Where must the norm be computed: on the part of a GPU,
  //   or on the sum?
}
