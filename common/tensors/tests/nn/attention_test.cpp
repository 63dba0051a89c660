// SPDX-License-Identifier: MIT
// scaled_dot_product_attention against loops in double, on every device, with masks and errors.
#include <algorithm>
#include <cmath>
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// One head: query (L, E), key (S, E), value (S, V), bias (L, S) → (L, V), row by row.
std::vector<double> attention_by_hand(const Tensor& query, const Tensor& key, const Tensor& value,
                                      const std::vector<double>& bias, double scale) {
  const auto q = query.contiguous().to_vector<double>();
  const auto k = key.contiguous().to_vector<double>();
  const auto v = value.contiguous().to_vector<double>();
  const auto length = static_cast<std::size_t>(query.size(0));
  const auto keys = static_cast<std::size_t>(key.size(0));
  const auto features = static_cast<std::size_t>(key.size(1));
  const auto width = static_cast<std::size_t>(value.size(1));
  std::vector<double> result(length * width);
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<double> scores(keys);
    double most = -unbounded;
    for (std::size_t j = 0; j < keys; ++j) {
      for (std::size_t e = 0; e < features; ++e) scores[j] += scale * q[i * features + e] * k[j * features + e];
      scores[j] += bias[i * keys + j];
      most = std::max(most, scores[j]);
    }
    if (most == -unbounded) continue;
    double sum = 0;
    for (auto& score : scores) sum += score = std::exp(score - most);
    for (std::size_t j = 0; j < keys; ++j) {
      for (std::size_t n = 0; n < width; ++n) result[i * width + n] += scores[j] / sum * v[j * width + n];
    }
  }
  return result;
}

void expect_attention(const Tensor& found, const Tensor& query, const Tensor& key, const Tensor& value,
                      const std::vector<double>& bias, double scale) {
  const double tolerance = query.dtype() == kFloat ? 1e-5 : 1e-12;
  EXPECT_EQ(found.dtype(), query.dtype());
  for (std::int64_t n = 0; n < query.size(0); ++n) {
    for (std::int64_t h = 0; h < query.size(1); ++h) {
      const auto expected = attention_by_hand(query[n][h], key[n][h], value[n][h], bias, scale);
      const auto values = found[n][h].contiguous().to_vector<double>();
      ASSERT_EQ(values.size(), expected.size());
      for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance) << "element " << i;
    }
  }
}

TEST(Attention, FollowsItsFormulaWithMasks) {
  on_every_device([](Device device) {
    for (const auto dtype : {kFloat, kDouble}) {
      const auto options = TensorOptions(dtype).device(device);
      const auto query = randn({2, 3, 5, 4}, options);
      const auto key = randn({2, 7, 3, 4}, options).transpose(1, 2);
      const auto value = randn({2, 3, 7, 6}, options);
      const std::vector<double> none(35);
      expect_attention(scaled_dot_product_attention(query, key, value), query, key, value, none, 0.5);
      expect_attention(scaled_dot_product_attention(query, key, value, {}, 0, false, 0.3), query, key, value, none,
                       0.3);
      auto causal = none;
      for (std::size_t i = 0; i < 35; ++i) causal[i] = i % 7 > i / 7 ? -unbounded : 0;
      expect_attention(scaled_dot_product_attention(query, key, value, {}, 0, true), query, key, value, causal, 0.5);
      const auto numbers = randn({5, 7}, device);
      expect_attention(scaled_dot_product_attention(query, key, value, numbers.to(dtype)), query, key, value,
                       numbers.to_vector<double>(), 0.5);
      auto chosen = numbers.gt(0);
      chosen[2].fill_(false);
      auto bias = none;
      const auto truths = chosen.to_vector<double>();
      for (std::size_t i = 0; i < 35; ++i) bias[i] = truths[i] == 0 ? -unbounded : 0;
      const auto found = scaled_dot_product_attention(query, key, value, chosen);
      expect_attention(found, query, key, value, bias, 0.5);
      expect_tensor(found[1][2][2], {6}, {0, 0, 0, 0, 0, 0});
      EXPECT_TRUE(placed(found) && found.device() == device);
    }
  });
}

TEST(Attention, TakesEveryShape) {
  on_every_device([](Device device) {
    const auto shape = [&](const Sizes& q, const Sizes& k, const Sizes& v) {
      return scaled_dot_product_attention(ones(q, device), ones(k, device), ones(v, device)).sizes().vec();
    };
    EXPECT_EQ(shape({5, 4}, {7, 4}, {7, 6}), (Sizes{5, 6}));
    EXPECT_EQ(shape({2, 5, 4}, {7, 4}, {2, 7, 6}), (Sizes{2, 5, 6}));
    EXPECT_EQ(shape({2, 1, 5, 4}, {3, 7, 4}, {7, 1}), (Sizes{2, 3, 5, 1}));
    EXPECT_EQ(shape({0, 5, 4}, {0, 7, 4}, {0, 7, 6}), (Sizes{0, 5, 6}));
    EXPECT_EQ(shape({2, 0, 4}, {2, 7, 4}, {2, 7, 6}), (Sizes{2, 0, 6}));
    expect_tensor(scaled_dot_product_attention(ones({1, 2}, device), ones({0, 2}, device), ones({0, 3}, device)),
                  {1, 3}, {0, 0, 0});
  });
}

TEST(Attention, DropsWeights) {
  on_every_device([](Device device) {
    manual_seed(1);
    const auto x = ones({64, 64}, device);
    const auto result = scaled_dot_product_attention(x, x, x, {}, 0.5);
    EXPECT_NEAR(result.mean().item<double>(), 1, 0.1);
    EXPECT_GT(result.max().item<double>() - result.min().item<double>(), 0.1);
    EXPECT_EQ(scaled_dot_product_attention(x, x, x, {}, 1).abs().sum().item<double>(), 0);
  });
}

TEST(Attention, GivesRowsWithoutKeysNoGradient) {
  on_every_device([](Device device) {
    auto query = ones({2, 3}, device);
    query.requires_grad_();
    auto mask = zeros({2, 4}, device);
    mask[0].fill_(-unbounded);
    scaled_dot_product_attention(query, randn({4, 3}, device), randn({4, 2}, device), mask).sum().backward();
    EXPECT_EQ(query.grad()[0].abs().sum().item<double>(), 0);
    EXPECT_TRUE(query.grad().isfinite().all().item<bool>());
  });
}

TEST(Attention, RefusesWhatDoesNotFit) {
  const auto x = ones(list(2, 3));
  expect_error<TypeError>([&] { return scaled_dot_product_attention(x, x.to(kDouble), x); },
                          "Expected query, key, and value to have the same dtype, but got query.dtype: float "
                          "key.dtype: double and value.dtype: float instead.");
  expect_error<ShapeError>([&] { return scaled_dot_product_attention(x, ones({3}), x); },
                           "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: 2 "
                           "key.dim: 1 and value.dim: 2 instead.");
  expect_error<TypeError>(
      [&] {
        return scaled_dot_product_attention(x, x, x, ones({2, 2}, kLong));
      },
      "Expected attn_mask dtype to be bool or float or to match query dtype");
  expect_error<ValueError>(
      [&] {
        return scaled_dot_product_attention(x, x, x, ones({2, 2}), 0, true);
      },
      "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  expect_error<ShapeError>(
      [&] {
        return scaled_dot_product_attention(x, x, x, ones({3, 2, 2}));
      },
      "output with shape [2, 2] doesn't match the broadcast shape [3, 2, 2]");
  expect_error<ShapeError>([&] { return scaled_dot_product_attention(x, x, x, ones(list(2, 3))); },
                           "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1");
  expect_error<ValueError>([&] { return scaled_dot_product_attention(x, x, x, {}, 1.5); },
                           "dropout probability has to be between 0 and 1, but got 1.5");
  expect_error<ShapeError>([&] { return scaled_dot_product_attention(x, ones(list(2, 4)), x); }, "");
  for (int i = 0; i < 3; ++i) {
    std::vector<Tensor> inputs{x, x, x};
    inputs[static_cast<std::size_t>(i)] = Tensor();
    expect_error<ValueError>([&] { return scaled_dot_product_attention(inputs[0], inputs[1], inputs[2]); },
                             "undefined");
  }
}

}  // namespace
}  // namespace d2l::testing
