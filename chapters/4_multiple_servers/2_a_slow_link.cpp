// SPDX-License-Identifier: MIT
// Section 4.2: an all-reduce between two servers over a slow link, and what a hierarchy
// saves.
#include <chrono>
#include <cmath>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/links.h"
#include "d2l/show.h"
#include "d2l/start_ranks.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # A slow link
//
// *Twenty minutes.* After this lesson you can say which bytes of an all-reduce cross
// the network between two servers, compute how long they take, and arrange the ranks so
// that fewer cross.
//
// Within a computer, memory carries tens of gigabytes in a second. A network of 1
// Gbit/s carries 0.125. When ranks are on two servers, the link between the servers
// decides how long an all-reduce takes, and everything else hardly counts.

int main() {
  // %%
  // This computer can pretend to be two: Linux has *network namespaces*, each with
  // addresses of its own. Two of them are connected by a link, whose rate is limited to
  // 1 Gbit/s, and each has two ranks. Where the system does not allow that, all ranks
  // are on one server, and the process group itself delays each message from one half
  // of the ranks to the other for as long as such a link needs. The output says which
  // of the two it is, and why.
  const StartedRanks started = start_ranks(4, {.servers = 2, .slow_link = "1Gbit"});
  show_measured(started.on_servers ? "two servers" : started.instead,
                "the ranks are on");
  dist::init_process_group("gloo");
  const int rank = dist::get_rank();
  const int server = rank / 2;
  const bool leads = rank % 2 == 0;

  // %%
  // ## One ring over both servers
  //
  // The tensor has a million numbers, 4 MB. **Predict first.** How many bytes does each
  // rank send, and how long does the link between the servers need for those that cross
  // it?
  const auto all_reduced = [](const Tensor& x) {
    return x.eq(static_cast<double>(4)).all().item<bool>();
  };
  const Tensor x = ones({1'000'000});
  dist::barrier().wait();
  TransferLedger ledger;
  const auto began = std::chrono::steady_clock::now();
  dist::all_reduce(x).wait();
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - began;
  show(ledger.sent_bytes(Connection::network), all_reduced(x));

  // %%
  // 2 · 3/4 · 4 MB = 6 MB for each rank. In a ring of the ranks 0, 1, 2, 3, two of the
  // four pairs of neighbours are on different servers: rank 1 sends to rank 2, and rank
  // 3 to rank 0. A cable carries both directions at once, so it is busy for the time of
  // 6 MB. The model says, in milliseconds:
  const Link& slow = link_named("1 Gbit/s Ethernet");
  show(std::round(6e6 / slow.bandwidth * 1e4) / 10);
  show_measured(took.count(), "ms", 0.5, 5000, "measured");

  // %%
  // ## A hierarchy
  //
  // How many bytes *must* cross the link? Each server has a sum of its own two ranks, 4
  // MB. One sum has to go each way. The ring sends 6. So we reduce in three steps:
  // within each server, to its first rank; between the first ranks of the servers; and
  // back within each server. Each step needs a group. `new_group` makes one, and all
  // ranks must call it, also those that are not members.
  //
  // **Predict first.** How many bytes does rank 0 send in each of the three steps?
  const auto within_0 = dist::new_group({0, 1});
  const auto within_1 = dist::new_group({2, 3});
  const auto between = dist::new_group({0, 2});
  const dist::ProcessGroup& within = server == 0 ? within_0 : within_1;

  const Tensor y = ones({1'000'000});
  ledger.clear();
  dist::reduce(y, /*dst=*/0, dist::ReduceOp::SUM, within).wait();
  const std::int64_t sent_within = ledger.sent_bytes(Connection::network);
  if (leads) dist::all_reduce(y, dist::ReduceOp::SUM, between).wait();
  const std::int64_t sent_between =
      ledger.sent_bytes(Connection::network) - sent_within;
  dist::broadcast(y, /*src=*/0, within).wait();
  const std::int64_t sent_back =
      ledger.sent_bytes(Connection::network) - sent_within - sent_between;
  show(sent_within, sent_between, sent_back);
  show(all_reduced(y));

  // %%
  // (These are the counts of rank 0. A `reduce` is the first round of a ring, and then
  // a collection at the destination, so rank 0 sends half of the tensor to its
  // neighbour, and gets the neighbour's half.) Rank 0 sends 4 MB over the slow link
  // instead of the 6 MB that rank 1, on the same server, sent before. With eight ranks
  // in each server, the ring would send 7.5 MB, and the hierarchy still 4. In total, it
  // sends *more* bytes than the ring. But they go where sending is cheap.
  //
  // ## When does it pay?
  //
  // The model compares both for 100 MB, two servers with eight cards each, NVLink
  // within and 10 Gbit/s between, in milliseconds. In the flat ring all steps are as
  // slow as its slowest link:
  const Link& fast = link_named("NVLink 4");
  const Link& ethernet = link_named("10 Gbit/s Ethernet");
  const auto tenths = [](double seconds) { return std::round(seconds * 1e4) / 10; };
  show(tenths(all_reduce_seconds(AllReduce::ring, 16, 100'000'000, ethernet)),
       tenths(hierarchical_seconds(2, 8, 100'000'000, fast, ethernet)));

  // %%
  // The gain is less than a factor of two, because a flat ring never sends more than
  // twice the tensor over any link. A star would be much worse: rank 0 would get the
  // tensors of all eight cards of the other server over the one link.
  //
  // What helps more is to send less: numbers of 16 bits instead of 32 halve the time,
  // and gradients can be compressed further. Or to send less often: `NoSync` in section
  // 4.5 adds up the gradients of several batches first.
  dist::destroy_process_group();

  // %%
  // ## What to try next
  //
  // - Start the lesson with `./learn launch -n 4 --servers 2 --slow-link 100Mbit` and
  //   the program. Does the time follow the model?
  // - Order the ranks 0, 2, 1, 3 in the ring. How many bytes cross the link now?
  // - Write the hierarchy with `reduce_scatter` and `all_gather`, so that both ranks of
  //   a server use the link.
}
