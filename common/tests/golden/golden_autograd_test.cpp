// SPDX-License-Identifier: MIT
// Outputs and gradients of expressions against PyTorch's, on every device; gradients are where their tensors are.
#include <map>
#include <string>

#include "every_device.h"
#include "gtest/gtest.h"
#include "python_subset/evaluator.h"
#include "python_subset/golden_cases.h"
#include "python_subset/not_supported.h"

namespace {

using d2l::Tensor;
using golden::Json;
using python_subset::Value;

void expect_close(const Tensor& x, const Json& expected, const d2l::Device& device) {
  EXPECT_EQ(x.sizes().vec(), expected["shape"].get<std::vector<std::int64_t>>());
  EXPECT_EQ(golden::name_of(x.dtype()), expected["dtype"]);
  EXPECT_TRUE(d2l::testing::owner(x) == device) << "it is not on " << device.str();
  EXPECT_TRUE(golden::close_values(x, expected["values"])) << x << "\n instead of " << expected["values"];
}

std::map<std::string, Value> inputs_of(const Json& example, const d2l::Device& device) {
  std::map<std::string, Value> inputs;
  for (const auto& [name, given] : example["inputs"].items()) {
    const auto dtype = golden::dtype_named(given["dtype"]);
    if (!dtype) throw python_subset::Unsupported("dtype " + given["dtype"].get<std::string>());
    auto x = golden::tensor(given["values"], given["shape"], *dtype, device);
    x.set_requires_grad(given.value("requires_grad", false));
    inputs.emplace(name, x);
  }
  return inputs;
}

void differentiate(const Json& example, const Tensor& output, const d2l::Device& device) {
  const auto& given = example["grad_output"];
  if (given.is_null()) {
    output.backward();
  } else if (given.is_string()) {
    ASSERT_EQ(given, "ones");
    output.backward(ones_like(output.detach()));
  } else if (given.is_object()) {
    output.backward(golden::tensor(given["values"], given["shape"], output.dtype(), device));
  } else {
    output.backward(golden::tensor(given, example["output"]["shape"], output.dtype(), device));
  }
}

void run(const Json& example, const d2l::Device& device) {
  const auto inputs = inputs_of(example, device);
  const auto code = golden::on_devices(example["expr"], device.str(), "cuda:0");
  const Value value = python_subset::evaluate(code, device, inputs);
  ASSERT_TRUE(value.is<Tensor>());
  const auto& output = value.as<Tensor>();
  expect_close(output.detach(), example["output"], device);
  differentiate(example, output, device);
  for (const auto& [name, input] : inputs) {
    const Tensor grad = input.as<Tensor>().grad();
    const bool wanted = example["grads"].contains(name) && !example["grads"][name].is_null();
    EXPECT_EQ(grad.defined(), wanted) << "of " << name;
    SCOPED_TRACE("the gradient of " + name);
    if (grad.defined() && wanted) expect_close(grad, example["grads"][name], device);
  }
}

TEST(GoldenAutograd, GradientsArePyTorchs) {
  golden::Tally tally;
  for (const auto& example : golden::read("autograd.json")) {
    d2l::testing::on_every_device([&](const d2l::Device& device) {
      SCOPED_TRACE(example["name"].get<std::string>() + ": " + example["expr"].get<std::string>());
      try {
        run(example, device);
        tally.ran();
      } catch (const python_subset::Unsupported& missing) {
        const std::string name = missing.what();
        EXPECT_TRUE(python_subset::is_listed_as_not_supported(name)) << "'" << name << "' is not listed";
        tally.passed_over(name);
      } catch (const d2l::Error& error) {
        ADD_FAILURE() << error.what();
      }
    });
  }
  tally.report("autograd.json");
  EXPECT_GE(tally.count(), 15);
}

}  // namespace
