// SPDX-License-Identifier: MIT
// Versions: writes that autograd detects, writes that it ignores, and saved tensors that it has released.
#include "gradients/leaf.h"

namespace d2l::testing {
namespace {

TEST(Versions, AreNotCountedBehindAutogradsBack) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const auto y = (x * x).sum();
    x.data().mul_(3);
    x.data()[0] = 5;
    EXPECT_EQ(x._version(), 0);
    y.backward();
    expect_tensor(x.grad(), {2}, {10, 12});
    x.detach().add_(1);
    EXPECT_EQ(x._version(), 1);
    const auto own = x.data().requires_grad_();  // a separate leaf from here on
    const auto square = own.pow(2).sum();
    {
      const NoGradGuard unrecorded;
      Tensor(own).add_(1);
    }
    expect_error<ValueError>([&] { square.backward(); }, "has been modified by an inplace operation");
  });
}

TEST(Versions, NameTheLastRecordedWriterOfAnOperand) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2., 3.}, device);
    Tensor y = x * 2;
    const auto square = (y * y).sum();
    y.add_(1);
    expect_error<ValueError>([&] { square.backward(); }, ", which is output 0 of AddBackward0, is at version 1;");
    Tensor z = x * 2;
    const auto exponential = z.exp().sum();
    const auto cube = z.pow(3).sum();
    z[0] = 4;
    exponential.backward();  // needs only its result
    expect_error<ValueError>([&] { cube.backward(); }, ", which is output 0 of CopySlices, is at version 1;");
    Tensor logarithms = x.log_softmax(0);
    logarithms.add_(1);
    expect_error<ValueError>([&] { logarithms.sum().backward(); }, "output 0 of LogSoftmaxBackward0, is at version 1;");
    Tensor length = x.norm();
    length.mul_(2);
    expect_error<ValueError>([&] { length.backward(); }, "output 0 of NormBackward1, is at version 1;");
  });
}

TEST(Graphs, AreLetGoWithWhatPyTorchSaves) {
  on_every_device([](Device device) {
    const auto x = leaf({{1., 2.}, {3., 4.}}, device);
    const std::string refusal = "Trying to backward through the graph a second time";
    for (const Tensor& y : {x * 2, x / 2, 2 / x, x.pow(2), x.exp(), x.mean({0}), x.mm(x), x.norm(2, {0})}) {
      y.sum().backward();
      expect_error<ValueError>([&] { y.sum().backward(); }, refusal);
    }
    for (const Tensor& y : {x + 2, 2 - x, -x, x.sum({0}), x.view({4}), x.t(), x[0], cat({x, x}), x.clone()}) {
      y.sum().backward();
      EXPECT_NO_THROW(y.sum().backward()) << y;
    }
  });
}

TEST(Gradients, OfWhatHasNoneAreNotThere) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 0., 3.}, device);
    x.norm(0).backward();
    EXPECT_FALSE(x.grad().defined());
    const auto nothing = zeros({0}, TensorOptions(device).requires_grad(true));
    const auto rows = ones({2, 3}, TensorOptions(device).requires_grad(true));
    cat({nothing, rows}).sum().backward();
    expect_tensor(nothing.grad(), {0}, {});
    expect_tensor(rows.grad(), {2, 3}, {1, 1, 1, 1, 1, 1});
  });
}

TEST(WritesInPlace, OfLeavesAreRefusedBeforeAnythingElseIs) {
  on_every_device([](Device device) {
    auto x = leaf({1., 2.}, device);
    const std::string of_leaf = "a leaf Variable that requires grad is being used in an in-place operation.";
    const std::string of_view = "a view of a leaf Variable that requires grad is being used in an in-place operation.";
    expect_error<ValueError>([&] { x.add_(ones({3}, device)); }, of_leaf);
    expect_error<ValueError>([&] { x.copy_(ones({3}, device)); }, of_leaf);
    expect_error<ValueError>([&] { x.expand({3, 2}).mul_(2); }, of_view);
  });
}

// autograd::grad() differentiates the operations between the outputs and the inputs alone.
TEST(Gradients, AskedForNeedNoOtherPartOfTheGraph) {
  on_every_device([](Device device) {
    const auto x = full({2}, 3.0, TensorOptions(device).requires_grad(true));
    const auto y = full({2}, 5.0, TensorOptions(device).requires_grad(true));
    Tensor spoilt = x.exp();
    const auto middle = spoilt * y;  // needs both values
    const auto last = middle.sum();
    spoilt.mul_(2);
    EXPECT_TRUE(autograd::grad({last}, {middle})[0].equal(ones({2}, device)));
    expect_error<ValueError>([&] { autograd::grad({last}, {y}, {}, true); }, "modified by an inplace operation");
    const auto untouched = (y * y + x.exp().mul_(2)).sum();  // ExpBackward0 cannot be computed any more
    EXPECT_TRUE(autograd::grad({untouched}, {y}, {}, true)[0].equal(full({2}, 10.0, device)));
    expect_error<ValueError>([&] { autograd::grad({untouched}, {x}); }, "modified by an inplace operation");
    Tensor base = y * 1;
    base[0].mul_(x[0]);  // the former elements of the view are needed too
    EXPECT_TRUE(autograd::grad({base.sum()}, {y})[0].equal(tensor({3.0, 1.0}, device)));
  });
}

// A view of a leaf, whose elements were written behind its back, gets its history anew from the leaf.
TEST(Versions, OfAViewOfALeafWrittenThroughADetachedTensor) {
  on_every_device([](Device device) {
    const auto x = full({2}, 3.0, TensorOptions(device).requires_grad(true));
    const auto before = x.detach();
    const auto view = x.view(list(2, 1));
    EXPECT_EQ(view.grad_fn()->name(), "ViewBackward0");
    before.detach().neg_();
    EXPECT_EQ(view._version(), 1);
    EXPECT_EQ(view.grad_fn()->name(), "AsStridedBackward0");
    view.sum().backward();
    EXPECT_TRUE(x.grad().equal(ones({2}, device)));
    Tensor base = zeros({2}, device);
    const auto leaf_view = base.view(list(2, 1));
    leaf_view.requires_grad_();
    base.fill_(1);
    EXPECT_TRUE(leaf_view.is_leaf());
    leaf_view.requires_grad_(false);
    EXPECT_FALSE(leaf_view.requires_grad());
  });
}

}  // namespace
}  // namespace d2l::testing
