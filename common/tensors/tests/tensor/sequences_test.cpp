// SPDX-License-Identifier: MIT
// Factories of sequences, identities, random integers, and of tensors in the caller's memory; products of vectors.
#include <algorithm>
#include <limits>
#include <set>

#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(Sequences, Linspace) {
  on_every_device([](Device device) {
    const TensorOptions on(device);
    expect_tensor(linspace(0, 1, 5, on), {5}, {0, 0.25, 0.5, 0.75, 1});
    EXPECT_EQ(linspace(0, 1, 5, on).dtype(), kFloat);
    expect_tensor(linspace(0, 10, 4, on.dtype(kLong)), {4}, {0, 3, 6, 10});
    expect_tensor(linspace(3, -3, 3, on.dtype(kInt)), {3}, {3, 0, -3});
    expect_tensor(linspace(2.5, 9, 1, on), {1}, {2.5});
    expect_tensor(linspace(2, 9, 0, on), {0}, {});
    EXPECT_EQ(linspace(0, 0.1, 7, on.dtype(kDouble)).to_vector<double>().back(), 0.1);
    EXPECT_TRUE(linspace(0, 1, 3, on.requires_grad(true)).requires_grad());
    expect_error<ValueError>([&] { return linspace(0, 1, -1, on); }, "[linspace] number of steps must be non-negative");
    expect_error<TypeError>([&] { return linspace(0, 1, 2, on.dtype(kBool)); },
                            "\"linspace_cpu\" not implemented for 'Bool'");
  });
}

TEST(Sequences, Identities) {
  on_every_device([](Device device) {
    expect_tensor(eye(2, device), {2, 2}, {1, 0, 0, 1});
    expect_tensor(eye(2, 3, TensorOptions(device).dtype(kLong)), {2, 3}, {1, 0, 0, 0, 1, 0});
    expect_tensor(eye(3, 1, TensorOptions(device).dtype(kBool)), {3, 1}, {1, 0, 0});
    expect_tensor(eye(0, device), {0, 0}, {});
    EXPECT_TRUE(eye(2, TensorOptions(device).requires_grad(true)).is_leaf());
    expect_error<ValueError>([&] { return eye(-1, device); }, "[eye] n must be greater or equal to 0, got -1");
    expect_error<ValueError>([&] { return eye(1, -2, device); }, "[eye] m must be greater or equal to 0, got -2");
  });
}

TEST(Sequences, RandomIntegers) {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> order;
  on_every_device([&](Device device) {
    manual_seed(7);
    const auto x = randint(-2, 3, {1000}, device);
    EXPECT_EQ(x.dtype(), kLong);
    EXPECT_EQ(x.device(), device);
    auto numbers = x.to_vector<std::int64_t>();
    EXPECT_EQ(std::set<std::int64_t>(numbers.begin(), numbers.end()), (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
    for (const std::int64_t value : {-2, 0, 2}) {
      EXPECT_NEAR(static_cast<double>(std::count(numbers.begin(), numbers.end(), value)), 200, 60);
    }
    const auto permutation = randperm(500, device);
    EXPECT_EQ(permutation.dtype(), kLong);
    auto places = permutation.to_vector<std::int64_t>();
    if (first.empty()) {
      first = numbers;
      order = places;
    }
    EXPECT_EQ(numbers, first);
    EXPECT_EQ(places, order);
    EXPECT_FALSE(std::is_sorted(places.begin(), places.end()));
    std::sort(places.begin(), places.end());
    EXPECT_EQ(places, arange(500).to_vector<std::int64_t>());
    EXPECT_EQ(randint(2, {3}, TensorOptions(device).dtype(kFloat)).dtype(), kFloat);
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    EXPECT_GE(randint(largest - 1, largest, {1}, device).item<std::int64_t>(), largest - 1);
    EXPECT_GE(randint(largest, {100}, device).min().item<std::int64_t>(), 0);
    expect_tensor(randperm(0, device), {0}, {});
    expect_error<ValueError>([&] { return randint(0, 0, {2}, device); },
                             "[randint] random_ expects 'from' to be less than 'to', but got from=0 >= to=0");
    expect_error<ValueError>([&] { return randint(300, {2}, TensorOptions(device).dtype(kByte)); },
                             "to - 1 is out of bounds for unsigned char");
    expect_error<ValueError>([&] { return randint(-1, 2, {2}, TensorOptions(device).dtype(kByte)); },
                             "from is out of bounds for unsigned char");
    expect_error<ValueError>([&] { return randperm(-1, device); }, "[randperm] n must be non-negative, got-1");
  });
}

TEST(Sequences, MemoryOfTheCaller) {
  std::vector<float> memory{0, 1, 2, 3, 4, 5};
  int released = 0;
  {
    const auto x = from_blob(memory.data(), {2, 3}, [&](void* data) {
      EXPECT_EQ(data, memory.data());
      ++released;
    });
    expect_tensor(x, {2, 3}, {0, 1, 2, 3, 4, 5});
    EXPECT_EQ(x.data_ptr(), memory.data());
    x[1].fill_(9);
    const auto view = x.t();
    for (const Device device : every_device()) {
      expect_tensor(x.to(device), {2, 3}, {0, 1, 2, 9, 9, 9});
      if (device.is_cuda()) static_cast<void>(x.to(device, true));
    }
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(memory, (std::vector<float>{0, 1, 2, 9, 9, 9}));
  expect_tensor(from_blob(memory.data(), {3, 2}, {1, 3}), {3, 2}, {0, 9, 1, 9, 2, 9});
  std::vector<std::int64_t> integers{7, 8};
  expect_tensor(from_blob(integers.data(), {2}, kLong), {2}, {7, 8});
  expect_tensor(from_blob(nullptr, {0, 3}), {0, 3}, {});
  EXPECT_TRUE(from_blob(memory.data(), {2}, requires_grad()).requires_grad());
  expect_error<ValueError>([] { return from_blob(nullptr, {1}); }, "[from_blob] the address of the elements is null");
  expect_error<ValueError>([&] { return from_blob(memory.data(), {-1}); }, "sizes must be non-negative");
  expect_error<ShapeError>(
      [&] {
        return from_blob(memory.data(), {1, 2}, {1});
      },
      "mismatch in length of strides and shape");
  expect_error<ShapeError>([&] { return from_blob(memory.data(), {2}, {-1}); }, "must be non-negative");
}

TEST(Sequences, MemoryOfADevice) {
  on_every_device([](Device device) {
    const auto x = arange(6.0, TensorOptions(device).dtype(kFloat));
    const auto y = from_blob(x.data_ptr(), {2, 2}, TensorOptions(device));
    expect_tensor(y + 1, {2, 2}, {1, 2, 3, 4});
    expect_on(device, y);
  });
}

TEST(Products, OfFixedDimensionsAreOneLaunch) {
  on_every_device([](Device device) {
    const auto a = tensor({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}}, device);
    const auto x = tensor({1.0, -1.0}, device);
    const auto y = tensor({1.0, 2.0, 3.0}, device);
    const auto check = [](const char* what, const auto& call, IntArrayRef sizes, const std::vector<double>& values) {
      SCOPED_TRACE(what);
      const TransferLedger ledger;
      const Tensor result = call();
      const auto entries = ledger.entries();
      const auto launches = std::count_if(entries.begin(), entries.end(), [](const LedgerEntry& entry) {
        return entry.kind == LedgerEntry::Kind::launch;
      });
      EXPECT_EQ(launches, 1);
      EXPECT_TRUE(std::any_of(entries.begin(), entries.end(),
                              [](const LedgerEntry& entry) { return std::string(entry.name) == "matmul"; }));
      expect_tensor(result, sizes, values);
    };
    check("mv", [&] { return a.mv(x); }, {3}, {-1, -1, -1});
    check("dot", [&] { return d2l::dot(y, y); }, {}, {14});
    check("outer", [&] { return outer(x, y); }, {2, 3}, {1, 2, 3, -1, -2, -3});
    const auto batch = arange(12.0, TensorOptions(device).dtype(kFloat)).view({2, 2, 3});
    check("bmm", [&] { return batch.bmm(batch.mT()); }, {2, 2, 2}, {5, 14, 14, 50, 149, 212, 212, 302});
    expect_tensor(outer(tensor({1, 2}, device), tensor({0.5}, device)), {2, 1}, {0.5, 1});
    expect_tensor(outer(tensor({true, false}, device), tensor({true}, device)), {2, 1}, {1, 0});
  });
}

TEST(Products, HavePyTorchsNamesAndSentences) {
  on_every_device([](Device device) {
    const TensorOptions on = TensorOptions(device).requires_grad(true);
    const auto a = ones({3, 4}, on);
    const auto x = ones({4}, on);
    const auto y = ones({3}, on);
    EXPECT_EQ(a.mv(x).grad_fn()->name(), "MvBackward0");
    EXPECT_EQ(x.dot(x).grad_fn()->name(), "DotBackward0");
    EXPECT_EQ(x.outer(y).grad_fn()->name(), "MulBackward0");
    EXPECT_EQ(ones({1, 2, 3}, on).bmm(ones({1, 3, 1}, device)).grad_fn()->name(), "BmmBackward0");
    expect_error<ShapeError>([&] { return a.mv(y); },
                             "[mv] size mismatch, got input (3), mat (3x4), vec (3) (in short: size mismatch, got 3, "
                             "3x4,3)");
    expect_error<ShapeError>([&] { return y.mv(y); }, "[mv] vector + matrix @ vector expected, got 1, 1, 1");
    expect_error<ShapeError>([&] { return a.dot(x); }, "[dot] 1D tensors expected, but got 2D and 1D tensors");
    expect_error<ShapeError>([&] { return x.dot(y); },
                             "inconsistent tensor size, expected tensor [4] and src [3] to have the same number of "
                             "elements, but got 4 and 3 elements respectively");
    expect_error<ShapeError>([&] { return a.outer(y); }, "[outer] outer: Expected 1-D argument self, but got 2-D");
    expect_error<ShapeError>([&] { return y.outer(a); }, "[outer] outer: Expected 1-D argument vec2, but got 2-D");
    expect_error<ShapeError>([&] { return a.bmm(a); }, "[bmm] batch1 must be a 3D tensor");
    expect_error<ShapeError>(
        [&] {
          return ones({1, 2, 3}, device).bmm(ones({2, 3, 1}, device));
        },
        "[bmm] Expected size for first two dimensions of batch2 tensor to be: [1, 3] but got: "
        "[2, 3].");
  });
}

}  // namespace
}  // namespace d2l::testing
