// SPDX-License-Identifier: MIT
// The models: sizes, names, shapes, gradients, saved values and places.
#include "small_models.h"

namespace d2l::testing {
namespace {

using namespace d2l::examples;

std::int64_t count_of(const nn::Module& model) {
  std::int64_t count = 0;
  for (const Tensor& parameter : model.parameters()) count += parameter.numel();
  return count;
}

TEST(Examples, HaveAsManyParametersAsTheBooksAndPyTorchs) {
  EXPECT_EQ(count_of(*LeNet()), 61'706);                            // the book's
  EXPECT_EQ(count_of(*ResNet18()), 11'173'962);                     // for CIFAR-10
  EXPECT_EQ(count_of(*TransformerBlock(64, 4, 256, 0.1)), 49'984);  // nn.TransformerEncoderLayer(64, 4, 256)
  EXPECT_EQ(count_of(*Transformer()), 2 * 49'984 + 640 + 512 + 128 + 650);
}

TEST(Examples, HaveTheNamesOfTorchvision) {
  const auto state = ResNet18(3, 10, 4)->state_dict();
  EXPECT_EQ(state.size(), 122U);  // 62 parameters, and three buffers for each of 20 normalisations
  for (const char* name : {"conv1.weight", "bn1.running_mean", "layer1.0.conv1.weight", "layer2.0.downsample.0.weight",
                           "layer2.0.downsample.1.num_batches_tracked", "layer4.1.bn2.bias", "fc.weight"}) {
    EXPECT_TRUE(state.contains(name)) << name;
  }
  EXPECT_FALSE(state.contains("layer1.0.downsample.0.weight"));
}

TEST(Examples, GiveAScoreForEachClass) {
  on_every_model([](const SmallModel& small) {
    on_every_device([&](Device device) {
      const auto model = made(small, device);
      for (const bool training : {true, false}) {
        model->train(training);
        const Tensor scores = model->forward(small.batch[0].to(device));
        EXPECT_EQ(scores.sizes().vec(), small.shape_of_scores);
        expect_on(device, scores);
        EXPECT_TRUE(scores.isfinite().all().item<bool>());
      }
    });
  });
}

TEST(Examples, HaveFullSizedShapes) {
  const NoGradGuard unrecorded;
  const ResNet18 full;
  full->eval();
  EXPECT_EQ(full->forward(rand({2, 3, 32, 32})).sizes().vec(), list(2, 10));
  EXPECT_EQ(full->layer4->forward(rand({1, 256, 8, 8})).sizes().vec(), list(1, 512, 4, 4));
  const Transformer transformer;
  EXPECT_EQ(transformer->forward(zeros({2, 5}, kLong)).sizes().vec(), list(2, 5, 10));  // shorter than the longest
  expect_error<ShapeError>([&] { return transformer->forward(zeros({2, 9}, kLong)); }, "exceeds dimension size");
}

TEST(Examples, GiveEachParameterAGradient) {
  on_every_model([](const SmallModel& small) {
    on_every_device([&](Device device) {
      const auto model = made(small, device);
      const Batch batch = batch_on(small, device);
      loss_of(model->forward(batch[0]), batch[1]).backward();
      for (const auto& item : model->named_parameters()) {
        const Tensor& gradient = item.value().grad();
        ASSERT_TRUE(gradient.defined()) << item.key();
        expect_on(device, gradient);
        EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << item.key();
        // The softmax of an attention does not change when a number is added to all of its scores.
        if (item.key().find("key.bias") != std::string::npos) continue;
        EXPECT_GT(gradient.abs().max().item<double>(), 0) << item.key();
      }
    });
  });
}

TEST(Examples, GiveTheSameScoresAfterALoad) {
  on_every_model([](const SmallModel& small) {
    on_every_device([&](Device device) {
      const auto model = made(small, device, 1);
      const auto optimizer = small.optimizer(model->parameters());
      const Batch batch = batch_on(small, device);
      step(*model, batch, *optimizer);  // changes the buffers of batch normalisation too
      const auto other = made(small, cpu(), 2);
      const auto keys = other->load_state_dict(model->state_dict());
      EXPECT_TRUE(keys.missing_keys.empty() && keys.unexpected_keys.empty());
      other->to(device);
      model->eval();
      other->eval();
      EXPECT_TRUE(model->forward(batch[0]).equal(other->forward(batch[0])));
      EXPECT_FALSE(model->forward(batch[0]).equal(made(small, device, 2)->forward(batch[0])));
    });
  });
}

TEST(Examples, KeepAllTensorsOnTheirDevice) {
  on_every_model([](const SmallModel& small) {
    on_every_device([&](Device device) {
      const auto model = made(small, device);
      const auto optimizer = small.optimizer(model->parameters());
      const Batch batch = batch_on(small, device);
      synchronize(device);
      {
        const TransferLedger ledger;
        const TransferGuard guard(TransferGuard::disallow);
        for (int i = 0; i < 2; ++i) step(*model, batch, *optimizer);
        EXPECT_EQ(ledger.copies(), 0) << ledger.summary();
        EXPECT_EQ(ledger.implicit_copies(), 0);
        EXPECT_EQ(ledger.synchronisations(), 0) << ledger.summary();
        for (const auto& entry : ledger.entries()) EXPECT_EQ(entry.queue, device) << entry.name;
      }
      for (const Tensor& parameter : model->parameters()) {
        expect_on(device, parameter, parameter.grad());
        for (const auto& item : optimizer->state(parameter)) expect_on(device, item.value());
      }
      for (const Tensor& buffer : model->buffers()) expect_on(device, buffer);
    });
  });
}

}  // namespace
}  // namespace d2l::testing
