// SPDX-License-Identifier: MIT
// The order of backward(): an operation is differentiated once, after all operations that used its result.
#include "every_device.h"

namespace d2l {
namespace {

using testing::on_every_device;

TEST(AutogradOrder, AViewWhoseBaseWasWrittenComesAfterAllItsUsers) {
  on_every_device([](Device device) {
    const auto x = full({2}, 2.0, TensorOptions(device).requires_grad(true));
    auto base = x.log();
    const auto view = base[0];
    base.mul_(2);
    const auto first = view * 3;   // renews the history of the view
    const auto second = view * 5;  // uses the same history
    (first + second).backward();
    EXPECT_TRUE(x.grad().allclose(tensor({8.0, 0.0}, device))) << x.grad();
  });
}

TEST(AutogradOrder, JoiningAViewWhoseBaseWasWritten) {
  on_every_device([](Device device) {
    const auto x = full({2}, 2.0, TensorOptions(device).requires_grad(true));
    auto base = x.log();
    const auto view = base.slice(0, 0, 1);
    base.mul_(2);
    const auto joined = cat({view, view});
    (joined.sum() + (view * 5).sum()).backward();
    EXPECT_TRUE(x.grad().allclose(tensor({7.0, 0.0}, device))) << x.grad();
  });
}

TEST(AutogradOrder, OneResultWithManyUsers) {
  on_every_device([](Device device) {
    const auto x = full({3}, 2.0, TensorOptions(device).requires_grad(true));
    const auto shared = x.exp().log();
    Tensor sum = shared;
    for (int i = 0; i < 100; ++i) sum = sum + shared * i;
    sum.sum().backward();
    EXPECT_TRUE(x.grad().allclose(full({3}, 4951.0, device))) << x.grad();
  });
}

}  // namespace
}  // namespace d2l
