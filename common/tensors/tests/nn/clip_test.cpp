// SPDX-License-Identifier: MIT
// clip_grad_norm_: the norm, the factor, and no copies to the host.
#include <cmath>
#include <limits>
#include <sstream>

#include "every_device.h"

namespace d2l::testing {
namespace {

using nn::utils::clip_grad_norm_;

Tensor with_gradient(const Tensor& gradient) {
  auto parameter = nn::Parameter(zeros_like(gradient));
  parameter.mutable_grad() = gradient;
  return parameter;
}

TEST(ClipGradNorm, ScalesByTheNormOfAll) {
  on_every_device([](Device device) {
    manual_seed(5);
    int count = 0;  // of parameters with a gradient: 1, 2, 3, 1, …
    for (const double p : {1.0, 2.0, 3.0, std::numeric_limits<double>::infinity()}) {
      for (const double max_norm : {0.01, 1.0, 5.0, 1e6, std::numeric_limits<double>::infinity(), 0.0, -2.0}) {
        count = count % 3 + 1;
        std::vector<Tensor> parameters;
        std::vector<Tensor> before;
        for (int i = 0; i < count; ++i) {
          const auto gradient = randn({3, i + 1}, TensorOptions(kDouble).device(device));
          parameters.push_back(with_gradient(gradient.clone()));
          before.push_back(gradient.view(-1));
        }
        parameters.push_back(nn::Parameter(ones({2}, device)));  // has no gradient
        const double expected = cat(before).norm(p).item<double>();
        const double factor = std::min(1.0, max_norm / (expected + 1e-6));
        const auto norm = clip_grad_norm_(parameters, max_norm, p);
        EXPECT_EQ(norm.device(), device);
        EXPECT_NEAR(norm.item<double>(), expected, 1e-9);
        for (std::size_t i = 0; i < before.size(); ++i) {
          const auto after = parameters[i].grad().view(-1);
          EXPECT_TRUE(after.allclose(before[i] * factor, 0, 1e-9)) << "p " << p << ", max_norm " << max_norm;
          EXPECT_TRUE(factor != 1 || after.equal(before[i]));
        }
      }
    }
  });
}

TEST(ClipGradNorm, LetsTheDeviceGoOn) {
  on_every_device([](Device device) {
    if (device.is_cpu()) return;
    const nn::Sequential net(nn::Linear(3, 4), nn::Linear(4, 1));
    net->to(device);
    net(ones({2, 3}, device)).sum().backward();
    const auto parameters = net->parameters();
    const HeldQueue held(device);
    const TransferLedger ledger;
    const Tensor norm = clip_grad_norm_(parameters, 1.0);
    EXPECT_EQ(ledger.copies(), 0);
    EXPECT_EQ(ledger.synchronisations(), 0);
    expect_on(device, norm);
  });
}

TEST(ClipGradNorm, JoinsGradientsOfSeveralDevices) {
  if (num_gpus() < 2) GTEST_SKIP() << "needs two GPUs";
  const std::vector<Tensor> parameters{with_gradient(tensor({3.0}, gpu(1))), with_gradient(tensor({4.0}, gpu(0))),
                                       with_gradient(tensor({12.0}, gpu(1)))};
  const bool direct = have_peer_access();
  {
    const TransferLedger ledger;
    const auto norm = clip_grad_norm_(parameters, 6.5);
    EXPECT_EQ(norm.device(), gpu(1));
    if (direct) {
      EXPECT_EQ(ledger.copies(Direction::device_to_host), 0);
      EXPECT_EQ(ledger.copies(Direction::host_to_device), 0);
    }
    EXPECT_EQ(ledger.synchronisations(), 0);
    EXPECT_NEAR(norm.item<double>(), 13, 1e-5);
  }
  EXPECT_NEAR(parameters[0].grad().item<double>(), 1.5, 1e-5);
  EXPECT_NEAR(parameters[1].grad().item<double>(), 2, 1e-5);
  EXPECT_NEAR(parameters[2].grad().item<double>(), 6, 1e-5);
  for (const auto& parameter : parameters) EXPECT_TRUE(placed(parameter.grad()));
}

TEST(ClipGradNorm, TakesGradientsOfSeveralDtypes) {
  on_every_device([](Device device) {
    const auto single = with_gradient(tensor({3.0}, device));
    const auto wide = with_gradient(tensor({4.0}, TensorOptions(kDouble).device(device)));
    EXPECT_EQ(clip_grad_norm_({single, wide}, 2.5).tensor().dtype(), kDouble);
    EXPECT_NEAR(single.grad().item<double>(), 1.5, 1e-6);
    EXPECT_NEAR(wide.grad().item<double>(), 2, 1e-6);
    EXPECT_EQ(single.grad().dtype(), kFloat);
  });
}

TEST(ClipGradNorm, SaysWhenTheNormIsNotFinite) {
  on_every_device([](Device device) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto broken = with_gradient(tensor({std::nan(""), 1.0}, device));
    expect_error<ValueError>(
        [&] { return clip_grad_norm_({broken}, 1.0, 2.0, true).device(); },
        "The total norm of order 2.0 for gradients from `parameters` is non-finite, so it cannot be clipped. To "
        "disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`");
    EXPECT_EQ(broken.grad().to_vector<float>()[1], 1);
    expect_error<ValueError>([&] { return clip_grad_norm_(broken, 1.0, infinity, true).device(); },
                             "The total norm of order inf");
    EXPECT_TRUE(std::isnan(clip_grad_norm_(broken, 1.0).item<double>()));
    EXPECT_TRUE(std::isnan(broken.grad().to_vector<float>()[1]));
    const auto endless = with_gradient(tensor({infinity, 1.0}, device));
    EXPECT_TRUE(std::isinf(clip_grad_norm_(endless, 1.0).item<double>()));
    EXPECT_TRUE(std::isnan(endless.grad().to_vector<float>()[0]));
    EXPECT_EQ(endless.grad().to_vector<float>()[1], 0);
  });
}

TEST(ClipGradNorm, OfNothingIsZero) {
  const double none = clip_grad_norm_(std::vector<Tensor>(), 1.0);
  EXPECT_EQ(none, 0);
  EXPECT_EQ(clip_grad_norm_(nn::Linear(2, 1)->parameters(), 1.0).item<double>(), 0);
  expect_error<ValueError>([] { return clip_grad_norm_(Tensor(), 1.0).device(); }, "undefined");
}

TEST(TotalNorm, IsATensorOrANumber) {
  const auto parameter = with_gradient(tensor({3.0, 4.0}));
  const auto norm = clip_grad_norm_(parameter, 1.0);
  const Tensor held = norm;
  EXPECT_EQ(held.dim(), 0);
  EXPECT_TRUE(norm > 4.5);
  EXPECT_EQ(norm + 1, 6);
  EXPECT_EQ((norm + ones({2})).to_vector<double>(), (std::vector<double>{6, 6}));
  std::ostringstream out;
  out << norm;
  EXPECT_EQ(out.str(), "tensor(5.)");
  EXPECT_EQ(repr(norm), "tensor(5.)");
}

}  // namespace
}  // namespace d2l::testing
