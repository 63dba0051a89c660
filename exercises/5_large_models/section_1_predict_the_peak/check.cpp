// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

const std::vector<std::string> optimizers{"SGD", "momentum", "Adam"};
const std::vector<std::string> kinds{"small", "medium", "large"};  // of the batch
const std::vector<int> depths{2, 3, 5};

std::string name_of(const std::string& kind, const std::string& optimizer, int layers) {
  return kind + " batch with " + optimizer + " and " + counted(layers, "layers");
}

/// A network with an optimizer, and a number of examples.
struct Case {
  std::string name;
  std::string optimizer;
  std::vector<std::int64_t> widths;
  std::int64_t examples;
};

std::vector<Case> cases(const Inputs& inputs, const std::string& kind) {
  std::vector<Case> all;
  for (const std::string& optimizer : optimizers) {
    for (const int layers : depths) {
      const std::string name = name_of(kind, optimizer, layers);
      all.push_back({name, optimizer,
                     inputs.tensor(name + ": widths").to_vector<std::int64_t>(),
                     inputs.integer(name + ": examples")});
    }
  }
  return all;
}

/// The memory that `largest_batch` gets: between the peaks with one example and with
/// all.
std::string memory_of(const Case& one) { return one.name + ": memory"; }

nn::Sequential network(const std::vector<std::int64_t>& widths) {
  nn::Sequential net;
  for (std::size_t layer = 1; layer < widths.size(); ++layer) {
    net->push_back(nn::Linear(widths[layer - 1], widths[layer]));
    if (layer + 1 < widths.size()) net->push_back(nn::ReLU());
  }
  return net;
}

/// The peak of a step that is not the first, from the ledger.
template <class Optimizer>
std::int64_t measure(nn::Sequential& net, Optimizer optimizer, const Case& one) {
  const Device device = last_device();
  const auto step_with = [&](std::int64_t examples) {
    const Tensor x = ones({examples, one.widths.front()}, device);
    const Tensor y = zeros({examples, one.widths.back()}, device);
    const TransferLedger ledger;
    const Tensor loss = mse_loss(net(x), y);
    loss.backward();
    optimizer.step();
    optimizer.zero_grad(/*set_to_none=*/true);
    return ledger.memory_peak(device).bytes;
  };
  static_cast<void>(step_with(1));  // makes the state
  return step_with(one.examples);
}

std::int64_t measured_peak(const Case& one) {
  const Device device = last_device();
  const std::int64_t others = TransferLedger().memory_over_time(device).front().bytes;
  nn::Sequential net = network(one.widths);
  net->to(device);
  const auto parameters = net->parameters();
  const std::int64_t peak =
      one.optimizer == "SGD" ? measure(net, optim::SGD(parameters, 0.01), one)
      : one.optimizer == "Adam"
          ? measure(net, optim::Adam(parameters, 0.01), one)
          : measure(net, optim::SGD(parameters, optim::SGDOptions(0.01).momentum(0.9)),
                    one);
  return peak - others;
}

void run_peaks(const Inputs& inputs, Outcome& outcome, const std::string& kind) {
  for (const Case& one : cases(inputs, kind)) {
    std::int64_t predicted = 0;
    if (!outcome.attempt(one.name, [&] {
          predicted = peak_bytes(one.widths, one.examples, one.optimizer);
        }))
      continue;
    outcome.put(key(one.name, "predicted"), predicted);
    outcome.put(key(one.name, "measured"), measured_peak(one));
  }
}

/// The peak with as many examples, if so many can be tried.
void put_peak(Outcome& outcome, const std::string& name, Case one,
              std::int64_t examples) {
  if (examples < 1 || examples > 8000) return;
  one.examples = examples;
  outcome.put(name, measured_peak(one));
}

std::string batch_of(const Case& one) { return "largest_batch, " + one.name; }
std::int64_t more_than(std::int64_t examples) {
  return std::max(examples + 1, examples + examples / 50);
}

/// Of medium networks, the peak is at the second layer, whose input is narrow.
std::int64_t draw_width(Inputs& inputs, const std::string& kind, int layer) {
  if (kind != "medium") return inputs.draw(320, 600);
  if (layer == 0) return inputs.draw(32, 64);
  return layer % 2 == 1 ? inputs.draw(320, 340) : inputs.draw(580, 600);
}

void judge_peaks(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                 const std::string& kind) {
  for (const Case& one : cases(inputs, kind)) {
    outcome.require(one.name);
    const std::int64_t predicted = outcome.integer(key(one.name, "predicted"));
    const std::int64_t measured = outcome.integer(key(one.name, "measured"));
    item.expect(std::abs(predicted - measured) <= measured / 100,
                counted(measured, "bytes"), counted(predicted, "bytes"), one.name);
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"small", 2, Kind::cost,
       "with few examples the peak is predicted within 1 percent", 1},
      {"medium", 2, Kind::cost,
       "where both count the peak is predicted within 1 percent", 2},
      {"large", 2, Kind::cost,
       "with many examples the peak is predicted within 1 percent", 2},
      {"batch", 3, Kind::cost, "the largest batch fits, and a larger one does not", 3},
      {"none", 1, Kind::result, "if one example does not fit, the result is 0", 4}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const std::string& kind : kinds) {
    for (const std::string& optimizer : optimizers) {
      for (const int layers : depths) {
        const std::string name = name_of(kind, optimizer, layers);
        std::vector<std::int64_t> widths;
        for (int i = 0; i < layers; ++i) widths.push_back(draw_width(inputs, kind, i));
        widths.push_back(10);
        inputs.put(name + ": widths", tensor(widths, kLong));
        inputs.put(name + ": examples", kind == "small"    ? inputs.draw(1, 40)
                                        : kind == "medium" ? inputs.draw(130, 180)
                                                           : inputs.draw(700, 1200));
        inputs.put(name + ": percent", inputs.draw(20, 90));
      }
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  set_num_threads(1);
  for (const std::string& kind : kinds) run_peaks(inputs, outcome, kind);
  for (const Case& one : cases(inputs, "large")) {
    Case smallest = one;
    smallest.examples = 1;
    const std::int64_t least = measured_peak(smallest);
    const std::int64_t memory = least + (measured_peak(one) - least) *
                                            inputs.integer(one.name + ": percent") /
                                            100;
    std::int64_t found = 0;
    std::int64_t none = 0;
    const std::string name = batch_of(one);
    if (!outcome.attempt(name, [&] {
          found = largest_batch(one.widths, one.optimizer, memory);
          none = largest_batch(one.widths, one.optimizer, least * 98 / 100);
        }))
      continue;
    outcome.put(memory_of(one), memory);
    outcome.put(name, found);
    outcome.put(key(name, "none"), none);
    put_peak(outcome, key(name, "peak"), one, found);
    put_peak(outcome, key(name, "peak with more"), one, more_than(found));
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  for (const std::string& kind : kinds) {
    judgement.item(
        kind, [&](ItemJudgement& item) { judge_peaks(item, inputs, outcome, kind); });
  }
  judgement.item("batch", [&](ItemJudgement& item) {
    for (const Case& one : cases(inputs, "large")) {
      const std::string name = batch_of(one);
      outcome.require(name);
      const std::int64_t memory = outcome.integer(memory_of(one));
      const std::int64_t found = outcome.integer(name);
      item.expect(found > 0, "a batch that fits", counted(found, "examples"), name);
      if (found <= 0) return;
      const bool is_known = outcome.contains(key(name, "peak"));
      item.expect(is_known, "at most " + counted(2 * one.examples, "examples"),
                  counted(found, "examples"), name);
      if (!is_known) return;
      // One percent, as for the peak.
      const std::int64_t peak = outcome.integer(key(name, "peak"));
      item.expect(peak <= memory + memory / 100,
                  "a peak of at most " + counted(memory, "bytes"),
                  counted(peak, "bytes") + " with " + counted(found, "examples"), name);
      const std::int64_t more = outcome.integer(key(name, "peak with more"));
      item.expect(more >= memory - memory / 100,
                  "a peak of more than " + counted(memory, "bytes") + " with " +
                      counted(more_than(found), "examples"),
                  counted(more, "bytes"), name);
    }
  });
  judgement.item("none", [&](ItemJudgement& item) {
    for (const Case& one : cases(inputs, "large")) {
      const std::string name = batch_of(one);
      outcome.require(name);
      item.equal(0, outcome.integer(key(name, "none")), "examples",
                 name + ", where none fits");
    }
  });
}

}  // namespace d2l::check
