// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int most_ranks = 5;

/// What was done before: by the ranks at different speed, nothing, and everything.
enum Before { different, nothing, everything };
constexpr Before cases[] = {different, nothing, everything};

std::string call_of(int before, int ranks) {
  const char* const what = before == nothing ? "nothing" : before == everything ? "everything" : "a part";
  return "rest_of on " + counted(ranks, "ranks") + ", with " + what + " done";
}

/// The examples that a rank has done: the epoch was begun by all five ranks, and some examples were done twice.
std::vector<std::int64_t> done_by(const Inputs& inputs, int before, int ranks, int rank) {
  std::vector<std::int64_t> done;
  if (before == nothing) return done;
  const auto order = inputs.tensor("order").to_vector<std::int64_t>();
  const auto owner = inputs.tensor("owner").to_vector<std::int64_t>();
  for (std::size_t i = 0; i < order.size(); ++i) {
    // With `everything`, the ranks that are left have done all; else the examples of others are lost.
    const bool mine = before == everything ? (owner[i] + 1) % ranks == rank : owner[i] == rank;
    // Neighbours have both done some examples.
    const bool twice = owner[i] >= 0 && i % 7 == 0 && (owner[i] + 1) % ranks == rank;
    if (mine || twice) done.push_back(order[i]);
  }
  std::reverse(done.begin(), done.end());
  return done;
}

/// What is left, in order.
std::vector<std::int64_t> left_of(const Inputs& inputs, int before, int ranks) {
  std::vector<std::int64_t> done;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto own = done_by(inputs, before, ranks, rank);
    done.insert(done.end(), own.begin(), own.end());
  }
  auto left = inputs.tensor("order").to_vector<std::int64_t>();
  std::erase_if(left, [&](std::int64_t one) { return std::find(done.begin(), done.end(), one) != done.end(); });
  return left;
}

Tensor as_tensor(std::vector<std::int64_t> list) {
  return from_blob(list.data(), {static_cast<std::int64_t>(list.size())}, kLong).clone();
}

}  // namespace

std::vector<Item> items() {
  return {{"all", 2, Kind::result, "what no rank has computed is in one part, and nothing else", 1},
          {"parts", 2, Kind::result, "each rank gets every k-th example of what is left, in order", 3},
          {"bytes", 2, Kind::cost, "a rank sends no more than an all-reduce of n bytes", 2}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(2000, 3000);
  inputs.put("order", randperm(n));
  // The rank that has done an example; -1 for none. The ranks have different speeds.
  const Tensor owner = zeros({n}, kLong);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto drawn = inputs.draw(0, 12);
    owner[i] = drawn < 6 ? 0 : drawn < 8 ? 1 : drawn < 11 ? drawn - 6 : -1;
  }
  inputs.put("owner", owner);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  const auto order = inputs.tensor("order").to_vector<std::int64_t>();
  for (const Before before : cases) {
    for (int ranks = 1; ranks <= most_ranks; ++ranks) {
      const bool returned = attempt_ranks(outcome, call_of(before, ranks), ranks, [&](int rank) {
        return as_tensor(rest_of(order, done_by(inputs, before, ranks, rank)));
      });
      if (!returned) return;  // the others would wait as long
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each = [&](const std::function<void(Before, int, const std::string&)>& look) {
    for (const Before before : cases) {
      for (int ranks = 1; ranks <= most_ranks; ++ranks) {
        static_cast<void>(outcome.recording(call_of(before, ranks)));
        look(before, ranks, call_of(before, ranks));
      }
    }
  };
  judgement.item("all", [&](ItemJudgement& item) {
    each([&](Before before, int ranks, const std::string& name) {
      std::vector<std::int64_t> found;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto part = outcome.tensor(of_rank(name, rank)).to_vector<std::int64_t>();
        found.insert(found.end(), part.begin(), part.end());
      }
      auto expected = left_of(inputs, before, ranks);
      item.equal(static_cast<std::int64_t>(expected.size()), static_cast<std::int64_t>(found.size()), "examples", name);
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      item.expect(found == expected, "what is left", "other examples", name);
    });
  });
  judgement.item("parts", [&](ItemJudgement& item) {
    each([&](Before before, int ranks, const std::string& name) {
      const auto left = left_of(inputs, before, ranks);
      for (int rank = 0; rank < ranks; ++rank) {
        std::vector<std::int64_t> expected;
        for (std::size_t i = static_cast<std::size_t>(rank); i < left.size(); i += static_cast<std::size_t>(ranks)) {
          expected.push_back(left[i]);
        }
        const auto part = outcome.tensor(of_rank(name, rank)).to_vector<std::int64_t>();
        item.equal(static_cast<std::int64_t>(expected.size()), static_cast<std::int64_t>(part.size()), "examples",
                   of_rank(name, rank));
        item.expect(part == expected, "every k-th example", "other examples, or another order", of_rank(name, rank));
      }
    });
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    each([&](Before /*before*/, int ranks, const std::string& name) {
      if (ranks == 1) return;
      // An all-reduce sends each of `ranks` chunks, rounded up, 2 · (ranks − 1) times.
      const auto chunk = (inputs.tensor("order").numel() + ranks - 1) / ranks;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto sent = sent_bytes(outcome.recording(name), rank, [](int) { return true; });
        item.at_least(1, sent, "bytes sent", of_rank(name, rank));
        item.at_most(std::int64_t{2} * (ranks - 1) * chunk + 100, sent, "bytes sent", of_rank(name, rank));
      }
    });
  });
}

}  // namespace d2l::check
