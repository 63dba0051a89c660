// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <utility>

#include "exercise.h"

namespace d2l::check {
namespace {

/// One call: the devices of the operands, and the requested device of the sum.
struct Case {
  Device a;
  Device b;
  Device device;
  std::string first;   ///< the input that is a
  std::string second;  ///< the input that is b

  [[nodiscard]] bool apart() const { return !(a == b); }
  [[nodiscard]] bool there() const { return a == device && b == device; }
  [[nodiscard]] std::string name() const {
    return "sum_on(" + first + " on " + a.str() + ", " + second + " on " + b.str() +
           ", " + device.str() + ")";
  }
};

std::vector<Case> cases() {
  std::vector<Device> devices{cpu()};
  if (num_gpus() > 0) devices.push_back(gpu(0));
  if (num_gpus() > 1) devices.push_back(last_device());
  std::vector<Case> cases;
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {"matrix", "row"}, {"row", "matrix"}, {"matrix", "other matrix"}}) {
    for (const Device a : devices) {
      for (const Device b : devices) {
        for (const Device device : devices) {
          const Case one{a, b, device, first, second};
          if (!one.apart() || device == a || device == b) cases.push_back(one);
        }
      }
    }
  }
  return cases;
}

Tensor expected_sum(const Inputs& inputs, const Case& one) {
  const Tensor a = inputs.tensor(one.first);
  const Tensor b = inputs.tensor(one.second);
  Tensor sum = zeros(inputs.tensor("matrix").sizes());
  for (std::int64_t i = 0; i < sum.numel(); ++i) {
    sum.data_ptr<float>()[i] =
        a.data_ptr<float>()[i % a.numel()] + b.data_ptr<float>()[i % b.numel()];
  }
  return sum;
}

/// Expects one copy of `bytes` bytes between devices, or none if `bytes` is 0.
void expect_crossing(ItemJudgement& item, const Outcome& outcome, const Case& one,
                     std::int64_t bytes) {
  const auto crossed = outcome.recording(one.name()).crossings();
  item.equal(bytes == 0 ? 0 : 1, static_cast<std::int64_t>(crossed.size()),
             "copies between devices", one.name());
  if (!crossed.empty())
    item.equal(bytes, crossed.front().bytes, "bytes copied", one.name());
}

}  // namespace

std::vector<Item> items() {
  return {
      {"sum", 2, Kind::result,
       "the result is a + b on the requested device, wherever a and b are", 1},
      {"operands", 1, Kind::result, "a and b keep their values and their devices", 2},
      {"copies", 2, Kind::cost,
       "an operand on another device is copied once, unchanged, and nothing else is",
       2},
      {"together", 1, Kind::cost,
       "if both operands are on another device, only their sum is copied", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto rows = inputs.draw(3, 7);
  const auto columns = inputs.draw(9, 13);
  inputs.put("matrix", randn({rows, columns}));
  inputs.put("row", randn({columns}));
  inputs.put("other matrix", randn({rows, columns}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases()) {
    const Tensor a = inputs.tensor(one.first).copy_to(one.a);
    const Tensor b = inputs.tensor(one.second).copy_to(one.b);
    Tensor sum;
    if (!outcome.attempt(one.name(), [&] { sum = sum_on(a, b, one.device); })) continue;
    if (sum.defined()) outcome.result(one.name(), sum);
    outcome.result(one.name() + ": a", a);
    outcome.result(one.name() + ": b", b);
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("sum", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      outcome.require(one.name());
      item.placed(outcome, one.name(), one.device);
      item.close(expected_sum(inputs, one), outcome.tensor(one.name()), 1e-6,
                 one.name());
    }
  });
  judgement.item("operands", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      outcome.require(one.name());
      item.close(inputs.tensor(one.first), outcome.tensor(one.name() + ": a"), 0,
                 one.name() + ": a");
      item.close(inputs.tensor(one.second), outcome.tensor(one.name() + ": b"), 0,
                 one.name() + ": b");
      item.placed(outcome, one.name() + ": a", one.a);
      item.placed(outcome, one.name() + ": b", one.b);
    }
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      item.equal(0, outcome.recording(one.name()).copies_within(),
                 "copies within a device", one.name());
      if (!one.apart() && !one.there()) continue;
      const auto& moves = one.a == one.device ? one.second : one.first;
      expect_crossing(item, outcome, one,
                      one.there() ? 0 : inputs.tensor(moves).nbytes());
    }
    item.lacks_gpus(1);
  });
  judgement.item("together", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      if (!one.apart() && !one.there())
        expect_crossing(item, outcome, one, expected_sum(inputs, one).nbytes());
    }
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
