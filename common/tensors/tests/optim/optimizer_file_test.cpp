// SPDX-License-Identifier: MIT
// Optimizers in files: training goes on to the bit, and a file that does not fit changes nothing.
#include <functional>
#include <memory>

#include "d2l/safetensors.h"
#include "every_device.h"
#include "temporary_folder.h"

namespace d2l::testing {
namespace {

using optim::Adagrad;
using optim::AdagradOptions;
using optim::Adam;
using optim::AdamOptions;
using optim::AdamW;
using optim::AdamWOptions;
using optim::Optimizer;
using optim::RMSprop;
using optim::RMSpropOptions;
using optim::SGD;
using optim::SGDOptions;
using Create = std::function<std::unique_ptr<Optimizer>(const std::vector<Tensor>&)>;

template <class Kind, class Options>
Create creator(const Options& options) {
  return [options](const std::vector<Tensor>& parameters) { return std::make_unique<Kind>(parameters, options); };
}

std::vector<Create> creators() {
  return {creator<Adam>(AdamOptions(0.1).amsgrad(true)),
          creator<AdamW>(AdamWOptions(0.1)),
          creator<RMSprop>(RMSpropOptions(0.1).momentum(0.9).centered(true)),
          creator<Adagrad>(AdagradOptions(0.1).lr_decay(0.5)),
          creator<SGD>(SGDOptions(0.1).momentum(0.9)),
          creator<SGD>(SGDOptions(0.1))};
}

nn::Sequential network(Device device) {
  manual_seed(5);
  nn::Sequential net(nn::Linear(3, 4), nn::ReLU(), nn::Linear(4, 1));
  net->to(device);
  return net;
}

void train(const nn::Sequential& net, Optimizer& optimizer, int first, int last) {
  for (int step = first; step < last; ++step) {
    optimizer.zero_grad();
    const auto x = (arange(12, TensorOptions(kFloat).device(net->parameters()[0].device())) + step).reshape({4, 3});
    (net(x) / 10).exp().sum().backward();
    optimizer.step();
  }
}

TEST(OptimizerFile, ResumesTrainingToTheBit) {
  on_every_device([](Device device) {
    const tests::TemporaryFolder folder;
    for (const auto& create : creators()) {
      const auto uninterrupted = network(device);
      const auto first = create(uninterrupted->parameters());
      train(uninterrupted, *first, 0, 3);
      first->param_groups()[0].options().set_lr(0.1 / 3);
      save(uninterrupted, folder / "net");
      save(*first, folder / "optimizer");
      train(uninterrupted, *first, 3, 6);

      const auto resumed = network(device);
      const auto second = create(resumed->parameters());
      train(resumed, *second, 7, 8);  // other values, which load() replaces
      load(resumed, folder / "net");
      load(*second, folder / "optimizer");
      EXPECT_EQ(repr(*second), repr(*first));
      train(resumed, *second, 3, 6);
      for (std::size_t i = 0; i < 4; ++i) {
        const Tensor expected = uninterrupted->parameters()[i];
        const Tensor found = resumed->parameters()[i];
        EXPECT_EQ(found.to_vector<float>(), expected.to_vector<float>()) << repr(*second);
        EXPECT_EQ(second->steps(found), first->steps(expected));
        for (const auto& item : second->state(found)) {
          expect_on(device, *item);
          EXPECT_EQ(item->to_vector<float>(), first->state(expected)[item.key()].to_vector<float>()) << item.key();
        }
      }
    }
  });
}

TEST(OptimizerFile, FitsParametersOfAnotherDeviceAndDtype) {
  on_every_device([](Device device) {
    const tests::TemporaryFolder folder;
    const auto net = network(cpu());
    Adam first(net->parameters());
    train(net, first, 0, 2);
    save(first, folder / "optimizer");
    net->to(device, kDouble);
    Adam second(net->parameters(), 9);
    load(second, folder / "optimizer");
    const auto weight = net->parameters()[0];
    const auto average = second.state(weight)["exp_avg"];
    expect_on(device, average);
    EXPECT_EQ(average.dtype(), kDouble);
    EXPECT_EQ(average.to_vector<double>(), first.state(weight)["exp_avg"].to_vector<double>());
    EXPECT_EQ(second.param_groups()[0].options().get_lr(), 1e-3);
  });
}

TEST(OptimizerFile, HasNothingForParametersWithoutSteps) {
  const tests::TemporaryFolder folder;
  const auto used = nn::Parameter(ones({2}));
  const nn::LazyLinear lazy(1);
  std::vector<Tensor> parameters = lazy->parameters();
  parameters.insert(parameters.begin() + 1, used);
  used.mutable_grad() = ones({2});
  Adam optimizer(parameters);
  optimizer.step();
  save(optimizer, folder / "optimizer");
  EXPECT_EQ(SafetensorsFile(folder / "optimizer").size(), 3U);
  Adam other(parameters);
  load(other, folder / "optimizer");
  EXPECT_EQ(other.steps(used), 1);
  EXPECT_EQ(other.steps(parameters[0]), 0);
}

TEST(OptimizerFile, ChangesNothingIfItDoesNotFit) {
  const tests::TemporaryFolder folder;
  const auto parameter = nn::Parameter(ones({2}));
  parameter.mutable_grad() = ones({2});
  Adam optimizer({parameter}, 0.5);
  optimizer.step();
  save(optimizer, folder / "good");
  optimizer.step();
  const auto before = optimizer.state(parameter)["exp_avg"].to_vector<float>();

  const auto refuses = [&]<class E>(E* /*type*/, const std::string& file, const std::string& sentence) {
    expect_error<E>(
        [&] {
          load(optimizer, folder / file);
          return 0;
        },
        sentence);
    EXPECT_EQ(optimizer.steps(parameter), 2);
    EXPECT_EQ(optimizer.state(parameter)["exp_avg"].to_vector<float>(), before);
    EXPECT_EQ(optimizer.param_groups()[0].options().get_lr(), 0.5);
  };
  constexpr ConfigurationError* malformed = nullptr;
  constexpr ValueError* other = nullptr;
  const auto tensors = load_file(folder / "good");
  const auto metadata = SafetensorsFile(folder / "good").metadata();
  const auto write = [&](const std::string& key, const std::string& value) {
    auto changed = metadata;
    changed[key] = value;
    save_file(tensors, folder / "bad", changed);
  };
  const auto write_tensor = [&](const std::string& key, const Tensor& value) {
    StateDict changed;
    for (const auto& item : tensors) {
      if (item.key() != key) changed.insert(item.key(), item.value());
    }
    if (value.defined()) changed.insert(key, value);
    save_file(changed, folder / "bad", metadata);
  };

  refuses(malformed, "missing", "No such file");
  folder.write("text", "this is no safetensors file");
  refuses(malformed, "text", "[");
  const auto bytes = folder.read("good");
  folder.write("cut", bytes.substr(0, bytes.size() - 3));
  refuses(malformed, "cut", "[");
  save(nn::Linear(1, 1), folder / "module");
  refuses(malformed, "module", "is not a file of an optimizer: its format is not \"d2l optimizer\"");
  write("group.0.lr", "fast");
  refuses(malformed, "bad", "\"group.0.lr\" is not a number: \"fast\"");
  write("group.0.lr", "-1");
  refuses(other, "bad", "Invalid learning rate: -1");
  write("optimizer", "AdamW");
  refuses(other, "bad", "belongs to AdamW, not to Adam");
  write("groups", "2");
  refuses(other, "bad", "loaded state dict has a different number of parameter groups");
  write("group.0.parameters", "2");
  refuses(other, "bad",
          "loaded state dict contains a parameter group that doesn't match the size of optimizer's group");
  write_tensor("state.0.exp_avg", {});
  refuses(malformed, "bad", "the tensor \"state.0.exp_avg\" is missing");
  write_tensor("state.0.exp_avg", ones({3}));
  refuses(other, "bad", "has the shape torch.Size([3]), and its parameter has torch.Size([2])");
  write_tensor("state.0.step", ones({1}));
  refuses(malformed, "bad", "\"state.0.step\" is not a number of steps");
  write_tensor("state.0.step", tensor(-1));
  refuses(malformed, "bad", "\"state.0.step\" is not a number of steps");

  load(optimizer, folder / "good");
  EXPECT_EQ(optimizer.steps(parameter), 1);
}

TEST(OptimizerFile, StaysAsItIsIfItCannotBeWritten) {
  const tests::TemporaryFolder folder;
  const Adam optimizer({nn::Parameter(ones({2}))});
  expect_error<ConfigurationError>(
      [&] {
        save(optimizer, folder / "no/such/folder");
        return 0;
      },
      "[save_file]");
}

}  // namespace
}  // namespace d2l::testing
