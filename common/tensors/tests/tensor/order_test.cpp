// SPDX-License-Identifier: MIT
// sort, topk and argsort: order, indices, stability, NaN, layouts, gradients, PyTorch's errors.
#include <cmath>
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(Order, SortsAlongADimension) {
  on_every_device([](Device device) {
    const auto x = tensor({{3.0, 1.0, 2.0}, {1.0, 1.0, -5.0}}, device);
    const auto [values, indices] = x.sort();
    expect_tensor(values, {2, 3}, {1, 2, 3, -5, 1, 1});
    expect_tensor(indices, {2, 3}, {1, 2, 0, 2, 0, 1});
    EXPECT_EQ(indices.dtype(), kLong);
    const auto [down, places] = sort(x, 0, true);
    expect_tensor(down, {2, 3}, {3, 1, 2, 1, 1, -5});
    expect_tensor(places, {2, 3}, {0, 0, 0, 1, 1, 1});
    expect_tensor(x.t().argsort(0), {3, 2}, {1, 2, 2, 0, 0, 1});
    expect_tensor(argsort(x, 1, true), {2, 3}, {0, 2, 1, 0, 1, 2});
    expect_tensor(std::get<0>(tensor(7, device).sort()), {}, {7});
    expect_tensor(tensor(7, device).argsort(), {}, {0});
    expect_tensor(std::get<0>(zeros({2, 0}, device).sort(1)), {2, 0}, {});
    expect_tensor(std::get<0>(tensor({true, false, true}, device).sort()), {3}, {0, 1, 1});
    expect_tensor(tensor({200, 3, 100}, TensorOptions(kByte).device(device)).argsort(0, true), {3}, {0, 2, 1});
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    expect_tensor(tensor({largest, -1, -largest}, device).argsort(), {3}, {2, 1, 0});
    expect_error<IndexError>([&] { return x.sort(7); },
                             "[sort] Dimension out of range (expected to be in range of [-2, 1], but got 7)");
    expect_error<IndexError>([&] { return x.argsort(7); }, "[argsort] Dimension out of range");
  });
}

TEST(Order, NanIsLargestAndEqualElementsKeepTheirOrder) {
  on_every_device([](Device device) {
    const double nan = std::nan("");
    const double infinity = std::numeric_limits<double>::infinity();
    for (const auto type : {kFloat, kDouble}) {
      const auto x = tensor({0.0, nan, -0.0, infinity, nan, 0.0, -infinity}, TensorOptions(device).dtype(type));
      expect_tensor(x.argsort(), {7}, {6, 0, 2, 5, 3, 1, 4});
      expect_tensor(x.argsort(0, true), {7}, {1, 4, 3, 0, 2, 5, 6});
      const auto values = std::get<0>(x.sort()).to_vector<double>();
      EXPECT_FALSE(std::signbit(values[1]));
      EXPECT_TRUE(std::signbit(values[2]));
      EXPECT_FALSE(std::signbit(values[3]));
      expect_tensor(std::get<1>(x.topk(3)), {3}, {1, 4, 3});
      expect_tensor(std::get<1>(x.topk(2, 0, false)), {2}, {6, 0});
    }
    const auto many = (arange(5000, device) * 7).to(kByte).to(kInt);
    const auto order = many.argsort().to_vector<std::int64_t>();
    const auto values = many.to_vector<int>();
    for (std::size_t i = 1; i < order.size(); ++i) {
      const auto before = static_cast<std::size_t>(order[i - 1]);
      const auto here = static_cast<std::size_t>(order[i]);
      ASSERT_TRUE(values[before] < values[here] || (values[before] == values[here] && before < here));
    }
  });
}

TEST(Order, TheLargest) {
  on_every_device([](Device device) {
    const auto x = tensor({{3.0, 1.0, 2.0}, {1.0, 4.0, -5.0}}, device);
    const auto [values, indices] = x.topk(2);
    expect_tensor(values, {2, 2}, {3, 2, 4, 1});
    expect_tensor(indices, {2, 2}, {0, 2, 1, 0});
    EXPECT_TRUE(values.is_contiguous());
    expect_tensor(std::get<0>(topk(x, 1, 0, false)), {1, 3}, {1, 1, -5});
    expect_tensor(std::get<0>(x.topk(0)), {2, 0}, {});
    expect_tensor(std::get<1>(x.topk(3, 1)), {2, 3}, {0, 2, 1, 1, 0, 2});
    expect_tensor(std::get<0>(tensor(7, device).topk(1)), {}, {7});
    expect_error<IndexError>([&] { return x.topk(4); }, "[topk] selected index k out of range");
    expect_error<IndexError>([&] { return x.topk(-1); }, "[topk] selected index k out of range");
    expect_error<IndexError>([&] { return x.topk(2, 7); }, "[topk] Dimension out of range");
  });
}

TEST(Order, TheLargestOfManyAreTheFirstOfTheSort) {
  on_every_device([](Device device) {
    const auto ascending = arange(6000, TensorOptions(kFloat).device(device));
    for (const auto& x : {ascending, ascending.flip(0), (ascending * 7).remainder(97), zeros({6000}, device)}) {
      for (const bool largest : {true, false}) {
        const auto [values, indices] = x.sort(0, largest);
        for (const std::int64_t k : {1, 10, 2400, 5999, 6000}) {
          const auto [first, places] = x.topk(k, 0, largest);
          EXPECT_TRUE(first.equal(values.slice(0, 0, k))) << k;
          EXPECT_TRUE(places.equal(indices.slice(0, 0, k))) << k;
        }
      }
    }
  });
}

TEST(Order, GradientsGoBackToTheirPlaces) {
  on_every_device([](Device device) {
    const auto x = tensor({{3.0, 1.0, 2.0}, {1.0, 4.0, -5.0}}, TensorOptions(device).requires_grad(true));
    const auto sorted = std::get<0>(x.sort(1));
    EXPECT_EQ(sorted.grad_fn()->name(), "SortBackward0");
    sorted.backward(tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, device));
    expect_tensor(x.grad(), {2, 3}, {3, 1, 2, 5, 6, 4});
    x.mutable_grad() = Tensor();
    const auto largest = std::get<0>(x.topk(2, 1));
    EXPECT_EQ(largest.grad_fn()->name(), "TopkBackward0");
    largest.backward(tensor({{1.0, 2.0}, {3.0, 4.0}}, device));
    expect_tensor(x.grad(), {2, 3}, {1, 0, 2, 4, 3, 0});
  });
}

}  // namespace
}  // namespace d2l::testing
