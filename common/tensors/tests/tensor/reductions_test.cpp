// SPDX-License-Identifier: MIT
// Reductions and products: values over any dimensions and layouts, empty tensors, PyTorch's errors.
#include <cmath>
#include <limits>

#include "every_device.h"

namespace d2l::testing {
namespace {

TEST(Reductions, OverAllAndSomeDimensions) {
  on_every_device([](Device device) {
    const auto x = tensor({{1.0, 5.0, 3.0}, {4.0, 2.0, 6.0}}, device);
    expect_tensor(x.sum(), {}, {21});
    expect_tensor(x.sum({}), {}, {21});
    expect_tensor(x.sum(0), {3}, {5, 7, 9});
    expect_tensor(x.sum(-1), {2}, {9, 12});
    expect_tensor(x.sum({0, 1}), {}, {21});
    expect_tensor(x.sum({0, 1}, true), {1, 1}, {21});
    expect_tensor(x.mean(0, true), {1, 3}, {2.5, 3.5, 4.5});
    expect_tensor(x.mean(), {}, {3.5});
    expect_tensor(x.max(), {}, {6});
    expect_tensor(x.min(), {}, {1});
    const auto [values, indices] = x.max(1);
    expect_tensor(values, {2}, {5, 6});
    expect_tensor(indices, {2}, {1, 2});
    EXPECT_EQ(indices.dtype(), kLong);
    const auto [least, where] = x.min(0, true);
    expect_tensor(least, {1, 3}, {1, 2, 3});
    expect_tensor(where, {1, 3}, {0, 1, 0});
    expect_tensor(x.argmax(), {}, {5});
    expect_tensor(x.argmax(0), {3}, {1, 0, 1});
    expect_tensor(x.argmax(std::nullopt, true), {1, 1}, {5});
    expect_tensor(tensor({3.0, 4.0}, device).norm(), {}, {5});
    expect_tensor(tensor({{3.0, 4.0}, {6.0, 8.0}}, device).norm(std::nullopt, 1), {2}, {5, 10});
  });
}

TEST(Reductions, OfEveryLayout) {
  const auto reference = arange(24.0).view({2, 3, 4});
  on_every_device([&](Device device) {
    const auto x = reference.to(device);
    for (const auto& order : std::vector<Sizes>{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
      for (const auto& view : {x.permute(order), x.slice(2, 0, 4, 2).permute(order),
                               x.select(1, 1).unsqueeze(1).expand({2, 3, 4}).permute(order)}) {
        const auto copy = view.clone().cpu();
        EXPECT_EQ(view.argmax().item<int>(), copy.argmax().item<int>());
        EXPECT_EQ(view.sum().item<double>(), copy.sum().item<double>());
        for (const std::int64_t dim : {0, 1, 2}) {
          EXPECT_EQ(view.sum(dim).to_vector<double>(), copy.sum(dim).to_vector<double>());
          EXPECT_EQ(view.sum({dim, (dim + 1) % 3}).to_vector<double>(),
                    copy.sum({dim, (dim + 1) % 3}).to_vector<double>());
          EXPECT_EQ(std::get<1>(view.max(dim)).to_vector<int>(), std::get<1>(copy.max(dim)).to_vector<int>());
        }
      }
    }
  });
  // An independent sum.
  const auto turned = reference.permute({2, 0, 1});
  expect_tensor(turned.sum(1), {4, 3}, {12, 20, 28, 14, 22, 30, 16, 24, 32, 18, 26, 34});
}

TEST(Reductions, Dtypes) {
  on_every_device([](Device device) {
    EXPECT_EQ(tensor({true, true}, device).sum().dtype(), kLong);
    EXPECT_EQ(tensor({true, true}, device).sum().item<int>(), 2);
    EXPECT_EQ(full({300}, 255, TensorOptions(kByte).device(device)).sum().item<int>(), 76500);
    EXPECT_EQ(tensor({true, false}, device).max().dtype(), kBool);
    EXPECT_EQ(tensor({5, 2}, TensorOptions(kInt).device(device)).max().dtype(), kInt);
    expect_error<TypeError>([=] { return tensor({1}, device).mean(); },
                            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
                            "complex dtype. Got: Long");
    expect_error<TypeError>([=] { return tensor({1}, device).norm(); },
                            "norm(): input dtype should be either floating point or complex. Got Long instead.");
    expect_error<TypeError>([=] { return tensor({true}, device).argmax(); },
                            "\"argmax_cpu\" not implemented for 'Bool'");
  });
}

TEST(Reductions, NotANumberAndTies) {
  on_every_device([](Device device) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto x = tensor({1.0, nan, 2.0}, device);
    EXPECT_TRUE(std::isnan(x.max().item<double>()));
    EXPECT_TRUE(std::isnan(x.min().item<double>()));
    EXPECT_EQ(x.argmax().item<int>(), 1);
    EXPECT_EQ(std::get<1>(x.max(0)).item<int>(), 1);
    EXPECT_TRUE(std::isnan(x.norm().item<double>()));
    EXPECT_EQ(tensor({2.0, 3.0, 3.0}, device).argmax().item<int>(), 1);
    EXPECT_EQ(std::get<1>(tensor({3.0, 2.0, 2.0}, device).min(0)).item<int>(), 1);
  });
}

TEST(Reductions, Norms) {
  on_every_device([](Device device) {
    const auto x = tensor({3.0, -4.0, 0.0}, device);
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(x.norm(0).item<double>(), 2);
    EXPECT_EQ(x.norm(1).item<double>(), 7);
    EXPECT_EQ(x.norm(inf).item<double>(), 4);
    EXPECT_EQ(x.norm(-inf).item<double>(), 0);
    EXPECT_NEAR(x.norm(3).item<double>(), std::cbrt(91.0), 1e-5);
    EXPECT_NEAR(x.slice(0, 0, 2).norm(-1).item<double>(), 12.0 / 7, 1e-5);
    EXPECT_EQ(x.norm(1).dtype(), kFloat);
    for (const double p : {0.0, 1.0, 2.0, 3.0}) EXPECT_EQ(empty({0}, device).norm(p).item<double>(), 0);
  });
}

TEST(Reductions, OfNothing) {
  on_every_device([](Device device) {
    const auto none = empty({2, 0}, device);
    expect_tensor(none.sum(), {}, {0});
    expect_tensor(none.sum(1), {2}, {0, 0});
    expect_tensor(none.sum(0), {0}, {});
    EXPECT_TRUE(std::isnan(none.mean().item<double>()));
    EXPECT_EQ(std::get<0>(none.max(0)).sizes(), IntArrayRef({0}));
    EXPECT_EQ(none.argmax(0).numel(), 0);
    expect_error<ShapeError>([&] { return none.max(); },
                             "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                             "reduction dim with the 'dim' argument.");
    expect_error<ShapeError>([&] { return none.min(); }, "min(): Expected reduction dim to be specified");
    expect_error<IndexError>([&] { return none.max(1); }, "max(): Expected reduction dim 1 to have non-zero size.");
    expect_error<IndexError>([&] { return none.argmax(1); },
                             "argmax(): Expected reduction dim 1 to have non-zero size.");
    expect_error<IndexError>([&] { return none.argmax(); },
                             "argmax(): Expected reduction dim to be specified for input.numel() == 0.");
    const auto scalar = tensor(3.0, device);
    expect_tensor(scalar.sum(0), {}, {3});
    expect_tensor(scalar.sum(-1, true), {}, {3});
    expect_tensor(std::get<1>(scalar.max(0)), {}, {0});
    expect_tensor(scalar.argmax(), {}, {0});
    expect_error<IndexError>([&] { return scalar.sum(1); },
                             "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
    expect_error<ShapeError>([&] { return none.sum({0, -2}); }, "dim 0 appears multiple times in the list of dims");
  });
}

TEST(Products, OneTwoAndMoreDimensions) {
  on_every_device([](Device device) {
    const auto a = arange(6.0, device).view({2, 3});
    const auto b = arange(12.0, device).view({3, 4});
    const auto v = tensor({1.0, 2.0, 3.0}, device);
    expect_tensor(a.mm(b), {2, 4}, {20, 23, 26, 29, 56, 68, 80, 92});
    expect_tensor(a.matmul(b), {2, 4}, {20, 23, 26, 29, 56, 68, 80, 92});
    expect_tensor(b.t().mm(a.t()), {4, 2}, {20, 56, 23, 68, 26, 80, 29, 92});
    expect_tensor(v.matmul(v), {}, {14});
    expect_tensor(a.matmul(v), {2}, {8, 26});
    expect_tensor(v.matmul(b), {4}, {32, 38, 44, 50});
    expect_tensor(a.slice(1, 0, 3, 2).mm(b.slice(0, 0, 3, 2)), {2, 4}, {16, 18, 20, 22, 40, 48, 56, 64});
    const auto batch = arange(12.0, device).view({2, 2, 3});
    expect_tensor(batch.matmul(v), {2, 2}, {8, 26, 44, 62});
    expect_tensor(batch.matmul(b)[0], {2, 4}, {20, 23, 26, 29, 56, 68, 80, 92});
    expect_tensor(a.matmul(batch.transpose(1, 2))[0], {2, 2}, {5, 14, 14, 50});
    expect_tensor(v.matmul(batch.transpose(1, 2)), {2, 2}, {8, 26, 44, 62});
    const auto wide = ones({5, 1, 2, 3}, device).matmul(ones({4, 3, 2}, device));
    EXPECT_EQ(wide.sizes(), IntArrayRef({5, 4, 2, 2}));
    EXPECT_EQ(wide.min().item<double>(), 3);
    expect_tensor(tensor({{1, 2}, {3, 4}}, device).mm(tensor({{1, 1}, {1, 1}}, device)), {2, 2}, {3, 3, 7, 7});
    expect_tensor(ones({2, 0}, device).mm(ones({0, 2}, device)), {2, 2}, {0, 0, 0, 0});
    EXPECT_EQ(ones({0, 2}, device).mm(ones({2, 3}, device)).sizes(), IntArrayRef({0, 3}));
    expect_tensor(ones({0}, device).matmul(ones({0}, device)), {}, {0});
  });
}

TEST(Products, OfLargeMatricesAgreeWithSums) {
  on_every_device([](Device device) {
    const auto a = rand({65, 70}, TensorOptions(kDouble).device(device));
    const auto b = rand({70, 33}, TensorOptions(kDouble).device(device));
    const auto by_hand = (a.unsqueeze(2) * b.unsqueeze(0)).sum(1);
    EXPECT_TRUE(a.mm(b).allclose(by_hand));
    EXPECT_TRUE(a.to(kFloat).mm(b.to(kFloat)).allclose(by_hand.to(kFloat), 1e-4));
  });
}

TEST(Products, RefuseInPyTorchsWords) {
  on_every_device([](Device device) {
    const auto x = ones({2, 3}, device);
    const auto v = ones({2}, device);
    expect_error<ShapeError>([&] { return x.matmul(x); }, "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
    expect_error<ShapeError>([&] { return x.matmul(v); }, "size mismatch, got 2, 2x3,2");
    expect_error<ShapeError>([&] { return ones({3}, device).matmul(ones(list(4, 2), device)); },
                             "mat1 and mat2 shapes cannot be multiplied (1x3 and 4x2)");
    expect_error<ShapeError>([&] { return v.matmul(ones({3}, device)); },
                             "inconsistent tensor size, expected tensor [2] and src [3] to have the same number of "
                             "elements, but got 2 and 3 elements respectively");
    expect_error<ShapeError>([&] { return tensor(1.0, device).matmul(v); },
                             "both arguments to matmul need to be at least 1D, but they are 0D and 1D");
    expect_error<ShapeError>([&] { return ones(list(2, 2, 3), device).matmul(ones(list(2, 2, 3), device)); },
                             "Expected size for first two dimensions of batch2 tensor to be: [2, 3] but got: [2, 2].");
    expect_error<ShapeError>(
        [&] { return ones(list(2, 2, 3), device).matmul(ones(list(3, 3, 2), device)); },
        "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
    expect_error<ShapeError>([&] { return ones(list(2, 2, 3), device).matmul(ones({4}, device)); },
                             "size mismatch, got 4, 4x3,4");
    expect_error<ShapeError>([&] { return x.matmul(ones(list(2, 2, 3), device)); },
                             "mat1 and mat2 shapes cannot be multiplied (6x2 and 3x2)");
    expect_error<ShapeError>([&] { return v.mm(x); }, "self must be a matrix");
    expect_error<ShapeError>([&] { return x.mm(v); }, "mat2 must be a matrix");
    expect_error<TypeError>([&] { return x.mm(ones(list(3, 2), TensorOptions(kDouble).device(device))); },
                            "expected scalar type Float but found Double");
    expect_error<TypeError>([&] { return x.mm(ones(list(3, 2), TensorOptions(kDouble).device(device))); },
                            "expected m1 and m2 to have the same dtype, but got: float != double");
    const auto truths = ones({3, 3}, TensorOptions(kBool).device(device));
    expect_error<TypeError>([&] { return truths.mm(truths); }, "\"addmm_impl_cpu_\" not implemented for 'Bool'");
    expect_error<TypeError>([&] { return linear(truths, truths, truths.select(0, 0)); },
                            "\"addmm_impl_cpu_\" not implemented for 'Bool'");
  });
}

}  // namespace
}  // namespace d2l::testing
