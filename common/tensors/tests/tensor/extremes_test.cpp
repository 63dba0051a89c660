// SPDX-License-Identifier: MIT
// Numbers at the ends of their range: of uint8, of sizes, of infinities, and what is empty. Expected is what
// PyTorch 2.15 does.
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

constexpr std::int64_t largest_integer = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest_integer = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t huge = std::int64_t{1} << 62;
constexpr double plus_infinity = std::numeric_limits<double>::infinity();
constexpr const char* too_large = "numel: integer multiplication overflow";

std::vector<std::int64_t> integers(const Tensor& x) { return x.to_vector<std::int64_t>(); }
using Integers = std::vector<std::int64_t>;

TEST(Extremes, ABoundOfClampBeyondTheRange) {
  on_every_device([](Device device) {
    const Tensor bytes = tensor({0, 3, 200}, TensorOptions(device).dtype(kByte));
    EXPECT_EQ(integers(bytes.clamp(-1)), Integers({0, 3, 200}));
    EXPECT_EQ(integers(bytes.clamp_max(300)), Integers({0, 3, 200}));
    EXPECT_EQ(integers(bytes.clamp(-1, 5)), Integers({0, 3, 5}));
    EXPECT_EQ(integers(bytes.clone().clamp_(-300, 300)), Integers({0, 3, 200}));
    expect_error<ValueError>([&] { return bytes.clamp(300); },
                             "Clamp min value 300 is outside the representable range of Byte");
    expect_error<ValueError>([&] { return bytes.clamp(3, -1); },
                             "Clamp max value -1 is outside the representable range of Byte");
    const Tensor numbers = tensor({-5, 0, 7}, TensorOptions(device).dtype(kInt));
    const std::int64_t far = std::int64_t{1} << 40;
    EXPECT_EQ(integers(numbers.clamp(-far, far)), Integers({-5, 0, 7}));
    expect_error<ValueError>([&] { return numbers.clamp_min(far); },
                             "Clamp min value 1.09951e+12 is outside the representable range of Int");
  });
}

TEST(Extremes, NumbersBesideUint8) {
  on_every_device([](Device device) {
    const Tensor bytes = tensor({0, 3, 200}, TensorOptions(device).dtype(kByte));
    const Tensor mask = tensor({true, false, true}, device);
    EXPECT_EQ(integers(where(mask, bytes, -1)), Integers({0, 255, 200}));
    expect_error<ValueError>([&] { return where(mask, bytes, 256); },
                             "value cannot be converted to type uint8_t without overflow");
    expect_error<ValueError>([&] { return where(mask, 256, bytes); },
                             "value cannot be converted to type uint8_t without overflow");
    // As in PyTorch, a number wraps around before it is compared.
    EXPECT_EQ(integers(bytes > -1), Integers({0, 0, 0}));
    EXPECT_EQ(integers(bytes == 256), Integers({1, 0, 0}));
  });
}

TEST(Extremes, SizesThatOverflow) {
  const Tensor two = ones({2});
  const Tensor square = ones({2, 2});
  expect_error<ShapeError>([&] { return two.repeat(largest_integer); }, too_large);
  expect_error<ShapeError>([&] { return two.repeat({huge, 4}); }, "overflow");
  EXPECT_EQ(ones({0}).repeat({4, 4}).sizes().vec(), Integers({4, 0}));
  expect_error<ShapeError>([&] { return two.repeat_interleave(largest_integer); }, too_large);
  expect_error<ShapeError>([&] { return two.repeat_interleave(tensor({huge, huge})); }, too_large);
  expect_error<ShapeError>(
      [&] {
        return two.repeat_interleave(tensor({largest_integer, std::int64_t{0}}));
      },
      too_large);
  for (const std::int64_t diagonal : {largest_integer, smallest_integer}) {
    expect_error<ShapeError>([&] { return two.diag(diagonal); }, too_large);
    EXPECT_EQ(square.diag(diagonal).numel(), 0);
    EXPECT_EQ(square.tril(diagonal).sum().item<float>(), diagonal > 0 ? 4 : 0);
  }
  EXPECT_EQ(square.diag(huge).numel(), 0);
  expect_error<ShapeError>([] { return one_hot(tensor({largest_integer})); }, too_large);
  expect_error<ShapeError>([] { return one_hot(tensor({0}), huge); }, "overflow");
  expect_error<ShapeError>([] { return eye(huge); }, "overflow");
  EXPECT_EQ(eye(0, largest_integer).numel(), 0);
  float number = 0;
  expect_error<ShapeError>([&] { return from_blob(&number, {3}, {huge}); }, "overflow");
  expect_error<ShapeError>([&] { return from_blob(&number, {huge}, {8}); }, "overflow");
  EXPECT_EQ(integers(tensor({1, 2, 3}).roll(smallest_integer, 0)), Integers({3, 1, 2}));
}

TEST(Extremes, ConvolutionsThatOverflow) {
  const Tensor image = ones({1, 1, 4, 4});
  const Tensor kernel = ones({1, 1, 3, 3});
  constexpr const char* larger = "Kernel size can't be greater than actual input size";
  for (const std::int64_t dilation : {huge / 2, huge, largest_integer}) {
    expect_error<ShapeError>([&] { return conv2d(image, kernel, {}, 1, 0, dilation); }, larger);
    expect_error<ShapeError>([&] { return conv2d(image, kernel, {}, 1, "same", dilation); }, "");
  }
  expect_error<ValueError>([&] { return conv2d(image, kernel, {}, 1, huge); }, "expected padding to be at most");
  expect_error<ShapeError>([&] { return conv2d(image, kernel, {}, 1, huge - 1); }, "");
  EXPECT_EQ(conv2d(image, kernel, {}, largest_integer).item<float>(), 9);
  expect_error<ShapeError>([&] { return conv2d(image, kernel, {}, 1, 0, 1, huge); }, "");
}

TEST(Extremes, TheNormOfNothing) {
  on_every_device([](Device device) {
    const Tensor nothing = zeros({0, 3}, device);
    for (const Scalar& order : {Scalar(plus_infinity), Scalar(-plus_infinity), Scalar(-1)}) {
      expect_error<ShapeError>([&] { return nothing.norm(order); }, "norm on an empty tensor because the operation");
      expect_error<ShapeError>([&] { return nothing.norm(order, {0}); },
                               "norm on the dimension 0because this dimension is empty and the operation");
      EXPECT_EQ(nothing.norm(order, {1}).sizes().vec(), Integers({0}));
    }
    EXPECT_EQ(nothing.norm().item<float>(), 0);
    EXPECT_EQ(nothing.norm(1, {0}).sum().item<float>(), 0);
  });
}

TEST(Extremes, LinspaceOfIntegersHasIntegersAsBounds) {
  on_every_device([](Device device) {
    const auto whole = TensorOptions(device).dtype(kLong);
    EXPECT_EQ(integers(linspace(0.5, 3.7, 4, whole)), Integers({0, 1, 2, 3}));
    EXPECT_EQ(integers(linspace(-1.5, 1.5, 7, whole)), Integers({-1, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(integers(linspace(0.9, 10.9, 6, whole.dtype(kByte))), Integers({0, 2, 4, 6, 8, 10}));
    expect_error<ValueError>([&] { return linspace(300, 400, 3, whole.dtype(kByte)); },
                             "value cannot be converted to type uint8_t without overflow");
  });
}

TEST(Extremes, AnIndexOfEmptyRows) {
  const Tensor rows = zeros({3, 0});
  expect_error<IndexError>([&] { return rows.index_select(0, tensor({7})); }, "index out of range in self");
  expect_error<IndexError>([&] { return rows.index_select(0, tensor({-1})); }, "index out of range in self");
  expect_error<IndexError>([&] { return embedding(rows, tensor({7})); }, "index out of range in self");
  expect_error<IndexError>([] { return zeros({0, 0}).index_select(0, tensor({0})); }, "index out of range in self");
  expect_error<IndexError>(
      [] {
        return zeros({0, 0})[tensor({0})];
      },
      "index is out of bounds for dimension with size 0");
  EXPECT_EQ(rows.index_select(0, tensor({2, 0})).sizes().vec(), Integers({2, 0}));
  EXPECT_EQ(rows[tensor({7})].sizes().vec(), Integers({1, 0}));  // as in PyTorch, which reads no row
}

TEST(Extremes, ActivationsOfInfinities) {
  on_every_device([](Device device) {
    const Tensor x = tensor({plus_infinity, -plus_infinity}, device);
    for (const auto type : {kFloat, kDouble}) {
      const auto tanh = gelu(x.to(type), "tanh").to_vector<double>();
      EXPECT_EQ(tanh[0], plus_infinity);
      const auto slow = silu(x.to(type)).to_vector<double>();
      EXPECT_EQ(slow[0], plus_infinity);
      EXPECT_NE(slow[1], slow[1]);  // NaN, as in PyTorch
    }
    EXPECT_EQ(gelu(x.to(kDouble)).to_vector<double>()[0], plus_infinity);
  });
}

TEST(Extremes, TheLargerOfTwo) {
  on_every_device([](Device device) {
    const Tensor a = tensor({1, 5}, device);
    const Tensor b = tensor({2, 3}, device);
    EXPECT_EQ(integers(max(a, b)), Integers({2, 5}));
    EXPECT_EQ(integers(min(a, b)), Integers({1, 3}));
    EXPECT_EQ(integers(a.max(b)), Integers({2, 5}));
    EXPECT_EQ(integers(a.min(b)), Integers({1, 3}));
  });
}

TEST(Extremes, AnEmptyViewAtTheEnd) {
  on_every_device([](Device device) {
    const Tensor nothing = zeros({4, 0}, device);
    EXPECT_EQ(nothing.select(0, 3).data_ptr(), nothing.data_ptr());
    EXPECT_EQ(nothing.slice(0, 2).clone().numel(), 0);
    EXPECT_EQ(ones({4}, device).slice(0, 4).numel(), 0);
  });
}

}  // namespace
}  // namespace d2l::testing
