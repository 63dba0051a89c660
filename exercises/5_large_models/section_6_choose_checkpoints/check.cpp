// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int cases = 40;
constexpr std::int64_t max_blocks = 12;
constexpr std::int64_t unit = 512;  // bytes
// Cases of three blocks with no more memory than the smallest plan needs. The first
// block keeps the most inside, so what later blocks keep must not be counted with it;
// or the last one does, so it must be counted when it is computed again.
constexpr int first_most = 2;
constexpr int last_most = 3;
constexpr std::int64_t rows = 64;
constexpr std::int64_t width = 128;
constexpr std::size_t layers = 5;

std::string name_of(int which) { return "choose, case " + std::to_string(which + 1); }

std::vector<Block> blocks_of(const Inputs& inputs, int which) {
  const auto numbers =
      inputs.tensor(name_of(which) + ": blocks").to_vector<std::int64_t>();
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < numbers.size(); i += 3)
    blocks.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return blocks;
}

/// The largest sum, by the words of the statement.
std::int64_t memory_of(const std::vector<Block>& blocks,
                       const std::vector<bool>& again) {
  std::int64_t end = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    end += blocks[i].input + (again[i] ? 0 : blocks[i].inner);
  std::int64_t most = end;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!again[i]) continue;
    std::int64_t sum = blocks[i].input + blocks[i].inner;
    for (std::size_t before = 0; before < i; ++before)
      sum += blocks[before].input + (again[before] ? 0 : blocks[before].inner);
    most = std::max(most, sum);
  }
  return most;
}
std::int64_t time_of(const std::vector<Block>& blocks, const std::vector<bool>& again) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    sum += again[i] ? blocks[i].microseconds : 0;
  return sum;
}

/// The least time of all plans that fit and begin with `again`.
void search(const std::vector<Block>& blocks, std::int64_t limit,
            std::vector<bool>& again, std::optional<std::int64_t>& least) {
  if (again.size() == blocks.size()) {
    const std::int64_t time = time_of(blocks, again);
    if (memory_of(blocks, again) <= limit && (!least || time < *least)) least = time;
    return;
  }
  for (const bool one : {false, true}) {
    again.push_back(one);
    search(blocks, limit, again, least);
    again.pop_back();
  }
}

/// The blocks of a case: one, then two, then as many as the seed says.
std::vector<Block> draw_blocks(Inputs& inputs, int which) {
  const std::int64_t count = which < 2            ? which + 1
                             : which <= last_most ? 3
                                                  : inputs.draw(3, max_blocks);
  std::vector<Block> blocks;
  for (std::int64_t i = 0; i < count; ++i)
    blocks.push_back(
        {inputs.draw(1, 20) * unit, inputs.draw(1, 100) * unit, inputs.draw(1, 1000)});
  if (which == first_most || which == last_most) {
    for (Block& block : blocks)
      block = {block.input, block.inner / 2, block.microseconds + 1};
    Block& most = which == first_most ? blocks.front() : blocks.back();
    most = {most.input, 101 * unit, 1};
  }
  return blocks;
}
/// Between what the smallest plan needs and what the largest one does; every fifth case
/// has less than any plan.
std::int64_t draw_limit(Inputs& inputs, const std::vector<Block>& blocks, int which) {
  const std::int64_t smallest =
      memory_of(blocks, std::vector<bool>(blocks.size(), true));
  const std::int64_t largest =
      memory_of(blocks, std::vector<bool>(blocks.size(), false));
  if (which == first_most || which == last_most) return smallest;
  if (which % 5 == 4) return smallest - 1;
  return smallest + (largest - smallest) * inputs.draw(0, 100) / 100;
}

std::vector<bool> plan_of(const Tensor& found) {
  std::vector<bool> plan;
  for (const auto one : found.to_vector<std::int64_t>()) plan.push_back(one != 0);
  return plan;
}

/// The plans for `forward`, by their names.
std::vector<std::pair<std::string, std::vector<bool>>> plans(const Inputs& inputs) {
  return {
      {"forward without a block to compute again", std::vector<bool>(layers, false)},
      {"forward with all blocks to compute again", std::vector<bool>(layers, true)},
      {"forward with some blocks to compute again", plan_of(inputs.tensor("plan"))}};
}

struct Network {
  std::vector<nn::Sequential> blocks;
  Tensor x;
};

Network network(const Inputs& inputs) {
  Network made;
  for (std::size_t i = 0; i < layers; ++i) {
    nn::Sequential block(nn::Linear(width, 2 * width), nn::Tanh(),
                         nn::Linear(2 * width, width));
    {
      const NoGradGuard no_grad;
      std::size_t k = 0;
      for (Tensor parameter : block->parameters()) {
        const Tensor numbers = inputs.tensor("parameter " + std::to_string(k++));
        parameter.copy_(numbers.narrow(0, static_cast<std::int64_t>(i), 1)[0]);
      }
    }
    block->to(last_device());
    made.blocks.push_back(block);
  }
  made.x = inputs.tensor("x").clone().to(last_device()).requires_grad_();
  return made;
}

std::int64_t live_bytes() {
  return TransferLedger().memory_over_time(last_device()).front().bytes;
}

/// The gradients of a network: of x, and of each parameter.
std::vector<std::string> gradient_names() {
  std::vector<std::string> names{"gradient of x"};
  for (std::size_t i = 0; i < layers; ++i) {
    for (int k = 0; k < 4; ++k)
      names.push_back("gradient " + std::to_string(k) + " of block " +
                      std::to_string(i));
  }
  return names;
}

void run_forward(const Inputs& inputs, Outcome& outcome, const std::string& name,
                 const std::function<Tensor(const Network&)>& call) {
  const Network made = network(inputs);
  const std::int64_t before = live_bytes();
  Tensor y;
  if (!outcome.attempt(name, [&] { y = call(made); })) return;
  outcome.put(key(name, "kept"), live_bytes() - before);
  if (!y.defined()) return;
  outcome.put(key(name, "result"), y.detach());
  if (!outcome.attempt(key(name, "backward"), [&] { y.square().sum().backward(); }))
    return;
  std::vector<Tensor> leaves{made.x};
  for (const nn::Sequential& block : made.blocks) {
    for (const Tensor& parameter : block->parameters()) leaves.push_back(parameter);
  }
  const auto names = gradient_names();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Tensor gradient = leaves[i].grad();
    outcome.put(key(name, names[i]), gradient.defined() ? gradient : zeros({1}));
  }
}

std::int64_t launches_of(const Outcome& outcome, const std::string& name) {
  return outcome.recording(name).launches() +
         outcome.recording(key(name, "backward")).launches();
}

}  // namespace

std::vector<Item> items() {
  return {
      {"memory", 2, Kind::result, "the plan needs no more than the limit", 1},
      {"time", 3, Kind::result, "no plan that fits takes less time", 2},
      {"none", 1, Kind::result, "if no plan fits, the result is empty", 3},
      {"gradients", 2, Kind::result,
       "the result and all gradients are as without a plan", 4},
      {"kept", 2, Kind::cost, "a block that is computed again keeps nothing inside", 4},
      {"launches", 1, Kind::cost, "those blocks alone are computed again", 5}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (int which = 0; which < cases; ++which) {
    const auto blocks = draw_blocks(inputs, which);
    std::vector<std::int64_t> numbers;
    for (const Block& block : blocks)
      numbers.insert(numbers.end(), {block.input, block.inner, block.microseconds});
    inputs.put(name_of(which) + ": blocks", tensor(numbers, kLong));
    inputs.put(name_of(which) + ": limit", draw_limit(inputs, blocks, which));
  }
  std::vector<std::int64_t> plan;
  for (std::size_t i = 0; i < layers; ++i) plan.push_back(inputs.draw(0, 1));
  plan[1] = 1;  // one of each kind, at least
  plan[3] = 0;
  inputs.put("plan", tensor(plan, kLong));
  constexpr auto count = static_cast<std::int64_t>(layers);
  inputs.put("parameter 0", randn({count, 2 * width, width}) / 12);
  inputs.put("parameter 1", randn({count, 2 * width}));
  inputs.put("parameter 2", randn({count, width, 2 * width}) / 16);
  inputs.put("parameter 3", randn({count, width}));
  inputs.put("x", randn({rows, width}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int which = 0; which < cases; ++which) {
    std::vector<bool> plan;
    if (!outcome.attempt(name_of(which), [&] {
          plan = choose(blocks_of(inputs, which),
                        inputs.integer(name_of(which) + ": limit"));
        }))
      continue;
    std::vector<std::int64_t> numbers;
    for (const bool one : plan) numbers.push_back(one ? 1 : 0);
    outcome.put(name_of(which), tensor(numbers, kLong));
  }
  for (const auto& [name, plan] : plans(inputs)) {
    const std::vector<bool>& again = plan;
    run_forward(inputs, outcome, name, [&again](const Network& made) {
      return forward(made.blocks, made.x, again);
    });
  }
  // The reference: the calls without a plan, and the forward pass of a block.
  run_forward(inputs, outcome, "plain", [](const Network& made) {
    Tensor y = made.x;
    for (const nn::Sequential& block : made.blocks) y = block->forward(y);
    return y;
  });
  const Network made = network(inputs);
  outcome.attempt("block", [&] {
    const NoGradGuard no_grad;
    static_cast<void>(made.blocks[0]->forward(made.x));
  });
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each =
      [&](const std::function<void(const std::string&, const std::vector<Block>&,
                                   std::int64_t, std::optional<std::int64_t>,
                                   const std::vector<bool>&)>& look) {
        for (int which = 0; which < cases; ++which) {
          outcome.require(name_of(which));
          const auto blocks = blocks_of(inputs, which);
          const std::int64_t limit = inputs.integer(name_of(which) + ": limit");
          std::optional<std::int64_t> least;
          std::vector<bool> again;
          search(blocks, limit, again, least);
          look(name_of(which), blocks, limit, least,
               plan_of(outcome.tensor(name_of(which))));
        }
      };
  judgement.item("memory", [&](ItemJudgement& item) {
    each([&](const std::string& name, const std::vector<Block>& blocks,
             std::int64_t limit, std::optional<std::int64_t> least,
             const std::vector<bool>& plan) {
      if (!least) return;
      item.expect(
          plan.size() == blocks.size(),
          "a plan of " + counted(static_cast<std::int64_t>(blocks.size()), "blocks"),
          "one of " + counted(static_cast<std::int64_t>(plan.size()), "blocks"), name);
      if (plan.size() == blocks.size())
        item.at_most(limit, memory_of(blocks, plan), "bytes", name);
    });
  });
  judgement.item("time", [&](ItemJudgement& item) {
    each([&](const std::string& name, const std::vector<Block>& blocks,
             std::int64_t /*limit*/, std::optional<std::int64_t> least,
             const std::vector<bool>& plan) {
      if (!least) return;
      item.expect(plan.size() == blocks.size(), "a plan", "none", name);
      if (plan.size() == blocks.size())
        item.at_most(*least, time_of(blocks, plan), "microseconds", name);
    });
  });
  judgement.item("none", [&](ItemJudgement& item) {
    each([&](const std::string& name, const std::vector<Block>& /*blocks*/,
             std::int64_t /*limit*/, std::optional<std::int64_t> least,
             const std::vector<bool>& plan) {
      if (!least) item.expect(plan.empty(), "an empty plan", "another one", name);
    });
  });
  judgement.item("gradients", [&](ItemJudgement& item) {
    for (const auto& [name, again] : plans(inputs)) {
      outcome.require(key(name, "backward"));
      item.close(outcome.tensor("plain: result"), outcome.tensor(key(name, "result")),
                 1e-5, "result, " + name);
      for (const std::string& value : gradient_names())
        item.close(outcome.tensor(key("plain", value)),
                   outcome.tensor(key(name, value)), 1e-5, value + ", " + name);
    }
  });
  judgement.item("kept", [&](ItemJudgement& item) {
    for (const auto& [name, again] : plans(inputs)) {
      outcome.require(name);
      std::int64_t expected = 0;
      for (const bool one : again) expected += 4 * rows * width * (one ? 1 : 3);
      item.equal(expected, outcome.integer(key(name, "kept")), "bytes", name);
    }
  });
  judgement.item("launches", [&](ItemJudgement& item) {
    const std::int64_t plain = launches_of(outcome, "plain");
    const std::int64_t block = outcome.recording("block").launches();
    for (const auto& [name, again] : plans(inputs)) {
      const std::int64_t expected =
          plain + block * std::count(again.begin(), again.end(), true);
      item.equal(expected, launches_of(outcome, name), "launches", name);
    }
  });
}

}  // namespace d2l::check
