// SPDX-License-Identifier: MIT
// Elements at other places: index_select, gather, masks, flip, roll, repetitions, triangles, diagonals, classes as
// rows.
#include <limits>

#include "every_device.h"
#include "tensor/counted.h"

namespace d2l::testing {
namespace {

TEST(Places, ListsOfIndices) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({3, 2}, device);
    const auto list = tensor({2, 0, 2}, device);
    expect_tensor(x.index_select(0, list), {3, 2}, {4, 5, 0, 1, 4, 5});
    expect_tensor(index_select(x.t(), 1, list), {2, 3}, {4, 0, 4, 5, 1, 5});
    expect_tensor(x.index_select(1, tensor({1}, TensorOptions(kInt).device(device))), {3, 1}, {1, 3, 5});
    expect_tensor(x.index_select(0, tensor(1, device)), {1, 2}, {2, 3});
    expect_tensor(x.index_select(0, list.slice(0, 0, 0)), {0, 2}, {});
    expect_tensor(tensor(7, device).index_select(0, tensor({0}, device)), {}, {7});
    for (const auto& other : {list, list.slice(0, 0, 0)}) {
      expect_error<ShapeError>([&] { return tensor(7, device).index_select(0, other); },
                               "[index_select] index_select(): Index to scalar can have only 1 value, got " +
                                   std::to_string(other.numel()) + " value(s)");
    }
    for (const auto type : every_dtype) {
      EXPECT_EQ(x.to(type).index_select(0, list).to_vector<double>(),
                x.index_select(0, list).to(type).to_vector<double>());
    }
    expect_tensor(x.index({list}), {3, 2}, {4, 5, 0, 1, 4, 5});
    expect_tensor(x[tensor({{-1}, {0}}, device)], {2, 1, 2}, {4, 5, 0, 1});
    expect_tensor(x.index({tensor(-1, device)}), {2}, {4, 5});
    expect_error<IndexError>([&] { return x.index_select(0, x); },
                             "[index_select] index_select(): Index is supposed to be a vector");
    expect_error<TypeError>([&] { return x.index_select(0, ones({1}, device)); },
                            "[index_select] index_select(): Expected dtype int32 or int64 for index");
    expect_error<IndexError>([&] { return x.index_select(2, list); }, "[index_select] Dimension out of range");
    expect_error<TypeError>([&] { return x.index({ones({1}, device)}); },
                            "tensors used as indices must be long, int, byte or bool tensors");
    expect_error<IndexError>([&] { return tensor(7, device).index({list}); },
                             "too many indices for tensor of dimension 0");
  });
  const auto x = counted_from_0({3, 2}, cpu());
  expect_error<IndexError>([&] { return x.index_select(0, tensor({3})); }, "[index_select] index out of range in self");
  expect_error<IndexError>([&] { return x.index_select(0, tensor({-1})); }, "index out of range in self");
  expect_error<IndexError>([&] { return x.index({tensor({-4})}); },
                           "[index] index -4 is out of bounds for dimension 0 with size 3");
}

TEST(Places, OneIndexForEachElement) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({3, 4}, device);
    expect_tensor(x.gather(1, tensor({{2, 1}, {0, 3}}, device)), {2, 2}, {2, 1, 4, 7});
    expect_tensor(gather(x, 0, tensor({{2, 0, 1, 1}}, device)), {1, 4}, {8, 1, 6, 7});
    expect_tensor(x.t().gather(0, tensor({{1, 1, 0}}, device)), {1, 3}, {1, 5, 8});
    expect_tensor(x.gather(0, zeros({0}, TensorOptions(kLong).device(device))), {0}, {});
    expect_tensor(tensor(7, device).gather(0, tensor({0, 0}, device)), {2}, {7, 7});
    expect_tensor(tensor({7, 8}, device).gather(0, tensor(1, device)), {}, {8});
    expect_error<ShapeError>(
        [&] {
          return x.gather(0, tensor({1, 2, 0}, device));
        },
        "[gather] Index tensor must have the same number of dimensions as input tensor");
    expect_error<ShapeError>(
        [&] {
          return x.gather(1, zeros({4, 1}, TensorOptions(kLong).device(device)));
        },
        "Size does not match at dimension 0 expected index [4, 1] to be no larger than self [3, "
        "4] apart from dimension 1");
    expect_error<TypeError>(
        [&] {
          return x.gather(1, ones({1, 1}, device));
        },
        "gather(): Expected dtype int64 for index");
  });
  expect_error<IndexError>(
      [&] {
        return counted_from_0({3, 4}, cpu()).gather(1, tensor({{4}}));
      },
      "[gather] index 4 is out of bounds for dimension 1 with size 4");
}

TEST(Places, Masks) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({2, 3}, device);
    expect_tensor(x.index({x > 2}), {3}, {3, 4, 5});
    expect_tensor(x[tensor({true, false}, device)], {1, 3}, {0, 1, 2});
    expect_tensor(x[x < 0], {0}, {});
    expect_tensor(x[tensor(true, device)], {1, 2, 3}, {0, 1, 2, 3, 4, 5});
    expect_tensor(x[tensor(false, device)], {0, 2, 3}, {});
    expect_tensor(x.t()[x.t() > 2], {3}, {3, 4, 5});
    expect_tensor(x.masked_select(tensor({true, false, true}, device)), {4}, {0, 2, 3, 5});
    expect_error<IndexError>(
        [&] {
          return x[tensor({true, false, true}, device)];
        },
        "[index] The shape of the mask [3] at index 0 does not match the shape of the indexed "
        "tensor [2, 3] at index 0");
    expect_error<IndexError>([&] { return x[0][x > 2]; }, "too many indices for tensor of dimension 1");
    expect_error<TypeError>([&] { return x.masked_select(x); },
                            "[masked_select] masked_select: expected BoolTensor for mask");
    expect_error<ShapeError>(
        [&] {
          return x.masked_select(tensor({true, false}, device));
        },
        "The size of tensor a (3) must match the size of tensor b (2)");
  });
}

TEST(Places, ReversedAndRolled) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({2, 3}, device);
    expect_tensor(x.flip({1}), {2, 3}, {2, 1, 0, 5, 4, 3});
    expect_tensor(flip(x, {0, -1}), {2, 3}, {5, 4, 3, 2, 1, 0});
    expect_tensor(x.flip({}), {2, 3}, {0, 1, 2, 3, 4, 5});
    EXPECT_NE(x.flip({}).data_ptr(), x.data_ptr());
    expect_tensor(tensor(7, device).flip({0}), {}, {7});
    expect_tensor(x.roll(1, 0), {2, 3}, {3, 4, 5, 0, 1, 2});
    expect_tensor(x.roll(-1, 1), {2, 3}, {1, 2, 0, 4, 5, 3});
    expect_tensor(roll(x, {1, 7}, {0, 1}), {2, 3}, {5, 3, 4, 2, 0, 1});
    expect_tensor(x.roll(2), {2, 3}, {4, 5, 0, 1, 2, 3});
    expect_tensor(x.t().roll(2), {3, 2}, {2, 5, 0, 3, 1, 4});
    expect_tensor(zeros({0, 2}, device).roll(1, 0), {0, 2}, {});
    expect_error<ShapeError>([&] { return x.flip({0, 0}); }, "dim 0 appears multiple times in the list of dims");
    expect_error<IndexError>([&] { return x.flip({2}); }, "[flip] Dimension out of range");
    expect_error<ValueError>([&] { return x.roll({}); }, "[roll] `shifts` required");
    expect_error<ValueError>(
        [&] {
          return x.roll({1, 2}, {0});
        },
        "[roll] shifts and dimensions must align. shifts: 2, dims:1");
    expect_error<IndexError>([&] { return tensor(7, device).roll(1, 0); },
                             "[roll] Dimension specified as 0 but tensor has no dimensions");
  });
}

TEST(Places, Repeated) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({2, 2}, device);
    expect_tensor(x.repeat({1, 2}), {2, 4}, {0, 1, 0, 1, 2, 3, 2, 3});
    expect_tensor(x.repeat({2, 1, 2}), {2, 2, 4}, {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3});
    expect_tensor(x.t().repeat({2, 1}), {4, 2}, {0, 2, 1, 3, 0, 2, 1, 3});
    expect_tensor(x.repeat({0, 3}), {0, 6}, {});
    expect_tensor(tensor(7, device).repeat({3}), {3}, {7, 7, 7});
    EXPECT_NE(x.repeat({1, 1}).data_ptr(), x.data_ptr());
    expect_tensor(x.repeat_interleave(2), {8}, {0, 0, 1, 1, 2, 2, 3, 3});
    expect_tensor(repeat_interleave(x, 2, 0), {4, 2}, {0, 1, 0, 1, 2, 3, 2, 3});
    expect_tensor(x.repeat_interleave(0, 1), {2, 0}, {});
    expect_tensor(x.repeat_interleave(tensor({0, 3}, device), 1), {2, 3}, {1, 1, 1, 3, 3, 3});
    expect_tensor(x.repeat_interleave(tensor({2, 0, 0, 1}, device)), {3}, {0, 0, 3});
    expect_tensor(x.repeat_interleave(tensor({2}, device), 0), {4, 2}, {0, 1, 0, 1, 2, 3, 2, 3});
    expect_error<ShapeError>([&] { return x.repeat({2}); },
                             "[repeat] Number of dimensions of repeat dims can not be smaller than number of "
                             "dimensions of tensor");
    expect_error<ValueError>([&] { return x.repeat({-1, 1}); }, "Trying to create tensor with negative dimension -2");
    expect_error<ValueError>([&] { return x.repeat_interleave(-1); }, "Repeats must be non-negative");
    const auto one = tensor(7, device);
    expect_tensor(one.repeat_interleave(tensor({3}, device)), {3}, {7, 7, 7});
    const auto sentence = "[repeat_interleave] Dimension specified as 0 but tensor has no dimensions";
    expect_error<IndexError>([&] { return one.repeat_interleave(tensor({1}, device), 0); }, sentence);
    expect_error<IndexError>([&] { return one.repeat_interleave(2, 0); }, sentence);
    expect_error<ValueError>(
        [&] {
          return x.repeat_interleave(tensor({-1, 1}, device), 0);
        },
        "repeats can not be negative");
    expect_error<ShapeError>(
        [&] {
          return x.repeat_interleave(tensor({1, 2, 3}, device), 0);
        },
        "repeats must have the same size as input along dim, but got repeats.size(0) = 3 and "
        "input.size(0) = 2");
    expect_error<TypeError>([&] { return x.repeat_interleave(ones({2}, device), 0); },
                            "repeats has to be Long or Int tensor");
  });
}

TEST(Places, TrianglesAndDiagonals) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({2, 3}, device) + 1;
    expect_tensor(x.triu(1), {2, 3}, {0, 2, 3, 0, 0, 6});
    expect_tensor(tril(x), {2, 3}, {1, 0, 0, 4, 5, 0});
    expect_tensor(triu(x.t()), {3, 2}, {1, 4, 0, 5, 0, 0});
    expect_tensor(ones({2, 2, 2}, device).tril(-1), {2, 2, 2}, {0, 0, 1, 0, 0, 0, 1, 0});
    expect_tensor(zeros({0, 2, 2}, device).tril(), {0, 2, 2}, {});
    expect_tensor((x / 0).tril(5), {2, 3}, std::vector<double>(6, std::numeric_limits<double>::infinity()));
    expect_tensor(x.diag(), {2}, {1, 5});
    expect_tensor(diag(x, 1), {2}, {2, 6});
    expect_tensor(x.diag(-1), {1}, {4});
    expect_tensor(x.diag(7), {0}, {});
    expect_tensor(x.t().diag(-1), {2}, {2, 6});
    expect_tensor(tensor({1, 2}, device).diag(), {2, 2}, {1, 0, 0, 2});
    expect_tensor(tensor({1, 2}, device).diag(-1), {3, 3}, {0, 0, 0, 1, 0, 0, 0, 2, 0});
    expect_error<ShapeError>([&] { return x[0].tril(); }, "[tril] tril: input tensor must have at least 2 dimensions");
    expect_error<ShapeError>(
        [&] {
          return ones({1, 2, 3}, device).diag();
        },
        "[diag] diag(): Supports 1D or 2D tensors. Got 3D");
  });
}

TEST(Places, ClassesAsRows) {
  on_every_device([](Device device) {
    const auto rows = one_hot(tensor({{3, 0}, {1, 1}}, device));
    expect_tensor(rows, {2, 2, 4}, {0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0});
    EXPECT_EQ(rows.dtype(), kLong);
    expect_tensor(one_hot(tensor({1}, device), 3), {1, 3}, {0, 1, 0});
    expect_tensor(one_hot(tensor(0, device), 2), {2}, {1, 0});
    expect_tensor(one_hot(zeros({0}, TensorOptions(kLong).device(device)), 3), {0, 3}, {});
    expect_error<TypeError>([&] { return one_hot(ones({1}, device)); },
                            "[one_hot] one_hot is only applicable to index tensor of type LongTensor.");
    expect_error<ValueError>([&] { return one_hot(tensor({-1}, device)); },
                             "[one_hot] Class values must be non-negative.");
    expect_error<ValueError>([&] { return one_hot(zeros({0}, TensorOptions(kLong).device(device))); },
                             "Can not infer total number of classes from empty tensor.");
  });
  expect_error<ValueError>([] { return one_hot(tensor({3}), 3); }, "Class values must be smaller than num_classes.");
}

TEST(Places, GradientsAddUpWhereAnIndexRepeats) {
  on_every_device([](Device device) {
    const auto x = counted_from_0({3, 2}, device).to(kFloat).set_requires_grad(true);
    x.index_select(0, tensor({2, 0, 2}, device)).backward(counted_from_0({3, 2}, device).to(kFloat));
    expect_tensor(x.grad(), {3, 2}, {2, 3, 0, 0, 4, 6});
    x.mutable_grad() = Tensor();
    x.gather(0, tensor({{1, 1}, {1, 0}}, device)).backward(tensor({{1.0, 2.0}, {3.0, 4.0}}, device));
    expect_tensor(x.grad(), {3, 2}, {0, 4, 4, 2, 0, 0});
    x.mutable_grad() = Tensor();
    x[x > 2].backward(tensor({1.0, 2.0, 3.0}, device));
    expect_tensor(x.grad(), {3, 2}, {0, 0, 0, 1, 2, 3});
    EXPECT_EQ(x[x > 2].grad_fn()->name(), "IndexBackward0");
    EXPECT_EQ(x.masked_select(x > 2).grad_fn()->name(), "MaskedSelectBackward0");
    EXPECT_EQ(x.flip({0}).grad_fn()->name(), "FlipBackward0");
    EXPECT_EQ(x.roll(1, 0).grad_fn()->name(), "RollBackward0");
    EXPECT_EQ(x.repeat({2, 1}).grad_fn()->name(), "RepeatBackward0");
    EXPECT_EQ(x.tril().grad_fn()->name(), "TrilBackward0");
    EXPECT_EQ(x.diag().grad_fn()->name(), "DiagBackward0");
  });
}

TEST(Places, RefuseAnIndexOnAnotherDevice) {
  if (num_gpus() == 0) GTEST_SKIP() << "there is no GPU, physical or virtual";
  const auto x = ones({2, 2}, gpu(0));
  const auto index = tensor({{1, 0}});
  constexpr const char* sentence =
      "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!";
  expect_error<DeviceError>([&] { return x.index_select(0, index[0]); }, sentence);
  expect_error<DeviceError>([&] { return x.gather(0, index); }, sentence);
  expect_error<DeviceError>([&] { return x.index({index}); }, sentence);
  expect_error<DeviceError>([&] { return x.masked_select(index > 0); }, sentence);
  expect_error<DeviceError>([&] { return x.repeat_interleave(index[0], 0); }, sentence);
}

TEST(Places, TheNumberOfTruthsIsReadFromAGpuOnce) {
  if (num_gpus() == 0) GTEST_SKIP() << "needs a GPU";
  const auto x = arange(6, gpu(0));
  const auto mask = x > 2;
  const TransferLedger ledger;
  static_cast<void>(x.masked_select(mask));
  EXPECT_EQ(ledger.copies(Direction::device_to_host), 1);
}

}  // namespace
}  // namespace d2l::testing
