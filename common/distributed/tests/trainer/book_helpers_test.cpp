// SPDX-License-Identifier: MIT
// The book's helpers: masked_softmax(), Vocab and Classifier.
#include <cmath>
#include <optional>

#include "d2l/classifier.h"
#include "d2l/sequences.h"
#include "d2l/trainer.h"
#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(MaskedSoftmax, LeavesOutKeysFromTheLengthOn) {
  on_every_device([](Device device) {
    manual_seed(2);
    const Tensor scores = randn({2, 2, 4}, device);
    const Tensor weights = masked_softmax(scores, tensor({2, 3}).to(device));
    expect_on(device, weights);
    EXPECT_TRUE(weights[0].slice(1, 0, 2).allclose(scores[0].slice(1, 0, 2).softmax(-1)));
    EXPECT_TRUE(weights[1].slice(1, 0, 3).allclose(scores[1].slice(1, 0, 3).softmax(-1)));
    EXPECT_EQ(weights[0].slice(1, 2).abs().sum().item<double>(), 0);
    const Tensor each = masked_softmax(scores, tensor({{1, 3}, {2, 4}}).to(device));
    expect_tensor(each.gt(0).sum({-1}), {2, 2}, {1, 3, 2, 4});
    EXPECT_TRUE(masked_softmax(scores).equal(scores.softmax(-1)));
    expect_tensor(masked_softmax(ones({1, 1, 4}, device), tensor({0}).to(device)), {1, 1, 4}, {0.25, 0.25, 0.25, 0.25});
  });
}

TEST(MaskedSoftmax, HasTheGradientOfTheKeysThatTakePart) {
  const Tensor scores = tensor({{{1.0, 2.0, 3.0}}}, requires_grad(true).dtype(kDouble));
  (masked_softmax(scores, tensor({2})) * tensor({1.0, 2.0, 5.0}, kDouble)).sum().backward();
  const double p = 1 / (1 + std::exp(1.0));
  const auto found = scores.grad().to_vector<double>();
  EXPECT_NEAR(found[0], p * (1 - (2 - p)), 1e-12);
  EXPECT_NEAR(found[1], -found[0], 1e-12);
  EXPECT_EQ(found[2], 0);
}

TEST(MaskedSoftmax, RefusesOtherShapes) {
  const char* const sentence = "lengths are (batch) or (batch, queries) for scores (batch, queries, keys)";
  expect_error<ShapeError>([] { return masked_softmax(ones({2, 3}), tensor({1, 1})); }, sentence);
  expect_error<ShapeError>([] { return masked_softmax(ones({2, 3, 4}), tensor({1, 1, 1})); }, sentence);
  expect_error<ValueError>([] { return masked_softmax(Tensor()); }, "undefined");
}

TEST(Vocab, NumbersTokensInAlphabeticalOrder) {
  const std::vector<std::string> text{"the", "time", "the", "machine", "by", "h", "time", "the"};
  const Vocab vocab(text, 2, {"<pad>"});
  EXPECT_EQ(vocab.idx_to_token(), (std::vector<std::string>{"<pad>", "<unk>", "the", "time"}));
  EXPECT_EQ(vocab.size(), 4U);
  EXPECT_EQ(vocab.unk(), 1);
  EXPECT_EQ(vocab["time"], 3);
  EXPECT_EQ(vocab["machine"], vocab.unk());
  EXPECT_EQ(vocab[std::vector<std::string>({"the", "by"})], (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(vocab.to_tokens(std::vector<std::int64_t>{3, 0}), (std::vector<std::string>{"time", "<pad>"}));
  using Counts = std::vector<std::pair<std::string, std::int64_t>>;
  EXPECT_EQ(vocab.token_freqs(), (Counts{{"the", 3}, {"time", 2}, {"machine", 1}, {"by", 1}, {"h", 1}}));
  EXPECT_EQ(Vocab().idx_to_token(), std::vector<std::string>{"<unk>"});
  expect_error<IndexError>([&] { return vocab.to_tokens(4); }, "there is no token 4 of 4");
  expect_error<IndexError>([&] { return vocab.to_tokens(-1); }, "there is no token -1 of 4");
}

class TwoLayers : public Classifier {
 public:
  TwoLayers() : Classifier(0.5) { register_module("net", net); }
  Tensor forward(const Tensor& x) override { return net(x); }
  nn::Sequential net{nn::Linear(4, 8), nn::ReLU(), nn::Linear(8, 3)};
};

class LargestOfThree : public DataModule {
 public:
  [[nodiscard]] DataLoader train_dataloader() const override { return loader(1); }
  [[nodiscard]] std::optional<DataLoader> val_dataloader() const override { return loader(2); }

 private:
  static DataLoader loader(std::uint64_t seed) {
    manual_seed(seed);
    const Tensor x = randn({256, 4});
    return DataLoader(TensorDataset({x, x.narrow(1, 0, 3).argmax(1)}), DataLoaderOptions(32));
  }
};

TEST(Classifier, LearnsAndPlotsTheAccuracy) {
  manual_seed(3);
  TwoLayers model;
  Trainer trainer({.max_epochs = 8});
  trainer.fit(model, LargestOfThree());
  manual_seed(2);
  const Tensor x = randn({256, 4});
  EXPECT_GT(model.accuracy(model.forward(x), x.narrow(1, 0, 3).argmax(1)).item<double>(), 0.9);
}

TEST(Classifier, GivesTheLossAndTheAccuracyOfEachPrediction) {
  on_every_device([](Device device) {
    const TwoLayers model;
    const Tensor scores = tensor({{{2.0, 0.0, 1.0}, {0.0, 3.0, 0.0}}}, device);
    const Tensor classes = tensor({{0, 2}}, device);
    expect_tensor(model.accuracy(scores, classes), {}, {0.5});
    expect_tensor(model.accuracy(scores, classes, false), {2}, {1, 0});
    const Tensor each = model.loss(scores, classes, false);
    EXPECT_EQ(each.sizes(), IntArrayRef({2}));
    EXPECT_TRUE(model.loss(scores, classes, true).allclose(each.mean()));
    expect_error<ShapeError>([&] { return model.loss(scores, classes[0], true); }, "do not fit classes of shape [2]");
  });
}

}  // namespace
}  // namespace d2l::testing
