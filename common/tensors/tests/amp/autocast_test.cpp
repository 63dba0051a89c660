// SPDX-License-Identifier: MIT
// Autocast: the dtypes that operations choose, converted parameters, scopes, gradients and errors. golden/ has the
// values.
#include "d2l/autocast.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "d2l/amp.h"
#include "d2l/autograd.h"
#include "d2l/checkpoint.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "d2l/memory.h"
#include "d2l/nn.h"
#include "d2l/ops.h"
#include "d2l/optim/sgd.h"
#include "every_device.h"

namespace d2l::amp {
namespace {

using d2l::testing::every_device;
using d2l::testing::expect_error;

/// An operation, and the dtypes of its results with autocast to bfloat16 for operands of float32, bfloat16, float64.
struct Case {
  const char* name;
  std::function<Tensor(const Tensor&)> compute;
  const char* on_cpu;
  const char* on_gpu;
};

std::string letter(ScalarType type) {
  return type == kFloat ? "f" : type == kDouble ? "d" : type == kBFloat16 ? "b" : type == kHalf ? "h" : "?";
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"matmul", [](const Tensor& x) { return x.matmul(x.t()); }, "bbd", "bbd"},
      {"mm", [](const Tensor& x) { return x.mm(x.t()); }, "bbd", "bbd"},
      {"bmm", [](const Tensor& x) { return x.unsqueeze(0).bmm(x.t().unsqueeze(0)); }, "bbd", "bbd"},
      {"mv", [](const Tensor& x) { return x.mv(x.select(0, 0)); }, "fbd", "bbd"},
      {"dot", [](const Tensor& x) { return x.select(0, 0).dot(x.select(0, 1)); }, "fbd", "fbd"},
      {"outer", [](const Tensor& x) { return x.select(0, 0).outer(x.select(0, 1)); }, "fbd", "fbd"},
      {"linear", [](const Tensor& x) { return linear(x, x, x.select(1, 0)); }, "bbd", "bbd"},
      {"einsum",
       [](const Tensor& x) {
         return einsum("ij,kj->ik", {x, x});
       },
       "bbd", "bbd"},
      {"conv2d",
       [](const Tensor& x) {
         const Tensor image = x.view({1, 1, 3, 4});
         return conv2d(image, image);
       },
       "bbd", "bbd"},
      {"attention", [](const Tensor& x) { return scaled_dot_product_attention(x, x, x); }, "bbd", "bbd"},
      {"prelu", [](const Tensor& x) { return prelu(x, x.select(0, 0)); }, "bbd", "bbd"},
      {"mse_loss", [](const Tensor& x) { return mse_loss(x, x); }, "ffd", "ffd"},
      {"l1_loss", [](const Tensor& x) { return l1_loss(x, x); }, "ffd", "ffd"},
      {"huber_loss", [](const Tensor& x) { return huber_loss(x, x); }, "ffd", "ffd"},
      {"smooth_l1_loss", [](const Tensor& x) { return smooth_l1_loss(x, x); }, "ffd", "ffd"},
      {"binary_cross_entropy_with_logits", [](const Tensor& x) { return binary_cross_entropy_with_logits(x, x); },
       "ffd", "ffd"},
      {"cross_entropy", [](const Tensor& x) { return cross_entropy_loss(x, x); }, "ffd", "ffd"},
      {"prod", [](const Tensor& x) { return x.prod(); }, "ffd", "ffd"},
      {"exp", [](const Tensor& x) { return x.exp(); }, "fbd", "ffd"},
      {"pow", [](const Tensor& x) { return x.pow(2); }, "fbd", "ffd"},
      {"pow of a number", [](const Tensor& x) { return pow(2, x); }, "fbd", "ffd"},
      {"square", [](const Tensor& x) { return x.square(); }, "fbd", "ffd"},
      {"rsqrt", [](const Tensor& x) { return x.rsqrt(); }, "fbd", "ffd"},
      {"sqrt", [](const Tensor& x) { return x.sqrt(); }, "fbd", "fbd"},
      {"sum", [](const Tensor& x) { return x.sum(0); }, "fbd", "ffd"},
      {"mean", [](const Tensor& x) { return x.mean(); }, "fbd", "fbd"},
      {"cumsum", [](const Tensor& x) { return x.cumsum(0); }, "fbd", "ffd"},
      {"norm", [](const Tensor& x) { return x.norm(); }, "fbd", "ffd"},
      {"norm of order 3", [](const Tensor& x) { return x.norm(3); }, "fbd", "ffd"},
      {"logsumexp", [](const Tensor& x) { return x.logsumexp(0); }, "fbd", "ffd"},
      {"softmax", [](const Tensor& x) { return x.softmax(1); }, "fbd", "ffd"},
      {"log_softmax", [](const Tensor& x) { return x.log_softmax(1); }, "fbd", "ffd"},
      {"softplus", [](const Tensor& x) { return softplus(x); }, "fbd", "ffd"},
      {"layer_norm", [](const Tensor& x) { return layer_norm(x, {4}, x.select(0, 0), x.select(0, 1)); }, "fbd", "ffd"},
      {"rms_norm", [](const Tensor& x) { return rms_norm(x, {4}); }, "fbd", "ffd"},
      {"upsample", [](const Tensor& x) { return upsample_nearest1d(x.unsqueeze(0), {8}); }, "fbd", "ffd"},
      {"relu", [](const Tensor& x) { return x.relu(); }, "fbd", "fbd"},
      {"gelu", [](const Tensor& x) { return gelu(x); }, "fbd", "fbd"},
      {"add", [](const Tensor& x) { return x + x; }, "fbd", "fbd"},
      {"cat",
       [](const Tensor& x) {
         return cat({x, x});
       },
       "fbd", "fbd"},
      {"cat with float32",
       [](const Tensor& x) {
         return cat({x, x.to(kFloat)});
       },
       "ffd", "ffd"},
      {"stack with float32",
       [](const Tensor& x) {
         return stack({x, x.to(kFloat)});
       },
       "ffd", "ffd"},
      {"index_put", [](const Tensor& x) { return x.index_put({tensor({0}, kLong).to(x.device())}, x.select(0, 1)); },
       "fbd", "fbd"}};
  return all;
}

TEST(Autocast, ChoosesTheDtypesOfPyTorchsLists) {
  for (const Device device : every_device()) {
    const Tensor x = rand({3, 4}, device) + 0.5;
    for (const Case& each : cases()) {
      std::string found;
      for (const ScalarType dtype : {kFloat, kBFloat16, kDouble}) {
        const Tensor operand = x.to(dtype);
        const Autocast autocast(device.type(), kBFloat16);
        found += letter(each.compute(operand).dtype());
      }
      EXPECT_EQ(found, device.is_cpu() ? each.on_cpu : each.on_gpu) << each.name << " on " << device;
    }
  }
}

TEST(Autocast, ComputesWhatConvertedOperandsGive) {
  for (const Device device : every_device()) {
    nn::Linear layer(nn::LinearOptions(6, 4));
    layer->to(device);
    const Tensor x = rand({5, 6}, device);
    for (const ScalarType dtype : {kHalf, kBFloat16}) {
      const Tensor expected = linear(x.to(dtype), layer->weight.to(dtype), layer->bias.to(dtype));
      expected.to(kFloat).sum().backward();
      const Tensor weight = layer->weight.grad().clone();
      layer->zero_grad();
      Tensor found;
      {
        const Autocast autocast(device.type(), dtype);
        found = layer(x);
      }
      EXPECT_TRUE(equal(found, expected));
      found.to(kFloat).sum().backward();
      EXPECT_EQ(layer->weight.grad().dtype(), kFloat);
      EXPECT_TRUE(equal(layer->weight.grad(), weight));
      layer->zero_grad();
    }
  }
}

TEST(Autocast, HasADtypeForEachTypeOfDevice) {
  EXPECT_EQ(get_autocast_dtype(kCPU), kBFloat16);
  EXPECT_EQ(get_autocast_dtype(kCUDA), kHalf);
  const Tensor x = ones({2, 2});
  {
    const Autocast of_gpus(kCUDA);
    EXPECT_TRUE(is_autocast_enabled(kCUDA));
    EXPECT_FALSE(is_autocast_enabled(kCPU));
    EXPECT_EQ(x.mm(x).dtype(), kFloat);
    {
      const Autocast of_cpu(kCPU, kHalf, true, false);
      EXPECT_EQ(x.mm(x).dtype(), kHalf);
      EXPECT_FALSE(is_autocast_cache_enabled());
      {
        const Autocast off(kCPU, std::nullopt, false);
        EXPECT_EQ(x.mm(x).dtype(), kFloat);
        EXPECT_EQ(get_autocast_dtype(kCPU), kHalf);
      }
      EXPECT_EQ(x.mm(x).dtype(), kHalf);
    }
    EXPECT_EQ(get_autocast_dtype(kCPU), kBFloat16);
    EXPECT_TRUE(is_autocast_cache_enabled());
    EXPECT_TRUE(is_autocast_enabled(kCUDA));
  }
  EXPECT_FALSE(is_autocast_enabled(kCUDA));
}

TEST(Autocast, IsOfOneThread) {
  const Autocast autocast(kCPU);
  bool elsewhere = true;
  std::thread([&] { elsewhere = is_autocast_enabled(kCPU); }).join();
  EXPECT_FALSE(elsewhere);
}

TEST(Autocast, ConvertsNothingInPlace) {
  const Autocast autocast(kCPU);
  Tensor x = ones({2, 2}, kBFloat16);
  x.exp_();
  x.add_(ones({2, 2}));
  EXPECT_EQ(x.dtype(), kBFloat16);
}

TEST(Autocast, ConvertsAParameterOnce) {
  for (const Device device : every_device()) {
    if (device.is_cpu()) continue;
    const Tensor weight = rand({512, 512}, device).requires_grad_();
    const Tensor x = rand({1, 512}, device).requires_grad_();  // so that its gradient needs the weight
    const auto grown = [&](bool cached) {
      const Autocast autocast(kCUDA, kHalf, true, cached);
      const Tensor first = x.mm(weight);
      const auto before = cuda::memory_allocated(device);
      const Tensor second = x.mm(weight);
      return cuda::memory_allocated(device) - before;
    };
    EXPECT_LT(grown(true), 512 * 512);
    EXPECT_GT(grown(false), 512 * 512);
  }
}

TEST(Autocast, ConvertsAParameterAgainWhenItHasChanged) {
  const Tensor weight = ones({2, 2}).requires_grad_();
  const Autocast autocast(kCPU);
  EXPECT_EQ(weight.mm(ones({2, 2})).sum().item<float>(), 8);
  {
    const NoGradGuard guard;
    Tensor written = weight;
    written.mul_(3);
  }
  EXPECT_EQ(weight.mm(ones({2, 2})).sum().item<float>(), 24);
}

TEST(Autocast, KeepsTheGradientOfAParameterThatWasUsedWithoutGradients) {
  const Tensor weight = ones({2, 2}).requires_grad_();
  const Autocast autocast(kCPU);
  {
    const NoGradGuard guard;
    EXPECT_FALSE(weight.mm(ones({2, 2})).requires_grad());
  }
  weight.mm(ones({2, 2})).sum().backward();
  EXPECT_EQ(weight.grad().sum().item<float>(), 8);
}

TEST(Autocast, DifferentiatesTwoLossesOfOneScope) {
  const Tensor weight = ones({2, 2}).requires_grad_();
  const Autocast autocast(kCPU);
  const Tensor first = weight.mm(ones({2, 2})).sum();
  const Tensor second = weight.mm(ones({2, 2})).sum();
  first.backward();
  second.backward();
  EXPECT_EQ(weight.grad().sum().item<float>(), 16);
}

TEST(Autocast, GivesTheSameGradientsWhereverBackwardIsCalled) {
  for (const Device device : every_device()) {
    const Tensor weight = rand({6, 6}, device).requires_grad_();
    const Tensor x = rand({3, 6}, device);
    const auto loss = [&] { return mse_loss(x.mm(weight).exp().softmax(1), x); };
    {
      const Autocast autocast(device.type(), kBFloat16);
      loss().backward();
    }
    const Tensor inside = weight.grad().clone();
    weight.mutable_grad() = Tensor();
    Tensor outer;
    {
      const Autocast autocast(device.type(), kBFloat16);
      outer = loss();
    }
    outer.backward();
    EXPECT_TRUE(equal(weight.grad(), inside));
  }
}

TEST(Autocast, IsTheSameWhenACheckpointIsRecomputed) {
  for (const Device device : every_device()) {
    const Tensor weight = rand({6, 6}, device).requires_grad_();
    const Tensor x = rand({3, 6}, device);
    std::vector<ScalarType> dtypes;
    const auto layer = [&](const Tensor& input) {
      const Tensor result = input.mm(weight);
      dtypes.push_back(result.dtype());
      return result.tanh();
    };
    const auto gradient = [&](bool recomputed) {
      weight.mutable_grad() = Tensor();
      Tensor loss;
      {
        const Autocast autocast(device.type(), kBFloat16);
        const Tensor start = x.clone().requires_grad_();
        loss = (recomputed ? utils::checkpoint(layer, start) : layer(start)).to(kFloat).sum();
      }
      loss.backward();
      return weight.grad().clone();
    };
    EXPECT_TRUE(equal(gradient(true), gradient(false)));
    EXPECT_EQ(dtypes, (std::vector<ScalarType>{kBFloat16, kBFloat16, kBFloat16}));
    EXPECT_FALSE(is_autocast_enabled(device.type()));
  }
}

TEST(Autocast, TakesTheStatesOfRecurrentLayersAlongOnAGpu) {
  for (const Device device : every_device()) {
    const ScalarType expected = device.is_cpu() ? kFloat : kHalf;
    nn::LSTM lstm(nn::LSTMOptions(4, 3));
    nn::GRUCell cell(nn::GRUCellOptions(4, 3));
    lstm->to(device);
    cell->to(device);
    const Tensor x = rand({2, 4}, device);
    const Autocast autocast(device.type(), kHalf);
    const auto [output, states] = lstm(x);
    EXPECT_EQ(std::get<1>(states).dtype(), expected);
    EXPECT_EQ(output.dtype(), expected);
    EXPECT_EQ(cell(x).dtype(), expected);
    EXPECT_NO_THROW(static_cast<void>(lstm(x.to(kHalf))));  // its dtype is not that of the parameters
  }
}

TEST(Autocast, TrainsWithAScaler) {
  for (const Device device : every_device()) {
    manual_seed(1);
    nn::Sequential net(nn::Linear(8, 16), nn::ReLU(), nn::Linear(16, 1));
    net->to(device);
    optim::SGD optimizer(net->parameters(), 0.05);
    GradScaler scaler;
    const Tensor x = randn({64, 8}, device);
    const Tensor y = x.sum(1, true) * 0.25;
    double first = 0;
    double last = 0;
    for (int step = 0; step < 60; ++step) {
      optimizer.zero_grad();
      Tensor loss;
      {
        const Autocast autocast(device.type(), kHalf);
        loss = mse_loss(net->forward(x), y);
      }
      EXPECT_EQ(loss.dtype(), kFloat);
      scaler.scale(loss).backward();
      scaler.step(optimizer);
      scaler.update();
      last = loss.item<double>();
      if (step == 0) first = last;
    }
    EXPECT_LT(last, 0.2 * first) << device;
    for (const Tensor& parameter : net->parameters()) EXPECT_EQ(parameter.dtype(), kFloat);
  }
}

TEST(Autocast, RefusesOtherDtypes) {
  expect_error<ValueError>([] { const Autocast autocast(kCPU, kFloat); }, "choose kBFloat16 or kHalf");
  EXPECT_FALSE(is_autocast_enabled(kCPU));
  const Autocast autocast(kCPU, kHalf);
  const Tensor x = ones({2}, kBFloat16);
  expect_error<TypeError>([&] { static_cast<void>(cat({x, x})); }, "Unexpected floating ScalarType");
  expect_error<ValueError>([] { static_cast<void>(Tensor().matmul(ones({2}))); }, "undefined");
}

}  // namespace
}  // namespace d2l::amp
