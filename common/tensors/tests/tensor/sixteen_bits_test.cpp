// SPDX-License-Identifier: MIT
// Tensors of float16 and bfloat16: values, layouts, gradients, modules, optimisers and files, on every device.
#include <cmath>
#include <limits>

#include "d2l/nn.h"
#include "d2l/optim.h"
#include "d2l/safetensors.h"
#include "every_device.h"
#include "temporary_folder.h"

namespace d2l::testing {
namespace {

template <class Body>
void on_both_types(const Body& body) {
  on_every_device([&body](Device device) {
    for (const ScalarType type : {kHalf, kBFloat16}) {
      SCOPED_TRACE(repr(type));
      body(TensorOptions(type).device(device));
    }
  });
}

/// The float32 result as numbers of the type, in float32.
Tensor rounded(const Tensor& x, ScalarType type) { return x.to(type).to(kFloat); }

/// Numbers of many sizes that the type has, of this shape.
Tensor numbers(IntArrayRef sizes, const TensorOptions& options) {
  return (randn(sizes, TensorOptions(kFloat)) * randn(sizes, TensorOptions(kFloat)).exp()).to(options);
}

void expect_rounded_once(const Tensor& result, const Tensor& in_floats) {
  EXPECT_TRUE(isReducedFloatingType(result.dtype()));
  EXPECT_TRUE(equal(result.to(kFloat), rounded(in_floats, result.dtype()))) << result << in_floats;
}

/// Like the results in floats, but for one element in a hundred, which may be the other neighbour.
void expect_nearly_rounded_once(const Tensor& result, const Tensor& in_floats) {
  const Tensor wanted = rounded(in_floats, result.dtype());
  const Tensor found = result.to(kFloat);
  EXPECT_LE((found != wanted).sum().item<std::int64_t>(), result.numel() / 100);
  const double unit = result.dtype() == kHalf ? 0x1p-10 : 0x1p-7;
  EXPECT_TRUE(allclose(found, wanted, unit, result.dtype() == kHalf ? 0x1p-24 : 0)) << result << in_floats;
}

/// The number nearest to `value` that the type has.
double nearest(double value, const TensorOptions& options) { return tensor(value, options).item<double>(); }

TEST(SixteenBits, ElementwiseOperationsRoundAFloatOnce) {
  manual_seed(7);
  on_both_types([](const TensorOptions& options) {
    for (const std::int64_t n : {5, 1500, 40000}) {
      const auto x = numbers({n, 3}, options);
      const auto y = numbers({n, 3}, options);
      const auto a = x.to(kFloat);
      const auto b = y.to(kFloat);
      expect_rounded_once(x + y, a + b);
      expect_rounded_once(x * y, a * b);
      expect_rounded_once(x / y, a / b);
      expect_rounded_once(x.exp(), a.exp());
      expect_rounded_once(x.add(y, 0.3), a.add(b, nearest(0.3, options)));
      expect_rounded_once(x.add(y[0], 0.3), a + b[0] * nearest(0.3, options));
      expect_rounded_once(x.t() - 0.1, a.t() - nearest(0.1, options));
      expect_rounded_once(x * 0.1, a * 0.1);
      EXPECT_TRUE(equal(x < 0.1, a < nearest(0.1, options)));
      expect_rounded_once(0.1 / x.slice(0, 0, n, 2), 0.1 / a.slice(0, 0, n, 2));
      expect_rounded_once(where(x > y, x, y[0]), where(a > b, a, b[0]));
      EXPECT_TRUE(equal(x < y, a < b));
      auto written = x.clone();
      written.t().slice(0, 1, 2).mul_(y.t()[1]);
      auto expected = a.clone();
      expected.t().slice(0, 1, 2).copy_(rounded(a.t()[1] * b.t()[1], x.dtype()));
      EXPECT_TRUE(equal(written.to(kFloat), expected));
    }
  });
}

TEST(SixteenBits, CopiesConvertInAllDirections) {
  on_both_types([](const TensorOptions& options) {
    const auto x = tensor({0.0, -2.5, 1.0, 255.0}, options);
    for (const auto type : {kBool, kByte, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble}) {
      SCOPED_TRACE(repr(type));
      const auto there = x.to(type);
      EXPECT_TRUE(equal(there, x.to(kFloat).to(type)));
      EXPECT_TRUE(equal(there.to(x.dtype()), there.to(kFloat).to(x.dtype())));
      EXPECT_TRUE(equal(x.expand({3, 4}).t().to(type), x.to(kFloat).expand({3, 4}).t().to(type)));
    }
    expect_tensor(tensor({1e9, -1e9}, TensorOptions(kDouble).device(options.device())).to(kHalf), {2},
                  {HUGE_VAL, -HUGE_VAL});
    EXPECT_EQ(x.to_vector<Half>()[1], -2.5F);
    EXPECT_EQ(x.to_vector<BFloat16>()[3], 255.0F);
    EXPECT_EQ(x[1].item<Half>(), -2.5F);
  });
  const auto bits = tensor({1.5}, kHalf);
  EXPECT_EQ(bits.data_ptr<Half>()->x, 0x3E00);
  expect_error<TypeError>([&] { return bits.data_ptr<BFloat16>(); }, "expected scalar type BFloat16 but found Half");
}

TEST(SixteenBits, SumsProductsAndNormalisationsRoundOnce) {
  manual_seed(8);
  on_both_types([](const TensorOptions& options) {
    const auto x = numbers({6, 700}, options);
    const auto a = x.to(kFloat);
    expect_rounded_once(x.sum(), a.sum());
    expect_rounded_once(x.sum(0), a.sum(0));
    expect_rounded_once(x.mean(1), a.mean(1));
    expect_rounded_once(x.norm(), a.norm());
    expect_rounded_once(x.cumsum(1), a.cumsum(1));
    expect_nearly_rounded_once(x.softmax(1), a.softmax(1));
    expect_nearly_rounded_once((100 * x).softmax(0), (100 * x).to(kFloat).softmax(0));
    expect_rounded_once(x.matmul(x.t()), a.matmul(a.t()));
    expect_rounded_once(layer_norm(x, {700}), layer_norm(a, {700}));
    EXPECT_TRUE(equal(std::get<1>(x.sort(1)), std::get<1>(a.sort(1))));
    EXPECT_TRUE(equal(x.argmax(0), a.argmax(0)));
    // A sum of halves in halves would end at 2048.
    EXPECT_EQ(ones({5000}, options).sum().item<float>(), options.dtype() == kHalf ? 5000 : 4992);
  });
}

TEST(SixteenBits, MixedDtypesPromoteAsInPyTorch) {
  on_both_types([](const TensorOptions& options) {
    const auto x = ones({2}, options);
    const auto type = options.dtype();
    EXPECT_EQ((x + 1).dtype(), type);
    EXPECT_EQ((x * 0.1).dtype(), type);
    EXPECT_EQ((x + x.to(kLong)).dtype(), type);
    EXPECT_EQ((x + x.to(kFloat)).dtype(), kFloat);
    EXPECT_EQ((x + x.to(kDouble)).dtype(), kDouble);
    EXPECT_EQ((x + x.sum().to(kDouble)).dtype(), type);
    EXPECT_EQ((x.half() + x.bfloat16()).dtype(), kFloat);
    expect_error<TypeError>([&] { return x.matmul(x.to(kFloat)); }, "expected both vectors to have same dtype");
  });
}

TEST(SixteenBits, GradientsAndOptimisersKeepTheDtype) {
  manual_seed(9);
  on_both_types([](const TensorOptions& options) {
    nn::Sequential model(nn::Linear(4, 8), nn::ReLU(), nn::BatchNorm1d(8), nn::Linear(8, 1));
    model->to(options.device(), options.dtype());
    optim::Adam adam(model->parameters(), optim::AdamOptions(0.05));
    const auto x = randn({32, 4}, TensorOptions(kFloat)).to(options);
    const auto y = x.sum(1, true);
    double first = 0;
    double last = 0;
    for (int step = 0; step < 60; ++step) {
      adam.zero_grad();
      const auto loss = mse_loss(model->forward(x), y);
      loss.backward();
      adam.step();
      last = loss.item<double>();
      if (step == 0) first = last;
    }
    EXPECT_LT(last, first / 4);
    for (const auto& parameter : model->parameters()) {
      EXPECT_EQ(parameter.dtype(), options.dtype());
      EXPECT_EQ(parameter.grad().dtype(), options.dtype());
    }
  });
}

TEST(SixteenBits, FilesKeepEveryBit) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.path() / "both.safetensors";
  on_both_types([&path](const TensorOptions& options) {
    const auto x = arange(65536, TensorOptions(kInt)).to(kFloat);
    const auto saved = (x * 0.7).to(options);
    save_file({{"x", saved}}, path);
    EXPECT_EQ(SafetensorsFile(path).info("x").dtype, options.dtype() == kHalf ? "F16" : "BF16");
    const auto loaded = load_file(path, options.device())["x"];
    EXPECT_EQ(loaded.dtype(), options.dtype());
    EXPECT_TRUE(equal(loaded, saved));
  });
}

TEST(SixteenBits, RandomNumbersAreBelowOne) {
  manual_seed(11);
  on_both_types([](const TensorOptions& options) {
    const auto x = rand({100000}, options);
    EXPECT_LT(x.max().item<double>(), 1);
    EXPECT_EQ(x.min().item<double>(), 0);
    EXPECT_NEAR(x.to(kDouble).mean().item<double>(), 0.5, 0.01);
    EXPECT_TRUE(isReducedFloatingType(rand_like(x).dtype()) && isReducedFloatingType(randn_like(x).dtype()));
    EXPECT_TRUE(rand({2}, TensorOptions(options).requires_grad(true)).requires_grad());
  });
}

// As PyTorch 2.15: 0.99951 in float16 and 1 in bfloat16, where the epsilon of these types would give 0.3 and 0.1.
TEST(SixteenBits, RmsNormComputesInFloat32) {
  on_both_types([](const TensorOptions& options) {
    const auto x = full({4}, 0.01, options);
    const auto y = rms_norm(x, {4});
    EXPECT_EQ(y.dtype(), options.dtype());
    EXPECT_EQ(y[0].item<float>(), options.dtype() == kHalf ? 0.99951171875F : 1.0F);
    EXPECT_EQ(rms_norm(x, {4}, full({4}, 2, options))[0].item<float>(), 2 * y[0].item<float>());
  });
}

TEST(SixteenBits, NumbersBeyondTheRangeAreNamed) {
  expect_error<ValueError>([] { return full({2}, 70000.0, kHalf); },
                           "value cannot be converted to type c10::Half without overflow");
  EXPECT_TRUE(std::isinf(tensor({70000.0}, kBFloat16).item<double>()) == false);
  expect_error<ValueError>([] { return randint(0, 70000, {2}, kHalf); }, "to - 1 is out of bounds for c10::Half");
}

}  // namespace
}  // namespace d2l::testing
