// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr double tolerance = 1e-5;
constexpr double learning_rate = 0.25;

/// A single step.
struct Case {
  std::string name;
  int weights;
  double size;         ///< of the gradients
  int undefined = -1;  ///< the weight that has no gradient
  std::vector<std::pair<int, double>> not_finite =
      {};  ///< one element each of a weight

  [[nodiscard]] bool moves() const { return not_finite.empty(); }
};

std::vector<Case> cases(const Inputs& inputs) {
  const auto drawn = static_cast<int>(inputs.integer("weights"));
  const auto middle = static_cast<int>(inputs.integer("middle"));
  const int last = drawn - 1;
  return {{"with usual gradients", drawn, 1},
          {"with small gradients", drawn, 1e-6},
          {"with large gradients", drawn, 65504},
          {"with one weight", 1, 1},
          {"with 40 weights", 40, 1},
          {"without the first gradient", drawn, 1, 0},
          {"without the last gradient", drawn, 1, last},
          {"with infinity in the last gradient", drawn, 1, -1, {{last, INFINITY}}},
          {"with minus infinity in a gradient", drawn, 1, -1, {{middle, -INFINITY}}},
          {"with NaN in the first gradient", drawn, 1, -1, {{0, NAN}}},
          {"with infinities of both signs",
           drawn,
           1,
           -1,
           {{0, INFINITY}, {last, -INFINITY}}},
          {"with NaN in the only gradient", 1, 1, -1, {{0, NAN}}}};
}

std::string place(const Case& one, int weight) {
  return "weight " + std::to_string(weight) + ", scaled_step " + one.name;
}
std::string name_of(const Case& one) { return "scaled_step " + one.name; }

/// Gradients as they are in a float16, with elements that are not finite.
std::vector<Tensor> draw_gradients(Inputs& inputs, const Case& one) {
  std::vector<Tensor> gradients;
  for (int i = 0; i < one.weights; ++i) {
    const auto rows = one.weights == 1 ? 1 : inputs.draw(1, 40);
    const auto columns = one.weights == 1 ? 1 : inputs.draw(1, 50);
    // Large ones are of one sign, so that their sum is too large for a float16.
    const Tensor numbers =
        one.size > 1 ? rand({rows, columns}) * 0.8 + 0.2 : randn({rows, columns});
    gradients.push_back((numbers * one.size).to(kHalf));
  }
  for (const auto& [weight, value] : one.not_finite) {
    const Tensor all = gradients[static_cast<std::size_t>(weight)].view({-1});
    all[inputs.draw(0, all.numel() - 1)].fill_(value);
  }
  return gradients;
}

/// Steps one after another with one weight: '+' for a gradient that is finite, '-' for
/// one that is not.
struct Sequence {
  std::string steps;
  LossScale state;
};

std::vector<Sequence> sequences(const Inputs& inputs) {
  const double scale = inputs.number("scale");
  const auto interval = static_cast<int>(inputs.integer("interval"));
  return {{std::string(static_cast<std::size_t>(2 * interval + 1), '+'),
           {scale, interval, 0}},
          {"++++", {scale, 1, 0}},
          {"-----+", {3, 2000, 0}},
          {"++-+++-+", {scale, 3, 0}},
          {"++", {scale, 2000, 1999}},
          {inputs.text("steps"), {scale, 2, 1}}};
}

std::string name_of(std::size_t sequence, std::size_t step) {
  return "scaled_step number " + std::to_string(step + 1) + " of sequence " +
         std::to_string(sequence + 1);
}
std::string gradient_of(std::size_t sequence, std::size_t step) {
  return "gradient, " + name_of(sequence, step);
}

/// The dtypes of the loss, and a scale for each.
struct Loss {
  std::string name;
  ScalarType dtype;
  double scale;
};
std::vector<Loss> losses(const Inputs& inputs) {
  return {{"scaled_loss of a float16 loss", kHalf, inputs.number("scale of the loss")},
          {"scaled_loss of a float32 loss", kFloat, 1 << 20}};
}

void run_losses(const Inputs& inputs, Outcome& outcome) {
  for (const Loss& one : losses(inputs)) {
    const TensorOptions options = TensorOptions(one.dtype).device(last_device());
    const Tensor weight =
        inputs.tensor("loss, weight").clone().to(options).requires_grad_();
    const Tensor loss = (weight * inputs.tensor("loss, factor").to(options)).sum();
    Tensor result;
    if (!outcome.attempt(one.name, [&] {
          result = scaled_loss(loss, {one.scale, 2000, 0});
          result.backward();
        }))
      continue;
    outcome.put(one.name, result.detach().flatten());
    outcome.put(key(one.name, "gradient"), weight.grad());
  }
}

void run_cases(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases(inputs)) {
    std::vector<Tensor> weights;
    std::vector<Tensor> gradients;
    for (int i = 0; i < one.weights; ++i) {
      weights.push_back(inputs.tensor(place(one, i)).clone().to(last_device()));
      gradients.push_back(
          i == one.undefined
              ? Tensor()
              : inputs.tensor(key(place(one, i), "gradient")).to(last_device()));
    }
    synchronize();
    LossScale state{inputs.number("scale"), 2000, 0};
    bool moved = false;
    std::vector<Tensor> given = weights;
    if (!outcome.attempt(name_of(one), [&] {
          moved = scaled_step(given, gradients, learning_rate, state);
        }))
      continue;
    outcome.put(name_of(one), moved);
    for (int i = 0; i < one.weights; ++i)
      outcome.put(place(one, i), weights[static_cast<std::size_t>(i)]);
  }
}

void run_sequences(const Inputs& inputs, Outcome& outcome) {
  const auto all = sequences(inputs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    LossScale state = all[i].state;
    const Tensor weight = inputs.tensor("weight").clone().to(last_device());
    std::vector<Tensor> weights{weight};
    for (std::size_t step = 0; step < all[i].steps.size(); ++step) {
      const auto name = name_of(i, step);
      const std::vector<Tensor> gradients{
          inputs.tensor(gradient_of(i, step)).to(last_device())};
      synchronize();
      bool moved = false;
      if (!outcome.attempt(name, [&] {
            moved = scaled_step(weights, gradients, learning_rate, state);
          }))
        break;
      outcome.put(name, moved);
      outcome.put(key(name, "weight"), weight);
      outcome.put(key(name, "scale"), state.scale);
      outcome.put(key(name, "good_steps"), state.good_steps);
    }
  }
}

std::string text_of(double scale) {
  std::ostringstream out;
  out << scale;
  return out.str();
}
std::string moved_text(bool moved) { return moved ? "true" : "false"; }

void expect_moved(ItemJudgement& item, const Outcome& outcome, const std::string& name,
                  bool expected) {
  outcome.require(name);
  item.expect(outcome.flag(name) == expected, moved_text(expected),
              moved_text(!expected), name);
}

/// The steps that move the weights, or those that do not.
void judge_cases(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                 bool moves) {
  for (const Case& one : cases(inputs)) {
    if (one.moves() != moves) continue;
    expect_moved(item, outcome, name_of(one), moves);
    for (int i = 0; i < one.weights; ++i) {
      const Tensor before = inputs.tensor(place(one, i));
      if (!moves || i == one.undefined) {
        item.close(before, outcome.tensor(place(one, i)), 0, place(one, i));
        continue;
      }
      const Tensor gradient = inputs.tensor(key(place(one, i), "gradient"));
      const Tensor change =
          gradient.to(kDouble) * (learning_rate / inputs.number("scale"));
      item.close((before.to(kDouble) - change).to(kFloat),
                 outcome.tensor(place(one, i)), tolerance, place(one, i),
                 one.size * learning_rate / inputs.number("scale"));
    }
  }
}

/// What `look` says of each step of the sequences, with what must be true after it.
void each_step(const Inputs& inputs, const Outcome& outcome,
               const std::function<void(const std::string&, const LossScale&,
                                        const Tensor&, bool)>& look) {
  const auto all = sequences(inputs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    LossScale state = all[i].state;
    Tensor weight = inputs.tensor("weight").to(kDouble);
    for (std::size_t step = 0; step < all[i].steps.size(); ++step) {
      const bool moves = all[i].steps[step] == '+';
      if (moves) {
        const Tensor gradient = inputs.tensor(gradient_of(i, step)).to(kDouble);
        weight = weight - gradient * (learning_rate / state.scale);
        const bool grows = state.good_steps + 1 == state.interval;
        state.scale *= grows ? 2 : 1;
        state.good_steps = grows ? 0 : state.good_steps + 1;
      } else {
        state.scale = std::max(1.0, state.scale / 2);
        state.good_steps = 0;
      }
      outcome.require(name_of(i, step));
      look(name_of(i, step), state, weight.to(kFloat), moves);
    }
  }
}

}  // namespace

std::vector<Item> items() {
  return {{"loss", 2, Kind::result,
           "the loss is multiplied in float32, and backward() goes through it", 1},
          {"step", 3, Kind::result, "a step changes the weights as in float32", 2},
          {"skip", 2, Kind::result,
           "no weight changes if an element of a gradient is not finite", 3},
          {"scale", 2, Kind::result, "the scale grows and shrinks as described", 4},
          {"changes", 1, Kind::result, "each step divides by the scale of its loss", 4},
          {"wait", 2, Kind::cost,
           "a step waits once, and copies at most 8 bytes to the host", 5}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto weights = inputs.draw(3, 8);
  inputs.put("weights", weights);
  inputs.put("middle", inputs.draw(1, weights - 2));
  inputs.put("scale", static_cast<double>(inputs.draw(3000, 60000)));
  inputs.put("interval", inputs.draw(2, 4));
  std::string steps;
  for (int i = 0; i < 12; ++i) steps += inputs.draw(0, 3) == 0 ? '-' : '+';
  inputs.put("steps", steps);
  // Products of a loss are multiples of 1/64 up to 1, so that float16 has their sum.
  inputs.put("scale of the loss", static_cast<double>(inputs.draw(20000, 60000)));
  inputs.put("loss, weight", randint(4, 9, {20}).to(kFloat));
  inputs.put("loss, factor", randint(4, 9, {20}).to(kFloat) / 64);
  const double change = learning_rate / inputs.number("scale");
  for (const Case& one : cases(inputs)) {
    const auto gradients = draw_gradients(inputs, one);
    for (int i = 0; i < one.weights; ++i) {
      const Tensor& gradient = gradients[static_cast<std::size_t>(i)];
      // As large as their changes, so that the changes can be seen.
      inputs.put(place(one, i), randn(gradient.sizes()) * (change * one.size));
      inputs.put(key(place(one, i), "gradient"), gradient);
    }
  }
  inputs.put("weight", randn({5}) * change);
  const auto all = sequences(inputs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t step = 0; step < all[i].steps.size(); ++step) {
      Tensor gradient = randn({5});
      if (all[i].steps[step] == '-') gradient[inputs.draw(0, 4)] = INFINITY;
      inputs.put(gradient_of(i, step), gradient.to(kHalf));
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  run_losses(inputs, outcome);
  run_cases(inputs, outcome);
  run_sequences(inputs, outcome);
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("loss", [&](ItemJudgement& item) {
    const Tensor weight = inputs.tensor("loss, weight");
    const Tensor factor = inputs.tensor("loss, factor");
    for (const Loss& one : losses(inputs)) {
      outcome.require(one.name);
      item.close(((weight * factor).sum() * one.scale).flatten(),
                 outcome.tensor(one.name), tolerance, one.name);
      item.close((factor * one.scale).to(one.dtype),
                 outcome.tensor(key(one.name, "gradient")), 1e-3,
                 "gradient, " + one.name);
    }
  });
  judgement.item(
      "step", [&](ItemJudgement& item) { judge_cases(item, inputs, outcome, true); });
  judgement.item(
      "skip", [&](ItemJudgement& item) { judge_cases(item, inputs, outcome, false); });
  judgement.item("scale", [&](ItemJudgement& item) {
    each_step(inputs, outcome,
              [&](const std::string& name, const LossScale& state,
                  const Tensor& /*weight*/, bool moves) {
                expect_moved(item, outcome, name, moves);
                const double scale = outcome.number(key(name, "scale"));
                item.expect(scale == state.scale, "a scale of " + text_of(state.scale),
                            text_of(scale), name);
                item.equal(state.good_steps, outcome.integer(key(name, "good_steps")),
                           "good_steps", name);
              });
  });
  judgement.item("changes", [&](ItemJudgement& item) {
    each_step(inputs, outcome,
              [&](const std::string& name, const LossScale& /*state*/,
                  const Tensor& weight, bool /*moves*/) {
                item.close(weight, outcome.tensor(key(name, "weight")), tolerance,
                           name);
              });
  });
  judgement.item("wait", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const Case& one : cases(inputs)) {
      const Recording& recording = outcome.recording(name_of(one));
      item.equal(1, recording.synchronisations(), "waits for the device", name_of(one));
      item.equal(1, recording.copies(Direction::device_to_host),
                 "copies from device to host", name_of(one));
      item.at_most(8, recording.copied_bytes(Direction::device_to_host),
                   "bytes from device to host", name_of(one));
      item.equal(1, recording.copies(), "copies in total", name_of(one));
    }
  });
}

}  // namespace d2l::check
