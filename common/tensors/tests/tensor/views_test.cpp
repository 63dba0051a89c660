// SPDX-License-Identifier: MIT
// Views share their elements, launch no kernel, and fail with PyTorch's sentences for arguments that do not fit.
#include "every_device.h"

namespace d2l::testing {
namespace {

Tensor counted(IntArrayRef sizes, Device device) {
  std::int64_t count = 1;
  for (const auto size : sizes) count *= size;
  return arange(count, device).reshape(sizes);
}

TEST(Views, MoveNoMemory) {
  on_every_device([](Device device) {
    const auto x = counted({2, 3, 4}, device);
    const TransferLedger ledger;
    const auto views = std::vector<Tensor>{x.view({6, 4}),
                                           x.reshape({4, -1}),
                                           x.transpose(0, 2),
                                           x.permute({2, 0, 1}),
                                           x.unsqueeze(1),
                                           x.squeeze(),
                                           x.select(1, 2),
                                           x.slice(2, 1, 3),
                                           x.expand({5, 2, 3, 4}),
                                           x.contiguous(),
                                           x.select(0, 0).t(),
                                           x.squeeze(0),
                                           x[1][2]};
    EXPECT_TRUE(ledger.entries().empty());
    for (const auto& view : views) EXPECT_EQ(view.device(), device);
    EXPECT_EQ(x.view({24}).data_ptr(), x.data_ptr());
  });
}

TEST(Views, HaveTheValues) {
  on_every_device([](Device device) {
    const auto x = counted({2, 3}, device);
    expect_tensor(x.view({3, 2}), {3, 2}, {0, 1, 2, 3, 4, 5});
    expect_tensor(x.view({-1}), {6}, {0, 1, 2, 3, 4, 5});
    expect_tensor(x.t(), {3, 2}, {0, 3, 1, 4, 2, 5});
    expect_tensor(x.transpose(-1, 0), {3, 2}, {0, 3, 1, 4, 2, 5});
    expect_tensor(x.t().reshape({6}), {6}, {0, 3, 1, 4, 2, 5});
    expect_tensor(x.t().contiguous(), {3, 2}, {0, 3, 1, 4, 2, 5});
    expect_tensor(x.permute({-1, 0}), {3, 2}, {0, 3, 1, 4, 2, 5});
    expect_tensor(x.unsqueeze(-1), {2, 3, 1}, {0, 1, 2, 3, 4, 5});
    expect_tensor(x.unsqueeze(0).squeeze(), {2, 3}, {0, 1, 2, 3, 4, 5});
    expect_tensor(x.unsqueeze(0).squeeze(0), {2, 3}, {0, 1, 2, 3, 4, 5});
    expect_tensor(x.squeeze(0), {2, 3}, {0, 1, 2, 3, 4, 5});
    expect_tensor(x[-1], {3}, {3, 4, 5});
    expect_tensor(x.select(1, 1), {2}, {1, 4});
    expect_tensor(x.slice(1, 1), {2, 2}, {1, 2, 4, 5});
    expect_tensor(x.slice(1, std::nullopt, std::nullopt, 2), {2, 2}, {0, 2, 3, 5});
    expect_tensor(x.slice(1, -2, -1), {2, 1}, {1, 4});
    expect_tensor(x.slice(0, 5), {0, 3}, {});
    expect_tensor(x.slice(0, 1, 0), {0, 3}, {});
    expect_tensor(x.slice(0, -10, 10), {2, 3}, {0, 1, 2, 3, 4, 5});
    expect_tensor(x[0].expand({2, 3}), {2, 3}, {0, 1, 2, 0, 1, 2});
    expect_tensor(x.select(1, 0).unsqueeze(1).expand({-1, 2}), {2, 2}, {0, 0, 3, 3});
    expect_tensor(tensor(4, device).expand({2, 2}), {2, 2}, {4, 4, 4, 4});
    expect_tensor(ones({1, 3}, device).expand({0, 3}), {0, 3}, {});
    expect_tensor(tensor(4, device).view({1, 1}), {1, 1}, {4});
    expect_tensor(tensor({4}, device).view({}), {}, {4});
    expect_tensor(counted({4, 3}, device).slice(0, 0, 4, 2).view({2, 3, 1}), {2, 3, 1}, {0, 1, 2, 6, 7, 8});
  });
}

TEST(Views, ShareMemory) {
  on_every_device([](Device device) {
    auto x = zeros({2, 3}, device);
    x[1].fill_(5);
    x.t()[0] = tensor({7.0, 8.0}, device);
    x[0][2] = 9;
    x.view({6}).slice(0, 4, 5) += 1;
    expect_tensor(x, {2, 3}, {7, 0, 9, 8, 6, 5});
    const auto alias = x;
    EXPECT_TRUE(alias.is_same(x));
    EXPECT_TRUE(x.contiguous().is_same(x));
    EXPECT_FALSE(x.clone().is_same(x));
  });
}

TEST(Views, OfEmptyAndOfNoDimensions) {
  on_every_device([](Device device) {
    const auto none = empty({2, 0}, device);
    EXPECT_EQ(none.view({-1}).sizes(), IntArrayRef({0}));
    EXPECT_EQ(none.view({3, 0}).sizes(), IntArrayRef({3, 0}));
    EXPECT_EQ(none.t().sizes(), IntArrayRef({0, 2}));
    EXPECT_EQ(none.t().contiguous().numel(), 0);
    EXPECT_EQ(none[0].numel(), 0);
    EXPECT_TRUE(none.t().is_contiguous());
    const auto scalar = tensor(1.0, device);
    EXPECT_EQ(scalar.t().dim(), 0);
    EXPECT_EQ(scalar.transpose(0, -1).dim(), 0);
    EXPECT_EQ(scalar.squeeze(0).dim(), 0);
    EXPECT_EQ(scalar.permute({}).dim(), 0);
    EXPECT_EQ(scalar.unsqueeze(-1).sizes(), IntArrayRef({1}));
    expect_error<ShapeError>([&] { return none.view(list(0, -1)); },
                             "cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension "
                             "size -1 can be any value and is ambiguous");
  });
}

TEST(Views, ReshapeOfEveryPermutationKeepsTheOrder) {
  const auto x = counted({2, 3, 4}, cpu());
  for (const auto& order : std::vector<Sizes>{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    const auto y = x.permute(order);
    const auto expected = y.to_vector<double>();
    for (const auto& sizes :
         std::vector<Sizes>{{24}, {4, 6}, {6, 4}, {2, 12}, {3, 2, 2, 2}, {1, 24, 1}, {2, 1, 3, 1, 4}, {3, 8}, {8, 3}}) {
      const auto z = y.reshape(sizes);
      expect_tensor(z, sizes, expected);
      bool viewed = true;
      try {
        static_cast<void>(y.view(sizes));
      } catch (const ShapeError&) {
        viewed = false;
      }
      EXPECT_EQ(viewed, z.data_ptr() == y.data_ptr());
    }
  }
}

TEST(Views, RefuseInPyTorchsWords) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, device);
    const auto scalar = tensor(1.0, device);
    const std::string range = "Dimension out of range (expected to be in range of [-2, 1], but got 2)";
    expect_error<ShapeError>([&] { return x.reshape({5}); }, "shape '[5]' is invalid for input of size 6");
    expect_error<ShapeError>([&] { return x.reshape({-1, 4}); }, "shape '[-1, 4]' is invalid for input of size 6");
    expect_error<ShapeError>([&] { return x.reshape({0, -1}); }, "shape '[0, -1]' is invalid for input of size 6");
    expect_error<ShapeError>([&] { return x.view({}); }, "shape '[]' is invalid for input of size 6");
    expect_error<ShapeError>([&] { return x.view({-1, -1}); }, "only one dimension can be inferred");
    expect_error<ShapeError>([&] { return x.view({2, -3}); }, "invalid shape dimension -3");
    const std::int64_t huge = std::int64_t{1} << 62;
    expect_error<ShapeError>([&] { return x.view({huge, 4, 6}); }, "is invalid for input of size 6");
    expect_error<ShapeError>([&] { return x.t().view({6}); },
                             "view size is not compatible with input tensor's size and stride (at least one dimension "
                             "spans across two contiguous subspaces). Use .reshape(...) instead.");
    expect_error<IndexError>([&] { return x.transpose(0, 2); }, range);
    expect_error<IndexError>([&] { return x.squeeze(2); }, range);
    expect_error<IndexError>([&] { return x.select(2, 0); }, range);
    expect_error<IndexError>([&] { return x.permute({0, 2}); }, range);
    expect_error<ShapeError>(
        [&] { return x.permute({0}); },
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length "
        "of the desired ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 1");
    expect_error<ShapeError>([&] { return x.permute({0, -2}); }, "duplicate dims are not allowed.");
    expect_error<IndexError>([&] { return x.unsqueeze(4); },
                             "Dimension out of range (expected to be in range of [-3, 2], but got 4)");
    expect_error<ShapeError>([&] { return x.unsqueeze(0).t(); },
                             "t() expects a tensor with <= 2 dimensions, but self is 3D");
    expect_error<IndexError>([&] { return x[-3]; }, "index -3 is out of bounds for dimension 0 with size 2");
    expect_error<IndexError>([&] { return x.select(1, 3); },
                             "select(): index 3 out of range for tensor of size [2, 3] at dimension 1");
    expect_error<IndexError>([&] { return scalar[0]; }, "select() cannot be applied to a 0-dim tensor.");
    expect_error<IndexError>([&] { return scalar.slice(0); }, "slice() cannot be applied to a 0-dim tensor.");
    expect_error<ValueError>([&] { return x.slice(0, 0, 1, 0); }, "slice step must be positive");
    expect_error<ValueError>([&] { return x.slice(0, 0, 1, 0); }, "slice step cannot be zero");
    expect_error<ShapeError>([&] { return x.expand(list(2, 4)); },
                             "The expanded size of the tensor (4) must match the existing size (3) at non-singleton "
                             "dimension 1.  Target sizes: [2, 4].  Tensor sizes: [2, 3]");
    expect_error<ShapeError>([&] { return x.expand({3}); },
                             "the number of sizes provided (1) must be greater or equal to the number of dimensions in "
                             "the tensor (2)");
    expect_error<ShapeError>([&] { return x.expand(list(-1, 2, 3)); },
                             "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension "
                             "0");
    expect_error<ShapeError>([&] { return x.expand({1, 1, 1, 1, 1, 1, 1, 2, 3}); }, "up to 8 dims");
    expect_error<ShapeError>([&] { return ones({1, 1, 1, 1, 1, 1, 1, 1}, device).unsqueeze(0); }, "up to 8 dims");
  });
}

TEST(Joining, CatAndStack) {
  on_every_device([](Device device) {
    const auto x = counted({2, 3}, device);
    const auto y = ones({2, 3}, device);
    expect_tensor(cat({x, y}), {4, 3}, {0, 1, 2, 3, 4, 5, 1, 1, 1, 1, 1, 1});
    expect_tensor(cat({x, y.slice(1, 0, 1)}, -1), {2, 4}, {0, 1, 2, 1, 3, 4, 5, 1});
    EXPECT_EQ(cat({x, y}).dtype(), kFloat);
    EXPECT_EQ(cat({x.t(), x.t()}, 1).sizes(), IntArrayRef({3, 4}));
    expect_tensor(cat({empty({0}, device), x.to(kFloat)}, 1), {2, 3}, {0, 1, 2, 3, 4, 5});
    expect_tensor(cat({empty({0, 3}, device), y}), {2, 3}, {1, 1, 1, 1, 1, 1});
    expect_tensor(cat({empty({0}, device), empty({0}, device)}), {0}, {});
    expect_tensor(stack({x[0], x[1]}, 1), {3, 2}, {0, 3, 1, 4, 2, 5});
    expect_tensor(stack({tensor(1, device), tensor(2, device)}), {2}, {1, 2});
    expect_error<ValueError>([] { return cat({}); }, "torch.cat(): expected a non-empty list of Tensors");
    expect_error<ValueError>([] { return stack({}); }, "stack expects a non-empty TensorList");
    expect_error<ShapeError>([&] { return cat(list(y, ones(list(2, 4), device))); },
                             "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for "
                             "tensor number 1 in the list.");
    expect_error<ShapeError>([&] { return cat(list(y, y[0])); },
                             "Tensors must have same number of dimensions: got 2 and 1");
    expect_error<ShapeError>([&] { return cat(list(y[0], tensor(2.0, device))); },
                             "zero-dimensional tensor (at position 1) cannot be concatenated");
    expect_error<IndexError>([&] { return cat(list(y, y), 2); },
                             "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
    expect_error<ShapeError>(
        [&] { return stack(list(y, y.t())); },
        "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [3, 2] at entry "
        "1");
  });
}

}  // namespace
}  // namespace d2l::testing
