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
  [[nodiscard]] int ranks() const { return servers * each; }
  [[nodiscard]] std::string name() const {
    return "hierarchical_all_reduce on " + counted(servers, "servers") + " with " + counted(each, "ranks") + " each";
  }
};

constexpr Cluster clusters[] = {{2, 2}, {2, 4}, {3, 3}, {3, 1}, {1, 3}, {1, 1}};

Tensor data_of(const Inputs& inputs, int rank) { return inputs.tensor("data of rank " + std::to_string(rank)); }

}  // namespace

std::vector<Item> items() {
  return {{"sum", 3, Kind::result, "every rank has the sum of all", 1},
          {"shapes", 1, Kind::result, "one server, or one rank on each, works too", 2},
          {"between", 3, Kind::cost, "a server sends at most 2(s − 1)/s times the tensor to others", 1}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(900, 1100);
  for (int rank = 0; rank < 9; ++rank) inputs.put("data of rank " + std::to_string(rank), randn({n, 2}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Cluster& cluster : clusters) {
    const bool returned = attempt_ranks(outcome, cluster.name(), cluster.ranks(), [&](int rank) {
      Tensor data = data_of(inputs, rank).clone();
      hierarchical_all_reduce(data, cluster.each);
      return data;
    });
    if (!returned) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto expect_sums = [&](ItemJudgement& item, bool flat) {
    for (const Cluster& cluster : clusters) {
      if ((cluster.servers == 1 || cluster.each == 1) != flat) continue;
      static_cast<void>(outcome.recording(cluster.name()));
      Tensor sum = zeros(data_of(inputs, 0).sizes(), kDouble);
      for (int rank = 0; rank < cluster.ranks(); ++rank) sum = sum + data_of(inputs, rank).to(kDouble);
      for (int rank = 0; rank < cluster.ranks(); ++rank) {
        const auto name = of_rank(cluster.name(), rank);
        item.close(sum.to(kFloat), outcome.tensor(name), 1e-5, name);
      }
    }
  };
  judgement.item("sum", [&](ItemJudgement& item) { expect_sums(item, false); });
  judgement.item("shapes", [&](ItemJudgement& item) { expect_sums(item, true); });
  judgement.item("between", [&](ItemJudgement& item) {
    for (const Cluster& cluster : clusters) {
      const auto& recording = outcome.recording(cluster.name());
      const auto bytes = data_of(inputs, 0).nbytes();
      const auto most = std::int64_t{2} * (cluster.servers - 1) * bytes / cluster.servers * 11 / 10;
      for (int server = 0; server < cluster.servers; ++server) {
        std::int64_t sent = 0;
        for (int i = 0; i < cluster.each; ++i) {
          sent +=
              sent_bytes(recording, server * cluster.each + i, [&](int peer) { return peer / cluster.each != server; });
        }
        if (cluster.servers > 1) item.at_least(1, sent, "bytes to other servers", cluster.name());
        item.at_most(most, sent, "bytes to other servers", cluster.name() + ", server " + std::to_string(server));
      }
    }
  });
}

}  // namespace d2l::check
