// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int max_ranks = 5;
constexpr int world_sizes[] = {2, 3, 4, 5};
constexpr int long_ranks = 3;  // on so many ranks, a has more than 65535 numbers
constexpr int wide_ranks = 4;  // on so many, all tensors are float64

std::string numbered(const std::string& what, int rank) {
  return what + " " + std::to_string(rank);
}
std::string call_of(const std::string& function, int ranks) {
  return function + " on " + counted(ranks, "ranks");
}

/// The tensor a or b of a rank.
Tensor data_of(const Inputs& inputs, const std::string& what, int ranks, int rank) {
  const Tensor data = inputs.tensor(numbered(what, rank));
  if (ranks == wide_ranks) return data.clone();
  const Tensor narrow = data.to(kFloat);
  return ranks == long_ranks && what == "a" ? cat({inputs.tensor("long"), narrow})
                                            : narrow;
}

/// The losses of a rank. With a shift of 0 rank 1 has none, with one of 1 rank 0.
std::vector<double> losses_of(const Inputs& inputs, int rank, int shift) {
  return inputs.tensor(numbered("losses", (rank + shift) % max_ranks))
      .to_vector<double>();
}

/// What is not finite in a case of sum_if_finite.
struct Broken {
  const char* name;
  std::map<int, double> values;  ///< by rank; -1 is the last one
  bool at_end = false;           ///< the last number of the rank, else the first
};

const std::vector<Broken>& broken_cases() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  static const std::vector<Broken> cases{
      {"sum_if_finite, one is infinite", {{1, inf}}},
      {"sum_if_finite, rank 0 has a NaN", {{0, NAN}}, true},
      {"sum_if_finite, the last rank has -inf", {{-1, -inf}}, true},
      {"sum_if_finite, ranks have inf and -inf", {{0, inf}, {1, -inf}}}};
  return cases;
}

Tensor broken_data_of(const Inputs& inputs, const Broken& broken, int ranks, int rank) {
  Tensor data = data_of(inputs, "a", ranks, rank);
  for (const auto& [of, value] : broken.values) {
    if ((of < 0 ? ranks - 1 : of) == rank)
      data[broken.at_end ? data.numel() - 1 : 0] = value;
  }
  return data;
}

/// Finite numbers; the sum of any two overflows float32.
Tensor huge_of(const Inputs& inputs, int ranks, int rank) {
  return zeros_like(data_of(inputs, "b", ranks, rank)) + 3e38;
}

Tensor sum_of(const Inputs& inputs, const std::string& what, int ranks) {
  Tensor sum = data_of(inputs, what, ranks, 0).to(kDouble);
  for (int rank = 1; rank < ranks; ++rank)
    sum = sum + data_of(inputs, what, ranks, rank).to(kDouble);
  return sum.to(data_of(inputs, what, ranks, 0).dtype());
}

/// A log that takes a while to write. What a rank writes into it is its tensor b.
class Log {
 public:
  explicit Log(int ranks) : ranks_(ranks) {}
  /// A rank is about to call write_log().
  void begin() { ++begun_; }
  void write(const Tensor& text) {
    // A rank that does not wait is seen: all have begun, and have time to return.
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (begun_ < ranks_ && std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    const std::lock_guard lock(mutex_);
    text_ = cat({text_, text});
  }
  /// What is written so far.
  Tensor read() {
    const std::lock_guard lock(mutex_);
    return text_.clone();
  }

 private:
  int ranks_;
  std::atomic<int> begun_ = 0;
  std::mutex mutex_;
  Tensor text_ = zeros({0});
};

}  // namespace

std::vector<Item> items() {
  return {{"mean_loss", 2, Kind::result, "the mean of all losses", 1},
          {"from_rank_0", 1, Kind::result, "the tensor of rank 0, on every rank", 2},
          {"write_log", 1, Kind::timing,
           "no rank returns before rank 0 has written the log", 3},
          {"two_sums", 1, Kind::result, "the sums of a and of b", 4},
          {"sum_if_finite", 2, Kind::result, "the sum, or zeros on every rank", 5}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(2, 6);
  for (int rank = 0; rank < max_ranks; ++rank) {
    inputs.put(numbered("a", rank), randn({n}, kDouble));
    inputs.put(numbered("b", rank), randn({n + 1}, kDouble));
    const std::int64_t losses = rank == 1   ? 0
                                : rank == 2 ? 3000
                                            : rank + inputs.draw(1, 2);
    inputs.put(numbered("losses", rank), rand({losses}, kDouble));
  }
  inputs.put("long", randn({inputs.draw(66000, 67000)}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  // After a function has failed on some ranks, it is not called on more: each failure
  // may be a wait.
  const auto each = [&](const std::string& function,
                        const std::function<Tensor(int ranks, int rank)>& work) {
    for (const int ranks : world_sizes) {
      const auto work_of = [&](int rank) { return work(ranks, rank); };
      if (!attempt_ranks(outcome, call_of(function, ranks), ranks, work_of)) return;
    }
  };
  each("mean_loss", [&](int, int rank) {
    return full({1}, mean_loss(losses_of(inputs, rank, 0)), kDouble);
  });
  each("mean_loss, rank 0 has none", [&](int, int rank) {
    return full({1}, mean_loss(losses_of(inputs, rank, 1)), kDouble);
  });
  each("from_rank_0", [&](int ranks, int rank) {
    return from_rank_0(data_of(inputs, "a", ranks, rank));
  });
  each("two_sums", [&](int ranks, int rank) {
    const auto [a, b] =
        two_sums(data_of(inputs, "a", ranks, rank), data_of(inputs, "b", ranks, rank));
    return cat({a, b});
  });
  each("sum_if_finite", [&](int ranks, int rank) {
    return sum_if_finite(data_of(inputs, "a", ranks, rank));
  });
  for (const Broken& broken : broken_cases()) {
    each(broken.name, [&](int ranks, int rank) {
      return sum_if_finite(broken_data_of(inputs, broken, ranks, rank));
    });
  }
  each("sum_if_finite, huge numbers", [&](int ranks, int rank) {
    return sum_if_finite(huge_of(inputs, ranks, rank));
  });
  for (const int ranks : world_sizes) {
    Log log(ranks);
    const bool returned =
        attempt_ranks(outcome, call_of("write_log", ranks), ranks, [&](int rank) {
          log.begin();
          write_log([&] { log.write(data_of(inputs, "b", max_ranks, rank)); });
          return log.read();
        });
    if (!returned) break;
    outcome.put(call_of("write_log", ranks) + ", at the end", log.read());
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each = [&](ItemJudgement& item, const std::string& function,
                        const std::function<Tensor(int ranks)>& expected,
                        double least = 0) {
    for (const int ranks : world_sizes) {
      const auto call = call_of(function, ranks);
      outcome.require(call);
      for (int rank = 0; rank < ranks; ++rank) {
        const Tensor wanted = expected(ranks);
        const double tolerance = wanted.dtype() == kDouble ? 1e-12 : 1e-5;
        item.close(wanted, outcome.tensor(of_rank(call, rank)), tolerance,
                   of_rank(call, rank), least);
      }
    }
  };
  judgement.item("mean_loss", [&](ItemJudgement& item) {
    for (int shift = 0; shift < 2; ++shift) {
      each(item, shift == 0 ? "mean_loss" : "mean_loss, rank 0 has none",
           [&](int ranks) {
             double sum = 0;
             double count = 0;
             for (int rank = 0; rank < ranks; ++rank) {
               for (const double loss : losses_of(inputs, rank, shift)) sum += loss;
               count += static_cast<double>(losses_of(inputs, rank, shift).size());
             }
             return full({1}, sum / count, kDouble);
           });
    }
  });
  judgement.item("from_rank_0", [&](ItemJudgement& item) {
    each(item, "from_rank_0",
         [&](int ranks) { return data_of(inputs, "a", ranks, 0); });
  });
  judgement.item("write_log", [&](ItemJudgement& item) {
    const Tensor text = data_of(inputs, "b", max_ranks, 0);
    each(item, "write_log", [&](int /*ranks*/) { return Tensor(text); });
    for (const int ranks : world_sizes) {
      const auto name = call_of("write_log", ranks) + ", at the end";
      item.close(text, outcome.tensor(name), 0, name);
    }
  });
  judgement.item("two_sums", [&](ItemJudgement& item) {
    each(
        item, "two_sums",
        [&](int ranks) {
          return cat({sum_of(inputs, "a", ranks), sum_of(inputs, "b", ranks)});
        },
        1);
  });
  judgement.item("sum_if_finite", [&](ItemJudgement& item) {
    each(
        item, "sum_if_finite", [&](int ranks) { return sum_of(inputs, "a", ranks); },
        1);
    for (const Broken& broken : broken_cases()) {
      each(item, broken.name,
           [&](int ranks) { return zeros_like(data_of(inputs, "a", ranks, 0)); });
    }
    each(item, "sum_if_finite, huge numbers", [&](int ranks) {
      const Tensor one = huge_of(inputs, ranks, 0);
      return (one.to(kDouble) * ranks).to(one.dtype());
    });
  });
}

}  // namespace d2l::check
