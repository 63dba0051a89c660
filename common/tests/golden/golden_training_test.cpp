// SPDX-License-Identifier: MIT
// Training against PyTorch's traces, and the clipping of gradients, on every device.
#include <limits>
#include <string>

#include "every_device.h"
#include "gtest/gtest.h"
#include "python_subset/golden_cases.h"

namespace {

using d2l::Tensor;
using d2l::TensorOptions;
using golden::Json;
namespace nn = d2l::nn;

constexpr double rtol = 5e-5;
constexpr double atol = 1e-6;

Tensor tensor_of(const Json& given, const d2l::Device& device) {
  return golden::tensor(given["values"], given["shape"], golden::dtype_named(given["dtype"]).value(), device);
}

void expect_close(const Tensor& x, const Json& expected) {
  EXPECT_EQ(x.sizes().vec(), expected["shape"].get<std::vector<std::int64_t>>());
  EXPECT_TRUE(golden::close_values(x, expected["values"], rtol, atol)) << x << "\n instead of " << expected["values"];
}

/// The run that a trace was taken of.
class TracedRun {
 public:
  TracedRun(const Json& trace, const d2l::Device& device)
      : trace_(trace),
        inputs_(tensor_of(trace["X"], device)),
        targets_(tensor_of(trace["y"], device)),
        net_(nn::LinearOptions(inputs_.size(1), targets_.size(1)).device(device)),
        loss_(trace["loss"].get<std::string>().find("sum") != std::string::npos ? d2l::kSum : d2l::kMean),
        optimizer_(net_->parameters(), options_of(trace["optimizer"])) {
    d2l::StateDict initial;
    initial.insert("weight", tensor_of(trace["w0"], device));
    initial.insert("bias", tensor_of(trace["b0"], device));
    net_->load_state_dict(initial);
  }

  void follow() {
    std::vector<double> losses;
    std::vector<double> norms;
    for (std::int64_t step = 0; step < trace_["steps"].get<std::int64_t>(); ++step) {
      const auto [loss, norm] = take(step);
      losses.push_back(loss);
      norms.push_back(norm);
      if (step == 0) expect_parameters("after_step1");
    }
    EXPECT_TRUE(golden::close_values(d2l::tensor(losses, d2l::kDouble), trace_["losses"], rtol, atol));
    EXPECT_TRUE(golden::close_values(d2l::tensor(norms, d2l::kDouble), trace_["grad_norm_before_clip"], rtol, atol));
    expect_parameters("final");
    const d2l::NoGradGuard unrecorded;
    EXPECT_TRUE(golden::close_values(loss_(net_(inputs_), targets_), Json::array({trace_["final_loss"]}), rtol, atol));
  }

 private:
  static d2l::optim::SGDOptions options_of(const Json& given) {
    EXPECT_EQ(given["type"], "SGD");
    return d2l::optim::SGDOptions(given["lr"].get<double>())
        .momentum(given.value("momentum", 0.0))
        .dampening(given.value("dampening", 0.0))
        .weight_decay(given.value("weight_decay", 0.0))
        .nesterov(given.value("nesterov", false));
  }

  /// One step; its loss and the norm of its gradients.
  std::pair<double, double> take(std::int64_t step) {
    const auto count = inputs_.size(0);
    const auto batch = trace_["batch"].is_null() ? count : trace_["batch"].get<std::int64_t>();
    const auto start = step * batch % count;
    const auto clip = trace_["clip_max_norm"];
    const double max_norm = clip.is_null() ? std::numeric_limits<double>::infinity() : clip.get<double>();
    optimizer_.zero_grad();
    const Tensor loss = loss_(net_(inputs_.slice(0, start, start + batch)), targets_.slice(0, start, start + batch));
    loss.backward();
    const Tensor norm = nn::utils::clip_grad_norm_(net_->parameters(), max_norm);
    optimizer_.step();
    return {loss.item<double>(), norm.item<double>()};
  }

  void expect_parameters(const std::string& when) {
    SCOPED_TRACE(when);
    expect_close(net_->weight.detach(), trace_[when]["weight"]);
    expect_close(net_->bias.detach(), trace_[when]["bias"]);
  }

  const Json& trace_;
  Tensor inputs_;
  Tensor targets_;
  nn::Linear net_;
  nn::MSELoss loss_;
  d2l::optim::SGD optimizer_;
};

TEST(GoldenTraining, TracesArePyTorchs) {
  const auto traces = golden::read("training.json");
  for (const auto& trace : traces) {
    SCOPED_TRACE(trace["name"].get<std::string>());
    ASSERT_EQ(trace["loss"].get<std::string>().rfind("mse_loss", 0), 0U);
    d2l::testing::on_every_device([&](const d2l::Device& device) { TracedRun(trace, device).follow(); });
  }
  EXPECT_GE(traces.size(), 5U);
}

void clip(const Json& example, const d2l::Device& device) {
  std::vector<Tensor> parameters;
  for (const auto& grad : example["grads"]) {
    const auto values = golden::values(grad, d2l::kFloat, device);
    parameters.push_back(nn::Parameter(zeros_like(values)));
    parameters.back().mutable_grad() = values;
  }
  const double norm_type = example.contains("norm_type") ? std::stod(example["norm_type"].dump()) : 2.0;
  const Tensor norm = nn::utils::clip_grad_norm_(parameters, example["max_norm"].get<double>(), norm_type);
  EXPECT_TRUE(d2l::testing::owner(norm) == device);
  EXPECT_TRUE(golden::close_values(norm, Json::array({example["total_norm"]}))) << norm;
  ASSERT_EQ(parameters.size(), example["out"].size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_TRUE(d2l::testing::owner(parameters[i].grad()) == device);
    EXPECT_TRUE(golden::close_values(parameters[i].grad(), example["out"][i])) << parameters[i].grad();
  }
}

TEST(GoldenTraining, GradientsAreClippedAsPyTorchClipsThem) {
  const auto examples = golden::read("clip_grad_norm.json");
  for (const auto& example : examples) {
    SCOPED_TRACE(example.dump());
    d2l::testing::on_every_device([&](const d2l::Device& device) { clip(example, device); });
  }
  EXPECT_GE(examples.size(), 3U);
}

}  // namespace
