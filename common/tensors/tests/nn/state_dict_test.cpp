// SPDX-License-Identifier: MIT
// state_dict() and load_state_dict().
#include <cmath>
#include <sstream>

#include "every_device.h"

namespace d2l::testing {
namespace {

/// The message of load_state_dict, from PyTorch's sentence on.
std::string complaint(nn::Module& module, const StateDict& dict) {
  try {
    static_cast<void>(module.load_state_dict(dict));
  } catch (const ValueError& error) {
    const std::string text = error.what();
    const std::string begin = "[load_state_dict] ";
    EXPECT_EQ(text.substr(0, begin.size()), begin);
    const auto end = text.rfind("\nThe other values were copied.");
    EXPECT_NE(end, std::string::npos) << text;
    return text.substr(begin.size(), end - begin.size());
  }
  return "nothing";
}

TEST(StateDict, ShowsTheElementsThemselves) {
  on_every_device([](Device device) {
    const nn::Sequential net(nn::Linear(3, 2), nn::ReLU(), nn::Linear(2, 1));
    net->to(device);
    const auto dict = net->state_dict();
    EXPECT_EQ(dict.keys(), (std::vector<std::string>{"0.weight", "0.bias", "2.weight", "2.bias"}));
    for (const auto& item : dict) {
      EXPECT_FALSE(item->requires_grad());
      EXPECT_EQ(repr(*item).substr(0, 7), "tensor(");
      EXPECT_EQ(item->device(), device);
    }
    EXPECT_EQ(dict["0.weight"].data_ptr(), net->parameters()[0].data_ptr());
    Tensor(dict["2.bias"]).fill_(5);
    expect_tensor(net->parameters()[3], {1}, {5});
  });
}

TEST(LoadStateDict, CopiesInPlaceAndKeepsDtypeAndDevice) {
  on_every_device([](Device from) {
    on_every_device([&](Device to) {
      const nn::Linear source(3, 1);
      source->to(from, kDouble);
      const nn::Linear target(3, 1);
      target->to(to);
      const auto* const address = target->weight.data_ptr();
      const Tensor weight = target->weight;
      const auto result = target->load_state_dict(source->state_dict());
      EXPECT_EQ(repr(result), "<All keys matched successfully>");
      std::ostringstream out;
      out << result;
      EXPECT_EQ(out.str(), "<All keys matched successfully>");
      EXPECT_EQ(target->weight.data_ptr(), address);
      EXPECT_TRUE(target->weight.is_same(weight) && weight.is_leaf() && weight.requires_grad());
      EXPECT_EQ(weight.dtype(), kFloat);
      EXPECT_EQ(weight.device(), to);
      EXPECT_EQ(weight.to_vector<float>(), source->weight.to_vector<float>());
      EXPECT_EQ(target->bias.to_vector<float>(), source->bias.to_vector<float>());
    });
  });
  const nn::Linear layer(3, 1);
  layer->load_state_dict({{"weight", ones({1, 3}, kDouble)}, {"bias", ones({1}, kLong)}});
  expect_tensor(layer(ones({1, 3})), {1, 1}, {4});
}

TEST(LoadStateDict, SaysWhatIsMissingAndUnexpected) {
  const nn::Linear layer(3, 1);
  const auto weight = ones({1, 3});
  const auto bias = ones({1});
  EXPECT_EQ(complaint(*layer, {}),
            "Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: \"weight\", \"bias\". ");
  EXPECT_EQ(complaint(*layer, {{"weight", weight}}),
            "Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: \"bias\". ");
  EXPECT_EQ(complaint(*layer, {{"weight", weight}, {"bias", bias}, {"extra", bias}}),
            "Error(s) in loading state_dict for Linear:\n\tUnexpected key(s) in state_dict: \"extra\". ");
  EXPECT_EQ(complaint(*layer, {{"z", weight}, {"bias", bias}, {"y.weight", bias}}),
            "Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: \"weight\". \n\t"
            "Unexpected key(s) in state_dict: \"z\", \"y.weight\". ");
  const nn::Linear plain(nn::LinearOptions(3, 1).bias(false));
  EXPECT_EQ(complaint(*plain, {{"weight", weight}, {"bias", bias}}),
            "Error(s) in loading state_dict for Linear:\n\tUnexpected key(s) in state_dict: \"bias\". ");
  const nn::Sequential net(nn::Linear(3, 1), nn::Linear(1, 1));
  EXPECT_EQ(complaint(*net, {{"0.weight", weight}, {"0.bias", bias}, {"0.gain", bias}, {"1.weight", ones({1, 1})}}),
            "Error(s) in loading state_dict for Sequential:\n\tMissing key(s) in state_dict: \"1.bias\". \n\t"
            "Unexpected key(s) in state_dict: \"0.gain\". ");
}

TEST(LoadStateDict, GathersAllThatDoesNotFit) {
  const nn::Sequential net(nn::Linear(3, 2), nn::Linear(2, 1));
  const nn::Sequential other(nn::Linear(3, 4), nn::Linear(4, 1));
  EXPECT_EQ(complaint(*net, other->state_dict()),
            "Error(s) in loading state_dict for Sequential:\n"
            "\tsize mismatch for 0.weight: copying a param with shape torch.Size([4, 3]) from checkpoint, the shape in "
            "current model is torch.Size([2, 3]).\n"
            "\tsize mismatch for 0.bias: copying a param with shape torch.Size([4]) from checkpoint, the shape in "
            "current model is torch.Size([2]).\n"
            "\tsize mismatch for 1.weight: copying a param with shape torch.Size([1, 4]) from checkpoint, the shape in "
            "current model is torch.Size([1, 2]).");
  expect_tensor(net->parameters()[3], {1}, other->parameters()[3].to_vector<double>());

  const nn::Linear layer(3, 1);
  EXPECT_EQ(complaint(*layer, {{"weight", full({1, 3}, 7.0)}, {"bias", ones({2})}, {"more", ones({1})}}),
            "Error(s) in loading state_dict for Linear:\n\tUnexpected key(s) in state_dict: \"more\". \n\t"
            "size mismatch for bias: copying a param with shape torch.Size([2]) from checkpoint, the shape in current "
            "model is torch.Size([1]).");
  expect_tensor(layer->weight, {1, 3}, {7, 7, 7});  // the other values were copied
  EXPECT_NE(complaint(*layer, {{"weight", Tensor()}, {"bias", ones({1})}}).find("While copying the parameter named"),
            std::string::npos);
}

TEST(LoadStateDict, PassesOverKeysWhereAsked) {
  const nn::Linear layer(3, 1);
  const auto keys = layer->load_state_dict({{"bias", ones({1})}, {"more", ones({1})}}, /*strict=*/false);
  EXPECT_EQ(keys.missing_keys, (std::vector<std::string>{"weight"}));
  EXPECT_EQ(keys.unexpected_keys, (std::vector<std::string>{"more"}));
  EXPECT_EQ(repr(keys), "_IncompatibleKeys(missing_keys=['weight'], unexpected_keys=['more'])");
  EXPECT_EQ(repr(layer->load_state_dict({{"weight", ones({1, 3})}}, false)),
            "_IncompatibleKeys(missing_keys=['bias'], unexpected_keys=[])");
  expect_tensor(layer->bias, {1}, {1});
  const StateDict too_long{{"bias", ones({3})}};
  expect_error<ValueError>([&] { return layer->load_state_dict(too_long, false); }, "size mismatch for bias");
}

TEST(LoadStateDict, GivesALazyLayerItsShape) {
  on_every_device([](Device device) {
    const nn::Linear source(3, 2);
    const nn::LazyLinear layer(2);
    layer->to(device);
    const Tensor weight = layer->weight;
    EXPECT_EQ(repr(layer->load_state_dict(source->state_dict())), "<All keys matched successfully>");
    EXPECT_TRUE(layer->weight.is_same(weight) && placed(weight) && weight.device() == device);
    EXPECT_EQ(weight.to_vector<float>(), source->weight.to_vector<float>());
    EXPECT_EQ(layer->name(), "LazyLinear");
    const auto x = ones({2, 3}, device);
    EXPECT_TRUE(layer(x).cpu().allclose(source(x.cpu())));
    EXPECT_EQ(repr(layer), "Linear(in_features=3, out_features=2, bias=True)");

    const nn::LazyLinear half(2);
    EXPECT_THROW(half->load_state_dict({{"weight", source->weight}}), ValueError);
    half(ones({1, 3}));
    EXPECT_EQ(half->weight.to_vector<float>(), source->weight.to_vector<float>());
    EXPECT_LE(half->bias.abs().max().item<double>(), 1 / std::sqrt(3.0));
  });
}

TEST(LoadStateDict, TakesNothingThatHasNoShape) {
  const nn::LazyLinear lazy(1);
  expect_error<ValueError>(
      [&] { return nn::Linear(3, 1)->load_state_dict(lazy->state_dict()).missing_keys.size(); },
      "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` "
      "when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the "
      "parameters before accessing their attributes.");
  const nn::LazyLinear other(1);
  EXPECT_EQ(repr(other->load_state_dict(lazy->state_dict())), "<All keys matched successfully>");
  EXPECT_TRUE(other->has_uninitialized_params());
}

}  // namespace
}  // namespace d2l::testing
