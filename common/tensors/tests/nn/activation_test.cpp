// SPDX-License-Identifier: MIT
// Activations as layers and as functions.
#include <cmath>
#include <memory>

#include "every_device.h"

namespace d2l::testing {
namespace {

namespace functional = nn::functional;

TEST(ActivationLayers, ComputeTheirFunctions) {
  on_every_device([](Device device) {
    const auto x = randn({3, 5}, device);
    const auto expect_same = [](const Tensor& a, const Tensor& b) { EXPECT_TRUE(a.equal(b)) << a << b; };
    expect_same(nn::Sigmoid()(x), x.sigmoid());
    expect_same(functional::sigmoid(x), x.sigmoid());
    expect_same(nn::Tanh()(x), x.tanh());
    expect_same(functional::tanh(x), x.tanh());
    expect_same(nn::SiLU()(x), silu(x));
    expect_same(functional::silu(x), silu(x));
    expect_same(nn::GELU()(x), gelu(x));
    expect_same(nn::GELU(nn::GELUOptions().approximate("tanh"))(x), gelu(x, "tanh"));
    expect_same(functional::gelu(x, functional::GELUFuncOptions().approximate("tanh")), gelu(x, "tanh"));
    expect_same(nn::LeakyReLU()(x), leaky_relu(x));
    expect_same(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.5))(x), leaky_relu(x, 0.5));
    expect_same(functional::leaky_relu(x, functional::LeakyReLUFuncOptions().negative_slope(2)), leaky_relu(x, 2));
    expect_same(nn::ELU(nn::ELUOptions().alpha(2))(x), elu(x, 2));
    expect_same(functional::elu(x, functional::ELUFuncOptions().alpha(2)), elu(x, 2));
    expect_same(nn::Softplus(nn::SoftplusOptions().beta(2).threshold(1))(x), softplus(x, 2, 1));
    expect_same(functional::softplus(x), softplus(x));
    expect_same(nn::Softmax(0)(x), x.softmax(0));
    expect_same(functional::softmax(x, -1), x.softmax(1));
    expect_same(functional::softmax(x, functional::SoftmaxFuncOptions(1).dtype(kDouble)), x.to(kDouble).softmax(1));
    expect_same(nn::LogSoftmax(nn::LogSoftmaxOptions(1))(x), x.log_softmax(1));
    expect_same(functional::log_softmax(x, 0), x.log_softmax(0));
    expect_same(functional::one_hot(tensor({1, 0}, device)), tensor({{0, 1}, {1, 0}}, device));
  });
}

TEST(ActivationLayers, WriteInPlace) {
  on_every_device([](Device device) {
    auto x = tensor({-1.0, 2.0}, device);
    EXPECT_TRUE(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.5).inplace(true))(x).is_same(x));
    expect_tensor(x, {2}, {-0.5, 2});
    auto leaf = tensor({-1.0, 2.0}, device);
    leaf.requires_grad_();
    const auto expected = elu(leaf.detach());
    const auto made = leaf * 1;
    const auto result = nn::ELU(nn::ELUOptions().inplace(true))(made);
    EXPECT_TRUE(result.is_same(made) && result.detach().equal(expected));
    result.sum().backward();
    EXPECT_NEAR(leaf.grad()[0].item<double>(), std::exp(-1), 1e-6);
    EXPECT_EQ(leaf.grad()[1].item<double>(), 1);
  });
}

TEST(ActivationLayers, ShowWhatPythonShows) {
  EXPECT_EQ(repr(nn::Sigmoid()), "Sigmoid()");
  EXPECT_EQ(repr(nn::Tanh()), "Tanh()");
  EXPECT_EQ(repr(nn::SiLU()), "SiLU()");
  EXPECT_EQ(repr(nn::GELU()), "GELU(approximate='none')");
  EXPECT_EQ(repr(nn::LeakyReLU()), "LeakyReLU(negative_slope=0.01)");
  EXPECT_EQ(repr(nn::LeakyReLU(nn::LeakyReLUOptions().inplace(true))), "LeakyReLU(negative_slope=0.01, inplace=True)");
  EXPECT_EQ(repr(nn::ELU()), "ELU(alpha=1.0)");
  EXPECT_EQ(repr(nn::Softplus()), "Softplus(beta=1.0, threshold=20.0)");
  EXPECT_EQ(repr(nn::Softmax(1)), "Softmax(dim=1)");
  EXPECT_EQ(repr(nn::LogSoftmax(-1)), "LogSoftmax(dim=-1)");
  const nn::Softmax layer(1);
  layer->eval();
  const auto copy = std::dynamic_pointer_cast<nn::SoftmaxImpl>(layer->clone());
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->options.dim(), 1);
  EXPECT_FALSE(copy->is_training());
  nn::Sequential net(nn::Linear(3, 2), nn::Tanh(), nn::Softmax(1));
  EXPECT_EQ(net->forward(ones({4, 3})).sizes().vec(), (Sizes{4, 2}));
}

TEST(ActivationLayers, RefuseWhatTheirFunctionsRefuse) {
  expect_error<ValueError>([] { return nn::GELU(nn::GELUOptions().approximate("sin"))(ones({1})); },
                           "approximate argument must be either none or tanh.");
  expect_error<IndexError>([] { return nn::Softmax(2)(ones(list(2, 3))); },
                           "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  expect_error<TypeError>([] { return nn::ELU()(ones({1}, kLong)); }, "\"elu_cpu\" not implemented for 'Long'");
  expect_error<ValueError>([] { return nn::LeakyReLU(nn::LeakyReLUOptions().inplace(true))(Tensor()); }, "undefined");
  expect_error<ValueError>([] { return nn::SiLU()(Tensor()); }, "undefined");
}

}  // namespace
}  // namespace d2l::testing
