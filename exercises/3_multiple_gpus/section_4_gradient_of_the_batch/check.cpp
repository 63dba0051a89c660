// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int most_parts = 4;
constexpr int steps = 2;

Device device_of(int i) { return num_gpus() == 0 ? cpu() : gpu(i % num_gpus()); }

std::string numbered(const std::string& what, int i) { return what + " " + std::to_string(i); }

std::string call_of(int parts, int step) {
  return "compute_gradients(" + counted(parts, "parts") + "), step " + std::to_string(step + 1);
}

std::string result_of(int parts, int step, int i, const char* what) {
  return call_of(parts, step) + ", " + what + " of copy " + std::to_string(i);
}

/// What the rows of the first parts have together, in float64.
Tensor joined(const Inputs& inputs, const std::string& what, int parts) {
  std::vector<Tensor> all;
  for (int i = 0; i < parts; ++i) all.push_back(inputs.tensor(numbered(what, i)).to(kDouble));
  return cat(all);
}

/// The derivatives of mean((xW + b − y)²) by its residual: 2 (xW + b − y) / number of elements.
Tensor by_residual(const Inputs& inputs, int parts) {
  const Tensor residual = joined(inputs, "x", parts).mm(inputs.tensor("W").to(kDouble)) +
                          inputs.tensor("b").to(kDouble) - joined(inputs, "y", parts);
  return residual * (2.0 / static_cast<double>(residual.numel()));
}

}  // namespace

std::vector<Item> items() {
  return {{"gradient", 3, Kind::result, "the gradients are those of the whole batch", 1},
          {"empty", 1, Kind::result, "a part without rows changes nothing", 2},
          {"fresh", 1, Kind::result, "earlier gradients do not count", 3},
          {"equal", 1, Kind::result, "all copies have the same bits", 4},
          {"host", 1, Kind::cost, "the host waits for nothing, and nothing is copied to it", 4}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto features = inputs.draw(2, 5);
  const auto outputs = inputs.draw(2, 4);
  for (int i = 0; i < most_parts; ++i) {
    // The third part has no rows; the others have different numbers of them.
    const std::int64_t rows = i == 2 ? 0 : inputs.draw(2, 4) + std::int64_t{4} * i;
    inputs.put(numbered("x", i), randn({rows, features}));
    inputs.put(numbered("y", i), randn({rows, outputs}));
  }
  inputs.put("W", randn({features, outputs}));
  inputs.put("b", randn({outputs}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int parts = 1; parts <= most_parts; ++parts) {
    std::vector<Tensor> x;
    std::vector<Tensor> y;
    std::vector<Parameters> copies;
    for (int i = 0; i < parts; ++i) {
      x.push_back(inputs.tensor(numbered("x", i)).copy_to(device_of(i)));
      y.push_back(inputs.tensor(numbered("y", i)).copy_to(device_of(i)));
      copies.push_back({inputs.tensor("W").copy_to(device_of(i)).requires_grad_(),
                        inputs.tensor("b").copy_to(device_of(i)).requires_grad_()});
    }
    for (int step = 0; step < steps; ++step) {
      if (!outcome.attempt(call_of(parts, step), [&] { compute_gradients(x, y, copies); })) break;
      for (int i = 0; i < parts; ++i) {
        const auto& [W, b] = copies[static_cast<std::size_t>(i)];
        if (W.grad().defined()) outcome.result(result_of(parts, step, i, "W.grad()"), W.grad());
        if (b.grad().defined()) outcome.result(result_of(parts, step, i, "b.grad()"), b.grad());
      }
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto expect_gradients = [&](ItemJudgement& item, int parts, int step) {
    static_cast<void>(outcome.recording(call_of(parts, step)));
    const Tensor change = by_residual(inputs, parts);
    const Tensor of_W = joined(inputs, "x", parts).t().mm(change).to(kFloat);
    const Tensor of_b = change.sum(0).to(kFloat);
    for (int i = 0; i < parts; ++i) {
      for (const auto& [what, expected] : {std::pair{"W.grad()", of_W}, std::pair{"b.grad()", of_b}}) {
        const auto name = result_of(parts, step, i, what);
        item.placed(outcome, name, device_of(i));
        item.close(expected, outcome.tensor(name), 1e-4, name);
      }
    }
  };
  judgement.item("gradient", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= 2; ++parts) expect_gradients(item, parts, 0);
  });
  judgement.item("empty", [&](ItemJudgement& item) {
    for (int parts = 3; parts <= most_parts; ++parts) expect_gradients(item, parts, 0);
  });
  judgement.item("fresh", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= 2; ++parts) expect_gradients(item, parts, 1);
  });
  judgement.item("equal", [&](ItemJudgement& item) {
    for (int parts = 2; parts <= most_parts; ++parts) {
      static_cast<void>(outcome.recording(call_of(parts, 0)));
      for (int i = 1; i < parts; ++i) {
        for (const char* what : {"W.grad()", "b.grad()"}) {
          item.expect(outcome.tensor(result_of(parts, 0, i, what)).equal(outcome.tensor(result_of(parts, 0, 0, what))),
                      "the bits of copy 0", "other bits", result_of(parts, 0, i, what));
        }
      }
    }
  });
  judgement.item("host", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= most_parts; ++parts) {
      const Recording& recording = outcome.recording(call_of(parts, 0));
      item.equal(0, recording.synchronisations(), "waits of the host", call_of(parts, 0));
      item.equal(0, recording.copies(Direction::device_to_host), "copies to the host", call_of(parts, 0));
    }
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
