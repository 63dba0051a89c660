// SPDX-License-Identifier: MIT
// Gradients at the edges: of bounds, zeros, empty tensors, other dtypes, and views of leaves that are views. Expected
// is what PyTorch 2.15 computes.
#include <cmath>
#include <limits>

#include "leaf.h"

namespace d2l::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Numbers = std::vector<double>;

/// The gradients of `x` and of further leaves, by the sum of a result.
template <class Result>
void expect_gradients(const Result& result, std::vector<Tensor> leaves, const std::vector<Numbers>& expected) {
  result(leaves).sum().backward();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto found = leaves[i].grad().to_vector<double>();
    ASSERT_EQ(found.size(), expected[i].size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const bool same = std::isnan(expected[i][k]) ? std::isnan(found[k]) : std::abs(found[k] - expected[i][k]) < 1e-6;
      EXPECT_TRUE(same || found[k] == expected[i][k]) << "leaf " << i << " at " << k << ": " << found[k];
    }
  }
}
using Leaves = const std::vector<Tensor>&;

TEST(GradientEdges, AtABoundIsThatOfTheTensor) {
  on_every_device([](Device device) {
    const auto x = [device] { return leaf({-1.0, 0.0, 0.5, 1.0, 2.0}, device); };
    const auto all = [device](double number) { return leaf({number, number, number, number, number}, device); };
    expect_gradients([](Leaves t) { return t[0].clamp(0, 1); }, {x()}, {{0, 1, 1, 1, 0}});
    expect_gradients([](Leaves t) { return t[0].clamp(t[1], t[2]); }, {x(), all(0), all(1)},
                     {{0, 1, 1, 1, 0}, {1, 0, 0, 0, 0}, {0, 0, 0, 0, 1}});
  });
}

TEST(GradientEdges, AProductWithZerosThatOverflows) {
  on_every_device([](Device device) {
    const auto all = [](Leaves t) { return t[0].prod(); };
    const auto along = [](Leaves t) { return t[0].prod(0); };
    expect_gradients(all, {leaf({0.0, 0.0, 1e30, 1e30}, device)}, {{0, 0, 0, 0}});
    expect_gradients(along, {leaf({1e30, 1e30, 0.0, 2.0}, device)}, {{0, 0, infinity, 0}});
    expect_gradients(all, {leaf({1e30, 1e30, 0.0, infinity}, device)}, {{nan, nan, infinity, 0}});
    expect_gradients(all, {leaf({1.0, 0.0, 0.0, infinity}, device)}, {{0, 0, 0, 0}});
    expect_gradients(along, {leaf({1.0, 0.0, 0.0, infinity}, device)}, {{nan, nan, nan, 0}});
    expect_gradients(all, {leaf({1.0, infinity, 2.0}, device)}, {{infinity, nan, infinity}});
    expect_gradients(all, {leaf({3.0, 0.0, 2.0}, device)}, {{0, 6, 0}});
  });
}

TEST(GradientEdges, AVarianceWithoutFreedom) {
  on_every_device([](Device device) {
    const auto x = [device] { return leaf({3.0, 4.0, 5.0}, device); };
    expect_gradients([](Leaves t) { return t[0].var({}, 5); }, {x()}, {{infinity, nan, infinity}});
    expect_gradients([](Leaves t) { return t[0].var({}, 3); }, {x()}, {{infinity, nan, infinity}});
    expect_gradients([](Leaves t) { return t[0].var({0}, 5); }, {x()}, {{1, 0, -1}});
    expect_gradients([](Leaves t) { return t[0].var({0}, 3); }, {x()}, {{-infinity, nan, infinity}});
    expect_gradients([](Leaves t) { return t[0].var(); }, {leaf({3.0}, device)}, {{nan}});
  });
}

TEST(GradientEdges, ProductsWithASizeOfZero) {
  on_every_device([](Device device) {
    const auto of = [device](IntArrayRef sizes) { return zeros(sizes, TensorOptions(device).requires_grad(true)); };
    const auto goes_back = [](const std::vector<Tensor>& leaves, const Tensor& result) {
      result.sum().backward();
      for (const Tensor& one : leaves) EXPECT_EQ(one.grad().sizes().vec(), one.sizes().vec());
    };
    const std::vector<std::array<std::vector<std::int64_t>, 2>> shapes{
        {{{0, 3}, {2, 3}}},    {{{2, 0}, {2, 0}}},    {{{2, 3, 0}, {2, 0}}},
        {{{0, 3, 4}, {2, 4}}}, {{{2, 3, 4}, {0, 4}}}, {{{0, 3, 0}, {0, 0}}},
    };
    for (const auto& [input, weight] : shapes) {
      const Tensor x = of(input);
      const Tensor w = of(weight);
      const Tensor bias = of({weight[0]});
      goes_back({x, w, bias}, linear(x, w, bias));
      goes_back({x, w}, x.matmul(w.t()));
      goes_back({x, w}, linear(x, w));
    }
    const Tensor batches = of({0, 2, 3, 0});
    const Tensor column = of({0});
    goes_back({batches, column}, batches.matmul(column));
  });
}

TEST(GradientEdges, NoIndexKeepsTheRecord) {
  on_every_device([](Device device) {
    for (const auto& sizes : {std::vector<std::int64_t>{0}, std::vector<std::int64_t>{0, 5}}) {
      const Tensor x = ones({2, 3}, TensorOptions(device).requires_grad(true));
      const Tensor nothing = x.gather(0, zeros(sizes, TensorOptions(device).dtype(kLong)));
      EXPECT_EQ(nothing.grad_fn()->name(), "GatherBackward0");
      nothing.sum().backward();
      EXPECT_EQ(x.grad().sum().item<float>(), 0);
    }
    const Tensor x = ones({2}, TensorOptions(device).requires_grad(true));
    EXPECT_TRUE(x.index_select(0, zeros({0}, TensorOptions(device).dtype(kLong))).requires_grad());
  });
}

TEST(GradientEdges, LossesOfOtherDtypes) {
  on_every_device([](Device device) {
    const Tensor truths = tensor({true, false}, device);
    const auto x = [device] { return leaf({1.0, 2.0}, device); };
    expect_gradients([&](Leaves t) { return mse_loss(t[0], truths); }, {x()}, {{0, 2}});
    expect_gradients([&](Leaves t) { return smooth_l1_loss(t[0], truths); }, {x()}, {{0, .5}});
    const Tensor wide = zeros({2}, TensorOptions(device).dtype(kDouble));
    EXPECT_EQ(huber_loss(x(), wide).dtype(), kFloat);
    EXPECT_EQ(huber_loss(wide, x()).dtype(), kDouble);
    EXPECT_EQ(smooth_l1_loss(x(), wide).dtype(), kDouble);
    expect_error<TypeError>([&] { huber_loss(x(), wide).backward(); }, "Found dtype Double but expected Float");
    expect_error<TypeError>([&] { huber_loss(x(), truths).backward(); }, "Found dtype Bool but expected Float");
    expect_error<TypeError>([&] { return huber_loss(ones({2}, TensorOptions(device).dtype(kLong)), x()); },
                            "result type Float can't be cast to the desired output type Long");
  });
}

TEST(GradientEdges, AViewOfALeafThatIsAView) {
  on_every_device([](Device device) {
    const Tensor base = zeros({4}, device);
    const Tensor view = base.view({2, 2});
    view.requires_grad_();
    constexpr const char* refused =
        "a view of a leaf Variable that requires grad is being used in an in-place operation.";
    Tensor row = view[0];
    expect_error<ValueError>([&] { row.fill_(1); }, refused);
    Tensor element = row[1];
    expect_error<ValueError>([&] { element.mul_(3); }, refused);
    (row * 2).sum().backward();
    EXPECT_EQ(view.grad().to_vector<float>(), (std::vector<float>{2, 2, 0, 0}));
  });
}

TEST(GradientEdges, IntegersHaveNoGradient) {
  on_every_device([](Device device) {
    const Tensor mask = tensor({true, false}, device);
    Tensor numbers = tensor({1, 2}, device);
    const Tensor value = tensor(1.5, TensorOptions(device).requires_grad(true));
    expect_error<TypeError>([&] { return numbers.masked_fill(mask, value); }, "Autograd not support dtype: Long");
    expect_error<TypeError>([&] { numbers.masked_fill_(mask, value); }, "Autograd not support dtype: Long");
    EXPECT_EQ(numbers.masked_fill(mask, value.detach()).to_vector<int>(), (std::vector<int>{1, 2}));
  });
}

TEST(GradientEdges, TheGradientCanBeWritten) {
  on_every_device([](Device device) {
    const Tensor x = leaf({1.0, 2.0}, device);
    (x * 3).sum().backward();
    x.grad().copy_(tensor({5.0, 6.0}, device));
    EXPECT_EQ(x.grad().to_vector<float>(), (std::vector<float>{5, 6}));
    x.grad().zero_();
    EXPECT_EQ(x.grad().to_vector<float>(), (std::vector<float>{0, 0}));
  });
}

}  // namespace
}  // namespace d2l::testing
