// SPDX-License-Identifier: MIT
// var, std, prod, all, any, argmin, logsumexp and cumsum: values over any dimensions and layouts, dtypes, empty
// tensors, PyTorch's errors.
#include <cmath>
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

void expect_values(const Tensor& x, IntArrayRef sizes, const std::vector<double>& expected) {
  EXPECT_EQ(x.sizes().vec(), sizes.vec());
  const auto found = x.to_vector<double>();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i] || (std::isnan(expected[i]) && std::isnan(found[i]))) continue;
    EXPECT_NEAR(found[i], expected[i], 2e-6 * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

TEST(Statistics, Variances) {
  on_every_device([](Device device) {
    const auto x = tensor({{1.0, 5.0, 3.0}, {4.0, 2.0, 6.0}}, device);
    expect_values(x.var(), {}, {3.5});
    expect_values(x.var(false), {}, {17.5 / 6});
    expect_values(x.std(), {}, {std::sqrt(3.5)});
    expect_values(x.var(0), {3}, {4.5, 4.5, 4.5});
    expect_values(x.var({-1}, 0), {2}, {8.0 / 3, 8.0 / 3});
    expect_values(x.std(1, false, true), {2, 1}, {std::sqrt(8.0 / 3), std::sqrt(8.0 / 3)});
    expect_values(var(x, {0, 1}, 2, true), {1, 1}, {17.5 / 4});
    expect_values(d2l::std(x, true), {}, {std::sqrt(3.5)});
    expect_values(x.t().var(1), {3}, {4.5, 4.5, 4.5});
    expect_values(tensor({3.0}, device).var(), {}, {std::nan("")});
    expect_values(tensor({3.0, 4.0}, device).var(0, 5), {}, {infinite});
    expect_values(zeros({0, 3}, device).var(), {}, {std::nan("")});
    expect_values(zeros({0, 3}, device).std(0, 1, true), {1, 3}, {std::nan(""), std::nan(""), std::nan("")});
    expect_values(tensor({1.0, infinite}, device).var(), {}, {std::nan("")});
    expect_error<TypeError>([&] { return tensor({1}, device).var(); },
                            "[var] std and var only support floating point and complex dtypes");
    expect_error<TypeError>([&] { return tensor({true}, device).std(5); },
                            "[std] std and var only support floating point and complex dtypes");
    expect_error<IndexError>([&] { return x.var(5); },
                             "[var] Dimension out of range (expected to be in range of [-2, 1], but got 5)");
    expect_error<ShapeError>([&] { return x.std({0, -2}); }, "dim 0 appears multiple times in the list of dims");
  });
}

TEST(Statistics, Products) {
  on_every_device([](Device device) {
    const auto x = tensor({{1.0, 5.0, 3.0}, {4.0, -2.0, 6.0}}, device);
    expect_values(x.prod(), {}, {-720});
    expect_values(x.prod(0), {3}, {4, -10, 18});
    expect_values(prod(x, -1, true), {2, 1}, {15, -48});
    expect_values(x.t().prod(0), {2}, {15, -48});
    EXPECT_EQ(tensor({{5, -1, -1}, {5, 2, 2}}, device).prod().item<int>(), 100);
    EXPECT_EQ(tensor({200, 200}, TensorOptions(kByte).device(device)).prod().dtype(), kLong);
    EXPECT_EQ(tensor({200, 200}, TensorOptions(kByte).device(device)).prod().item<int>(), 40000);
    expect_tensor(tensor({true, false}, device).prod(0), {}, {0});
    expect_values(zeros({0, 3}, device).prod(), {}, {1});
    expect_values(tensor(3.0, device).prod(-1), {}, {3});
    expect_error<IndexError>([&] { return x.prod(5); }, "Dimension out of range");
  });
}

TEST(Statistics, GradientsOfProductsWithZeros) {
  on_every_device([](Device device) {
    const auto x = tensor({{2.0, 3.0, 4.0}, {0.0, 3.0, 4.0}, {0.0, 3.0, 0.0}},
                          TensorOptions(device).dtype(kDouble).requires_grad(true));
    x.prod(1).sum().backward();
    expect_tensor(x.grad(), {3, 3}, {12, 8, 6, 12, 0, 0, 0, 0, 0});
    const auto y = tensor({{0.0, 3.0}, {2.0, 4.0}}, TensorOptions(device).requires_grad(true));
    y.prod().backward();
    expect_tensor(y.grad(), {2, 2}, {24, 0, 0, 0});
  });
}

TEST(Statistics, Truths) {
  on_every_device([](Device device) {
    const auto x = tensor({{5, 0, -1}, {5, 2, 2}}, device);
    expect_tensor(x.all(), {}, {0});
    expect_tensor(x.any(), {}, {1});
    expect_tensor(x.all(0), {3}, {1, 0, 1});
    expect_tensor(all(x, {0, 1}, true), {1, 1}, {0});
    expect_tensor(any(x, -1), {2}, {1, 1});
    EXPECT_EQ(x.all().dtype(), kBool);
    expect_tensor(tensor({std::nan(""), 0.0}, device).any(), {}, {1});
    expect_tensor(tensor({std::nan(""), -0.0}, device).all(), {}, {0});
    expect_tensor(zeros({0, 3}, device).all(), {}, {1});
    expect_tensor(zeros({0, 3}, device).any(), {}, {0});
    expect_tensor(zeros({0, 3}, device).any(1), {0}, {});
    EXPECT_EQ(x.to(kByte).all().dtype(), kByte);
    expect_tensor(tensor({false, true}, device).any(0, true), {1}, {1});
    expect_error<IndexError>([&] { return x.any(2); },
                             "[any] Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  });
}

TEST(Statistics, IndicesOfTheSmallest) {
  on_every_device([](Device device) {
    const auto x = tensor({{5, -1, -1}, {5, 2, 2}}, device);
    expect_tensor(x.argmin(), {}, {1});
    expect_tensor(argmin(x, 0), {3}, {0, 0, 0});
    expect_tensor(x.argmin(1, true), {2, 1}, {1, 1});
    expect_tensor(x.t().argmin(), {}, {2});
    expect_tensor(tensor({1.0, std::nan(""), -infinite}, device).argmin(), {}, {1});
    expect_tensor(zeros({0, 3}, device).argmin(1), {0}, {});
    expect_error<IndexError>(
        [&] {
          return zeros({0, 3}, device).argmin();
        },
        "[argmin] argmin(): Expected reduction dim to be specified for input.numel() == 0.");
    expect_error<IndexError>(
        [&] {
          return zeros({0, 3}, device).argmin(0);
        },
        "argmin(): Expected reduction dim 0 to have non-zero size.");
    expect_error<TypeError>([&] { return tensor({true}, device).argmin(2); },
                            "[argmin] argmin(): does not support bool input");
  });
}

TEST(Statistics, LogarithmsOfSumsOfExponentials) {
  on_every_device([](Device device) {
    const auto x = tensor({{0.0, 1.0}, {2.0, 1000.0}}, device);
    expect_values(x.logsumexp(0), {2}, {std::log(1 + std::exp(2)), 1000});
    expect_values(logsumexp(x, {0, 1}, true), {1, 1}, {1000});
    expect_values(x.t().logsumexp(0), {2}, {std::log(1 + std::exp(1)), 1000});
    expect_values(zeros({0, 3}, device).logsumexp({0, 1}), {}, {-infinite});
    expect_values(tensor({-infinite, -infinite}, device).logsumexp(0), {}, {-infinite});
    expect_values(tensor({infinite, 1.0}, device).logsumexp(0), {}, {infinite});
    const auto bits = tensor({true, false, false, true}, device).logsumexp(0, true);
    expect_values(bits, {1}, {std::log(2 * std::exp(1) + 2)});
    EXPECT_EQ(bits.dtype(), kFloat);
    expect_error<IndexError>([&] { return x.logsumexp(5); }, "[logsumexp] Dimension out of range");
  });
}

TEST(Statistics, SumsUpToEachElement) {
  on_every_device([](Device device) {
    const auto x = tensor({{5, -1, -1}, {5, 2, 2}}, device);
    expect_tensor(x.cumsum(0), {2, 3}, {5, -1, -1, 10, 1, 1});
    expect_tensor(cumsum(x, -1), {2, 3}, {5, 4, 3, 5, 7, 9});
    expect_tensor(x.t().cumsum(0), {3, 2}, {5, 5, 4, 7, 3, 9});
    const auto bits = tensor({true, false, false, true}, device).cumsum(0);
    expect_tensor(bits, {4}, {1, 1, 1, 2});
    EXPECT_EQ(bits.dtype(), kLong);
    expect_tensor(tensor(3.0, device).cumsum(0), {}, {3});
    expect_tensor(zeros({0, 3}, device).cumsum(0), {0, 3}, {});
    expect_values(tensor({1.0, infinite, -infinite}, device).cumsum(0), {3}, {1, infinite, std::nan("")});
    expect_error<IndexError>([&] { return x.cumsum(5); },
                             "[cumsum] Dimension out of range (expected to be in range of [-2, 1], but got 5)");
  });
}

TEST(Statistics, HavePyTorchsNames) {
  const auto x = ones({2, 3}, requires_grad());
  EXPECT_EQ(x.var().grad_fn()->name(), "VarBackward0");
  EXPECT_EQ(x.std(0).grad_fn()->name(), "StdBackward0");
  EXPECT_EQ(x.prod().grad_fn()->name(), "ProdBackward0");
  EXPECT_EQ(x.prod(0).grad_fn()->name(), "ProdBackward1");
  EXPECT_EQ(x.logsumexp(0).grad_fn()->name(), "LogsumexpBackward0");
  EXPECT_EQ(x.cumsum(0).grad_fn()->name(), "CumsumBackward0");
}

}  // namespace
}  // namespace d2l::testing
