// SPDX-License-Identifier: MIT
// Initial values by the rules of Glorot and He.
#include <cmath>

#include "every_device.h"

namespace d2l::testing {
namespace {

namespace init = nn::init;

/// The standard deviation of the elements, and their largest absolute value.
double deviation(const Tensor& x) { return std::sqrt((x * x).mean().item<double>()); }
double largest(const Tensor& x) { return x.abs().max().item<double>(); }

/// Checks that the elements are uniform within ±bound.
void expect_uniform(const Tensor& x, double bound) {
  EXPECT_LE(largest(x), bound * (1 + 1e-6));
  EXPECT_GT(largest(x), 0.98 * bound);
  EXPECT_NEAR(deviation(x), bound / std::sqrt(3.0), 0.05 * bound);
}

TEST(Init, XavierKeepsTheVarianceBothWays) {
  on_every_device([](Device device) {
    const auto weight = nn::Parameter(empty({30, 20, 2, 3}, device));  // fan_in 120, fan_out 180
    EXPECT_TRUE(init::xavier_uniform_(weight).is_same(weight));
    expect_uniform(weight, std::sqrt(6.0 / 300));
    init::xavier_uniform_(weight, 3);
    expect_uniform(weight, 3 * std::sqrt(6.0 / 300));
    EXPECT_TRUE(init::xavier_normal_(weight, 2).is_same(weight));
    EXPECT_NEAR(deviation(weight), 2 * std::sqrt(2.0 / 300), 0.05 * 2 * std::sqrt(2.0 / 300));
    EXPECT_GT(largest(weight), 3 * deviation(weight));
    EXPECT_TRUE(weight.is_leaf() && weight.requires_grad() && placed(weight));
  });
}

TEST(Init, KaimingKeepsTheVarianceOneWay) {
  on_every_device([](Device device) {
    const auto weight = nn::Parameter(empty({30, 20, 2, 3}, device));
    init::kaiming_uniform_(weight);
    expect_uniform(weight, std::sqrt(6.0 / 120));
    init::kaiming_uniform_(weight, std::sqrt(5.0));
    expect_uniform(weight, std::sqrt(1.0 / 120));
    init::kaiming_uniform_(weight, 0, kFanOut, kTanh);
    expect_uniform(weight, 5.0 / 3 * std::sqrt(3.0 / 180));
    const auto expect_normal = [&](double std) {
      EXPECT_NEAR(deviation(weight), std, 0.05 * std);
      EXPECT_GT(largest(weight), 3 * std);
    };
    init::kaiming_normal_(weight);
    expect_normal(std::sqrt(2.0 / 120));
    init::kaiming_normal_(weight, 9, kFanOut, kReLU);
    expect_normal(std::sqrt(2.0 / 180));
    init::kaiming_normal_(weight, 0, kFanIn, kLinear);
    expect_normal(std::sqrt(1.0 / 120));
  });
}

TEST(Init, GainsArePyTorchs) {
  EXPECT_EQ(init::calculate_gain(kLinear), 1);
  EXPECT_EQ(init::calculate_gain(kSigmoid), 1);
  EXPECT_EQ(init::calculate_gain(kTanh), 5.0 / 3);
  EXPECT_EQ(init::calculate_gain(kReLU), std::sqrt(2.0));
  EXPECT_EQ(init::calculate_gain(kLeakyReLU), std::sqrt(2 / (1 + 0.01 * 0.01)));
  EXPECT_EQ(init::calculate_gain(kLeakyReLU, 2), std::sqrt(2.0 / 5));
}

TEST(Init, RefusesWhatHasNoFans) {
  const std::string sentence = "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions";
  expect_error<ShapeError>([] { return init::xavier_uniform_(ones({3})); }, sentence);
  expect_error<ShapeError>([] { return init::xavier_normal_(ones({3})); }, sentence);
  expect_error<ShapeError>([] { return init::kaiming_uniform_(tensor(1.0)); }, sentence);
  expect_error<ShapeError>([] { return init::kaiming_normal_(ones({3})); }, sentence);
  expect_error<TypeError>([] { return init::kaiming_normal_(ones({3, 3}, kLong)); }, "not implemented for 'Long'");
  expect_error<ValueError>([] { return init::normal_(ones({3}), 0, -1); },
                           "normal expects std >= 0.0, but found std -1");
  expect_error<ValueError>([] { return init::uniform_(ones({3}), 1, 0); },
                           "uniform_ expects to return a [from, to) range, but found from=1 > to=0");
  expect_error<ValueError>([] { return init::xavier_uniform_(Tensor()); }, "[xavier_uniform_]");
  on_every_device([](Device device) {
    for (const auto& sizes : {Sizes{0, 0}, Sizes{0, 3}, Sizes{3, 0}, Sizes{2, 3, 0}}) {
      const auto nothing = empty(sizes, device);
      EXPECT_TRUE(init::xavier_uniform_(nothing).is_same(nothing));
      EXPECT_TRUE(init::xavier_normal_(nothing).is_same(nothing));
      EXPECT_TRUE(init::kaiming_uniform_(nothing).is_same(nothing));
      EXPECT_TRUE(init::kaiming_normal_(nothing, 0, kFanOut).is_same(nothing));
    }
  });
}

}  // namespace
}  // namespace d2l::testing
