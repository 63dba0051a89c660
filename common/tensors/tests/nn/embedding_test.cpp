// SPDX-License-Identifier: MIT
// embedding and Embedding.
#include "every_device.h"

namespace d2l::testing {
namespace {

namespace F = nn::functional;

Tensor table_on(Device device) {
  return tensor({{0.0, 1.0}, {2.0, 3.0}, {4.0, 5.0}}, TensorOptions(kFloat).device(device));
}

TEST(Embedding, LooksRowsUp) {
  on_every_device([](Device device) {
    const auto table = table_on(device);
    const auto list = tensor({{2, 0}, {1, 2}}).to(device);
    const auto rows = embedding(table, list);
    expect_on(device, rows);
    expect_tensor(rows, {2, 2, 2}, {4, 5, 0, 1, 2, 3, 4, 5});
    EXPECT_TRUE(embedding(table, list.to(kInt)).equal(rows));
    EXPECT_TRUE(F::embedding(list, table).equal(rows));
    expect_tensor(embedding(table, tensor(1).to(device)), {2}, {2, 3});
    EXPECT_EQ(embedding(table, zeros({0, 3}, TensorOptions(kLong).device(device))).sizes().vec(), (Sizes{0, 3, 2}));
    EXPECT_EQ(nn::Embedding::from_pretrained(table)(list).equal(rows), true);
  });
}

TEST(Embedding, AddsTheGradientsOfARowButNotOfThePadding) {
  on_every_device([](Device device) {
    auto table = table_on(device).set_requires_grad(true);
    const auto list = tensor({0, 2, 2, 1}).to(device);
    const auto rows = embedding(table, list, 1);
    EXPECT_EQ(rows.grad_fn()->name(), "EmbeddingBackward0");
    rows.backward(full({4, 2}, 3.0, device));
    expect_tensor(table.grad(), {3, 2}, {3, 3, 0, 0, 6, 6});
    table.mutable_grad() = Tensor();
    embedding(table, list, -1, true).backward(full({4, 2}, 3.0, device));
    expect_tensor(table.grad(), {3, 2}, {3, 3, 3, 3, 3, 3});
  });
}

TEST(Embedding, IsALayer) {
  manual_seed(2);
  const nn::Embedding layer(nn::EmbeddingOptions(4, 3).padding_idx(-2));
  EXPECT_EQ(repr(layer), "Embedding(4, 3, padding_idx=2)");
  expect_tensor(layer->weight[2].detach(), {3}, {0, 0, 0});
  EXPECT_GT(layer->weight[1].abs().sum().item<double>(), 0);
  EXPECT_EQ(repr(nn::Embedding(nn::EmbeddingOptions(4, 3).max_norm(2).norm_type(1).scale_grad_by_freq(true))),
            "Embedding(4, 3, max_norm=2.0, norm_type=1.0, scale_grad_by_freq=True)");
  layer->weight.set_requires_grad(false);
  const auto copy = std::dynamic_pointer_cast<nn::EmbeddingImpl>(layer->clone());
  EXPECT_TRUE(copy->weight.equal(layer->weight) && !copy->weight.requires_grad());
  EXPECT_FALSE(copy->weight.is_same(layer->weight));
  const auto frozen = nn::Embedding::from_pretrained(table_on(cpu()));
  EXPECT_FALSE(frozen->weight.requires_grad());
  EXPECT_TRUE(nn::Embedding::from_pretrained(table_on(cpu()), nn::EmbeddingFromPretrainedOptions().freeze(false))
                  ->weight.requires_grad());
}

TEST(Embedding, LimitsTheNormOfTheRowsThatItUses) {
  on_every_device([](Device device) {
    auto table = tensor({{3.0, 4.0}, {30.0, 40.0}, {0.3, 0.4}}, TensorOptions(kDouble).device(device));
    const auto list = tensor({0, 2, 0}).to(device);
    static_cast<void>(F::embedding(list, table, F::EmbeddingFuncOptions().max_norm(1)));
    EXPECT_NEAR(table[0][1].item<double>(), 0.8, 1e-6);
    expect_tensor(table[1], {2}, {30, 40});
    expect_tensor(table[2], {2}, {0.3, 0.4});
  });
}

TEST(Embedding, RefusesWhatPyTorchRefuses) {
  on_every_device([](Device device) {
    const auto table = table_on(device);
    const auto list = tensor({0, 1}).to(device);
    expect_error<ShapeError>([&] { return embedding(table[0], list); }, "'weight' must be 2-D");
    expect_error<TypeError>([&] { return embedding(table, list.to(kFloat)); },
                            std::string("Expected tensor for argument #1 'indices' to have one of the following scalar "
                                        "types: Long, Int; but got torch.") +
                                (device.is_cpu() ? "" : "cuda.") +
                                "FloatTensor instead (while checking arguments for embedding)");
    expect_error<ValueError>([&] { return embedding(table, list, -1, false, true); }, "sparse");
    expect_error<ValueError>([&] { return embedding(Tensor(), list); }, "undefined");
    expect_error<ValueError>([&] { return F::embedding(list, table, F::EmbeddingFuncOptions().padding_idx(3)); },
                             "Padding_idx must be within num_embeddings");
    if (device.is_cpu()) {
      expect_error<IndexError>([&] { return embedding(table, list + 2); }, "index out of range in self");
    } else {
      expect_error<DeviceError>([&] { return embedding(table, tensor({0})); },
                                "Expected all tensors to be on the same device");
    }
  });
  expect_error<ValueError>([] { return nn::Embedding(nn::EmbeddingOptions(3, 2).padding_idx(-4)); },
                           "Padding_idx must be within num_embeddings");
  expect_error<ShapeError>(
      [] {
        return nn::Embedding(nn::EmbeddingOptions(3, 2)._weight(ones({2, 3})));
      },
      "Shape of _weight does not match num_embeddings and embedding_dim");
  expect_error<ShapeError>([] { return nn::Embedding::from_pretrained(ones({2})); },
                           "Embeddings parameter is expected to be 2-dimensional");
}

}  // namespace
}  // namespace d2l::testing
