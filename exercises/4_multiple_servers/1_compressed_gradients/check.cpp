// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int max_ranks = 4;
constexpr int steps = 3;

/// The sizes of a series of steps: n and k that are drawn; more than 65535 numbers; all
/// of them; one of many; and numbers that are equal, negative, tiny beside large or
/// zero.
const std::string series[] = {"drawn", "long", "all", "one", "equal"};

std::int64_t n_of(const Inputs& inputs, const std::string& which) {
  return inputs.integer(which + " n");
}
std::int64_t k_of(const Inputs& inputs, const std::string& which) {
  return inputs.integer(which + " k");
}
std::string gradient_of(const std::string& which, int step) {
  return "gradient, " + which + ", step " + std::to_string(step + 1);
}
std::string compress_of(const Inputs& inputs, const std::string& which, int step) {
  return "compress " + std::to_string(k_of(inputs, which)) + " of " +
         counted(n_of(inputs, which), "numbers") + ", " + which + ", step " +
         std::to_string(step + 1);
}
/// The sum has few numbers, except on three ranks, where it has more than 65535.
std::string reduced_of(int ranks) { return ranks == 3 ? "long" : "drawn"; }
std::string reduce_of(int ranks) {
  return "all_reduce_compressed on " + counted(ranks, "ranks");
}
std::string taken_of(const std::string& what, const std::string& which, int rank) {
  return what + ", " + which + ", " + std::to_string(rank);
}

/// What a rank takes in the check of the sum: places that overlap with those of other
/// ranks.
Compressed taken(const Inputs& inputs, const std::string& which, int rank) {
  return {inputs.tensor(taken_of("places", which, rank)),
          inputs.tensor(taken_of("values", which, rank))};
}

}  // namespace

std::vector<Item> items() {
  return {{"largest", 2, Kind::result,
           "the k numbers with the largest absolute values are taken", 1},
          {"residual", 2, Kind::result,
           "the residual has all numbers that were not taken, in its memory", 2},
          {"gradient", 1, Kind::result, "the gradient does not change", 2},
          {"sum", 2, Kind::result, "every rank has the sum of what all took", 3},
          {"bytes", 2, Kind::cost,
           "a rank sends at most (ranks − 1) · 12 · k bytes, and 100 more", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const std::string& which : series) {
    const auto n = which == "long" ? inputs.draw(66000, 67000) : inputs.draw(200, 300);
    inputs.put(which + " n", n);
    inputs.put(which + " k", which == "all"   ? n
                             : which == "one" ? 1
                                              : inputs.draw(12, 20));
    for (int step = 0; step < steps; ++step) {
      Tensor gradient = randn({n});
      if (which == "equal")
        gradient = (gradient * 2).round() - 1;  // many are equal, and most are negative
      if (which == "equal" && step == 1) gradient[7] = -1e30;
      inputs.put(gradient_of(which, step), gradient);
    }
  }
  for (const std::string& which : {series[0], series[1]}) {
    const auto n = n_of(inputs, which);
    const auto k = k_of(inputs, which);
    for (int rank = 0; rank < max_ranks; ++rank) {
      // All ranks have the last place; the others are drawn, without repetition.
      std::vector<std::int64_t> numbers{n - 1};
      while (static_cast<std::int64_t>(numbers.size()) < k) {
        const auto place = inputs.draw(0, n - 1);
        if (std::find(numbers.begin(), numbers.end(), place) == numbers.end())
          numbers.push_back(place);
      }
      inputs.put(taken_of("places", which, rank),
                 from_blob(numbers.data(), {k}, kLong).clone());
      inputs.put(taken_of("values", which, rank), randn({k}));
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const std::string& which : series) {
    const Tensor residual = zeros({n_of(inputs, which)});
    const Tensor its_memory = residual.view({-1});
    for (int step = 0; step < steps; ++step) {
      const auto name = compress_of(inputs, which, step);
      const Tensor gradient = inputs.tensor(gradient_of(which, step)).clone();
      Compressed one;
      if (!outcome.attempt(
              name, [&] { one = compress(gradient, residual, k_of(inputs, which)); }))
        break;
      if (!one.places.defined() || !one.values.defined()) break;
      outcome.put(name + " places", one.places);
      outcome.put(name + " values", one.values);
      outcome.put(name + " residual", its_memory);
      outcome.put(name + " gradient", gradient);
    }
  }
  for (int ranks = 1; ranks <= max_ranks; ++ranks) {
    const bool returned =
        attempt_ranks(outcome, reduce_of(ranks), ranks, [&](int rank) {
          const Compressed mine = taken(inputs, reduced_of(ranks), rank);
          return all_reduce_compressed({mine.places.clone(), mine.values.clone()},
                                       n_of(inputs, reduced_of(ranks)));
        });
    if (!returned) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  // Before each step, the residual is what the step before left.
  using Look = std::function<void(const std::string&, const Tensor&,
                                  const std::vector<bool>&, std::int64_t)>;
  const auto each = [&](const Look& look) {
    for (const std::string& which : series) {
      const auto n = n_of(inputs, which);
      Tensor residual = zeros({n});
      for (int step = 0; step < steps; ++step) {
        const auto name = compress_of(inputs, which, step);
        outcome.require(name);
        const Tensor sum = inputs.tensor(gradient_of(which, step)) + residual;
        std::vector<bool> is_taken(static_cast<std::size_t>(n));
        for (const auto place :
             outcome.tensor(name + " places").to_vector<std::int64_t>()) {
          if (place >= 0 && place < n) is_taken[static_cast<std::size_t>(place)] = true;
        }
        look(name, sum, is_taken, k_of(inputs, which));
        residual = outcome.tensor(name + " residual");
      }
    }
  };
  judgement.item("largest", [&](ItemJudgement& item) {
    each([&](const std::string& name, const Tensor& sum,
             const std::vector<bool>& is_taken, std::int64_t k) {
      item.equal(k, std::count(is_taken.begin(), is_taken.end(), true), "places", name);
      const auto numbers = sum.to_vector<double>();
      double min_taken = INFINITY;
      double largest_left = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double size = std::fabs(numbers[i]);
        if (is_taken[i]) {
          min_taken = std::min(min_taken, size);
        } else {
          largest_left = std::max(largest_left, size);
        }
      }
      item.expect(min_taken >= largest_left,
                  "no larger number than " + repr(min_taken) + " is left",
                  repr(largest_left) + " is left", name);
      const Tensor places = outcome.tensor(name + " places");
      const bool whole =
          places.dtype() == kLong && places.dim() == 1 && places.numel() == k;
      item.expect(whole, "k places, int64",
                  repr(places.sizes()) + ", " + repr(places.dtype()), name);
      if (whole && std::count(is_taken.begin(), is_taken.end(), true) == k) {
        item.close(sum.index_select(0, places), outcome.tensor(name + " values"), 1e-6,
                   name + ": values");
      }
    });
  });
  judgement.item("residual", [&](ItemJudgement& item) {
    each([&](const std::string& name, const Tensor& sum,
             const std::vector<bool>& is_taken, std::int64_t /*k*/) {
      auto expected = sum.to_vector<double>();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (is_taken[i]) expected[i] = 0;
      }
      item.close(from_blob(expected.data(), {sum.numel()}, kDouble).to(kFloat),
                 outcome.tensor(name + " residual"), 1e-6, name);
    });
  });
  judgement.item("gradient", [&](ItemJudgement& item) {
    for (const std::string& which : series) {
      for (int step = 0; step < steps; ++step) {
        const auto name = compress_of(inputs, which, step);
        outcome.require(name);
        item.close(inputs.tensor(gradient_of(which, step)),
                   outcome.tensor(name + " gradient"), 0, name);
      }
    }
  });
  judgement.item("sum", [&](ItemJudgement& item) {
    for (int ranks = 1; ranks <= max_ranks; ++ranks) {
      outcome.require(reduce_of(ranks));
      const auto n = n_of(inputs, reduced_of(ranks));
      std::vector<double> sum(static_cast<std::size_t>(n));
      for (int rank = 0; rank < ranks; ++rank) {
        const Compressed mine = taken(inputs, reduced_of(ranks), rank);
        const auto places = mine.places.to_vector<std::int64_t>();
        const auto values = mine.values.to(kDouble).to_vector<double>();
        for (std::size_t i = 0; i < places.size(); ++i)
          sum[static_cast<std::size_t>(places[i])] += values[i];
      }
      const Tensor expected = from_blob(sum.data(), {n}, kDouble).to(kFloat);
      for (int rank = 0; rank < ranks; ++rank) {
        const auto name = of_rank(reduce_of(ranks), rank);
        item.close(expected, outcome.tensor(name), 1e-5, name);
      }
    }
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    for (int ranks = 2; ranks <= max_ranks; ++ranks) {
      const auto& recording = outcome.recording(reduce_of(ranks));
      const auto k = k_of(inputs, reduced_of(ranks));
      for (int rank = 0; rank < ranks; ++rank) {
        const auto sent = sent_bytes(recording, rank, [](int) { return true; });
        item.at_most(std::int64_t{12} * (ranks - 1) * k + 100, sent, "bytes sent",
                     of_rank(reduce_of(ranks), rank));
      }
    }
  });
}

}  // namespace d2l::check
