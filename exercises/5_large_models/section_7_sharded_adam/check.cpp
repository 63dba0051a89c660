// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int steps = 3;

/// Half of the cases have an ε as large as the gradients. Without it, Adam would make
/// the same step for the sum of the gradients as for their mean.
struct Case {
  int ranks;
  const char* kind;
  bool large_eps;
  [[nodiscard]] std::string name() const {
    return "sharded_adam on " + counted(ranks, "ranks") + ", " + kind;
  }
  [[nodiscard]] bool has_equal_slices() const { return kind == std::string("n = c N"); }
};

constexpr Case cases[] = {
    {2, "n = c N", true},     {3, "n = c N", false},    {4, "n = c N", true},
    {2, "a rest of 1", true}, {3, "a rest of 2", true}, {4, "a rest of 1", false},
    {5, "a rest of 4", true}, {5, "n = 3", true},       {2, "n = 1", true},
    {1, "one rank", true},    {2, "many", false}};

std::int64_t draw_n(Inputs& inputs, const Case& one) {
  const std::string kind = one.kind;
  if (kind == "n = 3") return 3;
  if (kind == "n = 1") return 1;
  if (kind == "many") return 66001 + 2 * inputs.draw(0, 900);
  const std::int64_t whole = one.ranks * inputs.draw(20, 60);
  if (kind == "a rest of 1") return whole + 1;
  if (kind == "a rest of 2") return whole + 2;
  return kind == "a rest of 4" ? whole + 4 : whole;
}

/// The gradients of all ranks in all steps: an element has one sign on all ranks and is
/// not near 0, so that rounding does not decide its direction.
Tensor draw_gradients(std::int64_t ranks, std::int64_t n) {
  const Tensor sign = (randn({steps, 1, n}) > 0).to(kFloat) * 2 - 1;
  const Tensor base = rand({steps, 1, n}) + 0.1;
  return sign * base * (rand({steps, ranks, n}) + 0.5);
}

AdamSettings settings_of(const Inputs& inputs, const Case& one) {
  const auto number = [&](const char* what) {
    return static_cast<double>(inputs.integer(key(one.name(), what)));
  };
  return {number("lr") / 1000, number("beta1") / 100, number("beta2") / 1000,
          one.large_eps ? number("eps") / 1000 : 1e-8};
}

std::int64_t live_bytes() {
  return TransferLedger().memory_over_time(cpu()).front().bytes;
}

std::int64_t bytes_of(const Tensor& tensor) {
  return tensor.defined() ? tensor.nbytes() : 0;
}

std::int64_t slice_bytes(const Inputs& inputs, const Case& one) {
  const std::int64_t n = inputs.tensor(key(one.name(), "parameters")).numel();
  return 4 * ((n + one.ranks - 1) / one.ranks);
}

/// Adam in double precision, on all parameters at once.
Tensor expected(const Inputs& inputs, const Case& one) {
  const AdamSettings settings = settings_of(inputs, one);
  auto values = inputs.tensor(key(one.name(), "parameters")).to_vector<double>();
  const Tensor gradients = inputs.tensor(key(one.name(), "gradients")).to(kDouble);
  std::vector<double> mean(values.size());
  std::vector<double> square(values.size());
  for (int t = 1; t <= steps; ++t) {
    const auto g = gradients[t - 1].mean(0).to_vector<double>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      mean[i] += (1 - settings.beta1) * (g[i] - mean[i]);
      square[i] += (1 - settings.beta2) * (g[i] * g[i] - square[i]);
      const double m = mean[i] / (1 - std::pow(settings.beta1, t));
      const double v = square[i] / (1 - std::pow(settings.beta2, t));
      values[i] -= settings.lr * m / (std::sqrt(v) + settings.eps);
    }
  }
  return tensor(values, kDouble).to(kFloat);
}

void run_case(const Inputs& inputs, Outcome& outcome, const Case& one, bool& returned) {
  const auto name = one.name();
  const AdamSettings settings = settings_of(inputs, one);
  const Tensor given = inputs.tensor(key(name, "parameters"));
  const auto ranks = static_cast<std::size_t>(one.ranks);
  std::vector<Tensor> parameters;
  std::vector<Tensor> memory;
  std::vector<Tensor> gradients;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    parameters.push_back(given.clone());
    memory.push_back(parameters[rank].view(given.sizes()));
    const Tensor of_all = inputs.tensor(key(name, "gradients"));
    gradients.push_back(of_all.select(1, static_cast<std::int64_t>(rank)).clone());
  }
  std::vector<AdamState> states(ranks);
  const std::int64_t before = live_bytes();
  returned = attempt_ranks(outcome, name, one.ranks, [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    states[r] = make_state(given.numel());
    for (int step = 0; step < steps; ++step)
      sharded_adam(parameters[r], gradients[r][step], states[r], settings);
    return Tensor();
  });
  if (!returned) return;
  outcome.put(key(name, "kept"), live_bytes() - before);
  for (int rank = 0; rank < one.ranks; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    const auto of = of_rank(name, rank);
    outcome.put(key(of, "parameters"), memory[r]);
    outcome.put(key(of, "gradients"), gradients[r]);
    outcome.put(key(of, "state"),
                bytes_of(states[r].mean) + bytes_of(states[r].square));
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 3, Kind::result, "the parameters are those of Adam", 1},
      {"sizes", 2, Kind::result, "slices may be shorter, and there may be one rank", 2},
      {"same", 1, Kind::result, "all ranks have the same parameters", 3},
      {"gradient", 1, Kind::result, "the gradient does not change", 1},
      {"state", 2, Kind::cost, "a rank keeps the state of its slice alone", 4},
      {"bytes", 2, Kind::cost, "a rank sends at most 2(N − 1) c numbers in a step", 5}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const Case& one : cases) {
    const std::int64_t n = draw_n(inputs, one);
    inputs.put(key(one.name(), "parameters"), rand({n}) * 2 - 1);
    inputs.put(key(one.name(), "gradients"), draw_gradients(one.ranks, n));
    inputs.put(key(one.name(), "lr"), inputs.draw(20, 50));
    inputs.put(key(one.name(), "beta1"), inputs.draw(70, 90));
    inputs.put(key(one.name(), "beta2"), inputs.draw(950, 999));
    inputs.put(key(one.name(), "eps"), inputs.draw(200, 500));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases) {
    bool returned = false;
    run_case(inputs, outcome, one, returned);
    if (!returned) return;  // the others would wait as long
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  using Look = std::function<void(const Case&, const std::string&, int)>;
  const auto each = [&](const Look& look) {
    for (const Case& one : cases) {
      outcome.require(one.name());
      for (int rank = 0; rank < one.ranks; ++rank)
        look(one, of_rank(one.name(), rank), rank);
    }
  };
  const auto expect_adam = [&](ItemJudgement& item, bool equal_slices) {
    each([&](const Case& one, const std::string& name, int /*rank*/) {
      if (one.has_equal_slices() != equal_slices) return;
      item.close(expected(inputs, one), outcome.tensor(key(name, "parameters")), 1e-5,
                 name);
    });
  };
  judgement.item("values", [&](ItemJudgement& item) { expect_adam(item, true); });
  judgement.item("sizes", [&](ItemJudgement& item) { expect_adam(item, false); });
  judgement.item("same", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name, int /*rank*/) {
      const Tensor found = outcome.tensor(key(name, "parameters"));
      if (one.has_equal_slices())
        item.expect(!found.equal(inputs.tensor(key(one.name(), "parameters"))),
                    "parameters that have changed", "those before the steps", name);
      item.close(outcome.tensor(key(of_rank(one.name(), 0), "parameters")), found, 0,
                 name);
    });
  });
  judgement.item("gradient", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name, int rank) {
      item.close(inputs.tensor(key(one.name(), "gradients")).select(1, rank),
                 outcome.tensor(key(name, "gradients")), 0, name);
    });
  });
  judgement.item("state", [&](ItemJudgement& item) {
    for (const Case& one : cases) {
      const auto name = one.name();
      outcome.require(name);
      const std::int64_t limit = 2 * slice_bytes(inputs, one);
      std::int64_t sum = 0;
      for (int rank = 0; rank < one.ranks; ++rank) {
        const auto of = of_rank(name, rank);
        const std::int64_t bytes = outcome.integer(key(of, "state"));
        item.at_most(limit, bytes, "bytes of state", of);
        sum += bytes;
      }
      const Tensor given = inputs.tensor(key(name, "parameters"));
      if (one.has_equal_slices())
        item.at_least(2 * given.nbytes(), sum, "bytes of state of all ranks", name);
      item.at_most(one.ranks * limit, outcome.integer(key(name, "kept")),
                   "bytes kept by all ranks", name);
    }
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    each([&](const Case& one, const std::string& name, int rank) {
      const std::int64_t limit =
          std::int64_t{2} * (one.ranks - 1) * slice_bytes(inputs, one) * steps;
      const std::int64_t sent =
          sent_bytes(outcome.recording(one.name()), rank, [](int) { return true; });
      if (one.has_equal_slices()) item.at_least(1, sent, "bytes sent", name);
      item.at_most(limit, sent, "bytes sent", name);
    });
  });
}

}  // namespace d2l::check
