// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

// One to five parts. The first has more than 65535 rows in the call with two parts; of
// five, the first and the third have none. The second step has other rows and other
// parameters, so nothing that was kept is right.
constexpr int max_parts = 5;
constexpr int steps = 2;

Device device_of(int i) { return num_gpus() == 0 ? cpu() : gpu(i % num_gpus()); }

std::string numbered(const std::string& what, int i) {
  return what + " " + std::to_string(i);
}

std::string call_of(int parts, int step) {
  return "compute_gradients(" + counted(parts, "parts") + "), step " +
         std::to_string(step + 1);
}

std::string result_of(int parts, int step, int i, const char* what) {
  return call_of(parts, step) + ", " + what + " of copy " + std::to_string(i);
}

/// What a part has in a step. The second step goes through the parts' rows with the
/// opposite sign, and a little larger.
Tensor part_of(const Inputs& inputs, const std::string& what, int parts, int step,
               int i) {
  const bool is_long = parts == 2 && i == 0;
  const bool is_empty = parts == max_parts && i == 0;
  const Tensor part = inputs.tensor(is_long ? "long " + what : numbered(what, i));
  return (is_empty ? part.narrow(0, 0, 0) : part) * (step == 0 ? 1.0 : -1.25);
}

/// The parameters in a step.
Tensor parameter_of(const Inputs& inputs, const std::string& what, int step) {
  return inputs.tensor(what) * (step == 0 ? 1.0 : 0.75);
}

/// What the rows of the first parts have together, in float64.
Tensor joined(const Inputs& inputs, const std::string& what, int parts, int step) {
  std::vector<Tensor> all;
  for (int i = 0; i < parts; ++i)
    all.push_back(part_of(inputs, what, parts, step, i).to(kDouble));
  return cat(all);
}

/// The derivatives of mean((xW + b − y)²) by its residual: 2 (xW + b − y) / number of
/// elements.
Tensor by_residual(const Inputs& inputs, int parts, int step) {
  const Tensor residual =
      joined(inputs, "x", parts, step).mm(parameter_of(inputs, "W", step).to(kDouble)) +
      parameter_of(inputs, "b", step).to(kDouble) - joined(inputs, "y", parts, step);
  return residual * (2.0 / static_cast<double>(residual.numel()));
}

}  // namespace

std::vector<Item> items() {
  return {
      {"gradient", 3, Kind::result, "the gradients are those of the whole batch", 1},
      {"empty", 1, Kind::result, "a part without rows changes nothing", 2},
      {"fresh", 1, Kind::result, "earlier gradients are replaced", 3},
      {"equal", 1, Kind::result, "the gradients of all copies are bit-identical", 4},
      {"host", 1, Kind::cost, "the host waits for nothing, and nothing is copied to it",
       4}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto features = inputs.draw(2, 5);
  const auto outputs = inputs.draw(2, 4);
  for (int i = 0; i < max_parts; ++i) {
    // The third part has no rows; the others have different numbers of them.
    const std::int64_t rows = i == 2 ? 0 : inputs.draw(2, 4) + std::int64_t{4} * i;
    inputs.put(numbered("x", i), randn({rows, features}));
    inputs.put(numbered("y", i), randn({rows, outputs}));
  }
  const auto many = inputs.draw(66000, 67000);
  inputs.put("long x", randn({many, features}));
  inputs.put("long y", randn({many, outputs}));
  inputs.put("W", randn({features, outputs}));
  inputs.put("b", randn({outputs}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int parts = 1; parts <= max_parts; ++parts) {
    std::vector<Parameters> copies;
    for (int i = 0; i < parts; ++i) {
      copies.push_back({inputs.tensor("W").copy_to(device_of(i)).requires_grad_(),
                        inputs.tensor("b").copy_to(device_of(i)).requires_grad_()});
    }
    for (int step = 0; step < steps; ++step) {
      std::vector<Tensor> x;
      std::vector<Tensor> y;
      for (int i = 0; i < parts; ++i) {
        x.push_back(part_of(inputs, "x", parts, step, i).copy_to(device_of(i)));
        y.push_back(part_of(inputs, "y", parts, step, i).copy_to(device_of(i)));
        const NoGradGuard no_gradients;
        const auto& [W, b] = copies[static_cast<std::size_t>(i)];
        Tensor(W).copy_(parameter_of(inputs, "W", step));
        Tensor(b).copy_(parameter_of(inputs, "b", step));
      }
      if (!outcome.attempt(call_of(parts, step),
                           [&] { compute_gradients(x, y, copies); }))
        break;
      for (int i = 0; i < parts; ++i) {
        const auto& [W, b] = copies[static_cast<std::size_t>(i)];
        if (W.grad().defined())
          outcome.result(result_of(parts, step, i, "W.grad()"), W.grad());
        if (b.grad().defined())
          outcome.result(result_of(parts, step, i, "b.grad()"), b.grad());
      }
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto expect_gradients = [&](ItemJudgement& item, int parts, int step) {
    outcome.require(call_of(parts, step));
    const Tensor change = by_residual(inputs, parts, step);
    const Tensor of_W = joined(inputs, "x", parts, step).t().mm(change).to(kFloat);
    const Tensor of_b = change.sum(0).to(kFloat);
    for (int i = 0; i < parts; ++i) {
      for (const auto& [what, expected] :
           {std::pair{"W.grad()", of_W}, std::pair{"b.grad()", of_b}}) {
        const auto name = result_of(parts, step, i, what);
        item.placed(outcome, name, device_of(i));
        item.close(expected, outcome.tensor(name), 1e-4, name, 0.1);
      }
    }
  };
  judgement.item("gradient", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= 2; ++parts) expect_gradients(item, parts, 0);
  });
  judgement.item("empty", [&](ItemJudgement& item) {
    for (int parts = 3; parts <= max_parts; ++parts) expect_gradients(item, parts, 0);
  });
  judgement.item("fresh", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= max_parts; ++parts) expect_gradients(item, parts, 1);
  });
  const auto each_step = [](const std::function<void(int, int)>& look) {
    for (int parts = 1; parts <= max_parts; ++parts) {
      for (int step = 0; step < steps; ++step) look(parts, step);
    }
  };
  judgement.item("equal", [&](ItemJudgement& item) {
    each_step([&](int parts, int step) {
      outcome.require(call_of(parts, step));
      for (int i = 1; i < parts; ++i) {
        for (const char* what : {"W.grad()", "b.grad()"}) {
          const auto name = result_of(parts, step, i, what);
          item.expect(outcome.tensor(name).equal(
                          outcome.tensor(result_of(parts, step, 0, what))),
                      "the bits of copy 0", "other bits", name);
        }
      }
    });
  });
  judgement.item("host", [&](ItemJudgement& item) {
    each_step([&](int parts, int step) {
      const Recording& recording = outcome.recording(call_of(parts, step));
      item.equal(0, recording.synchronisations(), "waits of the host",
                 call_of(parts, step));
      item.equal(0, recording.copies_to_host(), "copies to the host",
                 call_of(parts, step));
    });
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
