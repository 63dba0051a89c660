// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int most_ranks = 4;
constexpr int steps = 3;

std::string gradient_of(int rank, int step) {
  return "gradient of rank " + std::to_string(rank) + ", step " + std::to_string(step + 1);
}
std::string compress_of(int step) { return "compress, step " + std::to_string(step + 1); }
std::string reduce_of(int ranks) { return "all_reduce_compressed on " + counted(ranks, "ranks"); }

/// What a rank takes in the check of the sum: places that overlap with those of other ranks.
Compressed taken(const Inputs& inputs, int rank) {
  return {inputs.tensor("places " + std::to_string(rank)), inputs.tensor("values " + std::to_string(rank))};
}

}  // namespace

std::vector<Item> items() {
  return {{"largest", 2, Kind::result, "the k numbers with the largest absolute values are taken", 1},
          {"residual", 2, Kind::result, "the residual has all numbers that were not taken", 2},
          {"gradient", 1, Kind::result, "the gradient does not change, and the residual keeps its memory", 2},
          {"sum", 2, Kind::result, "every rank has the sum of what all took", 3},
          {"bytes", 2, Kind::cost, "a rank sends at most (ranks − 1) · 12 · k bytes, and 100 more", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(200, 300);
  const auto k = inputs.draw(12, 20);
  inputs.put("n", n);
  inputs.put("k", k);
  for (int step = 0; step < steps; ++step) inputs.put(gradient_of(0, step), randn({n}));
  for (int rank = 0; rank < most_ranks; ++rank) {
    // All ranks have the place n / 2; the others are drawn, without repetition.
    std::vector<std::int64_t> numbers{n / 2};
    while (static_cast<std::int64_t>(numbers.size()) < k) {
      const auto place = inputs.draw(0, n - 1);
      if (std::find(numbers.begin(), numbers.end(), place) == numbers.end()) numbers.push_back(place);
    }
    inputs.put("places " + std::to_string(rank), from_blob(numbers.data(), {k}, kLong).clone());
    inputs.put("values " + std::to_string(rank), randn({k}));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  const auto k = inputs.integer("k");
  const Tensor residual = zeros({inputs.integer("n")});
  const void* const memory = residual.data_ptr();
  for (int step = 0; step < steps; ++step) {
    const auto name = compress_of(step);
    const Tensor gradient = inputs.tensor(gradient_of(0, step)).clone();
    Compressed one;
    if (!outcome.attempt(name, [&] { one = compress(gradient, residual, k); })) break;
    if (!one.places.defined() || !one.values.defined()) break;
    outcome.put(name + " places", one.places);
    outcome.put(name + " values", one.values);
    outcome.put(name + " residual", residual);
    outcome.put(name + " gradient", gradient);
    outcome.put(name + " memory", residual.data_ptr() == memory);
  }
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const bool returned = attempt_ranks(outcome, reduce_of(ranks), ranks, [&](int rank) {
      const Compressed mine = taken(inputs, rank);
      return all_reduce_compressed({mine.places.clone(), mine.values.clone()}, inputs.integer("n"));
    });
    if (!returned) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto n = inputs.integer("n");
  const auto k = inputs.integer("k");
  // Before each step, the residual is what the step before left.
  const auto each = [&](const std::function<void(const std::string&, const Tensor&, const std::vector<bool>&)>& look) {
    Tensor residual = zeros({n});
    for (int step = 0; step < steps; ++step) {
      const auto name = compress_of(step);
      static_cast<void>(outcome.recording(name));
      const Tensor sum = inputs.tensor(gradient_of(0, step)) + residual;
      std::vector<bool> is_taken(static_cast<std::size_t>(n));
      for (const auto place : outcome.tensor(name + " places").to_vector<std::int64_t>()) {
        if (place >= 0 && place < n) is_taken[static_cast<std::size_t>(place)] = true;
      }
      look(name, sum, is_taken);
      residual = outcome.tensor(name + " residual");
    }
  };
  judgement.item("largest", [&](ItemJudgement& item) {
    each([&](const std::string& name, const Tensor& sum, const std::vector<bool>& is_taken) {
      item.equal(k, std::count(is_taken.begin(), is_taken.end(), true), "places", name);
      const auto numbers = sum.to_vector<double>();
      double least_taken = INFINITY;
      double largest_left = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double size = std::fabs(numbers[i]);
        if (is_taken[i]) {
          least_taken = std::min(least_taken, size);
        } else {
          largest_left = std::max(largest_left, size);
        }
      }
      item.expect(least_taken >= largest_left, "no larger number than " + repr(least_taken) + " is left",
                  repr(largest_left) + " is left", name);
      const Tensor places = outcome.tensor(name + " places");
      const bool whole = places.dtype() == kLong && places.dim() == 1 && places.numel() == k;
      item.expect(whole, "k places, int64", repr(places.sizes()) + ", " + repr(places.dtype()), name);
      if (whole && std::count(is_taken.begin(), is_taken.end(), true) == k) {
        item.close(sum.index_select(0, places), outcome.tensor(name + " values"), 1e-6, name + ": values");
      }
    });
  });
  judgement.item("residual", [&](ItemJudgement& item) {
    each([&](const std::string& name, const Tensor& sum, const std::vector<bool>& is_taken) {
      auto expected = sum.to_vector<double>();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (is_taken[i]) expected[i] = 0;
      }
      item.close(from_blob(expected.data(), {n}, kDouble).to(kFloat), outcome.tensor(name + " residual"), 1e-6, name);
    });
  });
  judgement.item("gradient", [&](ItemJudgement& item) {
    for (int step = 0; step < steps; ++step) {
      const auto name = compress_of(step);
      static_cast<void>(outcome.recording(name));
      item.close(inputs.tensor(gradient_of(0, step)), outcome.tensor(name + " gradient"), 0, name);
      item.expect(outcome.flag(name + " memory"), "the residual in its memory", "a new residual", name);
    }
  });
  judgement.item("sum", [&](ItemJudgement& item) {
    for (int ranks = 1; ranks <= most_ranks; ++ranks) {
      static_cast<void>(outcome.recording(reduce_of(ranks)));
      std::vector<double> sum(static_cast<std::size_t>(n));
      for (int rank = 0; rank < ranks; ++rank) {
        const auto places = taken(inputs, rank).places.to_vector<std::int64_t>();
        const auto values = taken(inputs, rank).values.to_vector<double>();
        for (std::size_t i = 0; i < places.size(); ++i) sum[static_cast<std::size_t>(places[i])] += values[i];
      }
      const Tensor expected = from_blob(sum.data(), {n}, kDouble).to(kFloat);
      for (int rank = 0; rank < ranks; ++rank) {
        const auto name = of_rank(reduce_of(ranks), rank);
        item.close(expected, outcome.tensor(name), 1e-5, name);
      }
    }
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    for (int ranks = 2; ranks <= most_ranks; ++ranks) {
      const auto& recording = outcome.recording(reduce_of(ranks));
      for (int rank = 0; rank < ranks; ++rank) {
        const auto sent = sent_bytes(recording, rank, [](int) { return true; });
        item.at_most(std::int64_t{12} * (ranks - 1) * k + 100, sent, "bytes sent", of_rank(reduce_of(ranks), rank));
      }
    }
  });
}

}  // namespace d2l::check
