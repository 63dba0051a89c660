// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int max_ranks = 8;

std::string call_of(int ranks, const std::string& kind) {
  return "ring_all_reduce on " + counted(ranks, "ranks") + ", " + kind;
}

struct Case {
  int ranks;
  std::string kind;
  std::int64_t n;
  const char* data = "data";
};

/// Each number of ranks up to the largest, with a length that is usually not a multiple
/// of it; lengths around the number of ranks; a length for which 16 bits are too few;
/// and numbers for which float32 is too narrow.
std::vector<Case> cases(const Inputs& inputs) {
  std::vector<Case> all;
  for (int ranks = 1; ranks <= max_ranks; ++ranks) {
    all.push_back(
        {ranks, "a long tensor", inputs.integer("length " + std::to_string(ranks))});
  }
  all.push_back({3, "a very long tensor", inputs.integer("very long")});
  for (const std::int64_t n : {4, 3, 1, 0})
    all.push_back({4, counted(n, "numbers"), n});
  all.push_back({3, "float64", 100, "wide data"});
  all.push_back({3, "int64", 100, "whole data"});
  return all;
}

Tensor data_of(const Inputs& inputs, const Case& one, int rank) {
  return inputs.tensor(one.data).narrow(0, std::int64_t{13} * rank, one.n).clone();
}

}  // namespace

std::vector<Item> items() {
  return {
      {"sum", 3, Kind::result, "every rank has the sum, for any length", 1},
      {"neighbour", 1, Kind::cost, "each rank sends only to the next one", 3},
      {"messages", 2, Kind::cost, "each rank sends at most 2(size − 1) messages", 2},
      {"bytes", 2, Kind::cost, "each message has at most ⌈n/size⌉ numbers", 1}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (int ranks = 1; ranks <= max_ranks; ++ranks) {
    inputs.put("length " + std::to_string(ranks),
               ranks * inputs.draw(5, 20) + inputs.draw(1, 100) % ranks);
  }
  inputs.put("very long", inputs.draw(70000, 71000));
  inputs.put("data", randn({71000 + 13 * max_ranks}));
  inputs.put("wide data", randn({200}, kDouble));
  inputs.put("whole data", (randn({200}, kDouble) * 1e12).to(kLong));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases(inputs)) {
    const bool returned =
        attempt_ranks(outcome, call_of(one.ranks, one.kind), one.ranks, [&](int rank) {
          Tensor data = data_of(inputs, one, rank);
          Tensor its_memory = data.view({one.n});
          ring_all_reduce(data, rank, one.ranks);
          return its_memory;
        });
    if (!returned) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each = [&](const std::function<void(const Case&, const std::string&,
                                                 const Recording&)>& look) {
    for (const Case& one : cases(inputs)) {
      const auto name = call_of(one.ranks, one.kind);
      look(one, name, outcome.recording(name));
    }
  };
  judgement.item("sum", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name, const Recording& /*recording*/) {
      Tensor sum = zeros({one.n}, kDouble);
      for (int rank = 0; rank < one.ranks; ++rank)
        sum = sum + data_of(inputs, one, rank).to(kDouble);
      for (int rank = 0; rank < one.ranks; ++rank) {
        const Dtype dtype = inputs.tensor(one.data).dtype();
        // Relative to the numbers added: a sum near 0 has the rounding of its order.
        item.close(sum.to(dtype), outcome.tensor(of_rank(name, rank)),
                   dtype == kFloat ? 1e-5 : 1e-13, of_rank(name, rank), 1);
      }
    });
  });
  judgement.item("neighbour", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name, const Recording& recording) {
      for (int rank = 0; rank < one.ranks; ++rank) {
        const int next = (rank + 1) % one.ranks;
        if (one.ranks > 1 && one.n >= one.ranks) {
          item.at_least(
              1, sent_bytes(recording, rank, [&](int peer) { return peer == next; }),
              "bytes to the next rank", of_rank(name, rank));
        }
        item.equal(0,
                   sent_bytes(recording, rank, [&](int peer) { return peer != next; }),
                   "bytes to other ranks", of_rank(name, rank));
      }
    });
  });
  judgement.item("messages", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name, const Recording& recording) {
      for (int rank = 0; rank < one.ranks; ++rank) {
        if (one.ranks > 1 && one.n >= one.ranks) {
          item.at_least(1, sent_messages(recording, rank), "messages",
                        of_rank(name, rank));
        }
        item.at_most(std::int64_t{2} * (one.ranks - 1), sent_messages(recording, rank),
                     "messages", of_rank(name, rank));
      }
    });
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name, const Recording& recording) {
      const std::int64_t chunk =
          (one.n + one.ranks - 1) / one.ranks * inputs.tensor(one.data).element_size();
      for (int rank = 0; rank < one.ranks; ++rank) {
        const auto sent = sent_bytes(recording, rank, [](int) { return true; });
        if (one.ranks > 1 && one.n >= one.ranks)
          item.at_least(1, sent, "bytes sent", of_rank(name, rank));
        item.at_most(chunk, largest_message(recording, rank), "bytes sent in a message",
                     of_rank(name, rank));
        item.at_most(std::int64_t{2} * (one.ranks - 1) * chunk, sent, "bytes sent",
                     of_rank(name, rank));
      }
    });
  });
}

}  // namespace d2l::check
