// SPDX-License-Identifier: MIT
// Section 4.3: a parameter server with push and pull, its bottleneck counted, and
// several servers.
#include <map>
#include <string>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/show.h"
#include "d2l/start_ranks.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # Parameter servers
//
// *Twenty minutes.* After this lesson you can explain push and pull, count what a
// parameter server carries, and say when several servers are better than an all-reduce.
//
// An all-reduce needs all ranks at the same time: the slowest decides. Another design
// has two kinds of processes. A **server** keeps the parameters. A **worker** *pulls*
// them, computes a gradient on its own data, and *pushes* it to the server, which takes
// a step with it. In the simplest form a server is a dictionary: keys are names of
// parameters, values are tensors, and a push is an addition (of the gradient,
// multiplied by minus the learning rate). The book calls it a key-value store.
//
// Our messages are the simplest that can do it. A request has two numbers: what to do,
// and with which key. A tensor follows, in one direction or the other.

enum : std::int64_t { pull_request, push_request, stop_request };

void pull(int server, std::int64_t key, const Tensor& into) {
  dist::send(tensor({std::int64_t{pull_request}, key}), server).wait();
  dist::recv(into, server).wait();
}

void push(int server, std::int64_t key, const Tensor& gradient) {
  dist::send(tensor({std::int64_t{push_request}, key}), server).wait();
  dist::send(gradient, server).wait();
}

// %%
// The server answers the workers in turn until all have stopped. It adds up the
// gradients of one round before it answers a pull. So every worker pulls the same
// parameters, and the training is that of one process. (Real servers often do not wait.
// Then a worker may compute with parameters that are several updates old.)

void serve(std::map<std::int64_t, Tensor> values, const std::vector<int>& workers) {
  const Tensor request = zeros({2}, kLong);
  std::vector<int> left = workers;
  while (!left.empty()) {
    for (const int worker : std::vector<int>(left)) {
      dist::recv(request, worker).wait();
      const auto what = request[0].item<std::int64_t>();
      if (what == stop_request) {
        std::erase(left, worker);
        continue;
      }
      Tensor& value = values.at(request[1].item<std::int64_t>());
      if (what == pull_request) {
        dist::send(value, worker).wait();
      } else {
        const Tensor gradient = empty_like(value);
        dist::recv(gradient, worker).wait();
        value.add_(gradient);
      }
    }
  }
}

void stop(int server) {
  dist::send(tensor({std::int64_t{stop_request}, std::int64_t{0}}), server).wait();
}

int main() {
  // %%
  // ## One server, three workers
  //
  // Rank 0 shows the outputs, so let it be a worker; the last rank is the server.
  // **Predict first.** The parameter has 1000 zeros, and each of three workers pushes
  // ones. What does a pull give afterwards?
  start_ranks(4);
  dist::init_process_group("gloo");
  const int rank = dist::get_rank();
  const int server = 3;
  TransferLedger ledger;
  const Tensor value = full({1000}, -1.0);
  if (rank == server) {
    serve({{0, zeros({1000})}}, {0, 1, 2});
  } else {
    push(server, 0, ones({1000}));
    pull(server, 0, value);
    stop(server);
  }
  show(value.min(), value.max());

  // %%
  // Three in each element: the server added what the three workers pushed, and only
  // then answered a pull.
  //
  // ## Counted
  //
  // What did it cost? Every rank writes down how many bytes it sent and received. The
  // requests have 16 bytes each, and we subtract them: a worker sends three, and the
  // server gets nine.
  const auto collect = [&](std::int64_t sent, std::int64_t received) {
    std::vector<Tensor> all;
    for (int r = 0; r < dist::get_world_size(); ++r) all.push_back(zeros({2}, kLong));
    dist::all_gather(all, tensor({sent, received})).wait();
    return stack(all);
  };
  const std::int64_t requests = std::int64_t{3} * 16;
  const std::int64_t sent =
      ledger.sent_bytes(Connection::network) - (rank == server ? 0 : requests);
  const std::int64_t received =
      ledger.received_bytes(Connection::network) - (rank == server ? 3 * requests : 0);
  show(collect(sent, received));

  // %%
  // A worker sends 4000 bytes and receives 4000, whatever the number of workers. The
  // server carries three times as much in each direction: it is the star of section
  // 3.3. With a hundred workers it carries a hundred times as much, and all of them
  // wait for its link.
  //
  // ## Several servers
  //
  // The remedy is simple: more servers, each with a part of the keys. Here two ranks
  // serve and two work. The parameter is cut into two halves with a key each.
  //
  // **Predict first.** How many bytes does each server receive now? How many does each
  // worker send?
  ledger.clear();
  const Tensor halves = full({2, 500}, -1.0);
  if (rank >= 2) {
    serve({{rank - 2, zeros({500})}}, {0, 1});
  } else {
    for (int key = 0; key < 2; ++key) push(2 + key, key, ones({500}));
    for (int key = 0; key < 2; ++key) pull(2 + key, key, halves[key]);
    for (int key = 0; key < 2; ++key) stop(2 + key);
  }
  const std::int64_t asked = rank >= 2 ? 0 : 2 * requests;
  const std::int64_t heard = rank >= 2 ? 2 * requests : 0;
  show(collect(ledger.sent_bytes(Connection::network) - asked,
               ledger.received_bytes(Connection::network) - heard));
  show(halves.min(), halves.max());

  // %%
  // Each server receives 4000 bytes, half of the parameter from each of two workers,
  // and sends as many back. A worker still sends 4000. With s servers and w workers,
  // each server carries w/s times the parameters. With as many servers as workers, each
  // carries as much as a worker does, and none is a bottleneck. Then every computer may
  // as well be both at once: a worker that serves a part of the keys. What each of them
  // sends in a step is then 2(k − 1)/k times the parameters. That is the number of the
  // ring.
  //
  // So why use servers? Because they need no common pace. A worker that is slow does
  // not delay the others, if the server does not wait for it; the training continues
  // when a worker dies (a server that dies takes its parameters with it); others may
  // join at any time. The price is that gradients are computed with old parameters. For
  // dense networks on equal machines, all-reduce has won. For huge tables of which a
  // step touches a few rows, as in recommender systems, servers are in use.
  dist::destroy_process_group();

  // %%
  // ## What to try next
  //
  // - Let the server answer the request that arrives first instead of the workers in
  //   turn: `dist::recv(request)` without a rank receives from any, and `source_rank()`
  //   of the `Work` that it returns is the sender. Which results are possible now? Let
  //   one worker sleep for a second before its push: do the others wait for it?
  // - What is lost if the server copies the value, adds the gradient to the copy, and
  //   stores it, in two threads?
  // - Let workers pull only every second time. How many bytes are saved, and what does
  //   it cost?
}
