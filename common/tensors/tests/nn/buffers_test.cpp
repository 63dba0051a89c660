// SPDX-License-Identifier: MIT
// Buffers of modules, and modules in files.
#include <memory>

#include "d2l/safetensors.h"
#include "every_device.h"
#include "temporary_folder.h"

namespace d2l::testing {
namespace {

/// A weight, and buffers of two dtypes.
struct CounterImpl : nn::Module {
  Tensor mean = register_buffer("mean", full({2}, 0.5));
  Tensor weight = register_parameter("weight", ones({2}));
  Tensor count = register_buffer("count", tensor(3));
  Tensor absent = register_buffer("absent", Tensor());
};
D2L_MODULE(Counter);

/// A Counter in a module with a buffer of its own.
struct OuterImpl : nn::Module {
  Counter inner = register_module("inner", Counter().ptr());
  Tensor scale = register_buffer("scale", tensor(2.0));
};
D2L_MODULE(Outer);

using Names = std::vector<std::string>;

TEST(Buffers, AreListedAndSavedWithTheParameters) {
  const Outer module;
  EXPECT_EQ(module->named_buffers().keys(), (Names{"scale", "inner.mean", "inner.count"}));
  EXPECT_EQ(module->named_buffers(false).keys(), (Names{"scale"}));
  EXPECT_EQ(module->buffers().size(), 3U);
  EXPECT_TRUE(module->buffers()[1].is_same(module->inner->mean));
  EXPECT_EQ(module->named_parameters().keys(), (Names{"inner.weight"}));
  EXPECT_EQ(module->state_dict().keys(), (Names{"scale", "inner.weight", "inner.mean", "inner.count"}));
  EXPECT_FALSE(module->inner->mean.requires_grad());
  EXPECT_EQ(repr(module), "Outer(\n  (inner): Counter()\n)");
  const auto shared = std::make_shared<OuterImpl>();
  shared->register_buffer("again", shared->scale);
  EXPECT_EQ(shared->buffers().size(), 3U) << "each once";
  EXPECT_EQ(shared->state_dict().size(), 5U) << "by every name";
}

TEST(Buffers, MoveWithTheModule) {
  on_every_device([](Device device) {
    const Outer module;
    const Tensor mean = module->inner->mean;
    module->to(device, kDouble);
    EXPECT_TRUE(module->inner->mean.is_same(mean));
    expect_on(device, mean, module->inner->count, module->scale, module->inner->weight);
    EXPECT_EQ(mean.dtype(), kDouble);
    EXPECT_EQ(module->inner->count.dtype(), kLong) << "integers keep their dtype";
    expect_tensor(mean, {2}, {0.5, 0.5});
    module->zero_grad();
  });
}

TEST(Buffers, AreLoaded) {
  on_every_device([](Device device) {
    const Outer source;
    source->inner->mean.fill_(7);
    source->inner->count.fill_(9);
    const Outer target;
    target->to(device);
    const Tensor mean = target->inner->mean;
    EXPECT_EQ(repr(target->load_state_dict(source->state_dict())), "<All keys matched successfully>");
    EXPECT_TRUE(target->inner->mean.is_same(mean));
    expect_on(device, mean);
    expect_tensor(mean, {2}, {7, 7});
    EXPECT_EQ(target->inner->count.item<std::int64_t>(), 9);
  });
  const Counter counter;
  expect_error<ValueError>(
      [&] {
        counter->load_state_dict({{"weight", ones({2})}, {"absent", ones({1})}});
        return 0;
      },
      "Missing key(s) in state_dict: \"mean\", \"count\". \n\t"
      "Unexpected key(s) in state_dict: \"absent\". ");
  const StateDict wrong{{"weight", ones({2})}, {"mean", ones({3})}, {"count", tensor(1)}};
  expect_error<ValueError>(
      [&] {
        counter->load_state_dict(wrong);
        return 0;
      },
      "size mismatch for mean: copying a param with shape torch.Size([3]) from checkpoint, the "
      "shape in current model is torch.Size([2]).");
}

TEST(Buffers, HaveNamesOfTheirOwn) {
  const auto module = std::make_shared<CounterImpl>();
  const auto refused = [&](const std::string& name, const std::string& sentence) {
    expect_error<ValueError>([&] { return module->register_buffer(name, ones({1})); }, sentence);
  };
  refused("", "buffer name can't be empty string \"\"");
  refused("a.b", "buffer name can't contain \".\"");
  refused("mean", "attribute 'mean' already exists");
  refused("weight", "attribute 'weight' already exists");
  refused("absent", "attribute 'absent' already exists");
  expect_error<ValueError>([&] { return module->register_parameter("mean", ones({1})); },
                           "attribute 'mean' already exists");
  expect_error<ValueError>([&] { return module->register_module("mean", nn::ReLU()); },
                           "attribute 'mean' already exists");
}

TEST(ModuleFile, KeepsParametersAndBuffers) {
  on_every_device([](Device device) {
    const tests::TemporaryFolder folder;
    const nn::Sequential source(nn::Linear(3, 2), Outer(), nn::Linear(2, 1));
    source->to(device);
    save(source, folder / "net");
    EXPECT_EQ(SafetensorsFile(folder / "net").size(), 8U);
    const nn::Sequential target(nn::Linear(3, 2), Outer(), nn::LazyLinear(1));
    target->to(device);
    const Tensor weight = target->parameters()[0];
    load(target, folder / "net");
    EXPECT_TRUE(target->parameters()[0].is_same(weight));
    expect_on(device, weight);
    for (const auto& item : source->state_dict()) {
      EXPECT_TRUE(target->state_dict()[item.key()].equal(*item)) << item.key();
    }
    const std::shared_ptr<nn::Module> same_class = std::make_shared<nn::LinearImpl>(3, 2);
    save(*source->ptr(0), folder / "linear");
    load(same_class, folder / "linear");
    save(same_class, folder / "again");
    EXPECT_EQ(folder.read("again"), folder.read("linear"));
  });
}

TEST(ModuleFile, ChangesNothingIfItDoesNotFit) {
  const tests::TemporaryFolder folder;
  const nn::Linear layer(3, 2);
  nn::init::ones_(layer->weight);
  const auto refuses = [&]<class E>(E* /*type*/, const std::string& file, const std::string& sentence) {
    expect_error<E>(
        [&] {
          load(layer, folder / file);
          return 0;
        },
        sentence);
    expect_tensor(layer->weight, {2, 3}, {1, 1, 1, 1, 1, 1});
  };
  constexpr ConfigurationError* malformed = nullptr;
  constexpr ValueError* other = nullptr;
  save_file({{"weight", zeros({2, 3})}}, folder / "bad");
  refuses(other, "bad",
          "[load] Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: \"bias\". ");
  save_file({{"weight", zeros({2, 3})}, {"bias", ones({3})}, {"more", ones({1})}}, folder / "bad");
  refuses(other, "bad",
          "Unexpected key(s) in state_dict: \"more\". \n\tsize mismatch for bias: copying a param with shape "
          "torch.Size([3]) from checkpoint, the shape in current model is torch.Size([2]).\nNothing was copied.");
  folder.write("text", "this is no safetensors file");
  refuses(malformed, "text", "[");
  refuses(malformed, "missing", "[");

  const nn::LazyLinear lazy(2);
  expect_error<ValueError>(
      [&] {
        save(lazy, folder / "lazy");
        return 0;
      },
      "has no shape yet");
  expect_error<ValueError>(
      [&] {
        load(lazy, folder / "bad");
        return 0;
      },
      "Unexpected key(s)");
  EXPECT_TRUE(nn::is_uninitialized(lazy->weight));
  const std::shared_ptr<nn::Module> null;
  expect_error<ValueError>(
      [&] {
        save(null, folder / "null");
        return 0;
      },
      "the module is null");
  expect_error<ValueError>(
      [&] {
        load(null, folder / "bad");
        return 0;
      },
      "the module is null");
  const nn::Linear empty(nullptr);
  expect_error<ValueError>(
      [&] {
        save(empty, folder / "null");
        return 0;
      },
      "Accessing empty ModuleHolder");
  expect_error<ConfigurationError>(
      [&] {
        save(layer, folder / "no/such/folder");
        return 0;
      },
      "[save_file]");
}

}  // namespace
}  // namespace d2l::testing
