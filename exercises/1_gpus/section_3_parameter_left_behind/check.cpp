// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <iterator>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* names[] = {"scale", "linear.weight", "linear.bias"};

/// The devices that the layer moves to, in order: each GPU, then the CPU again.
std::vector<Device> devices_in_turn() {
  std::vector<Device> devices;
  for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
  devices.push_back(cpu());
  return devices;
}

std::string names_of(const nn::Module& module) {
  std::vector<std::string> found = module.named_parameters().keys();
  std::sort(found.begin(), found.end());
  std::string text;
  for (const auto& name : found) text += (text.empty() ? "" : ", ") + name;
  return text;
}

StateDict drawn_state(const Inputs& inputs) {
  StateDict state;
  for (const char* const name : names) state.insert(name, inputs.tensor(name));
  return state;
}

/// input × weightᵀ + bias, times scale, computed in float64, with `factor` times the
/// drawn parameters.
Tensor expected_output(const Inputs& inputs, const Tensor& scale, double factor = 1) {
  const Tensor product = matmul(inputs.tensor("input").to(kDouble),
                                inputs.tensor("linear.weight").to(kDouble).t());
  return ((product + inputs.tensor("linear.bias").to(kDouble)) * scale.to(kDouble) *
          (factor * factor))
      .to(kFloat);
}

/// The factors of the parameters in the three calls on a device. They change as in a
/// training step, so a copy that forward() kept is wrong.
constexpr double factors[] = {1, 0.5, 1};
std::string forward_on(const std::string& place, std::size_t time) {
  return "forward() on " + place +
         (time == 0   ? ""
          : time == 1 ? ", every parameter halved"
                      : ", the first values again");
}

/// The gradients of the sum of all outputs.
Tensor expected_gradient(const Inputs& inputs, const std::string& name) {
  const Tensor input = inputs.tensor("input").to(kDouble);
  const Tensor scale = inputs.tensor("scale").to(kDouble);
  const Tensor rows = full_like(scale, input.size(0));
  if (name == "linear.bias") return (scale * rows).to(kFloat);
  if (name == "linear.weight")
    return matmul(scale.unsqueeze(1), input.sum({0}, true)).to(kFloat);
  return expected_output(inputs, ones_like(scale)).to(kDouble).sum({0}).to(kFloat);
}

void gather_at(const nn::Module& layer, const std::string& place, Outcome& outcome) {
  for (const auto& named : layer.named_parameters())
    outcome.result(named.key() + " at " + place, named.value());
}

}  // namespace

std::vector<Item> items() {
  return {{"parameters", 2, Kind::placement,
           "the layer has its three parameters, and they require gradients", 1},
          {"values", 2, Kind::result,
           "forward() uses the parameters, also after other values were loaded", 2},
          {"gradients", 1, Kind::result,
           "backward() leaves a gradient in each parameter", 2},
          {"moved", 2, Kind::placement,
           "the parameters move with the layer, and its output is on its device", 1},
          {"crossings", 1, Kind::cost, "forward() copies nothing between devices", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto in_features = inputs.draw(2, 5);
  const auto out_features = in_features + inputs.draw(1, 4);
  inputs.put("input", randn({inputs.draw(2, 4), in_features}));
  inputs.put("linear.weight", randn({out_features, in_features}));
  inputs.put("linear.bias", randn({out_features}));
  inputs.put("scale", randn({out_features}) + 3);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  const Tensor weight = inputs.tensor("linear.weight");
  std::shared_ptr<nn::Module> layer;
  outcome.attempt("scaled_linear()", [&] {
    layer = scaled_linear(weight.size(1), weight.size(0));
    if (layer == nullptr) throw CheckError("scaled_linear() returned no layer");
    outcome.put("names", names_of(*layer));
    bool all_require = true;
    for (const Tensor& parameter : layer->parameters())
      all_require = all_require && parameter.requires_grad();
    outcome.put("require gradients", all_require);
    gather_at(*layer, "first", outcome);
  });
  if (layer == nullptr) return;
  outcome.attempt("load_state_dict()",
                  [&] { layer->load_state_dict(drawn_state(inputs)); });
  outcome.attempt("forward()", [&] {
    outcome.result("forward()", layer->forward(inputs.tensor("input")));
  });
  outcome.attempt("forward() with ones", [&] {
    StateDict others;
    for (const char* const name : names)
      others.insert(name, ones_like(inputs.tensor(name)));
    layer->load_state_dict(others);
    outcome.result("forward() with ones", layer->forward(inputs.tensor("input")));
    layer->load_state_dict(drawn_state(inputs));
  });
  outcome.attempt("backward()", [&] {
    layer->forward(inputs.tensor("input")).sum().backward();
    for (const auto& named : layer->named_parameters()) {
      const Tensor& gradient = named.value().grad();
      if (gradient.defined()) outcome.put("gradient of " + named.key(), gradient);
    }
  });
  const NoGradGuard no_gradients;
  for (const Device device : devices_in_turn()) {
    const std::string place = device.str();
    const Tensor input = inputs.tensor("input").to(device);
    outcome.attempt("to(" + place + ")", [&] { layer->to(device); });
    gather_at(*layer, place, outcome);
    for (std::size_t time = 0; time < std::size(factors); ++time) {
      for (const Tensor& parameter : layer->parameters()) {
        if (time > 0) Tensor(parameter).mul_(factors[time] / factors[time - 1]);
      }
      Tensor output;
      outcome.attempt(forward_on(place, time), [&] { output = layer->forward(input); });
      if (output.defined())
        outcome.result("output of " + forward_on(place, time), output);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("parameters", [&](ItemJudgement& item) {
    outcome.require("scaled_linear()");
    const std::string expected = "linear.bias, linear.weight, scale";
    item.expect(outcome.text("names") == expected, expected, outcome.text("names"),
                "named_parameters()");
    item.expect(outcome.flag("require gradients"), "parameters that require gradients",
                "one that does not", "requires_grad()");
    item.close(ones_like(inputs.tensor("scale")), outcome.tensor("scale at first"), 0,
               "scale");
  });
  judgement.item("values", [&](ItemJudgement& item) {
    outcome.require("load_state_dict()");
    outcome.require("forward()");
    item.close(expected_output(inputs, inputs.tensor("scale")),
               outcome.tensor("forward()"), 1e-5, "forward()", 1);
    outcome.require("forward() with ones");
    const Tensor sums = inputs.tensor("input").to(kDouble).sum({1}, true) + 1;
    item.close(sums.expand({sums.size(0), inputs.tensor("scale").size(0)}).to(kFloat),
               outcome.tensor("forward() with ones"), 1e-5,
               "forward() after all parameters were set to 1", 1);
  });
  judgement.item("gradients", [&](ItemJudgement& item) {
    outcome.require("backward()");
    for (const std::string name : names) {
      const std::string gradient = "gradient of " + name;
      item.expect(outcome.contains(gradient), "a " + gradient, "none", "backward()");
      item.close(expected_gradient(inputs, name), outcome.tensor(gradient), 1e-5,
                 gradient, 1);
    }
  });
  judgement.item("moved", [&](ItemJudgement& item) {
    for (const Device device : devices_in_turn()) {
      const std::string place = device.str();
      outcome.require("to(" + place + ")");
      for (const char* const name : names) {
        const std::string parameter = std::string(name) + " at " + place;
        item.expect(outcome.contains(parameter), parameter, "no such parameter",
                    "to(" + place + ")");
        item.placed(outcome, parameter, device);
        item.close(inputs.tensor(name), outcome.tensor(parameter), 0, parameter);
      }
      for (std::size_t time = 0; time < std::size(factors); ++time) {
        const std::string call = forward_on(place, time);
        outcome.require(call);
        item.placed(outcome, "output of " + call, device);
        item.close(expected_output(inputs, inputs.tensor("scale"), factors[time]),
                   outcome.tensor("output of " + call), 1e-5, call, 1);
      }
    }
    item.lacks_gpus(1);
  });
  judgement.item("crossings", [&](ItemJudgement& item) {
    for (const Device device : devices_in_turn()) {
      for (std::size_t time = 0; time < std::size(factors); ++time) {
        const std::string call = forward_on(device.str(), time);
        item.equal(0, outcome.recording(call).copies(), "copies between devices", call);
      }
    }
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
