// SPDX-License-Identifier: MIT
// Lists of indices in C++: the conversions of their parts, views, writes, and a GPU's refusal. Values are those of the
// reference cases, indices.json.
#include "every_device.h"

namespace d2l::testing {
namespace {

using namespace indexing;  // NOLINT(google-build-using-namespace): as programs of LibTorch have it

TEST(Indexing, ListsNameViews) {
  on_every_device([](Device device) {
    const Tensor x = arange(24, TensorOptions(kFloat).device(device)).view({2, 3, 4});
    expect_tensor(x.index({0, Slice(0, 2), 1}), {2}, {1, 5});
    expect_tensor(x.index({"...", Slice(None, None, 3)})[1], {3, 2}, {12, 15, 16, 19, 20, 23});
    expect_tensor(x.index({Ellipsis, -1, None}), {2, 3, 1}, {3, 7, 11, 15, 19, 23});
    expect_tensor(x.index({1, 2, 3}), {}, {23});
    EXPECT_EQ(x.index({Slice()}).data_ptr(), x.data_ptr());
    EXPECT_EQ(x.index({true}).sizes(), IntArrayRef({1, 2, 3, 4}));
    EXPECT_EQ(x.index({false, Slice(), 0}).sizes(), IntArrayRef({0, 2, 4}));
    const std::vector<TensorIndex> list{Slice(1), 0};
    expect_tensor(x.index(list), {1, 4}, {12, 13, 14, 15});
    x.index({0, Slice(1)}).fill_(-1);
    EXPECT_EQ(x[0].sum().item<int>(), 6 - 8);
  });
}

TEST(Indexing, TensorsNamePlaces) {
  on_every_device([](Device device) {
    const Tensor x = arange(12, device).view({3, 4});
    const Tensor rows = tensor({2, -3}).to(device);
    expect_tensor(x.index({rows, tensor({1, 3}).to(device)}), {2}, {9, 3});
    expect_tensor(x.index({Slice(), tensor({{3}, {0}}).to(device)}), {3, 2, 1}, {3, 0, 7, 4, 11, 8});
    expect_tensor(x.index({x.gt(8)}), {3}, {9, 10, 11});
    expect_tensor(x.index({rows}), {2, 4}, {8, 9, 10, 11, 0, 1, 2, 3});
    expect_tensor(x.index({tensor(1).to(device)}), {4}, {4, 5, 6, 7});
  });
}

TEST(Indexing, WritesValuesAtPlaces) {
  on_every_device([](Device device) {
    Tensor x = zeros({3, 4}, device);
    x.index_put_({Slice(0, 2), 1}, 5);
    x.index_put_({tensor({0, 2}).to(device), tensor({3, -1}).to(device)}, tensor({7.0, 8.0}).to(device));
    expect_tensor(x, {3, 4}, {0, 5, 0, 7, 0, 5, 0, 0, 0, 0, 0, 8});
    x.index_put_({x.gt(6)}, -1);
    expect_tensor(x, {3, 4}, {0, 5, 0, -1, 0, 5, 0, 0, 0, 0, 0, -1});
    // The last of several values for one place stays; accumulate adds them all.
    Tensor y = zeros({2}, device);
    const Tensor same = zeros({40}, TensorOptions(kLong).device(device));
    y.index_put_({same}, arange(40, TensorOptions(kFloat).device(device)));
    expect_tensor(y, {2}, {39, 0});
    y.index_put_({same}, ones({}, device), true);
    expect_tensor(y, {2}, {79, 0});
    Tensor truths = zeros({3}, TensorOptions(kBool).device(device));
    truths.index_put_({tensor({1}).to(device)}, true);
    expect_tensor(truths, {3}, {0, 1, 0});
    Tensor turned = zeros({2, 3}, device).t();
    turned.index_put_({tensor({0, 2}).to(device)}, tensor({1.0, 2.0}).to(device));
    expect_tensor(turned.contiguous(), {3, 2}, {1, 2, 0, 0, 1, 2});
    const Tensor copy = y.index_put({tensor({1}).to(device)}, ones({1}, device));
    expect_tensor(copy, {2}, {79, 1});
    expect_tensor(y, {2}, {79, 0});
  });
}

TEST(Indexing, RefusesWhatPyTorchRefuses) {
  Tensor x = zeros({2, 3});
  expect_error<ValueError>([&] { return x.index({".."}); },
                           "Expected \"...\" to represent an ellipsis index, but got \"..\"");
  expect_error<IndexError>([&] { return x.index({0, 0, 0}); }, "too many indices for tensor of dimension 2");
  expect_error<IndexError>(
      [&] {
        return x.index({Slice(), 3});
      },
      "index 3 is out of bounds for dimension 1 with size 3");
  expect_error<ValueError>([&] { return x.index({Slice(None, None, -1)}); }, "step must be greater than zero");
  expect_error<IndexError>(
      [&] {
        x.index_put_({tensor({0, 2})}, 1);
        return 0;
      },
      "index 2 is out of bounds for dimension 0 with size 2");
  EXPECT_EQ(x.sum().item<int>(), 0);
  const Tensor leaf = ones({2}, requires_grad(true));
  expect_error<ValueError>(
      [&] {
        Tensor(leaf).index_put_({tensor({0})}, 1);
        return 0;
      },
      "a leaf Variable that requires grad");
  if (num_gpus() > 1) {
    expect_error<DeviceError>([] { return ones({2}, gpu(0)).index({tensor({0}).to(gpu(1))}); }, "same device");
  }
}

TEST(Indexing, CountsOneWrite) {
  Tensor x = zeros({3});
  const auto before = x._version();
  x.index_put_({tensor({1})}, 2);
  EXPECT_EQ(x._version(), before + 1);
}

}  // namespace
}  // namespace d2l::testing
