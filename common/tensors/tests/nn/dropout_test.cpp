// SPDX-License-Identifier: MIT
// Dropout.
#include <cmath>
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

namespace F = nn::functional;

TEST(Dropout, DropsAndScales) {
  on_every_device([](Device device) {
    manual_seed(3);
    const nn::Dropout layer(0.25);
    const auto x = full({100, 200}, 3.0, device);
    const auto y = layer(x);
    expect_on(device, y);
    EXPECT_EQ(y.sizes().vec(), x.sizes().vec());
    std::int64_t zeros = 0;
    for (const float value : y.to_vector<float>()) {
      EXPECT_TRUE(value == 0 || value == 4) << value;
      zeros += value == 0 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(zeros) / 20000, 0.25, 0.02);
    EXPECT_FALSE(layer(x).equal(y)) << "each call draws its own numbers";
    manual_seed(3);
    EXPECT_TRUE(layer(x).equal(y));
    expect_tensor(x.max(), {}, {3});
  });
}

TEST(Dropout, DrawsTheSameOnEveryDevice) {
  manual_seed(3);
  const auto on_cpu = F::dropout(ones({1000}));
  on_every_device([&](Device device) {
    manual_seed(3);
    EXPECT_TRUE(F::dropout(ones({1000}, device)).cpu().equal(on_cpu));
  });
}

TEST(Dropout, ReturnsTheInputInEvaluation) {
  on_every_device([](Device device) {
    const nn::Sequential net(nn::Dropout(0.5), nn::Dropout(nn::DropoutOptions(0.5).inplace(true)));
    const auto x = ones({100}, device);
    net->eval();
    EXPECT_TRUE(net(x).is_same(x));
    net->train();
    EXPECT_FALSE(net(x).is_same(x));
    EXPECT_TRUE(F::dropout(x, F::DropoutFuncOptions().training(false)).is_same(x));
    EXPECT_TRUE(nn::Dropout(0)(x).is_same(x));
    expect_tensor(x.sum(), {}, {100});
  });
}

TEST(Dropout, PassesGradientsWhereItKeeps) {
  on_every_device([](Device device) {
    auto x = ones({50}, device);
    x.set_requires_grad(true);
    const auto y = nn::Dropout(0.5)(x);
    EXPECT_EQ(y.grad_fn()->name(), "MulBackward0");
    y.sum().backward();
    EXPECT_TRUE(x.grad().equal(y.detach()));
  });
}

TEST(Dropout, OfEverythingIsZero) {
  on_every_device([](Device device) {
    auto x = tensor({1.0, std::numeric_limits<double>::infinity()}, TensorOptions(kFloat).device(device));
    x.set_requires_grad(true);
    const auto y = nn::Dropout(1)(x);
    EXPECT_EQ(y[0].item<float>(), 0);
    EXPECT_TRUE(std::isnan(y[1].item<float>())) << "0 × infinity, as in PyTorch";
    EXPECT_EQ(y.grad_fn()->name(), "MulBackward0");
    EXPECT_EQ(F::dropout(ones({0, 3}, device)).numel(), 0);
    EXPECT_EQ(F::dropout(ones({2}, TensorOptions(kDouble).device(device))).dtype(), kDouble);
  });
}

TEST(Dropout, InPlaceWritesTheInput) {
  on_every_device([](Device device) {
    auto x = ones({100}, device);
    const auto y = nn::Dropout(nn::DropoutOptions(0.5).inplace(true))(x);
    EXPECT_TRUE(y.is_same(x));
    const auto kept = x.eq(2).sum().item<std::int64_t>();
    EXPECT_EQ(kept + x.eq(0).sum().item<std::int64_t>(), 100);
    EXPECT_TRUE(kept > 20 && kept < 80) << kept;
  });
}

TEST(Dropout, PrintsAndRefusesAsPyTorchDoes) {
  EXPECT_EQ(repr(nn::Dropout()), "Dropout(p=0.5, inplace=False)");
  EXPECT_EQ(repr(nn::Dropout(nn::DropoutOptions(0.25).inplace(true))), "Dropout(p=0.25, inplace=True)");
  const auto copy = nn::Dropout(0.25)->clone();
  EXPECT_EQ(repr(*copy), "Dropout(p=0.25, inplace=False)");
  const std::string sentence = "dropout probability has to be between 0 and 1, but got ";
  expect_error<ValueError>([] { return repr(nn::Dropout(1.5)); }, sentence + "1.5");
  expect_error<ValueError>([] { return repr(nn::Dropout(std::nan(""))); }, sentence + "nan");
  expect_error<ValueError>([] { return F::dropout(ones({1}), F::DropoutFuncOptions().p(-0.5)); }, sentence + "-0.5");
  expect_error<TypeError>([] { return nn::Dropout()(ones({3}, kLong)); },
                          "result type Float can't be cast to the desired output type Long");
  EXPECT_TRUE(F::dropout(ones({3}, kLong), F::DropoutFuncOptions().training(false)).defined());
  expect_error<ValueError>([] { return F::dropout(Tensor()); }, "[dropout]");
}

}  // namespace
}  // namespace d2l::testing
