// SPDX-License-Identifier: MIT
// Section 4.5: processes that each drive several GPUs, DistributedDataParallel, and
// clusters.
#include <vector>

#include "d2l/distributed.h"
#include "d2l/parallel.h"
#include "d2l/show.h"
#include "d2l/start_ranks.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # Processes and GPUs
//
// *Twenty-five minutes.* After this lesson you can place ranks on GPUs, train with
// `DistributedDataParallel`, and start the same program on a cluster.
//
// A server has several GPUs, and there are several servers. Which process drives which
// GPU? There are two answers. With **one process for each GPU**, as PyTorch recommends,
// a rank needs to know which GPU of its server is its own. Its *local rank*, the number
// among the ranks of the same server, says that. Or **one process drives all GPUs** of
// a server; then there are fewer processes, and the program itself copies between the
// GPUs of one server, as in chapter 3.

int main() {
  // %%
  // Two ranks, as if each were a server. Each sees all virtual GPUs as its own.
  // (Physical cards would be divided between the ranks of one machine:
  // `local_devices()` says which ones a rank may use.)
  start_ranks(2);
  dist::init_process_group("gloo");
  const int rank = dist::get_rank();
  const std::vector<Device>& own = dist::local_devices();
  const Device device =
      own.empty() ? cpu()
                  : own[static_cast<std::size_t>(dist::get_local_rank()) % own.size()];
  show(own.size(), dist::get_local_rank(), device);

  // %%
  // As usual, the local rank chooses the GPU. A frequent mistake is `cuda:0` on all
  // ranks. With Gloo it works, and uses one card; NCCL refuses it.
  //
  // ## One process, several GPUs
  //
  // The collectives that take a list have one tensor on each GPU of this process. They
  // first add up the tensors of these GPUs by peer copies, and then only one tensor of
  // each process goes over the network. That is the hierarchy of section 4.2.
  //
  // **Predict first.** Each tensor has 1000 numbers, 4000 bytes. What does this rank
  // send over the network, and what over peer connections?
  std::vector<Tensor> tensors;
  for (const Device one : own.empty() ? std::vector{cpu()} : own)
    tensors.push_back(ones({1000}, one));
  TransferLedger ledger;
  dist::all_reduce(tensors).wait();
  show(tensors.front().cpu().max(), ledger.sent_bytes(Connection::network),
       ledger.sent_bytes(Connection::peer));

  // %%
  // 4000 bytes over the network, however many GPUs there are. The peer connections of k
  // GPUs carry 2(k − 1) · 4000 bytes: 8000 with two GPUs, and 24000 with four. The sum
  // counts all GPUs of both processes.
  //
  // ## DistributedDataParallel
  //
  // For training, PyTorch's `DistributedDataParallel` wraps a module. The constructor
  // copies rank 0's parameters to all ranks. During `backward()` it averages the
  // gradients over the ranks, bucket by bucket (section 3.6). After it, the optimizer
  // of each rank takes the same step. Here the ranks begin with different parameters on
  // purpose:
  manual_seed(rank == 0 ? 1 : 2);
  nn::Sequential net(nn::Linear(8, 100), nn::ReLU(), nn::Linear(100, 100), nn::ReLU(),
                     nn::Linear(100, 4));
  net->to(device);
  nn::parallel::DistributedDataParallel model(net, {.bucket_cap_mb = 0.02});
  const auto are_equal = [&](const Tensor& mine) {
    const Tensor least = mine.detach().copy_to(cpu());
    const Tensor most = least.clone();
    dist::all_reduce(least, dist::ReduceOp::MIN).wait();
    dist::all_reduce(most, dist::ReduceOp::MAX).wait();
    return least.equal(most);
  };
  show(are_equal(net->parameters().front()), model.bucket_sizes());

  // %%
  // Each rank has its own examples, and afterwards the same gradient: the average over
  // both ranks. **Predict first.** How many bytes does a backward pass send over the
  // network? With two ranks, an all-reduce sends each tensor once.
  const Tensor x = randn({16, 8}, device);
  ledger.clear();
  model(x).square().mean().backward();
  const std::int64_t messages = ledger.sends(Connection::network);
  show(messages, ledger.sent_bytes(Connection::network));
  show(are_equal(net->parameters().front().grad()));

  // %%
  // The bytes are those of all parameters. (The messages are more than the three
  // buckets: a bucket goes around the ring in two steps, and Gloo divides each of them
  // once more.) That is the price of every step, and over a slow link it is most of the
  // time. If the batch that you want does not fit into memory, the gradients of several
  // small ones are added up anyway, which is called *gradient accumulation*; then the
  // exchange can wait for the last. In the scope of `NoSync`, `backward()` accumulates
  // and sends nothing:
  ledger.clear();
  {
    const nn::parallel::DistributedDataParallel::NoSync unsynchronised(model);
    model(x).square().mean().backward();
  }
  const std::int64_t without = ledger.sends(Connection::network);
  model(x).square().mean().backward();
  show(without, ledger.sends(Connection::network));
  show(are_equal(net->parameters().front().grad()));

  // %%
  // ## The trainer
  //
  // In a process group, the trainer of section 1.3.1 does all of this by itself. The
  // devices of all ranks divide each batch, so the result does not depend on how many
  // there are. (With `DistributedDataParallel` each rank brings its own batch; a step
  // has as many examples as all of them together.)
  manual_seed(1);
  LinearRegression regression(optim::SGDOptions(0.03));
  Trainer trainer({.max_epochs = 2, .num_gpus = static_cast<int>(own.size())});
  trainer.fit(regression, SyntheticRegressionData());
  show(regression.parameters()[0].detach().cpu());
  dist::destroy_process_group();

  // %%
  // ## On a cluster
  //
  // Slurm starts the processes and sets variables of its own, which
  // `init_process_group` reads, so `srun` needs no other launcher. The same holds for
  // `mpirun`. (PyTorch's `init_process_group` does not read these variables.) A batch
  // script for two servers with two ranks each is
  //
  //     #SBATCH --nodes=2
  //     #SBATCH --ntasks-per-node=2
  //     #SBATCH --gpus-per-node=2
  //     srun build/my_program
  //
  // The page on several processes has the details. What changes on a cluster is what
  // you have seen here: the local rank chooses the GPU, rank 0 writes the checkpoints,
  // and the link decides how often you want to exchange gradients.
  //
  // ## What to try next
  //
  // - Run the lesson with four virtual GPUs. Which numbers change, and which do not?
  // - Make the buckets larger. When does the first message leave?
  // - Give rank 1 a module with one layer more. What does the constructor say?
}
