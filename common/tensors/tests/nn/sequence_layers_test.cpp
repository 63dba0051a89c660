// SPDX-License-Identifier: MIT
// Recurrent layers and transformers on every device: initial values, dropout, training, copies and devices. Their
// values and gradients are those of the reference cases, recurrent.json and attention.json.
#include <cmath>

#include "d2l/transfers.h"
#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(RecurrentLayers, DrawParametersAsPyTorch) {
  manual_seed(3);
  const nn::LSTM layer(nn::LSTMOptions(20, 100).num_layers(2));
  const double bound = 0.1;
  for (const auto& item : layer->named_parameters()) {
    const auto values = item.value().to_vector<double>();
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    EXPECT_GE(*low, -bound) << item.key();
    EXPECT_LE(*high, bound) << item.key();
    EXPECT_GT(*high - *low, 1.9 * bound) << item.key();
  }
}

TEST(RecurrentLayers, DropOutputsBetweenLayersInTrainingAlone) {
  on_every_device([](Device device) {
    manual_seed(3);
    const nn::GRU layer(nn::GRUOptions(4, 6).num_layers(2).dropout(0.5));
    layer->to(device);
    const Tensor x = randn({5, 3, 4}, device);
    const auto first = std::get<0>(layer->forward(x));
    EXPECT_FALSE(first.equal(std::get<0>(layer->forward(x))));
    layer->eval();
    const auto whole = std::get<0>(layer->forward(x));
    EXPECT_TRUE(whole.equal(std::get<0>(layer->forward(x))));
    expect_on(device, whole);
    const nn::GRU single(nn::GRUOptions(4, 6).dropout(0.5));
    single->to(device);
    EXPECT_TRUE(std::get<0>(single->forward(x)).equal(std::get<0>(single->forward(x))));
  });
}

/// The loss before and after some steps.
template <class Loss>
std::pair<double, double> trained(const std::vector<Tensor>& parameters, const Loss& loss) {
  optim::Adam optimizer(parameters, optim::AdamOptions(0.02));
  const double before = loss().template item<double>();
  for (int i = 0; i < 40; ++i) {
    optimizer.zero_grad();
    loss().backward();
    optimizer.step();
  }
  return {before, loss().template item<double>()};
}

TEST(RecurrentLayers, LearnToRemember) {
  on_every_device([](Device device) {
    manual_seed(11);
    const nn::LSTM layer(2, 8);
    const nn::Linear head(8, 2);
    layer->to(device);
    head->to(device);
    const Tensor x = randn({4, 16, 2}, device);
    auto parameters = layer->parameters();
    for (const auto& parameter : head->parameters()) parameters.push_back(parameter);
    const auto [before, after] = trained(
        parameters, [&] { return mse_loss(head(std::get<0>(std::get<1>(layer->forward(x))).squeeze(0)), x[0]); });
    EXPECT_LT(after, 0.6 * before);
  });
}

TEST(Transformers, LearnAndAttendToEachOther) {
  on_every_device([](Device device) {
    manual_seed(11);
    const auto options = nn::TransformerOptions(8, 2, 1, 1).dim_feedforward(16).dropout(0);
    const nn::Transformer model(options);
    model->to(device);
    const Tensor source = randn({3, 4, 8}, device);
    const Tensor target = randn({2, 4, 8}, device);
    const Tensor mask = nn::TransformerImpl::generate_square_subsequent_mask(2).to(device);
    const auto [before, after] = trained(
        model->parameters(), [&] { return mse_loss(model->forward(source, target, {}, mask), source.slice(0, 1)); });
    EXPECT_LT(after, 0.7 * before);
    // A causal mask hides later elements.
    const Tensor changed = target.clone();
    changed[1].fill_(3);
    const Tensor one = model->forward(source, target, {}, mask)[0];
    EXPECT_TRUE(one.allclose(model->forward(source, changed, {}, mask)[0]));
    EXPECT_FALSE(one.allclose(model->forward(source, changed)[0]));
  });
}

/// A module of every class.
std::vector<std::shared_ptr<nn::Module>> all_modules() {
  const nn::TransformerEncoderLayer encoder(nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(3));
  const nn::TransformerDecoderLayer decoder(nn::TransformerDecoderLayerOptions(4, 2).dim_feedforward(3));
  return {nn::RNN(2, 3).ptr(),
          nn::GRU(nn::GRUOptions(2, 3).bidirectional(true)).ptr(),
          nn::LSTM(nn::LSTMOptions(2, 3).proj_size(2)).ptr(),
          nn::RNNCell(2, 3).ptr(),
          nn::GRUCell(2, 3).ptr(),
          nn::LSTMCell(nn::LSTMCellOptions(2, 3).bias(false)).ptr(),
          nn::MultiheadAttention(nn::MultiheadAttentionOptions(4, 2).add_bias_kv(true).kdim(3)).ptr(),
          encoder.ptr(),
          decoder.ptr(),
          nn::TransformerEncoder(nn::TransformerEncoderOptions(encoder, 2).norm(nn::LayerNorm(4))).ptr(),
          nn::TransformerDecoder(decoder, 2).ptr(),
          nn::Transformer(nn::TransformerOptions(4, 2, 1, 1)).ptr(),
          nn::PReLU(nn::PReLUOptions().num_parameters(3)).ptr(),
          nn::RMSNorm(4).ptr()};
}

TEST(SequenceModules, CloneWithTheirValuesAndDevice) {
  on_every_device([](Device device) {
    for (const auto& module : all_modules()) {
      SCOPED_TRACE(nn::repr(*module));
      module->to(device, kDouble);
      module->eval();
      const auto copy = module->clone();
      EXPECT_EQ(nn::repr(*copy), nn::repr(*module));
      EXPECT_FALSE(copy->is_training());
      const auto values = module->state_dict();
      const auto copied = copy->state_dict();
      ASSERT_EQ(copied.keys(), values.keys());
      EXPECT_FALSE(values.is_empty());
      for (const auto& item : values) {
        const Tensor& other = copied[item.key()];
        EXPECT_TRUE(other.equal(item.value())) << item.key();
        EXPECT_EQ(other.dtype(), kDouble);
        EXPECT_NE(other.data_ptr(), item.value().data_ptr()) << item.key();
        expect_on(device, other);
      }
    }
  });
}

TEST(SequenceModules, OptionsPlaceTheParameters) {
  on_every_device([](Device device) {
    const nn::GRU layer(nn::GRUOptions(2, 3).device(device).dtype(kDouble));
    const nn::TransformerEncoderLayer encoder(
        nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(3).device(device).dtype(kDouble));
    for (const nn::Module* module : {static_cast<nn::Module*>(layer.get()), static_cast<nn::Module*>(encoder.get())}) {
      for (const Tensor& parameter : module->parameters()) {
        expect_on(device, parameter);
        EXPECT_EQ(parameter.dtype(), kDouble);
      }
    }
  });
}

TEST(SequenceModules, FollowPyTorchsRuleOfFirstValues) {
  manual_seed(2);
  const nn::MultiheadAttention attention(16, 4);
  EXPECT_TRUE(attention->in_proj_bias.equal(zeros({48})));
  EXPECT_TRUE(attention->out_proj->bias.equal(zeros({16})));
  const double bound = std::sqrt(6.0 / (48 + 16));
  EXPECT_LE(attention->in_proj_weight.abs().max().item<double>(), bound);
  EXPECT_GT(attention->in_proj_weight.abs().max().item<double>(), 0.9 * bound);
  // A stack begins with equal layers.
  const nn::TransformerEncoder stack(nn::TransformerEncoderLayer(4, 2), 2);
  EXPECT_TRUE(stack->state_dict()["layers.0.linear1.weight"].equal(stack->state_dict()["layers.1.linear1.weight"]));
}

TEST(SequenceModules, RefuseWhatPyTorchRefuses) {
  expect_error<ValueError>([] { return nn::TransformerActivation(kTanh); }, "activation should be relu/gelu");
  expect_error<ValueError>([] { return nn::TransformerEncoder(nn::TransformerEncoderLayer(4, 2), -1); },
                           "the number of layers is negative");
  const nn::Transformer model(nn::TransformerOptions(4, 2, 1, 1));
  expect_error<ShapeError>(
      [&] {
        return model->forward(ones({3, 2, 4}), ones({2, 1, 4}));
      },
      "the batch number of src and tgt must be equal");
  expect_error<ShapeError>(
      [&] {
        return model->forward(ones({3, 2, 5}), ones({2, 2, 5}));
      },
      "the feature number of src and tgt must be equal to d_model");
  expect_error<ShapeError>(
      [] {
        return nn::LSTM(2, 3)->forward(ones({0, 1, 2}));
      },
      "Expected sequence length to be larger than 0 in RNN");
}

TEST(SequenceModules, SelfAttentionIsOneProductForQueriesKeysAndValues) {
  const nn::MultiheadAttention attention(8, 2);
  const Tensor x = randn({5, 3, 8});
  const Tensor y = x.clone();
  const auto launches = [&](const Tensor& key) {
    const TransferLedger ledger;
    static_cast<void>(attention->forward(x, key, key, {}, false));
    return ledger.launches();
  };
  EXPECT_LT(launches(x), launches(y));
}

}  // namespace
}  // namespace d2l::testing
