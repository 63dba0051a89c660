// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

struct Cluster {
  int servers;
  int each;
  const char* data = "data";
  [[nodiscard]] int ranks() const { return servers * each; }
  [[nodiscard]] std::string name() const {
    return "hierarchical_all_reduce on " + counted(servers, "servers") + " with " +
           counted(each, "ranks") + " each, " + data;
  }
};

/// Up to nine ranks, most on one server or on nine. Two of them have more than 65536
/// numbers, numbers for which float32 is too narrow, one number, and none.
constexpr Cluster clusters[] = {{2, 2},
                                {2, 4},
                                {3, 3},
                                {4, 2},
                                {3, 1},
                                {9, 1},
                                {1, 9},
                                {1, 1},
                                {2, 2, "long data"},
                                {2, 2, "float64"},
                                {2, 2, "one number"},
                                {2, 2, "no numbers"}};

Tensor data_of(const Inputs& inputs, const Cluster& cluster, int rank) {
  return inputs.tensor(std::string(cluster.data) + " of rank " + std::to_string(rank));
}

}  // namespace

std::vector<Item> items() {
  return {{"sum", 3, Kind::result, "every rank has the sum of all", 1},
          {"shapes", 1, Kind::result, "one server, or one rank on each, works too", 2},
          {"between", 3, Kind::cost,
           "a server sends at most 2(s − 1)/s times the tensor to others", 1}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(900, 1100);
  const auto many = inputs.draw(33000, 34000);
  for (int rank = 0; rank < 9; ++rank)
    inputs.put("data of rank " + std::to_string(rank), randn({n, 2}));
  for (int rank = 0; rank < 4; ++rank) {
    const auto of = " of rank " + std::to_string(rank);
    inputs.put("long data" + of, randn({2, many}));
    inputs.put("float64" + of, randn({5, n / 5}, kDouble));
    // No order of adding them cancels the digits of the sum.
    inputs.put("one number" + of, randn({1}).abs() + 1);
    inputs.put("no numbers" + of, randn({0}));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Cluster& cluster : clusters) {
    const bool returned =
        attempt_ranks(outcome, cluster.name(), cluster.ranks(), [&](int rank) {
          Tensor data = data_of(inputs, cluster, rank).clone();
          Tensor its_memory = data.view(data.sizes());
          hierarchical_all_reduce(data, cluster.each);
          return its_memory;
        });
    if (!returned) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto expect_sums = [&](ItemJudgement& item, bool flat) {
    for (const Cluster& cluster : clusters) {
      if ((cluster.servers == 1 || cluster.each == 1) != flat) continue;
      outcome.require(cluster.name());
      Tensor sum = zeros(data_of(inputs, cluster, 0).sizes(), kDouble);
      for (int rank = 0; rank < cluster.ranks(); ++rank)
        sum = sum + data_of(inputs, cluster, rank).to(kDouble);
      for (int rank = 0; rank < cluster.ranks(); ++rank) {
        const auto name = of_rank(cluster.name(), rank);
        const Dtype dtype = data_of(inputs, cluster, 0).dtype();
        item.close(sum.to(dtype), outcome.tensor(name), dtype == kFloat ? 1e-5 : 1e-13,
                   name);
      }
    }
  };
  judgement.item("sum", [&](ItemJudgement& item) { expect_sums(item, false); });
  judgement.item("shapes", [&](ItemJudgement& item) { expect_sums(item, true); });
  judgement.item("between", [&](ItemJudgement& item) {
    for (const Cluster& cluster : clusters) {
      const auto& recording = outcome.recording(cluster.name());
      const auto bytes = data_of(inputs, cluster, 0).nbytes();
      if (bytes < 1000) continue;  // a ring of chunks that are not whole
      const auto most =
          std::int64_t{2} * (cluster.servers - 1) * bytes / cluster.servers * 11 / 10;
      for (int server = 0; server < cluster.servers; ++server) {
        std::int64_t sent = 0;
        for (int i = 0; i < cluster.each; ++i) {
          sent += sent_bytes(recording, server * cluster.each + i,
                             [&](int peer) { return peer / cluster.each != server; });
        }
        if (cluster.servers > 1)
          item.at_least(1, sent, "bytes to other servers", cluster.name());
        item.at_most(most, sent, "bytes to other servers",
                     cluster.name() + ", server " + std::to_string(server));
      }
    }
  });
}

}  // namespace d2l::check
