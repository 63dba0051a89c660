// SPDX-License-Identifier: MIT
// Modules: names, parameters, moving, printing.
#include <memory>
#include <sstream>

#include "every_device.h"

namespace d2l::testing {
namespace {

/// A residual block with its own parameter.
struct BlockImpl : nn::Module {
  BlockImpl() : inner(register_module("inner", nn::Linear(3, 3))), scale(register_parameter("scale", ones({1}))) {}
  Tensor forward(const Tensor& input) override { return input + scale * inner(input).relu(); }
  nn::Linear inner;
  Tensor scale;
};
D2L_MODULE(Block);

/// A forward() in LibTorch's usual form, which overrides nothing.
struct DoubleImpl : nn::Module {
  using nn::Module::forward;
  Tensor forward(Tensor& input) { return input * 3; }
  Tensor forward(Tensor&& input) { return input * 4; }
};

template <class Pointers>
std::vector<std::string> texts(const Pointers& modules) {
  std::vector<std::string> result;
  for (const auto& module : modules) result.push_back(repr(*module));
  return result;
}

TEST(Module, NamesItsParametersInOrder) {
  const nn::Sequential net(nn::Linear(3, 4), nn::ReLU(), Block(), nn::Linear(nn::LinearOptions(3, 1).bias(false)));
  EXPECT_EQ(net->named_parameters().keys(),
            (std::vector<std::string>{"0.weight", "0.bias", "2.scale", "2.inner.weight", "2.inner.bias", "3.weight"}));
  EXPECT_EQ(net->named_parameters(false).size(), 0U);
  const auto parameters = net->parameters();
  ASSERT_EQ(parameters.size(), 6U);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_TRUE(parameters[i].is_same(net->named_parameters()[i].value()));
    EXPECT_TRUE(parameters[i].requires_grad());
    EXPECT_TRUE(parameters[i].is_leaf());
  }
  EXPECT_EQ(net->children().size(), 4U);
  EXPECT_EQ(net->named_children().keys(), (std::vector<std::string>{"0", "1", "2", "3"}));
}

TEST(Module, NamesAParameterOnceThatIsSharedByMany) {
  nn::Sequential net;
  const nn::Linear shared(2, 2);
  for (int i = 0; i < 50; ++i) {
    net->push_back(shared);
    net->push_back(nn::Linear(2, 2));
  }
  EXPECT_EQ(net->parameters().size(), 102U);
  EXPECT_EQ(net->named_parameters().size(), 102U);
  EXPECT_EQ(net->state_dict().size(), 200U);  // as in PyTorch: a name for each place
}

TEST(Module, RefusesNamesThatWouldNotBeFoundAgain) {
  nn::Sequential net(nn::Linear(1, 1));
  expect_error<ValueError>([&] { return net->register_parameter("a.b", ones({1})); },
                           "parameter name can't contain \".\"");
  expect_error<ValueError>([&] { return net->register_parameter("", ones({1})); },
                           "parameter name can't be empty string \"\"");
  expect_error<ValueError>([&] { return net->register_parameter("0", ones({1})); }, "attribute '0' already exists");
  expect_error<ValueError>([&] { net->push_back("x.y", nn::ReLU()); }, "module name can't contain \".\"");
  expect_error<ValueError>([&] { net->push_back(std::shared_ptr<nn::Module>()); }, "is not a Module");
  expect_error<ValueError>([&] { net->push_back(net); }, "Sequential would contain itself");
  expect_error<ValueError>([&] { net->push_back(nn::Linear(nullptr)); }, "Accessing empty ModuleHolder");
  expect_error<TypeError>([&] { return net->register_parameter("n", ones({1}, kLong)); },
                          "Only Tensors of floating point and complex dtype can require gradients");
  EXPECT_EQ(net->register_parameter("m", ones({1}, kLong), false).dtype(), kLong);
  EXPECT_EQ(net->size(), 1U);
}

TEST(Module, PrintsAsPyTorchDoes) {
  EXPECT_EQ(repr(nn::Linear(3, 4)), "Linear(in_features=3, out_features=4, bias=True)");
  EXPECT_EQ(repr(nn::Linear(nn::LinearOptions(3, 4).bias(false))), "Linear(in_features=3, out_features=4, bias=False)");
  EXPECT_EQ(repr(nn::Sequential()), "Sequential()");
  EXPECT_EQ(repr(nn::ReLU()), "ReLU()");
  EXPECT_EQ(repr(nn::ReLU(true)), "ReLU(inplace=True)");
  EXPECT_EQ(repr(nn::Flatten()), "Flatten(start_dim=1, end_dim=-1)");
  EXPECT_EQ(repr(nn::MSELoss()), "MSELoss()");
  EXPECT_EQ(repr(nn::CrossEntropyLoss()), "CrossEntropyLoss()");
  const nn::Sequential net(nn::Linear(3, 4), nn::ReLU());
  EXPECT_EQ(repr(net), "Sequential(\n  (0): Linear(in_features=3, out_features=4, bias=True)\n  (1): ReLU()\n)");
  const nn::Sequential nested({{"first", net}, {"block", Block()}});
  std::ostringstream out;
  out << nested << '|' << *nested;
  const std::string expected =
      "Sequential(\n"
      "  (first): Sequential(\n"
      "    (0): Linear(in_features=3, out_features=4, bias=True)\n"
      "    (1): ReLU()\n"
      "  )\n"
      "  (block): Block(\n"
      "    (inner): Linear(in_features=3, out_features=3, bias=True)\n"
      "  )\n"
      ")";
  EXPECT_EQ(out.str(), expected + '|' + expected);
}

TEST(Module, IsNamedAfterItsClassWhereverThatIs) {
  struct LocalImpl : nn::Module {};
  struct Impl : nn::Module {};
  struct Chosen : nn::Module {
    Chosen() : Module("Another") {}
  };
  EXPECT_EQ(LocalImpl().name(), "Local");
  EXPECT_EQ(Impl().name(), "Impl");
  EXPECT_EQ(Chosen().name(), "Another");
  EXPECT_EQ(BlockImpl().name(), "Block");
  expect_error<ValueError>([] { return LocalImpl().forward(ones({1})); },
                           "Module [Local] is missing the required \"forward\" function");
  expect_error<ValueError>([] { return LocalImpl().clone(); }, "clone() has not been implemented for Local");
}

TEST(Module, MovesParametersThatStayTheTensorsThatTheyAre) {
  on_every_device([](Device device) {
    const Block block;
    const auto before = block->state_dict();
    std::vector<std::vector<double>> values;
    for (const auto& item : before) values.push_back(item->to_vector<double>());
    const auto parameters = block->parameters();
    block(ones({2, 3})).sum().backward();
    const Tensor gradient = block->scale.grad();
    EXPECT_EQ(&block->to(device), block.get());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      EXPECT_TRUE(parameters[i].is_same(block->parameters()[i]));
      expect_on(device, parameters[i], parameters[i].grad());
      EXPECT_EQ(parameters[i].to_vector<double>(), values[i]);
      EXPECT_TRUE(parameters[i].requires_grad() && parameters[i].is_leaf());
    }
    EXPECT_TRUE(block->scale.is_same(parameters[0]) && block->inner->weight.is_same(parameters[1]));
    EXPECT_TRUE(gradient.is_same(block->scale.grad()));
    for (const auto& item : before) EXPECT_EQ(item->device(), cpu());  // a state_dict keeps its tensors
    block(ones({2, 3}, device)).sum().backward();

    block->to(kDouble);
    for (const auto& parameter : parameters) {
      EXPECT_EQ(parameter.dtype(), kDouble);
      EXPECT_EQ(parameter.grad().dtype(), kDouble);
      EXPECT_EQ(parameter.device(), device);
    }
    EXPECT_TRUE(gradient.is_same(block->scale.grad()));
    block->to(cpu(), kFloat);
    for (const auto& parameter : parameters) {
      EXPECT_EQ(parameter.dtype(), kFloat);
      EXPECT_TRUE(parameter.is_cpu() && parameter.grad().is_cpu() && placed(parameter));
    }
  });
}

TEST(Module, ThatIsThereAlreadyCostsNothingToMove) {
  on_every_device([](Device device) {
    const nn::Sequential net(nn::Linear(3, 2), nn::Linear(2, 1));
    {
      const TransferLedger ledger;
      net->to(device);
      EXPECT_EQ(ledger.copies(), device.is_cpu() ? 0 : 4);
      EXPECT_EQ(ledger.implicit_copies(), 0);
    }
    const TransferLedger ledger;
    net->to(device).to(kFloat).to(device, kFloat);
    EXPECT_TRUE(ledger.entries().empty());
  });
}

TEST(Module, ConvertsOnlyFloatingPointParameters) {
  const Block block;
  block->register_parameter("count", tensor({1, 2}), false);
  block->to(kDouble);
  EXPECT_EQ(block->named_parameters()["count"].dtype(), kLong);
  EXPECT_EQ(block->scale.dtype(), kDouble);
  expect_error<TypeError>(
      [&] { return block->to(kLong).name(); },
      "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int64");
  expect_error<TypeError>([&] { return block->to(cpu(), kBool).name(); }, "dtype=torch.bool");
  expect_error<DeviceError>([&] { return block->to("gpu").name(); }, "Expected one of cpu, cuda");
}

TEST(Module, StaysWhereItWasWhenTheDeviceIsFull) {
  if (num_gpus() == 0) GTEST_SKIP() << "needs a GPU";
  const nn::Sequential net(nn::Linear(4, 4));
  net->register_parameter("large", empty({1}).expand({std::int64_t{1} << 40}), false);
  EXPECT_THROW(net->to(gpu()), OutOfMemoryError);
  for (const auto& parameter : net->parameters()) EXPECT_TRUE(parameter.is_cpu());
}

TEST(Module, NamesBothDevicesWhenTheInputIsElsewhere) {
  for (const Device device : every_device()) {
    if (device.is_cpu()) continue;
    const nn::Linear layer(3, 1);
    const nn::LazyLinear lazy(1);
    layer->to(device);
    lazy->to(device);
    const auto x = ones({2, 3});
    for (const auto& call : {std::function<Tensor()>([&] { return layer(x); }), {[&] { return lazy(x); }}}) {
      expect_error<DeviceError>(call,
                                "Expected all tensors to be on the same device, but found at least two devices, ");
      expect_error<DeviceError>(call, device.str());
      expect_error<DeviceError>(call, "cpu");
    }
    const auto other = device.index() + 1 < num_gpus() ? gpu(device.index() + 1) : cpu();
    expect_error<DeviceError>([&] { return layer(ones({2, 3}, other)); }, other.str());
    EXPECT_EQ(layer(ones({2, 3}, device)).device(), device);
  }
}

TEST(Module, KnowsWhetherItIsBeingTrained) {
  const nn::Sequential net{Block(), nn::ReLU()};
  EXPECT_TRUE(net->is_training());
  EXPECT_EQ(&net->eval(), net.get());
  EXPECT_FALSE(net[0]->as<Block>()->inner->is_training());
  net->train();
  EXPECT_TRUE(net->is_training() && net[0]->as<Block>()->inner->is_training() && net[1]->is_training());
}

TEST(Module, SetsGradientsToZeroOrLetsGoOfThem) {
  on_every_device([](Device device) {
    const nn::Linear layer(3, 1);
    layer->to(device);
    layer->zero_grad();
    EXPECT_FALSE(layer->weight.grad().defined());
    layer(ones({1, 3}, device)).sum().backward();
    const Tensor gradient = layer->weight.grad();
    layer->zero_grad();
    EXPECT_TRUE(gradient.is_same(layer->weight.grad()));
    expect_tensor(gradient, {1, 3}, {0, 0, 0});
    layer(ones({1, 3}, device)).sum().backward();
    expect_tensor(gradient, {1, 3}, {1, 1, 1});
    layer->zero_grad(/*set_to_none=*/true);
    EXPECT_FALSE(layer->weight.grad().defined() || layer->bias.grad().defined());
  });
}

TEST(Module, AppliesAFunctionToAllWithin) {
  const nn::Sequential net{Block(), nn::ReLU()};
  std::vector<std::string> names;
  net->apply([&](nn::Module& module) { names.push_back(module.name()); });
  EXPECT_EQ(names, (std::vector<std::string>{"Linear", "Block", "ReLU", "Sequential"}));
}

TEST(Module, IsClonedWithParametersOfItsOwn) {
  on_every_device([](Device device) {
    const nn::Sequential net({{"a", nn::Linear(3, 2)}, {"b", nn::LazyLinear(2)}, {"c", nn::LazyLinear(1)}});
    net->to(device, kDouble);
    static_cast<void>(net[1]->forward(ones({1, 2}, TensorOptions(kDouble).device(device))));
    net[1]->eval();
    const auto copy = std::dynamic_pointer_cast<nn::SequentialImpl>(net->clone());
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(repr(*copy), repr(net));
    EXPECT_EQ(copy->state_dict().keys(), net->state_dict().keys());
    EXPECT_FALSE(copy->ptr(1)->is_training());
    for (const char* name : {"a.weight", "a.bias", "b.weight", "b.bias"}) {
      const Tensor theirs = copy->named_parameters()[name];
      const Tensor ours = net->named_parameters()[name];
      EXPECT_FALSE(theirs.is_same(ours));
      EXPECT_TRUE(theirs.equal(ours) && theirs.device() == device && theirs.requires_grad());
      NoGradGuard unrecorded;
      Tensor(theirs).fill_(7);
      EXPECT_FALSE(theirs.equal(ours));
    }
    EXPECT_TRUE(nn::is_uninitialized(copy->named_parameters()["c.weight"]));
    const auto x = ones({2, 3}, TensorOptions(kDouble).device(device));
    EXPECT_EQ(copy->forward(x).sizes().vec(), (std::vector<std::int64_t>{2, 1}));
    EXPECT_TRUE(nn::is_uninitialized(net->named_parameters()["c.weight"]));
  });
}

TEST(Module, AnyModuleCallsTheForwardOfItsClass) {
  const auto twice = std::make_shared<DoubleImpl>();
  EXPECT_THROW(nn::AnyModule(twice).forward(ones({1})), ValueError);  // no overload takes a const tensor
  const Block block;
  const auto x = ones({1, 3});
  EXPECT_TRUE(nn::AnyModule(block).forward(x).equal(block(x)));
}

TEST(Parameter, PrintsWhatItIs) {
  on_every_device([](Device device) {
    const auto place = device.is_cpu() ? std::string() : "device='" + device.str() + "', ";
    EXPECT_EQ(repr(nn::Parameter(full({1, 3}, 2.0, device))),
              "Parameter containing:\ntensor([[2., 2., 2.]], " + place + "requires_grad=True)");
    const auto data = ones({2}, device);
    const auto frozen = nn::Parameter(data, false);
    EXPECT_FALSE(frozen.requires_grad());
    EXPECT_EQ(frozen.data_ptr(), data.data_ptr());
    EXPECT_FALSE(frozen.is_same(data));
    const nn::Linear layer(3, 1);
    layer->weight.set_data(full({1, 3}, 2.0, device));
    EXPECT_EQ(repr(layer->weight), "Parameter containing:\ntensor([[2., 2., 2.]], " + place + "requires_grad=True)");
    EXPECT_TRUE(layer->weight.is_same(layer->parameters()[0]));
  });
}

}  // namespace
}  // namespace d2l::testing
