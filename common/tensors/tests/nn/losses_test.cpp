// SPDX-License-Identifier: MIT
// Losses against formulas in double, on every device, with their errors.
#include <cmath>
#include <functional>

#include "every_device.h"

namespace d2l::testing {
namespace {

constexpr auto reductions = {Reduction::None, Reduction::Mean, Reduction::Sum};
using Values = std::vector<double>;

/// The values after a reduction; `count` is what the mean divides by.
Values reduced(const Values& values, Reduction::Reduction reduction, double count) {
  if (reduction == Reduction::None) return values;
  double sum = 0;
  for (const double value : values) sum += value;
  return {reduction == Reduction::Mean ? sum / count : sum};
}

void expect_near(const Tensor& found, const Values& expected, double tolerance) {
  const auto values = found.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(values[i])) << "element " << i << ": " << values[i];
    } else {
      EXPECT_NEAR(values[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << "element " << i;
    }
  }
}

using Formula = std::function<double(double, double)>;
using Loss = std::function<Tensor(const Tensor&, const Tensor&, Reduction::Reduction)>;

/// The loss of every dtype and of odd, empty and strided shapes.
void check_loss(const Loss& loss, const Formula& formula) {
  on_every_device([&](Device device) {
    for (const auto dtype : {kFloat, kDouble}) {
      for (const auto& sizes : {Sizes{}, Sizes{7}, Sizes{3, 5}, Sizes{0, 3}, Sizes{257}}) {
        for (const auto reduction : reductions) {
          const auto options = TensorOptions(dtype).device(device);
          const auto x = randn(sizes, options) * 2;
          auto y = rand(sizes, options);
          if (sizes.size() == 2) y = rand({5, 3}, options).t().slice(0, 0, x.size(0)).slice(1, 0, x.size(1));
          const auto a = x.to_vector<double>();
          const auto b = y.contiguous().to_vector<double>();
          Values each;
          for (std::size_t i = 0; i < a.size(); ++i) each.push_back(formula(a[i], b[i]));
          const auto result = loss(x, y, reduction);
          EXPECT_EQ(result.dtype(), dtype);
          EXPECT_TRUE(placed(result) && result.device() == device);
          expect_near(result, reduced(each, reduction, static_cast<double>(each.size())),
                      dtype == kFloat ? 1e-5 : 1e-12);
        }
      }
    }
  });
}

TEST(Losses, OfElementsFollowTheirFormulas) {
  check_loss([](const Tensor& x, const Tensor& y, auto reduction) { return l1_loss(x, y, reduction); },
             [](double x, double y) { return std::abs(x - y); });
  for (const double delta : {0.25, 1.0, 3.0}) {
    const auto formula = [=](double x, double y) {
      const double z = std::abs(x - y);
      return z <= delta ? z * z / 2 : delta * (z - delta / 2);
    };
    check_loss([=](const Tensor& x, const Tensor& y, auto reduction) { return huber_loss(x, y, reduction, delta); },
               formula);
    check_loss([=](const Tensor& x, const Tensor& y, auto reduction) { return smooth_l1_loss(x, y, reduction, delta); },
               [=](double x, double y) { return formula(x, y) / delta; });
  }
  check_loss([](const Tensor& x, const Tensor& y, auto reduction) { return smooth_l1_loss(x, y, reduction, 0); },
             [](double x, double y) { return std::abs(x - y); });
  check_loss(
      [](const Tensor& x, const Tensor& y, auto reduction) {
        return binary_cross_entropy_with_logits(x, y, full_like(x, 3), full_like(x, 2), reduction);
      },
      [](double x, double y) {
        const double p = 1 / (1 + std::exp(-x));
        return -3 * (2 * y * std::log(p) + (1 - y) * std::log(1 - p));
      });
}

TEST(Losses, OfLogitsAreStable) {
  on_every_device([](Device device) {
    const auto x = tensor({200.0, -200.0, 200.0, -200.0, 0.0, -20.0}, device);
    const auto y = tensor({1.0, 0.0, 0.0, 1.0, 1.0, 0.0}, device);
    const auto loss = binary_cross_entropy_with_logits(x, y, {}, {}, Reduction::None);
    expect_near(loss, {0, 0, 200, 200, std::log(2.0), std::exp(-20.0)}, 1e-6);
    EXPECT_NEAR(loss[5].item<double>() / std::exp(-20.0), 1, 1e-5) << "small losses keep their digits";
    const double nan = std::nan("");
    const auto unknown = tensor({nan, 1.0}, device);
    EXPECT_TRUE(std::isnan(huber_loss(unknown, zeros({2}, device)).item<double>()));
    EXPECT_TRUE(std::isnan(binary_cross_entropy_with_logits(unknown, zeros({2}, device)).item<double>()));
  });
}

/// The negative sum of weight × x at each class, by hand; the second value is the sum of the weights.
std::pair<Values, double> losses_by_hand(const Tensor& x, const Tensor& classes, const Values& weights, long ignored) {
  const auto values = x.contiguous().to_vector<double>();
  const auto targets = classes.contiguous().to_vector<std::int64_t>();
  const std::size_t dim = x.dim() == 1 ? 0 : 1;
  std::size_t inner = 1;
  for (std::size_t i = dim + 1; i < static_cast<std::size_t>(x.dim()); ++i) {
    inner *= static_cast<std::size_t>(x.size(static_cast<std::int64_t>(i)));
  }
  Values each;
  double count = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == ignored) {
      each.push_back(0);
      continue;
    }
    const auto c = static_cast<std::size_t>(targets[i]);
    const double weight = weights.empty() ? 1 : weights[c];
    const auto at =
        (i / inner * static_cast<std::size_t>(x.size(static_cast<std::int64_t>(dim))) + c) * inner + i % inner;
    each.push_back(-weight * values[at]);
    count += weight;
  }
  return {each, count};
}

TEST(Losses, OfClassesWithWeightsAndEveryNumberOfDimensions) {
  const Values weights{0.5, 2, 0, 1.5};
  on_every_device([&](Device device) {
    for (const auto dtype : {kFloat, kDouble}) {
      for (const auto& sizes :
           {Sizes{4}, Sizes{7, 4}, Sizes{3, 4, 5}, Sizes{2, 4, 3, 2}, Sizes{2, 4, 1, 2, 3}, Sizes{0, 4}}) {
        auto outer = sizes;
        outer.erase(outer.begin() + (sizes.size() > 1 ? 1 : 0));
        const auto x = randn(sizes, TensorOptions(dtype).device(device));
        const auto classes = (rand(outer, device) * 4).floor().to(kLong);
        const auto weight = tensor(weights, dtype).to(device);
        for (const auto reduction : reductions) {
          for (const std::int64_t ignored : {-100, 1}) {
            for (const bool weighted : {false, true}) {
              const auto [each, count] = losses_by_hand(x, classes, weighted ? weights : Values(), ignored);
              const auto result = nll_loss(x, classes, weighted ? weight : Tensor(), reduction, ignored);
              expect_near(result, reduced(each, reduction, count), dtype == kFloat ? 1e-5 : 1e-12);
              EXPECT_EQ(result.dtype(), dtype);
              const auto logarithms = x.log_softmax(sizes.size() > 1 ? 1 : 0);
              const auto entropy = cross_entropy_loss(x, classes, weighted ? weight : Tensor(), reduction, ignored);
              expect_near(entropy,
                          nll_loss(logarithms, classes, weighted ? weight : Tensor(), reduction, ignored)
                              .reshape({-1})
                              .to_vector<double>(),
                          1e-6);
            }
          }
        }
      }
    }
  });
}

TEST(Losses, SmoothedAndOfProbabilities) {
  on_every_device([](Device device) {
    const auto x = randn({5, 3}, TensorOptions(kDouble).device(device));
    const auto classes = tensor({2, 0, 1, 1, 2}, device);
    const auto rows = one_hot(classes, 3).to(kDouble);
    const auto weight = tensor({0.5, 2.0, 1.5}, kDouble).to(device);
    for (const auto reduction : reductions) {
      const auto hand = [&](const Tensor& target, const Tensor& scale) {
        const auto each = -(x.log_softmax(1) * target * scale).sum({1});
        return reduction == Reduction::None ? each : reduction == Reduction::Mean ? each.mean() : each.sum();
      };
      const auto expect_same = [](const Tensor& a, const Tensor& b) { EXPECT_TRUE(allclose(a, b, 1e-12)) << a << b; };
      const auto one = ones({3}, TensorOptions(kDouble).device(device));
      const auto smooth = rows * 0.75 + 0.25 / 3;
      expect_same(cross_entropy_loss(x, rows, {}, reduction), hand(rows, one));
      expect_same(cross_entropy_loss(x, rows, weight, reduction), hand(rows, weight));
      expect_same(cross_entropy_loss(x, rows, weight, reduction, -100, 0.25), hand(smooth, weight));
      expect_same(cross_entropy_loss(x, classes, {}, reduction, -100, 0.25), hand(smooth, one));
      const auto by_weight = reduction == Reduction::Mean ? weight.index_select(0, classes).sum() / 5 : one.sum() / 3;
      expect_same(cross_entropy_loss(x, classes, weight, reduction, -100, 0.25), hand(smooth, weight) / by_weight);
    }
    const auto ignoring = cross_entropy_loss(x, classes, {}, Reduction::None, 1, 0.5);
    EXPECT_EQ(ignoring[2].item<double>(), 0);
    EXPECT_TRUE(std::isnan(cross_entropy_loss(ones({0, 3}, device), ones({0, 3}, device)).item<double>()));
  });
}

TEST(Losses, RecordPyTorchsNames) {
  auto x = ones({2, 3});
  x.requires_grad_();
  const auto name = [](const Tensor& loss) { return loss.grad_fn()->name(); };
  const auto y = zeros({2, 3});
  EXPECT_EQ(name(l1_loss(x, y)), "MeanBackward0");
  EXPECT_EQ(name(l1_loss(x, y, Reduction::None)), "AbsBackward0");
  EXPECT_EQ(name(smooth_l1_loss(x, y)), "SmoothL1LossBackward0");
  EXPECT_EQ(name(huber_loss(x, y)), "HuberLossBackward0");
  EXPECT_EQ(name(binary_cross_entropy_with_logits(x, y)), "BinaryCrossEntropyWithLogitsBackward0");
  EXPECT_EQ(name(nll_loss(x, tensor({0, 1}))), "NllLossBackward0");
  EXPECT_EQ(name(nll_loss(x.view({1, 3, 2, 1}), zeros({1, 2, 1}, kLong))), "NllLoss2DBackward0");
  EXPECT_EQ(name(cross_entropy_loss(x, y)), "DivBackward0");
  EXPECT_EQ(name(cross_entropy_loss(x, y, {}, Reduction::Sum)), "NegBackward0");
  EXPECT_EQ(name(cross_entropy_loss(x, tensor({0, 1}), {}, Reduction::Mean, -100, 0.1)), "AddBackward0");
}

TEST(Losses, RefuseWhatDoesNotFit) {
  const auto x = ones({2, 3});
  const auto integers = ones({2, 3}, kLong);
  const auto classes = tensor({0, 1});
  expect_error<ValueError>([&] { return huber_loss(x, x, Reduction::Mean, 0); },
                           "huber_loss does not support non-positive values for delta.");
  expect_error<ValueError>([&] { return smooth_l1_loss(x, x, Reduction::Mean, -1); },
                           "smooth_l1_loss does not support negative values for beta.");
  expect_error<TypeError>([&] { return smooth_l1_loss(integers, integers); },
                          "\"smooth_l1_cpu\" not implemented for 'Long'");
  expect_error<TypeError>([&] { return huber_loss(integers, integers); }, "\"huber_cpu\" not implemented for 'Long'");
  expect_error<ShapeError>([&] { return huber_loss(x, ones({4})); },
                           "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
  EXPECT_EQ(huber_loss(x, ones({3}, kDouble)).dtype(), kFloat);
  expect_error<ShapeError>([&] { return binary_cross_entropy_with_logits(x, ones({3})); },
                           "Target size (torch.Size([3])) must be the same as input size (torch.Size([2, 3]))");
  expect_error<TypeError>([&] { return binary_cross_entropy_with_logits(integers, x); },
                          "\"log_sigmoid_cpu\" not implemented for 'Long'");
  expect_error<TypeError>([&] { return binary_cross_entropy_with_logits(x, integers); },
                          "result type Float can't be cast to the desired output type Long");
  expect_error<ShapeError>(
      [&] {
        return binary_cross_entropy_with_logits(x, x, ones({4, 2, 3}));
      },
      "output with shape [2, 3] doesn't match the broadcast shape [4, 2, 3]");
  auto weight = ones({3});
  weight.requires_grad_();
  expect_error<ValueError>([&] { return binary_cross_entropy_with_logits(x, x, {}, weight); },
                           "The function 'binary_cross_entropy_with_logits' is not differentiable with respect to "
                           "argument 'pos_weight'. This input cannot have requires_grad True.");
  expect_error<ValueError>([&] { return cross_entropy_loss(x, classes, weight); },
                           "The function 'nll_loss_forward' is not differentiable with respect to argument 'weight'.");
  expect_error<ShapeError>([&] { return nll_loss(x, classes, ones({2})); },
                           "weight tensor should be defined either for all 3 classes or no classes but got weight "
                           "tensor of shape: [2]");
  expect_error<ShapeError>([&] { return cross_entropy_loss(x, x, ones({2})); },
                           "cross_entropy: weight tensor should be defined either for all 3 classes");
  expect_error<ShapeError>(
      [&] {
        return nll_loss(x, tensor({0, 1, 1}));
      },
      "Expected input batch_size (2) to match target batch_size (3).");
  expect_error<ShapeError>(
      [] {
        return nll_loss(ones({2, 3, 4}), zeros({2, 5}, kLong));
      },
      "Expected target size [2, 4], got [2, 5]");
  expect_error<TypeError>([&] { return nll_loss(x, ones({2})); }, "expected scalar type Long but found Float");
  expect_error<TypeError>([&] { return cross_entropy_loss(x, integers); },
                          "Expected floating point type for target with class probabilities, got Long");
  expect_error<ValueError>([&] { return cross_entropy_loss(x, x, {}, Reduction::Mean, 0); },
                           "ignore_index is not supported for floating point target");
  for (const auto& target : {classes, x}) {
    expect_error<ValueError>([&] { return cross_entropy_loss(x, target, {}, Reduction::Mean, -100, 1.5); },
                             "label_smoothing must be between 0.0 and 1.0. Got: 1.5");
  }
  for (const bool first : {true, false}) {
    const Tensor a = first ? Tensor() : x;
    const Tensor b = first ? x : Tensor();
    expect_error<ValueError>([&] { return l1_loss(a, b); }, "undefined");
    expect_error<ValueError>([&] { return smooth_l1_loss(a, b); }, "undefined");
    expect_error<ValueError>([&] { return huber_loss(a, b); }, "undefined");
    expect_error<ValueError>([&] { return nll_loss(a, b); }, "undefined");
    expect_error<ValueError>([&] { return cross_entropy_loss(a, b); }, "undefined");
    expect_error<ValueError>([&] { return binary_cross_entropy_with_logits(a, b); }, "undefined");
  }
}

TEST(Losses, AsModulesKeepTheirWeightsAsBuffers) {
  const auto weight = tensor({0.5, 2.0, 1.5});
  const nn::NLLLoss plain;
  EXPECT_TRUE(plain->buffers().empty());
  EXPECT_EQ(repr(plain), "NLLLoss()");
  EXPECT_EQ(repr(nn::BCEWithLogitsLoss()), "BCEWithLogitsLoss()");
  EXPECT_EQ(repr(nn::L1Loss()) + repr(nn::SmoothL1Loss()) + repr(nn::HuberLoss()), "L1Loss()SmoothL1Loss()HuberLoss()");
  const nn::CrossEntropyLoss loss(nn::CrossEntropyLossOptions().weight(weight).label_smoothing(0.25).reduction("sum"));
  EXPECT_EQ(loss->named_buffers().keys(), (std::vector<std::string>{"weight"}));
  loss->eval();
  const auto copy = std::dynamic_pointer_cast<nn::CrossEntropyLossImpl>(loss->clone());
  EXPECT_FALSE(copy->is_training());
  copy->weight.fill_(1);
  expect_tensor(loss->weight, {3}, {0.5, 2, 1.5});
  on_every_device([&](Device device) {
    loss->to(device);
    const auto x = randn({2, 3}, device);
    const auto classes = tensor({2, 0}, device);
    EXPECT_TRUE(loss(x, classes).equal(cross_entropy_loss(x, classes, weight.to(device), Reduction::Sum, -100, 0.25)));
    const nn::BCEWithLogitsLoss logits(
        nn::BCEWithLogitsLossOptions().weight(weight).pos_weight(weight).reduction(kNone));
    logits->to(device);
    EXPECT_TRUE(logits(x, x.sigmoid())
                    .equal(binary_cross_entropy_with_logits(x, x.sigmoid(), weight.to(device), weight.to(device),
                                                            Reduction::None)));
    const auto zero = zeros({2, 3}, device);
    EXPECT_TRUE(nn::HuberLoss(nn::HuberLossOptions("sum").delta(0.5))(x, zero).equal(
        nn::functional::huber_loss(x, zero, nn::HuberLossOptions(kSum).delta(0.5))));
    EXPECT_TRUE(nn::SmoothL1Loss(nn::SmoothL1LossOptions(kNone).beta(0.5))(x, zero).equal(
        nn::functional::smooth_l1_loss(x, zero, kNone, 0.5)));
  });
}

}  // namespace
}  // namespace d2l::testing
