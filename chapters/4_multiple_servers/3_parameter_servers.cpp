// SPDX-License-Identifier: MIT
// Section 4.3: parameter servers: push and pull, and what one server and two servers
// send.
#include <vector>

#include "d2l/distributed.h"
#include "d2l/show.h"
#include "d2l/start_ranks.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # Parameter servers
//
// *Ten minutes.* After this lesson you can explain push and pull, count what a
// parameter server sends, and say when servers are better than an all-reduce.
//
// An all-reduce needs all ranks at the same time: the slowest decides. Another design
// has two kinds of processes. A **server** keeps parameters. A **worker** *pulls* them,
// computes a gradient on its own data, and *pushes* the gradient. The server adds it,
// multiplied by minus the learning rate. The book calls this a key-value store: a key
// is the name of a parameter, and each server has some of the keys. Below, the
// parameters are the rows of `values`, one for each server.
//
// Real servers answer whoever asks. Ours waits for the gradients of all workers before
// it answers a pull, so that every worker gets the same parameters and the training is
// that of one process.

void serve(Tensor value, int workers) {
  const Tensor gradient = empty_like(value);
  for (int worker = 0; worker < workers; ++worker) {
    dist::recv(gradient, worker).wait();
    value += gradient;
  }
  for (int worker = 0; worker < workers; ++worker) dist::send(value, worker).wait();
}

// One step of a worker: it pushes to every server, and then pulls from each.
void push_and_pull(const Tensor& values, int first_server) {
  for (int key = 0; key < values.size(0); ++key)
    dist::send(ones_like(values[key]), first_server + key).wait();
  for (int key = 0; key < values.size(0); ++key)
    dist::recv(values[key], first_server + key).wait();
}

// Returns the bytes that each rank sent and received, a row for each.
Tensor step(const Tensor& values) {
  const int workers = dist::get_world_size() - static_cast<int>(values.size(0));
  const int rank = dist::get_rank();
  const TransferLedger ledger;
  if (rank < workers) {
    push_and_pull(values, workers);
  } else {
    serve(values[rank - workers], workers);
  }
  const Tensor bytes = tensor({ledger.sent_bytes(Connection::network),
                               ledger.received_bytes(Connection::network)});
  std::vector<Tensor> of_all(static_cast<std::size_t>(dist::get_world_size()));
  for (Tensor& one : of_all) one = empty_like(bytes);
  dist::all_gather(of_all, bytes).wait();
  return stack(of_all);
}

int main() {
  // %%
  // ## One server
  //
  // Ranks 0 to 2 are workers, and rank 3 is the server. The parameters are 1000 zeros
  // of float32, and each worker pushes ones.
  //
  // **Predict first.** What does a worker pull? How many bytes does it send, and how
  // many does the server send?
  start_ranks(4);
  dist::init_process_group("gloo");
  const Tensor one_server = zeros({1, 1000});
  show(step(one_server));
  show(one_server.min(), one_server.max());

  // %%
  // A worker pulls threes: the server has added the ones of three workers. It sends
  // 1000 numbers of 4 bytes, and receives as many. The server, in the last row, sends
  // and receives them for each of three workers. It is the centre of the star of
  // section 3.3. With a hundred workers it sends a hundred times as much, and all of
  // them wait for its link.
  //
  // ## Two servers
  //
  // **Predict first.** Now ranks 2 and 3 are servers, with 500 of the parameters each,
  // and two ranks are workers. How many bytes does a server send?
  const Tensor two_servers = zeros({2, 500});
  show(step(two_servers));
  show(two_servers.min(), two_servers.max());

  // %%
  // A server sends its half of the parameters, 2000 bytes, to each of two workers: no
  // more than a worker sends. With s servers and w workers it is w/s times the
  // parameters. If each of k computers is a worker and also serves a part of the keys,
  // it sends 2(k − 1)/k times the parameters in a step, which is the number of the
  // ring.
  //
  // So why use servers? Because they need no common pace. If the server does not wait,
  // a slow worker delays no other, and workers may join or leave at any time. The price
  // is that some gradients are computed with old parameters. For dense networks on
  // equal computers, all-reduce has won. Where a step touches a few rows of a huge
  // table, as in recommender systems, servers are in use.
  dist::destroy_process_group();

  // %%
  // ## What to try next
  //
  // - Answer the workers in the order in which they arrive: `dist::recv(gradient)`
  //   without a rank receives from any, and `source_rank()` of the `Work` that it
  //   returns is the sender. Answer each at once. Which results are possible now?
  // - Let a server use two threads, each of which copies the value, adds a gradient to
  //   the copy, and stores it. What can be lost? Exercise 4.3 prevents it.
}
