// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int max_ranks = 5;
constexpr int cases = 8;

/// What a case of straggler shows.
const char* const case_names[cases] = {
    "a slow rank",   "no slow rank",
    "a slow step",   "nearly slow",
    "equally slow",  "half of the steps slow",
    "one step each", "a slow rank in a thousand steps"};
constexpr int one_step = 6;
constexpr int thousand_steps = 7;

/// The gradients: of two dimensions; on three ranks with more than 65535 numbers; on
/// four of one dimension.
Tensor shaped(const Tensor& drawn, const Tensor& numbers, int ranks) {
  return ranks == 3 ? numbers : ranks == 4 ? drawn.flatten() : drawn;
}

std::string straggler_of(int which, int ranks) {
  return "straggler with " + std::string(case_names[which]) + " of " +
         counted(ranks, "ranks");
}
std::string seconds_of(int which, int ranks, int rank) {
  return "seconds, " + straggler_of(which, ranks) + ", " + std::to_string(rank);
}
std::string mean_of(int ranks, int late) {
  return "mean_of_punctual on " + counted(ranks, "ranks") + ", " +
         std::to_string(late) + " of them late";
}
/// An all-reduce of n + 1 numbers, as the library makes it.
std::string reference_of(int ranks) {
  return "all_reduce on " + counted(ranks, "ranks");
}
/// The late ranks are the first ones, except that with one late rank it is the last.
bool is_late(int rank, int ranks, int late) {
  return late == 1 ? rank == ranks - 1 : rank < late;
}

std::string gradient_of(int ranks, int rank) {
  return "gradient of rank " + std::to_string(rank) + " of " + std::to_string(ranks);
}
/// What a late rank has: some of the numbers are there, others are NaN or infinite.
Tensor gradient_given(const Inputs& inputs, int ranks, int late, int rank) {
  Tensor gradient = inputs.tensor(gradient_of(ranks, rank)).clone();
  if (!is_late(rank, ranks, late)) return gradient;
  gradient.narrow(0, 3, 5).fill_(NAN);
  gradient.narrow(0, 7, 1).fill_(-INFINITY);
  return gradient;
}

/// The number at a place when they are sorted, by counting.
double nth(const std::vector<double>& numbers, std::size_t place) {
  for (const double candidate : numbers) {
    const auto less = std::count_if(numbers.begin(), numbers.end(),
                                    [&](double x) { return x < candidate; });
    const auto same = std::count(numbers.begin(), numbers.end(), candidate);
    if (static_cast<std::size_t>(less) <= place &&
        place < static_cast<std::size_t>(less + same))
      return candidate;
  }
  return NAN;
}

int expected_straggler(const Inputs& inputs, int which, int ranks) {
  std::vector<double> times;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto seconds =
        inputs.tensor(seconds_of(which, ranks, rank)).to_vector<double>();
    times.push_back(nth(seconds, seconds.size() / 2));
  }
  const double limit = 1.5 * nth(times, (times.size() - 1) / 2);
  const double largest = nth(times, times.size() - 1);
  if (largest <= limit) return -1;
  int rank = 0;
  while (times[static_cast<std::size_t>(rank)] < largest) ++rank;
  return rank;
}

}  // namespace

std::vector<Item> items() {
  return {
      {"slow", 3, Kind::result, "the slow rank is found, by all ranks", 1},
      {"none", 2, Kind::result, "without a slow rank the result is -1", 2},
      {"mean", 3, Kind::result,
       "all ranks get the mean of the gradients that are in time", 3},
      {"incomplete", 1, Kind::result, "the mean does not depend on late gradients", 4},
      {"given", 1, Kind::result, "the given gradient does not change", 3},
      {"times", 1, Kind::cost,
       "a rank sends at most 8 bytes to every other rank for its time", 1},
      {"bytes", 2, Kind::cost, "the mean takes one collective of n + 1 numbers", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (int which = 0; which < cases; ++which) {
    for (int ranks = 1; ranks <= max_ranks; ++ranks) {
      const std::int64_t steps = which == one_step         ? 1
                                 : which == thousand_steps ? 1000
                                 : which == 5              ? 2 * inputs.draw(2, 4)
                                                           : inputs.draw(3, 8);
      const auto slow = inputs.draw(0, ranks - 1);
      const auto also_slow = (slow + 1) % ranks;
      for (int rank = 0; rank < ranks; ++rank) {
        // Multiples of 1/64 are exact, so 1.5 times one of them is, too.
        std::vector<double> seconds;
        for (std::int64_t i = 0; i < steps; ++i)
          seconds.push_back(static_cast<double>(inputs.draw(70, 80)) / 64);
        const auto step = static_cast<std::size_t>(inputs.draw(0, steps - 1));
        if (which == 2 && rank == slow) seconds[step] *= 20;
        if (which == one_step && rank == slow) seconds[0] *= 3;
        if ((which == 0 || which == thousand_steps) && rank == slow) {
          for (double& one : seconds) one *= 2;
          seconds[step] = 1.0 / 64;
        }
        if (which == 3)
          std::fill(seconds.begin(), seconds.end(), rank == slow ? 1.5 : 1);
        if (which == 4)
          std::fill(seconds.begin(), seconds.end(),
                    rank == slow || rank == also_slow ? 1.75 : 1);
        if (which == 5 && rank == slow) {
          // Of the sorted steps, the larger half is slow.
          for (std::size_t i = 0; i < seconds.size(); ++i)
            seconds[i] = i < seconds.size() - seconds.size() / 2 ? 2 : 1;
        }
        inputs.put(seconds_of(which, ranks, rank),
                   from_blob(seconds.data(),
                             {static_cast<std::int64_t>(seconds.size())}, kDouble)
                       .clone());
      }
    }
  }
  const auto rows = inputs.draw(20, 30);
  const auto many = inputs.draw(11000, 11200);
  for (int ranks = 1; ranks <= max_ranks; ++ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
      inputs.put(gradient_of(ranks, rank),
                 shaped(randn({rows, 6}), randn({ranks == 3 ? many : 1, 6}), ranks));
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int which = 0; which < cases; ++which) {
    for (int ranks = 1; ranks <= max_ranks; ++ranks) {
      const auto name = straggler_of(which, ranks);
      const bool returned = attempt_ranks(outcome, name, ranks, [&](int rank) {
        const int found = straggler(
            inputs.tensor(seconds_of(which, ranks, rank)).to_vector<double>());
        return full({1}, found, kLong);
      });
      if (!returned) return;  // the others would wait as long
    }
  }
  for (int ranks = 1; ranks <= max_ranks; ++ranks) {
    attempt_ranks(outcome, reference_of(ranks), ranks, [&](int /*rank*/) {
      Tensor numbers = ones({inputs.tensor(gradient_of(ranks, 0)).numel() + 1});
      distributed::all_reduce(numbers).wait();
      return numbers;
    });
    for (int late = 0; late <= ranks; ++late) {
      std::vector<Tensor> gradients;
      for (int rank = 0; rank < ranks; ++rank) {
        gradients.push_back(gradient_given(inputs, ranks, late, rank));
      }
      const bool returned =
          attempt_ranks(outcome, mean_of(ranks, late), ranks, [&](int rank) {
            return mean_of_punctual(gradients[static_cast<std::size_t>(rank)],
                                    !is_late(rank, ranks, late));
          });
      if (!returned) return;
      for (int rank = 0; rank < ranks; ++rank) {
        outcome.put(of_rank(mean_of(ranks, late), rank) + ": gradient",
                    gradients[static_cast<std::size_t>(rank)]);
      }
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto expect_result = [&](ItemJudgement& item, bool is_slow) {
    for (int which = 0; which < cases; ++which) {
      for (int ranks = 1; ranks <= max_ranks; ++ranks) {
        outcome.require(straggler_of(which, ranks));
        const int expected = expected_straggler(inputs, which, ranks);
        if ((expected >= 0) != is_slow) continue;
        for (int rank = 0; rank < ranks; ++rank) {
          const auto name = of_rank(straggler_of(which, ranks), rank);
          const auto found = outcome.tensor(name).item<std::int64_t>();
          item.expect(found == expected, "rank " + std::to_string(expected),
                      "rank " + std::to_string(found), name);
        }
      }
    }
  };
  judgement.item("slow", [&](ItemJudgement& item) { expect_result(item, true); });
  judgement.item("none", [&](ItemJudgement& item) { expect_result(item, false); });
  const auto each =
      [&](const std::function<void(int, int, int, const std::string&)>& look) {
        for (int ranks = 1; ranks <= max_ranks; ++ranks) {
          for (int late = 0; late <= ranks; ++late) {
            outcome.require(mean_of(ranks, late));
            for (int rank = 0; rank < ranks; ++rank)
              look(ranks, late, rank, of_rank(mean_of(ranks, late), rank));
          }
        }
      };
  // The mean of the rows that are complete in late gradients, or of the others.
  const auto expect_rows = [&](ItemJudgement& item, bool complete) {
    each([&](int ranks, int late, int /*rank*/, const std::string& name) {
      Tensor sum = zeros_like(inputs.tensor(gradient_of(ranks, 0)).to(kDouble));
      for (int r = 0; r < ranks; ++r) {
        if (!is_late(r, ranks, late))
          sum = sum + inputs.tensor(gradient_of(ranks, r)).to(kDouble);
      }
      const Tensor expected = (sum / std::max(1, ranks - late)).to(kFloat);
      const Tensor found = outcome.tensor(name);
      item.expect(found.sizes() == expected.sizes(), repr(expected.sizes()),
                  repr(found.sizes()), name);
      if (found.sizes() != expected.sizes()) return;
      const auto part = [&](const Tensor& all) {
        return complete ? cat({all.narrow(0, 0, 3), all.narrow(0, 8, all.size(0) - 8)})
                        : all.narrow(0, 3, 5);
      };
      item.close(part(expected), part(found), 1e-5, name);
    });
  };
  judgement.item("mean", [&](ItemJudgement& item) { expect_rows(item, true); });
  judgement.item("incomplete", [&](ItemJudgement& item) { expect_rows(item, false); });
  judgement.item("given", [&](ItemJudgement& item) {
    each([&](int ranks, int late, int rank, const std::string& name) {
      // NaN is not equal to itself.
      const auto comparable = [](const Tensor& tensor) {
        return where(tensor.isnan(), full_like(tensor, 12345), tensor);
      };
      item.close(comparable(gradient_given(inputs, ranks, late, rank)),
                 comparable(outcome.tensor(name + ": gradient")), 0, name);
    });
  });
  const auto sent = [&](const std::string& call, int rank) {
    return sent_bytes(outcome.recording(call), rank, [](int) { return true; });
  };
  judgement.item("times", [&](ItemJudgement& item) {
    for (int which = 0; which < cases; ++which) {
      for (int ranks = 2; ranks <= max_ranks; ++ranks) {
        const auto name = straggler_of(which, ranks);
        for (int rank = 0; rank < ranks; ++rank) {
          item.at_least(1, sent(name, rank), "bytes sent", of_rank(name, rank));
          item.at_most(std::int64_t{8} * (ranks - 1), sent(name, rank), "bytes sent",
                       of_rank(name, rank));
        }
      }
    }
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    each([&](int ranks, int late, int rank, const std::string& name) {
      if (ranks == 1) return;
      item.at_least(1, sent(mean_of(ranks, late), rank), "bytes sent", name);
      item.at_most(sent(reference_of(ranks), rank), sent(mean_of(ranks, late), rank),
                   "bytes sent", name);
      item.at_most(sent_messages(outcome.recording(reference_of(ranks)), rank),
                   sent_messages(outcome.recording(mean_of(ranks, late)), rank),
                   "messages sent", name);
    });
  });
}

}  // namespace d2l::check
