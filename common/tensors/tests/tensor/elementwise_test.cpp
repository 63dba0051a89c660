// SPDX-License-Identifier: MIT
// Elementwise operations beyond their references: special values, dtypes, numbers on either side, errors.
#include <cmath>
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

/// Checks values of which some may be NaN.
void expect_values(const Tensor& x, const std::vector<double>& expected) {
  const auto found = x.to_vector<double>();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])))
        << "element " << i << ": " << found[i] << " instead of " << expected[i];
  }
}

TEST(Elementwise, QuestionsAboutFloatingPointNumbers) {
  on_every_device([](Device device) {
    const auto x = tensor({0.0, NAN, INFINITY, -INFINITY, 1e30}, device);
    expect_tensor(x.isnan(), {5}, {0, 1, 0, 0, 0});
    expect_tensor(x.isinf(), {5}, {0, 0, 1, 1, 0});
    expect_tensor(isfinite(x), {5}, {1, 0, 0, 0, 1});
    expect_tensor(x.logical_not(), {5}, {1, 0, 0, 0, 0});
    const auto n = tensor({{0}, {2}}, device).expand({2, 2});
    expect_tensor(isnan(n), {2, 2}, {0, 0, 0, 0});
    expect_tensor(isinf(n), {2, 2}, {0, 0, 0, 0});
    expect_tensor(n.isfinite(), {2, 2}, {1, 1, 1, 1});
    expect_tensor(logical_not(n), {2, 2}, {1, 1, 0, 0});
    for (const Tensor& answer : {x.isnan(), x.isinf(), n.isfinite(), n.logical_not()}) EXPECT_EQ(answer.dtype(), kBool);
    expect_on(device, x.isnan(), n.isinf(), n.isfinite());
    auto y = x.clone();
    expect_tensor(y.logical_not_(), {5}, {1, 0, 0, 0, 0});
    EXPECT_EQ(y.dtype(), kFloat);
    EXPECT_EQ(zeros({0, 3}, device).isnan().sizes(), IntArrayRef({0, 3}));
    EXPECT_FALSE(ones({2}, TensorOptions(device).requires_grad(true)).isinf().requires_grad());
  });
}

TEST(Elementwise, RoundingIsToEvenAndKeepsWholeNumbers) {
  on_every_device([](Device device) {
    const auto x = tensor({-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, NAN, INFINITY}, device);
    expect_values(x.round(), {-2, -2, 0, 0, 2, 2, NAN, INFINITY});
    expect_values(x.floor(), {-3, -2, -1, 0, 1, 2, NAN, INFINITY});
    expect_values(x.ceil(), {-2, -1, 0, 1, 2, 3, NAN, INFINITY});
    expect_values(x.sign(), {-1, -1, -1, 1, 1, 1, 0, 1});
    const auto n = tensor({-3, 4}, device);
    expect_tensor(n.floor(), {2}, {-3, 4});
    EXPECT_FALSE(n.ceil().is_same(n));
    EXPECT_EQ(n.round().dtype(), kLong);
    auto y = n.clone();
    expect_tensor(y.ceil_(), {2}, {-3, 4});
    EXPECT_EQ(y._version(), 1);
    expect_tensor(tensor({1250, -350}, TensorOptions(kDouble).device(device)).round(-2), {2}, {1200, -400});
    expect_tensor(tensor({0.125, 2.71828}, TensorOptions(kDouble).device(device)).round(2), {2}, {0.12, 2.72});
    expect_error<TypeError>([&] { return (n == 4).floor(); }, "\"floor_vml_cpu\" not implemented for 'Bool'");
    expect_error<TypeError>([&] { return round(n == 4); }, "\"round_vml_cpu\" not implemented for 'Bool'");
    expect_error<TypeError>([&] { return n.round(1); }, "\"round_cpu\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return n.round(0); }, "\"round_vml_cpu\" not implemented for 'Long'");
  });
}

TEST(Elementwise, SquareIsThePowerOf2) {
  on_every_device([](Device device) {
    EXPECT_EQ((tensor({true, false}, TensorOptions(kBool).device(device))).square().dtype(), kLong);
    EXPECT_EQ(tensor({3}, device).square().dtype(), kLong);
    const auto x = tensor({-3.0}, TensorOptions(device).requires_grad(true));
    EXPECT_EQ(x.square().grad_fn()->name(), "PowBackward0");
    auto b = tensor({true}, TensorOptions(kBool).device(device));
    expect_error<TypeError>([&] { return b.square_(); }, "Found dtype Bool but expected Long");
  });
}

TEST(Elementwise, MaximumAndMinimumOfNanAndBools) {
  on_every_device([](Device device) {
    const auto x = tensor({NAN, 1.0, INFINITY, 2.0}, device);
    const auto y = tensor({1.0, NAN, 3.0, 5.0}, device);
    expect_values(maximum(x, y), {NAN, NAN, INFINITY, 5});
    expect_values(x.minimum(y), {NAN, NAN, 3, 2});
    const auto a = tensor({true, false, true}, TensorOptions(kBool).device(device));
    const auto b = tensor({false, false, true}, TensorOptions(kBool).device(device));
    expect_tensor(a.maximum(b), {3}, {1, 0, 1});
    expect_tensor(a.minimum(b), {3}, {0, 0, 1});
    EXPECT_EQ(a.minimum(b).dtype(), kBool);
    EXPECT_EQ(tensor({1}, device).maximum(tensor({0.5}, device)).dtype(), kFloat);
    const auto tied = tensor({1.0, 2.0, NAN}, TensorOptions(device).requires_grad(true));
    maximum(tied, ones({3}, device)).sum().backward();
    expect_tensor(tied.grad(), {3}, {0.5, 1, 1});
  });
}

TEST(Elementwise, RemaindersHaveTheSignOfTheDivisor) {
  on_every_device([](Device device) {
    const auto x = tensor({-5.0, 5.0, -0.0, INFINITY, 3.0}, device);
    expect_values(x % 3, {1, 2, 0, NAN, 0});
    expect_values(x % -3, {-2, -1, 0, NAN, 0});
    expect_values(x % 0.0, {NAN, NAN, NAN, NAN, NAN});
    expect_values(x.floor_divide(3), {-2, 1, 0, NAN, 1});
    expect_values(x.floor_divide(0.0), {-INFINITY, INFINITY, NAN, INFINITY, INFINITY});
    expect_values(7 % tensor({2.0, -2.0}, device), {1, -1});
    const auto n = tensor({-7, 7}, device);
    expect_tensor(n % 3, {2}, {2, 1});
    expect_tensor(n % -3, {2}, {-1, -2});
    expect_tensor(floor_divide(n, 2), {2}, {-4, 3});
    expect_tensor(9 % tensor({2, -2}, device), {2}, {1, -1});
    EXPECT_EQ((n % 2.5).dtype(), kFloat);
    EXPECT_EQ((tensor({true}, TensorOptions(kBool).device(device)) % 2).dtype(), kLong);
    const auto lowest = tensor({std::numeric_limits<std::int64_t>::min()}, device);
    expect_tensor(lowest % -1, {1}, {0});
    EXPECT_EQ(lowest.floor_divide(-1).item<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
    const auto b = n == 7;
    expect_error<TypeError>([&] { return b % b; }, "\"remainder_cpu\" not implemented for 'Bool'");
    expect_error<TypeError>([&] { return b.floor_divide(true); }, "\"div_floor_cpu\" not implemented for 'Bool'");
    auto y = n.clone();
    expect_error<TypeError>([&] { return y.remainder_(2.5); },
                            "result type Float can't be cast to the desired output type Long");
  });
}

TEST(Elementwise, IntegersAreNotDividedByZero) {
  on_every_device([](Device device) {
    auto n = tensor({{1, 2}, {3, 4}}, device);
    expect_error<ValueError>([&] { return n % 0; }, "[remainder] ZeroDivisionError");
    expect_error<ValueError>([&] { return n.floor_divide_(0); }, "[floor_divide] ZeroDivisionError");
    expect_tensor(zeros({0}, TensorOptions(kLong).device(device)) % 0, {0}, {});
    const auto zero_column = tensor({{5, 0}, {7, 1}}, device).t();
    if (device.is_cpu()) {
      expect_error<ValueError>([&] { return n % zero_column; }, "ZeroDivisionError");
      expect_error<ValueError>([&] { return n.remainder_(zero_column); }, "ZeroDivisionError");
      expect_error<ValueError>([&] { return 3 % zero_column; }, "ZeroDivisionError");
    } else {
      expect_tensor(n % zero_column, {2, 2}, {1, 2, 0, 0});
      expect_tensor(n.floor_divide(zero_column), {2, 2}, {0, 0, 0, 4});
    }
    expect_error<ShapeError>([&] { return n % tensor({0, 0, 0}, device); }, "The size of tensor a (2) must match");
    expect_tensor(n, {2, 2}, {1, 2, 3, 4});
  });
}

TEST(Elementwise, FloorDivideHasNoGradient) {
  on_every_device([](Device device) {
    const auto x = ones({2}, TensorOptions(device).requires_grad(true));
    const auto y = x.floor_divide(2);
    EXPECT_EQ(y.grad_fn()->name(), "NotImplemented");
    expect_error<ValueError>([&] { y.sum().backward(); }, "derivative for aten::floor_divide is not implemented");
    const auto rest = x % 2;
    rest.sum().backward({}, true);
    rest.sum().backward();  // the rest of a division by a number saves nothing
    expect_tensor(x.grad(), {2}, {2, 2});
  });
}

TEST(Elementwise, LogicalOperationsOfMixedDtypes) {
  on_every_device([](Device device) {
    const auto x = tensor({0.0, NAN, 0.25, 0.0}, device);
    const auto n = tensor({0, 0, 256, 3}, device);
    expect_tensor(logical_and(x, n), {4}, {0, 0, 1, 0});
    expect_tensor(x.logical_or(n), {4}, {0, 1, 1, 1});
    expect_tensor(logical_xor(n, x), {4}, {0, 1, 0, 1});
    EXPECT_EQ(x.logical_or(n).dtype(), kBool);
    auto y = n.clone();
    expect_tensor(y.logical_xor_(x), {4}, {0, 1, 0, 1});
    EXPECT_EQ(y.dtype(), kLong);
    expect_tensor(n.logical_and(tensor(2, device)), {4}, {0, 0, 1, 1});
    expect_error<ShapeError>(
        [&] {
          return Tensor(x).logical_and_(ones({2, 4}, device));
        },
        "output with shape [4] doesn't match the broadcast shape [2, 4]");
    expect_error<ShapeError>([&] { return logical_or(x, ones({3}, device)); }, "[logical_or] The size of tensor a (4)");
  });
}

TEST(Elementwise, ActivationsOfSpecialValues) {
  on_every_device([](Device device) {
    const auto x = tensor({-INFINITY, INFINITY, NAN, 0.0}, device);
    expect_values(gelu(x), {NAN, NAN, NAN, 0});
    expect_values(silu(x), {NAN, INFINITY, NAN, 0});
    expect_values(elu(x), {-1, INFINITY, NAN, 0});
    expect_values(leaky_relu(x), {-INFINITY, INFINITY, NAN, 0});
    const auto soft = softplus(tensor({-200.0, 21.0, 200.0}, device)).to_vector<double>();
    EXPECT_EQ(soft[0], 0);
    EXPECT_EQ(soft[1], 21);
    EXPECT_EQ(soft[2], 200);
    const auto n = tensor({1, 2}, device);
    expect_error<TypeError>([&] { return gelu(n); }, "\"GeluKernelImpl\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return silu(n); }, "\"silu_cpu\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return softplus(n); }, "\"softplus_cpu\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return leaky_relu(n); }, "\"leaky_relu_cpu\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return elu(n); }, "\"elu_cpu\" not implemented for 'Long'");
    expect_error<ValueError>([&] { return gelu(x, "erf"); }, "approximate argument must be either none or tanh.");
    EXPECT_EQ(gelu(zeros({0, 2}, device)).sizes(), IntArrayRef({0, 2}));
    expect_on(device, softplus(x), elu(x));
  });
}

TEST(Elementwise, SoftmaxOfShapesAndDtypes) {
  on_every_device([](Device device) {
    const auto x = arange(24, TensorOptions(kDouble).device(device)).reshape({2, 3, 4});
    for (const std::int64_t dim : {0, 1, -1}) {
      const auto y = softmax(x.transpose(0, 2), dim);
      EXPECT_EQ(y.sizes(), IntArrayRef({4, 3, 2}));
      EXPECT_TRUE(y.sum({dim}).allclose(ones_like(y.sum({dim})), 1e-14));
      EXPECT_TRUE(y.allclose(x.transpose(0, 2).log_softmax(dim).exp(), 1e-13));
    }
    expect_tensor(softmax(tensor(2.0, device), 0), {}, {1});
    EXPECT_EQ(zeros({0, 2}, device).softmax(1).sizes(), IntArrayRef({0, 2}));
    expect_on(device, x.softmax(1));
    const auto n = ones({2, 2}, TensorOptions(kLong).device(device));
    expect_error<TypeError>([&] { return n.softmax(1); }, "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return n.softmax(0); }, "\"softmax_kernel_impl\" not implemented for 'Long'");
    expect_error<TypeError>([&] { return n.log_softmax(0); }, "\"softmax_kernel_impl\" not implemented for 'Long'");
    expect_error<IndexError>([&] { return x.softmax(3); },
                             "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
  });
}

}  // namespace
}  // namespace d2l::testing
