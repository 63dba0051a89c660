// SPDX-License-Identifier: MIT
// Central differences: the expected gradient, computed from values of the function only.
#pragma once

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "autograd/recorded_operation.h"
#include "every_device.h"

namespace d2l::testing::gradients {

/// The layout of an input in memory.
enum class Layout { row_major, reversed, strided };
/// The numbers of an input, chosen so that the function is smooth there.
enum class Numbers { any, positive, away_from_zero };
using enum Layout;
using enum Numbers;

struct Input {
  std::vector<std::int64_t> sizes;
  Numbers numbers = any;
  Layout layout = row_major;
  ScalarType dtype = kDouble;
};

using Tensors = std::vector<Tensor>;
using Function = std::function<Tensor(const Tensors&)>;

/// A function of tensors, and the derivative that it must record.
struct Case {
  std::string derivative;
  std::string what;
  std::vector<Input> inputs;
  Function function;
};

inline std::int64_t count_of(const Input& input) {
  std::int64_t count = 1;
  for (const auto size : input.sizes) count *= size;
  return count;
}

/// Distinct random numbers, from `seed`.
inline std::vector<double> draw(const Input& input, std::uint64_t seed) {
  manual_seed(seed);
  auto values = randn({count_of(input)}, kDouble).to_vector<double>();
  for (auto& value : values) {
    if (input.numbers == positive) value = std::abs(value) + 0.5;
    if (input.numbers == away_from_zero) value += value < 0 ? -0.3 : 0.3;
  }
  return values;
}

/// A leaf of these numbers in the layout and dtype of `input`.
inline Tensor leaf(const Input& input, const std::vector<double>& values, Device device, bool requires_grad) {
  const NoGradGuard unrecorded;
  Tensor x = tensor(values, kDouble).to(input.dtype).reshape(input.sizes).to(device);
  if (input.layout == reversed) {
    std::vector<std::int64_t> order;
    for (auto dim = x.dim() - 1; dim >= 0; --dim) order.push_back(dim);
    x = x.permute(order).contiguous().permute(order);
  } else if (input.layout == strided) {
    auto sizes = input.sizes;
    sizes.back() *= 2;
    Tensor part = zeros(sizes, x.options()).slice(-1, 0, std::nullopt, 2);
    x = part.copy_(x);
  }
  return x.detach().set_requires_grad(requires_grad);
}

/// The weighted sum of the function's result, in float64.
inline double weighted(const Tensor& result, const std::vector<double>& weights) {
  const auto values = result.to_vector<double>();
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * weights[i];
  return sum;
}

inline std::vector<double> weights_of(const Tensor& result) { return draw({{result.numel()}, away_from_zero}, 99); }

/// The derivative of the weighted result by each element of one input.
inline std::vector<double> differences(const Case& example, std::vector<std::vector<double>> values, std::size_t input,
                                       const std::vector<double>& weights) {
  const NoGradGuard unrecorded;
  const double step = example.inputs[input].dtype == kDouble ? 1e-5 : 1e-2;
  const auto at = [&](std::size_t element, double value) {
    const double before = std::exchange(values[input][element], value);
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
      inputs.push_back(leaf(example.inputs[i], values[i], kCPU, false));
    }
    values[input][element] = before;
    return std::pair(weighted(example.function(inputs), weights),
                     inputs[input].contiguous().to_vector<double>()[element]);
  };
  std::vector<double> result;
  for (std::size_t i = 0; i < values[input].size(); ++i) {
    const auto [above, x_above] = at(i, values[input][i] + step);
    const auto [below, x_below] = at(i, values[input][i] - step);
    result.push_back((above - below) / (x_above - x_below));
  }
  return result;
}

/// The names of all recorded operations of a result.
inline std::set<std::string> names_of(const Tensor& result) {
  std::set<std::string> names;
  std::set<const detail::RecordedOperation*> seen;
  std::vector<std::shared_ptr<detail::RecordedOperation>> open{
      std::static_pointer_cast<detail::RecordedOperation>(result.grad_fn())};
  while (!open.empty()) {
    const auto operation = open.back();
    open.pop_back();
    if (operation == nullptr || !seen.insert(operation.get()).second) continue;
    names.insert(operation->name());
    open.push_back(operation->written);
    for (const auto& edge : operation->inputs) open.push_back(edge.operation);
  }
  return names;
}

/// Differentiates on `device` and compares each gradient with the differences.
inline void check(const Case& example, Device device) {
  std::vector<std::vector<double>> values;
  std::vector<Tensor> inputs;
  bool single = false;
  for (const auto& input : example.inputs) {
    values.push_back(draw(input, values.size() + 1));
    inputs.push_back(leaf(input, values.back(), device, true));
    single = single || input.dtype != kDouble;
  }
  const Tensor result = example.function(inputs);
  EXPECT_TRUE(names_of(result).count(example.derivative) > 0) << "it records " << result.grad_fn()->name();
  const auto weights = weights_of(result.detach());
  result.backward(tensor(weights, kDouble).reshape(result.sizes()).to(result.device(), result.dtype()));
  const double rtol = single ? 2e-3 : 1e-6;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE("by input " + std::to_string(i));
    const Tensor grad = inputs[i].grad();
    ASSERT_TRUE(grad.defined());
    EXPECT_EQ(grad.sizes().vec(), example.inputs[i].sizes);
    EXPECT_EQ(grad.dtype(), example.inputs[i].dtype);
    EXPECT_TRUE(owner(grad) == device);
    const auto expected = differences(example, values, i, weights);
    const auto found = grad.to_vector<double>();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t j = 0; j < found.size(); ++j) {
      EXPECT_NEAR(found[j], expected[j], rtol * (0.05 + std::abs(expected[j]))) << "element " << j;
    }
  }
}

}  // namespace d2l::testing::gradients
