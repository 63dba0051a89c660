// SPDX-License-Identifier: MIT
// Random samples: the same on every device, with the probabilities that were asked for.
#include <cmath>

#include "every_device.h"

namespace d2l::testing {
namespace {

/// How often each index was drawn, divided by the number of draws.
std::vector<double> shares(const Tensor& drawn, std::int64_t classes) {
  return one_hot(drawn.reshape({-1}), classes).to(kDouble).mean({0}).to_vector<double>();
}

TEST(Sampling, MultinomialDrawsInProportion) {
  on_every_device([](Device device) {
    manual_seed(4);
    const Tensor weights = tensor({0.0, 3.0, 1.0, 0.0, 4.0, 0.0}).to(device);
    const auto drawn = weights.multinomial(20000, true);
    expect_on(device, drawn);
    EXPECT_EQ(drawn.dtype(), kLong);
    const auto found = shares(drawn, 6);
    const std::vector<double> expected{0, 0.375, 0.125, 0, 0.5, 0};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(found[i], expected[i], expected[i] == 0 ? 0 : 0.012) << i;
    }
    // The first of several without replacement has the same probabilities.
    const auto rows = weights.expand({8000, 6}).multinomial(2);
    const auto first = shares(rows.select(1, 0), 6);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(first[i], expected[i], 0.02) << i;
    EXPECT_TRUE(rows.select(1, 0).ne(rows.select(1, 1)).all().item<bool>());
  });
}

TEST(Sampling, MultinomialTakesAllWithoutReplacement) {
  manual_seed(1);
  const auto all = tensor({{1.0, 0.0, 5.0}, {2.0, 2.0, 2.0}}).multinomial(3);
  EXPECT_TRUE(std::get<0>(all.sort(1)).equal(arange(3).expand({2, 3})));
  EXPECT_EQ(all[0][2].item<int>(), 1);  // the one of probability 0 is the last
}

TEST(Sampling, NumbersAreTheSameOnEveryDevice) {
  const auto draw = [](Device device) {
    manual_seed(9);
    const Tensor p = linspace(0, 1, 50, device);
    Tensor x = empty({40}, device);
    return std::vector<std::vector<double>>{
        p.bernoulli().to_vector<double>(),     p.bernoulli(0.3).to_vector<double>(),
        p.multinomial(7).to_vector<double>(),  p.multinomial(70, true).to_vector<double>(),
        x.uniform_(-2, 3).to_vector<double>(), x.bernoulli_().to_vector<double>()};
  };
  const auto expected = draw(cpu());
  on_every_device([&](Device device) { EXPECT_EQ(draw(device), expected); });
}

TEST(Sampling, BernoulliAndNormalHaveTheirMoments) {
  on_every_device([](Device device) {
    manual_seed(6);
    const Tensor p = full({20000}, 0.3, device);
    const Tensor ones_of_it = p.bernoulli();
    EXPECT_EQ(ones_of_it.dtype(), kFloat);
    EXPECT_NEAR(ones_of_it.mean().item<double>(), 0.3, 0.02);
    EXPECT_NEAR(arange(20000, device).bernoulli(0.7).to(kDouble).mean().item<double>(), 0.7, 0.02);
    for (const Tensor& x :
         {normal(2, 3, {20000}, device), normal(full({20000}, 2.0, device), 3), normal(2, full({20000}, 3.0, device)),
          normal(full({100, 1}, 2.0, device), full({200}, 3.0, device)), empty({20000}, device).normal_(2, 3)}) {
      expect_on(device, x);
      EXPECT_EQ(x.numel(), 20000);
      EXPECT_NEAR(x.mean().item<double>(), 2, 0.1);
      EXPECT_NEAR(x.std().item<double>(), 3, 0.1);
    }
  });
}

TEST(Sampling, RequiresGradOnlyIfAsked) {
  EXPECT_TRUE(normal(0, 1, {2}, requires_grad(true)).is_leaf());
  EXPECT_TRUE(normal(0, 1, {2}, requires_grad(true)).requires_grad());
  const Tensor mean = ones({2}, requires_grad(true));
  EXPECT_FALSE(normal(mean).requires_grad());
  EXPECT_EQ(mean.bernoulli().grad_fn()->name(), "BernoulliBackward0");
}

}  // namespace
}  // namespace d2l::testing
