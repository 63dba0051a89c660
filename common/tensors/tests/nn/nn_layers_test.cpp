// SPDX-License-Identifier: MIT
// Layers, losses and initial values.
#include <cmath>

#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(Linear, ComputesWithWeightAndBias) {
  on_every_device([](Device device) {
    const nn::Linear layer(3, 2);
    {
      const NoGradGuard unrecorded;
      layer->weight.copy_(tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}));
      layer->bias.copy_(tensor({0.5, -0.5}));
    }
    layer->to(device);
    const auto y = layer(ones({2, 3}, device));
    expect_tensor(y, {2, 2}, {6.5, 14.5, 6.5, 14.5});
    EXPECT_NE(repr(y).find("grad_fn=<AddmmBackward0>"), std::string::npos) << repr(y);
    EXPECT_EQ(layer(ones({3}, device)).sizes().vec(), (Sizes{2}));
    EXPECT_EQ(layer(ones({4, 5, 3}, device)).sizes().vec(), (Sizes{4, 5, 2}));
    EXPECT_EQ(layer(ones({0, 3}, device)).sizes().vec(), (Sizes{0, 2}));
    const nn::Linear plain(nn::LinearOptions(3, 2).bias(false).device(device).dtype(kDouble));
    EXPECT_FALSE(plain->bias.defined());
    EXPECT_EQ(plain->named_parameters().keys(), (std::vector<std::string>{"weight"}));
    EXPECT_EQ(plain(ones({1, 3}, TensorOptions(kDouble).device(device))).dtype(), kDouble);
    EXPECT_TRUE(placed(plain->weight));
  });
}

TEST(Linear, BeginsWithinKaimingsBounds) {
  manual_seed(3);
  const nn::Linear layer(100, 300);
  const auto weights = layer->weight.to_vector<double>();
  EXPECT_LE(layer->weight.abs().max().item<double>(), 0.1);
  EXPECT_LE(layer->bias.abs().max().item<double>(), 0.1);
  EXPECT_NEAR(layer->weight.mean().item<double>(), 0, 0.002);
  EXPECT_NEAR(layer->weight.norm().item<double>() / std::sqrt(30000.0), 0.1 / std::sqrt(3.0), 0.002);
  EXPECT_GT(layer->bias.abs().max().item<double>(), 0.09);
  EXPECT_EQ(nn::Linear(0, 2)->bias.to_vector<double>(), (std::vector<double>{0, 0}));
}

TEST(Linear, OfTheSameSeedIsTheSameOnEveryDevice) {
  manual_seed(7);
  const nn::Linear reference(5, 3);
  const auto weight = reference->weight.to_vector<double>();
  const auto bias = reference->bias.to_vector<double>();
  EXPECT_FALSE(nn::Linear(5, 3)->weight.equal(reference->weight));
  on_every_device([&](Device device) {
    manual_seed(7);
    const nn::Linear layer(nn::LinearOptions(5, 3).device(device));
    EXPECT_EQ(layer->weight.to_vector<double>(), weight);
    EXPECT_EQ(layer->bias.to_vector<double>(), bias);
    manual_seed(7);
    const nn::LazyLinear lazy(3);
    lazy->to(device);
    lazy(ones({2, 5}, device));
    EXPECT_EQ(lazy->weight.to_vector<double>(), weight);
    EXPECT_EQ(lazy->bias.to_vector<double>(), bias);
    manual_seed(7);
    const nn::Linear moved(5, 3);
    EXPECT_EQ(moved->to(device).parameters()[0].to_vector<double>(), weight);
  });
}

TEST(Linear, RefusesWhatDoesNotFit) {
  expect_error<ShapeError>([] { return nn::Linear(-1, 1)->name(); },
                           "Trying to create tensor with negative dimension -1: [1, -1]");
  expect_error<ShapeError>([] { return nn::Linear(1, -2)->name(); },
                           "Trying to create tensor with negative dimension -2: [-2, 1]");
  on_every_device([](Device device) {
    const nn::Linear layer(3, 1);
    layer->to(device);
    expect_error<ShapeError>([&] { return layer(ones(list(2, 4), device)); },
                             "mat1 and mat2 shapes cannot be multiplied (2x4 and 3x1)");
    expect_error<TypeError>([&] { return layer(ones({2, 3}, TensorOptions(kDouble).device(device))); }, "dtype");
    expect_error<ValueError>([&] { return layer(Tensor()); }, "undefined");
  });
  const nn::Linear none(nullptr);
  EXPECT_TRUE(none.is_empty());
  expect_error<ValueError>([&] { return none(ones({1})); }, "Accessing empty ModuleHolder");
}

TEST(Sequential, IsIndexedAsAListOfPythonIs) {
  nn::Sequential net(nn::Linear(3, 4), nn::ReLU());
  EXPECT_EQ(net[0]->name(), "Linear");
  EXPECT_EQ(net[-1]->name(), "ReLU");
  EXPECT_TRUE(net[0]->as<nn::Linear>()->weight.is_same(net->parameters()[0]));
  EXPECT_TRUE(net->at<nn::LinearImpl>(-2).weight.is_same(net->parameters()[0]));
  EXPECT_EQ(net[1]->as<nn::Linear>(), nullptr);
  expect_error<TypeError>([&] { return net->at<nn::LinearImpl>(1).name(); }, "the module is a ReLU");
  expect_error<IndexError>([&] { return net[2]; }, "index 2 is out of range");
  expect_error<IndexError>([&] { return net[-3]; }, "index -3 is out of range");
  expect_error<IndexError>([&] { return nn::Sequential()[0]; }, "index 0 is out of range");
  net->push_back(nn::Flatten());
  net->push_back("last", nn::Linear(4, 1));
  EXPECT_EQ(net->size(), 4U);
  EXPECT_FALSE(net->is_empty());
  std::vector<std::string> names;
  for (const auto& module : *net) names.push_back(module->name());
  EXPECT_EQ(names, (std::vector<std::string>{"Linear", "ReLU", "Flatten", "Linear"}));
  EXPECT_EQ(net->named_children().keys(), (std::vector<std::string>{"0", "1", "2", "last"}));
}

TEST(Sequential, GivesEachTheResultOfTheOneBefore) {
  on_every_device([](Device device) {
    const nn::Sequential net(nn::Linear(3, 4), nn::ReLU(), nn::Linear(4, 2));
    net->to(device);
    const auto x = randn({5, 3}, device);
    const auto expected = net->at<nn::LinearImpl>(2).forward(net->at<nn::LinearImpl>(0).forward(x).relu());
    EXPECT_TRUE(net(x).equal(expected));
    EXPECT_TRUE(nn::Sequential()(x).is_same(x));
    net(x).sum().backward();
    for (const auto& parameter : net->parameters()) EXPECT_TRUE(placed(parameter.grad()));
  });
}

TEST(Flatten, JoinsDimensions) {
  on_every_device([](Device device) {
    const auto x = arange(24.0, device).view({2, 3, 2, 2});
    expect_tensor(nn::Flatten()(x), {2, 12}, x.to_vector<double>());
    const auto shape = [&](std::int64_t start, std::int64_t end) {
      return nn::Flatten(nn::FlattenOptions().start_dim(start).end_dim(end))(x).sizes().vec();
    };
    EXPECT_EQ(shape(0, -1), (Sizes{24}));
    EXPECT_EQ(shape(1, 2), (Sizes{2, 6, 2}));
    EXPECT_EQ(shape(-2, -1), (Sizes{2, 3, 4}));
    EXPECT_EQ(shape(2, 2), (Sizes{2, 3, 2, 2}));
    EXPECT_EQ(nn::Flatten()(zeros({0, 3, 2}, device)).sizes().vec(), (Sizes{0, 6}));
    EXPECT_EQ(nn::Flatten(nn::FlattenOptions().start_dim(0))(zeros({}, device)).sizes().vec(), (Sizes{1}));
    expect_error<ShapeError>([&] { return shape(2, 1); },
                             "flatten() has invalid args: start_dim cannot come after end_dim");
    expect_error<IndexError>([&] { return nn::Flatten()(ones({3}, device)); },
                             "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
    expect_error<IndexError>([&] { return shape(0, 4); },
                             "Dimension out of range (expected to be in range of [-4, 3], but got 4)");
    auto leaf = ones({2, 2, 2}, device);
    leaf.requires_grad_();
    nn::Flatten()(leaf).sum().backward();
    expect_tensor(leaf.grad(), {2, 2, 2}, std::vector<double>(8, 1.0));
  });
}

TEST(ReLU, CanWriteItsInput) {
  on_every_device([](Device device) {
    auto x = tensor({-1.0, 2.0}, device);
    const auto y = nn::ReLU()(x);
    expect_tensor(y, {2}, {0, 2});
    expect_tensor(x, {2}, {-1, 2});
    EXPECT_TRUE(nn::ReLU(nn::ReLUOptions().inplace(true))(x).is_same(x));
    expect_tensor(x, {2}, {0, 2});
  });
}

TEST(Losses, ReduceAsAsked) {
  on_every_device([](Device device) {
    const auto x = tensor({{1.0, 2.0}, {3.0, 5.0}}, device);
    const auto y = tensor({{1.0, 1.0}, {1.0, 1.0}}, device);
    expect_tensor(nn::MSELoss()(x, y), {}, {21.0 / 4});
    expect_tensor(nn::MSELoss(kSum)(x, y), {}, {21});
    expect_tensor(nn::MSELoss("none")(x, y), {2, 2}, {0, 1, 4, 16});
    expect_tensor(nn::functional::mse_loss(x, y, "sum"), {}, {21});
    expect_tensor(nn::functional::mse_loss(x, y, nn::functional::MSELossFuncOptions().reduction(kNone)), {2, 2},
                  {0, 1, 4, 16});
    const auto even = zeros({3, 4}, device);
    const auto classes = tensor({1, 3, 2}, device);
    EXPECT_NEAR(nn::CrossEntropyLoss()(even, classes).item<double>(), std::log(4.0), 1e-6);
    EXPECT_NEAR(nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().reduction("sum"))(even, classes).item<double>(),
                3 * std::log(4.0), 1e-6);
    const nn::CrossEntropyLoss ignoring(nn::CrossEntropyLossOptions().reduction(kSum).ignore_index(3));
    EXPECT_NEAR(ignoring(even, classes).item<double>(), 2 * std::log(4.0), 1e-6);
    const auto each = nn::functional::cross_entropy(
        even, classes, nn::functional::CrossEntropyFuncOptions().reduction(kNone).ignore_index(1));
    EXPECT_EQ(each.sizes().vec(), (Sizes{3}));
    EXPECT_EQ(each[0].item<double>(), 0);
    // Certainty, the ignored and nothing cost 0 and not −0.
    for (const auto reduction : {Reduction::None, Reduction::Mean, Reduction::Sum}) {
      for (const auto& [certain, target, ignored] :
           {std::tuple(zeros({1}, device), zeros({}, TensorOptions(kLong).device(device)), -100),
            std::tuple(zeros({2, 1}, device), zeros({2}, TensorOptions(kLong).device(device)), 0),
            std::tuple(zeros({2, 1}, device), zeros({2}, TensorOptions(kLong).device(device)), -100),
            std::tuple(zeros({0, 1}, device), zeros({0}, TensorOptions(kLong).device(device)), -100)}) {
        for (const float loss :
             cross_entropy_loss(certain, target, {}, reduction, ignored).reshape({-1}).to_vector<float>()) {
          const bool negative = reduction == Reduction::None && certain.dim() == 2 && ignored != 0;  // as in PyTorch
          EXPECT_TRUE(std::isnan(loss) || std::signbit(loss) == negative)
              << static_cast<int>(reduction) << " of " << certain;
        }
      }
    }
  });
  expect_error<ValueError>([] { return nn::MSELoss("foo")(ones({2}), ones({2})); },
                           "foo is not a valid value for reduction");
  expect_error<ValueError>([] { return nn::CrossEntropyLossOptions().reduction("Mean").reduction(); },
                           "Mean is not a valid value for reduction");
  expect_error<ShapeError>([] { return nn::MSELoss()(ones(list(2, 3)), ones(list(2, 4))); },
                           "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
  expect_error<ValueError>([] { return nn::MSELoss()->forward(ones({2})); }, "Module [MSELoss] is missing");
}

TEST(Init, WritesInPlaceUnrecorded) {
  on_every_device([](Device device) {
    const nn::Linear layer(50, 40);
    layer->to(device);
    const Tensor weight = layer->weight;
    EXPECT_TRUE(nn::init::uniform_(weight, 2, 3).is_same(weight));
    EXPECT_GE(weight.min().item<double>(), 2);
    EXPECT_LE(weight.max().item<double>(), 3);
    nn::init::normal_(weight, 1, 0.1);
    EXPECT_NEAR(weight.mean().item<double>(), 1, 0.02);
    nn::init::constant_(weight, 4);
    EXPECT_EQ(weight.sum().item<double>(), 8000);
    EXPECT_EQ(nn::init::ones_(layer->bias).sum().item<double>(), 40);
    EXPECT_EQ(nn::init::zeros_(layer->bias).sum().item<double>(), 0);
    nn::init::kaiming_uniform_(weight);
    EXPECT_LE(weight.abs().max().item<double>(), std::sqrt(6.0 / 50));
    EXPECT_GT(weight.abs().max().item<double>(), 0.95 * std::sqrt(6.0 / 50));
    EXPECT_TRUE(weight.is_leaf() && weight.requires_grad());
  });
  expect_error<ShapeError>([] { return nn::init::kaiming_uniform_(ones({3})); },
                           "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
}

}  // namespace
}  // namespace d2l::testing
