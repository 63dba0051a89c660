// SPDX-License-Identifier: MIT
// Section 4.1: processes that find each other, their ranks, and the collectives that
// all of them call.
#include <vector>

#include "d2l/distributed.h"
#include "d2l/show.h"
#include "d2l/start_ranks.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # Processes and ranks
//
// *Twenty-five minutes.* After this lesson you can write a program that runs as several
// processes, say how these find each other, and use the collectives that all
// distributed training is made of.
//
// In chapter 3 one program drove several GPUs. That ends at the edge of one computer.
// Several computers need several programs, and each of them sees its own memory only.
// What one needs from another must be sent.
//
// The usual way to write this is *one* program that is started many times. Each process
// gets a number, its **rank**, from 0, and knows how many there are, the **world
// size**. All of them execute the same lines, and where they must do different things,
// an `if` asks for the rank. The processes that compute together are a **process
// group**.

int main() {
  // %%
  // ## Starting
  //
  // A launcher starts the processes and tells each of them, in environment variables,
  // its rank, the world size, and where rank 0 can be reached: `RANK`, `WORLD_SIZE`,
  // `MASTER_ADDR`, `MASTER_PORT`. PyTorch's is called `torchrun`, ours is
  // `./learn launch -n 4 PROGRAM`; on a cluster Slurm's `srun` does it. The lessons of
  // this chapter start their own ranks, so that `./learn run 4.1` is all you type. From
  // the next line on, there are four processes. Only the outputs of rank 0 appear.
  start_ranks(4);

  // %%
  // `init_process_group` is the *rendezvous*: rank 0 listens on the port, the others
  // connect, and all learn each other's addresses. The call returns when all of them
  // have joined. "gloo" names the *backend*, the library that carries the messages:
  // Gloo works between computers over TCP and needs no GPU. (Between cards, the backend
  // is NCCL.)
  dist::init_process_group("gloo");
  const int rank = dist::get_rank();
  const int size = dist::get_world_size();
  show(rank, size, dist::get_backend());

  // %%
  // ## Which part is mine?
  //
  // No process distributes the data: each rank computes from its rank and the world
  // size which part is its own. **Predict first.** There are 10 examples. Which of them
  // does this formula give to rank 0, and which to rank 3?
  const auto begin_of = [&](int r) { return std::int64_t{10} * r / size; };
  show(begin_of(0), begin_of(1), begin_of(3));

  // %%
  // Rank 0 has the examples 0 and 1, and rank 3 has 7, 8 and 9. `DistributedSampler`
  // divides the shuffled order of an epoch in another way: rank r gets every k-th
  // example, beginning with the r-th. If k does not divide their number, some examples
  // are used twice, so that all ranks have the same number.
  // `DataLoaderOptions(32).shuffle(true).sampler({})` gives each rank its share. Here
  // `{}` is a sampler with its default values: all ranks of the process group, and the
  // rank of this process. The loader must have the same seed on all ranks; otherwise
  // some examples are used twice and others never, and nothing fails.
  //
  // ## The collectives
  //
  // A *collective* is an operation in which all ranks of a group take part. All must
  // call it, in the same order, with tensors of the same size. Here each rank has its
  // own number, and `all_reduce` leaves the sum in all of them:
  const Tensor x = full({3}, static_cast<double>(rank + 1));
  dist::all_reduce(x).wait();
  show(x);

  // %%
  // `wait()` is needed, because a collective only *begins*. In between the program may
  // compute, which is what hides the cost of the network. Until `wait()` has returned,
  // the tensor must not be used.
  //
  // `broadcast` copies a tensor of one rank to all. `all_gather` collects the tensors
  // of all ranks on all ranks, so rank 0 can show the number of each rank and its first
  // example:
  std::vector<Tensor> seen;
  for (int r = 0; r < size; ++r) seen.push_back(zeros({2}, kLong));
  dist::all_gather(seen, tensor({std::int64_t{rank}, begin_of(rank)})).wait();
  show(stack(seen));

  // %%
  // `reduce_scatter` adds up and leaves each rank one part of the sum. **Predict
  // first.** Every rank gives the four parts [0], [10], [20] and [30], each plus its
  // rank. What does rank 0 get?
  std::vector<Tensor> parts;
  for (int r = 0; r < size; ++r) parts.push_back(full({1}, 10.0 * r + rank));
  const Tensor mine = zeros({1});
  dist::reduce_scatter(mine, parts).wait();
  show(mine);

  // %%
  // These are the two rounds of the ring in section 3.5: an all-reduce is a
  // reduce-scatter and then an all-gather.
  //
  // ## Counted
  //
  // The ledger counts what this process sends to others:
  // `sent_bytes(Connection::network)`. **Predict first.** A tensor has 1000 numbers,
  // 4000 bytes. How many bytes does each of four ranks send in an all-reduce, by
  // section 3.5?
  const Tensor numbers = ones({1000});
  TransferLedger ledger;
  dist::all_reduce(numbers).wait();
  show(ledger.sent_bytes(Connection::network),
       ledger.received_bytes(Connection::network));

  // %%
  // 2 · 3/4 · 4000: Gloo uses the ring. Now a broadcast from rank 0. Each rank writes
  // down what it sent, and `all_gather` shows it:
  ledger.clear();
  dist::broadcast(numbers, 0).wait();
  const Tensor sent = tensor({ledger.sent_bytes(Connection::network)});
  std::vector<Tensor> all_sent;
  for (int r = 0; r < size; ++r) all_sent.push_back(zeros({1}, kLong));
  dist::all_gather(all_sent, sent).wait();
  show(cat(all_sent));

  // %%
  // A tree: rank 0 sends to two ranks, and one of these sends to the last. Three
  // messages are needed in any case, but rank 0 sends only two of them.
  //
  // ## When the ranks differ
  //
  // What if one rank calls a different collective from the others? With NCCL alone they
  // may wait for each other forever, which is a common fault of distributed programs.
  // Here the ranks compare what they call before each collective:
  const Tensor y = zeros({rank == 2 ? 5 : 4});
  try {
    dist::all_reduce(y).wait();
  } catch (const DistributedError& error) {
    show(std::string(error.what()));
  }

  // %%
  // Each rank gets this error, and the program can say what is wrong instead of
  // hanging. After it, the group cannot be used any more, because the ranks may be at
  // different places in the program.
  dist::destroy_process_group();

  // %%
  // ## What to try next
  //
  // - Run the lesson with `./learn launch -n 3` and the program. Which outputs change?
  // - Which collectives do you need to compute the mean and the variance of data that
  //   is spread over the ranks?
  // - Let rank 1 sleep before the all-reduce. Which ranks wait, and where?
}
