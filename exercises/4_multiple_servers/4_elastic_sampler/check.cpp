// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int max_ranks = 5;

/// What was done before: different parts by each rank, nothing, or everything.
enum Before { different, nothing, everything };

/// One to five ranks, each with a part, nothing and everything done; an epoch of more
/// than 65535 examples; and epochs of fewer examples than there are ranks, also of
/// none.
struct Case {
  Before before;
  int ranks;
  std::int64_t examples;  ///< 0 or more; -1 for the number that is drawn, -2 for all
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Before before : {different, nothing, everything}) {
    for (int ranks = 1; ranks <= max_ranks; ++ranks) all.push_back({before, ranks, -1});
  }
  all.push_back({different, 3, -2});
  for (const std::int64_t examples : {3, 1, 0}) all.push_back({nothing, 4, examples});
  return all;
}

std::string call_of(const Case& one) {
  const char* const what = one.before == nothing      ? "nothing"
                           : one.before == everything ? "everything"
                                                      : "a part";
  const std::string of = one.examples == -1 ? ""
                         : one.examples == -2
                             ? " of a long epoch"
                             : " of " + counted(one.examples, "examples");
  return "rest_of on " + counted(one.ranks, "ranks") + ", with " + what + of + " done";
}

/// The order of the epoch: the first examples of the drawn one, by number.
std::vector<std::int64_t> order_of(const Inputs& inputs, const Case& one) {
  auto order = inputs.tensor("order").to_vector<std::int64_t>();
  const auto n = one.examples == -2   ? static_cast<std::int64_t>(order.size())
                 : one.examples == -1 ? inputs.integer("n")
                                      : one.examples;
  std::erase_if(order, [&](std::int64_t example) { return example >= n; });
  return order;
}

/// The examples that a rank has done: the epoch was begun by all five ranks, and some
/// examples were done twice.
std::vector<std::int64_t> done_by(const Inputs& inputs, const Case& one, int rank) {
  std::vector<std::int64_t> done;
  const auto [before, ranks, examples] = one;
  if (before == nothing) return done;
  const auto order = order_of(inputs, one);
  const auto owner = inputs.tensor("owner").to_vector<std::int64_t>();
  for (std::size_t i = 0; i < order.size(); ++i) {
    // With `everything`, the ranks that are left have done all; else the examples of
    // others are lost.
    const bool mine =
        before == everything ? (owner[i] + 1) % ranks == rank : owner[i] == rank;
    // Neighbours have both done some examples.
    const bool twice = owner[i] >= 0 && i % 7 == 0 && (owner[i] + 1) % ranks == rank;
    if (mine || twice) done.push_back(order[i]);
  }
  std::reverse(done.begin(), done.end());
  return done;
}

/// What is left, in order.
std::vector<std::int64_t> left_of(const Inputs& inputs, const Case& one) {
  auto left = order_of(inputs, one);
  std::vector<bool> is_done(left.size());
  for (int rank = 0; rank < one.ranks; ++rank) {
    for (const std::int64_t example : done_by(inputs, one, rank))
      is_done[static_cast<std::size_t>(example)] = true;
  }
  std::erase_if(left, [&](std::int64_t example) {
    return is_done[static_cast<std::size_t>(example)];
  });
  return left;
}

Tensor as_tensor(std::vector<std::int64_t> list) {
  return from_blob(list.data(), {static_cast<std::int64_t>(list.size())}, kLong)
      .clone();
}

}  // namespace

std::vector<Item> items() {
  return {{"all", 2, Kind::result,
           "what no rank has computed is in one part, and nothing else", 1},
          {"parts", 2, Kind::result,
           "each rank gets every k-th example of what is left, in order", 3},
          {"bytes", 2, Kind::cost,
           "a rank sends at most 100 bytes more than in an all-reduce of n bytes", 2}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(66000, 67000);
  inputs.put("n", inputs.draw(2000, 3000));
  inputs.put("order", randperm(n));
  // The rank that has done an example; -1 for none. The ranks have different speeds.
  std::vector<std::int64_t> owner;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto drawn = inputs.draw(0, 12);
    owner.push_back(drawn < 6 ? 0 : drawn < 8 ? 1 : drawn < 11 ? drawn - 6 : -1);
  }
  inputs.put("owner", as_tensor(owner));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases()) {
    const auto order = order_of(inputs, one);
    const bool returned =
        attempt_ranks(outcome, call_of(one), one.ranks, [&](int rank) {
          return as_tensor(rest_of(order, done_by(inputs, one, rank)));
        });
    if (!returned) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each =
      [&](const std::function<void(const Case&, const std::string&)>& look) {
        for (const Case& one : cases()) {
          outcome.require(call_of(one));
          look(one, call_of(one));
        }
      };
  judgement.item("all", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name) {
      std::vector<std::int64_t> found;
      for (int rank = 0; rank < one.ranks; ++rank) {
        const auto part = outcome.tensor(of_rank(name, rank)).to_vector<std::int64_t>();
        found.insert(found.end(), part.begin(), part.end());
      }
      auto expected = left_of(inputs, one);
      item.equal(static_cast<std::int64_t>(expected.size()),
                 static_cast<std::int64_t>(found.size()), "examples", name);
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      item.expect(found == expected, "what is left", "other examples", name);
    });
  });
  judgement.item("parts", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name) {
      const auto left = left_of(inputs, one);
      for (int rank = 0; rank < one.ranks; ++rank) {
        std::vector<std::int64_t> expected;
        const auto step = static_cast<std::size_t>(one.ranks);
        for (std::size_t i = static_cast<std::size_t>(rank); i < left.size(); i += step)
          expected.push_back(left[i]);
        const auto part = outcome.tensor(of_rank(name, rank)).to_vector<std::int64_t>();
        item.equal(static_cast<std::int64_t>(expected.size()),
                   static_cast<std::int64_t>(part.size()), "examples",
                   of_rank(name, rank));
        item.expect(part == expected, "every k-th example",
                    "other examples, or another order", of_rank(name, rank));
      }
    });
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name) {
      if (one.ranks == 1) return;
      // An all-reduce sends each of `ranks` chunks, rounded up, 2 · (ranks − 1) times.
      const auto n = static_cast<std::int64_t>(order_of(inputs, one).size());
      const auto chunk = (n + one.ranks - 1) / one.ranks;
      for (int rank = 0; rank < one.ranks; ++rank) {
        const auto sent =
            sent_bytes(outcome.recording(name), rank, [](int) { return true; });
        if (n >= one.ranks) item.at_least(1, sent, "bytes sent", of_rank(name, rank));
        item.at_most(std::int64_t{2} * (one.ranks - 1) * chunk + 100, sent,
                     "bytes sent", of_rank(name, rank));
      }
    });
  });
}

}  // namespace d2l::check
