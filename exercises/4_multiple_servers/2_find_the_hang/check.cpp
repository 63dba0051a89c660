// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int most_ranks = 4;
constexpr int world_sizes[] = {2, 3, 4};

std::string numbered(const std::string& what, int rank) { return what + " " + std::to_string(rank); }
std::string call_of(const std::string& function, int ranks) { return function + " on " + counted(ranks, "ranks"); }

/// The tensor of a rank; with `broken`, that of rank 1 has a number that is not finite.
Tensor data_of(const Inputs& inputs, int rank, bool broken = false) {
  Tensor data = inputs.tensor(numbered("a", rank)).clone();
  if (broken && rank == 1) data[0] = std::numeric_limits<double>::infinity();
  return data;
}

Tensor sum_of(const Inputs& inputs, const std::string& what, int ranks) {
  Tensor sum = inputs.tensor(numbered(what, 0)).to(kDouble);
  for (int rank = 1; rank < ranks; ++rank) sum = sum + inputs.tensor(numbered(what, rank)).to(kDouble);
  return sum.to(kFloat);
}

}  // namespace

std::vector<Item> items() {
  return {{"mean_loss", 2, Kind::result, "the mean of all losses", 1},
          {"from_rank_0", 1, Kind::result, "the tensor of rank 0, on every rank", 2},
          {"write_log", 1, Kind::result, "no rank returns before the log is written", 3},
          {"two_sums", 1, Kind::result, "the sums of a and of b", 4},
          {"sum_if_finite", 2, Kind::result, "the sum, or zeros on every rank", 5}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(2, 6);
  for (int rank = 0; rank < most_ranks; ++rank) {
    inputs.put(numbered("a", rank), randn({n}));
    inputs.put(numbered("b", rank), randn({n + 1}));
    inputs.put(numbered("losses", rank), rank == 1 ? zeros({0}, kDouble) : rand({rank + inputs.draw(1, 2)}, kDouble));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  // After a function has failed on some ranks, it is not called on more: each failure may be a wait.
  const auto each = [&](const std::string& function, const std::function<Tensor(int rank)>& work) {
    for (const int ranks : world_sizes) {
      if (!attempt_ranks(outcome, call_of(function, ranks), ranks, work)) return;
    }
  };
  each("mean_loss", [&](int rank) {
    return full({1}, mean_loss(inputs.tensor(numbered("losses", rank)).to_vector<double>()), kDouble);
  });
  each("from_rank_0", [&](int rank) { return from_rank_0(inputs.tensor(numbered("a", rank))); });
  each("two_sums", [&](int rank) {
    const auto [a, b] = two_sums(inputs.tensor(numbered("a", rank)), inputs.tensor(numbered("b", rank)));
    return cat({a, b});
  });
  each("sum_if_finite", [&](int rank) { return sum_if_finite(data_of(inputs, rank)); });
  each("sum_if_finite, one is infinite", [&](int rank) { return sum_if_finite(data_of(inputs, rank, true)); });
  for (const int ranks : world_sizes) {
    std::atomic<int> calls = 0;
    std::atomic<int> calls_of_rank_0 = 0;
    std::atomic<bool> written = false;
    const bool returned = attempt_ranks(outcome, call_of("write_log", ranks), ranks, [&](int rank) {
      write_log([&] {
        ++calls;
        if (rank == 0) ++calls_of_rank_0;
        std::this_thread::sleep_for(std::chrono::milliseconds(30));  // a rank that does not wait is seen
        written = true;
      });
      return full({1}, written ? 1.0 : 0.0);
    });
    if (!returned) break;
    outcome.put(call_of("write_log", ranks) + " calls", calls.load());
    outcome.put(call_of("write_log", ranks) + " calls of rank 0", calls_of_rank_0.load());
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each = [&](ItemJudgement& item, const std::string& function,
                        const std::function<Tensor(int ranks)>& expected) {
    for (const int ranks : world_sizes) {
      const auto call = call_of(function, ranks);
      static_cast<void>(outcome.recording(call));
      for (int rank = 0; rank < ranks; ++rank) {
        item.close(expected(ranks), outcome.tensor(of_rank(call, rank)), 1e-5, of_rank(call, rank));
      }
    }
  };
  judgement.item("mean_loss", [&](ItemJudgement& item) {
    each(item, "mean_loss", [&](int ranks) {
      std::vector<Tensor> all;
      for (int rank = 0; rank < ranks; ++rank) all.push_back(inputs.tensor(numbered("losses", rank)));
      return cat(all).mean().view({1});
    });
  });
  judgement.item("from_rank_0", [&](ItemJudgement& item) {
    each(item, "from_rank_0", [&](int /*ranks*/) { return inputs.tensor(numbered("a", 0)); });
  });
  judgement.item("write_log", [&](ItemJudgement& item) {
    each(item, "write_log", [](int /*ranks*/) { return ones({1}); });
    for (const int ranks : world_sizes) {
      const auto call = call_of("write_log", ranks);
      item.equal(1, outcome.integer(call + " calls"), "calls of write()", call);
      item.equal(1, outcome.integer(call + " calls of rank 0"), "calls of write() by rank 0", call);
    }
  });
  judgement.item("two_sums", [&](ItemJudgement& item) {
    each(item, "two_sums", [&](int ranks) { return cat({sum_of(inputs, "a", ranks), sum_of(inputs, "b", ranks)}); });
  });
  judgement.item("sum_if_finite", [&](ItemJudgement& item) {
    each(item, "sum_if_finite", [&](int ranks) { return sum_of(inputs, "a", ranks); });
    each(item, "sum_if_finite, one is infinite", [&](int /*ranks*/) { return zeros_like(inputs.tensor("a 0")); });
  });
}

}  // namespace d2l::check
