// SPDX-License-Identifier: MIT
// The behaviour of backward(): accumulation, errors, writes in place, devices, threads, long graphs, printing.
#include <atomic>
#include <sstream>
#include <thread>

#include "d2l/transfers.h"
#include "gradients/leaf.h"

namespace d2l::testing {
namespace {

TEST(Backward, AddsToTheGradientThatIsThere) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    EXPECT_FALSE(x.grad().defined());
    (x * x).sum().backward();
    const Tensor first = x.grad();
    (x * 3).sum().backward();
    expect_tensor(x.grad(), {2}, {5, 7});
    EXPECT_TRUE(first.is_same(x.grad())) << "it was not added in place";
    x.mutable_grad() = Tensor();
    x.sum().backward();
    expect_tensor(x.grad(), {2}, {1, 1});
  });
}

TEST(Backward, GivesEachLeafAGradientOfItsOwn) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const auto y = leaf({3., 4.}, device);
    const auto given = ones({2}, device);
    (x + y).backward(given);
    Tensor(x.grad()).add_(5);
    expect_tensor(y.grad(), {2}, {1, 1});
    expect_tensor(given, {2}, {1, 1});
    const auto z = leaf({1., 2.}, device);
    z.backward(given);
    Tensor(z.grad()).add_(5);
    expect_tensor(given, {2}, {1, 1});
  });
}

TEST(Backward, IsRefusedASecondTimeUnlessTheGraphIsRetained) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const auto y = (x * x).sum();
    y.backward({}, true);
    y.backward();
    expect_tensor(x.grad(), {2}, {4, 8});
    expect_error<ValueError>([&] { y.backward(); },
                             "Trying to backward through the graph a second time (or directly access saved tensors "
                             "after they have already been freed). Saved intermediate values of the graph are freed "
                             "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to");
    expect_tensor(x.grad(), {2}, {4, 8});
    const auto sum = x.sum();  // saves no tensor, so a second backward() is allowed
    sum.backward();
    sum.backward();
    expect_tensor(x.grad(), {2}, {6, 10});
  });
}

TEST(Backward, RefusesWhatIsNotDifferentiable) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2., 3.}, device);
    expect_error<ValueError>([&] { (x * 2).backward(); }, "grad can be implicitly created only for scalar outputs");
    expect_error<ValueError>([&] { ones({}, device).backward(); },
                             "element 0 of tensors does not require grad and does not have a grad_fn");
    expect_error<ShapeError>([&] { (x * 2).backward(ones({2}, device)); },
                             "Mismatch in shape: grad_output[0] has a shape of torch.Size([2]) and output[0] has a "
                             "shape of torch.Size([3]).");
    expect_error<TypeError>([&] { ones({2}, TensorOptions(device).dtype(kLong)).requires_grad_(); },
                            "can require gradients");
    expect_error<ValueError>([&] { (x * 2).set_requires_grad(false); },
                             "you can only change requires_grad flags of leaf variables");
    expect_error<ValueError>([&] { Tensor().backward(); }, "[backward]");
    EXPECT_FALSE(x.grad().defined());
    if (device.is_cuda()) {
      expect_error<DeviceError>([&] { (x * 2).backward(ones({3})); },
                                "expected device " + device.str() + " but got cpu");
    }
  });
}

TEST(WritesInPlace, AreNoticedWhereTheValueIsNeeded) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2., 3.}, device);
    auto y = x.exp();
    y.add_(1);
    expect_error<ValueError>([&] { y.sum().backward(); },
                             "one of the variables needed for gradient computation has been modified by an inplace "
                             "operation: [" +
                                 type_on(device, "FloatTensor") +
                                 " [3]], which is output 0 of ExpBackward0, is at version 1; expected version 0 "
                                 "instead. Hint: enable anomaly detection");
    auto weight = leaf({{1., 2.}, {3., 4.}}, device);
    const auto product = ones({1, 2}, TensorOptions(device).requires_grad(true)).mm(weight);
    {
      const NoGradGuard unrecorded;
      weight.mul_(2);
      weight.add_(1);
    }
    expect_error<ValueError>([&] { product.sum().backward(); },
                             "[" + type_on(device, "FloatTensor") + " [2, 2]] is at version 2; expected version 0");
    auto z = x * 2;  // no derivative needs its value
    z.add_(1);
    z[0] = 7;
    z.sum().backward();
    expect_tensor(x.grad(), {3}, {0, 2, 2});
  });
}

TEST(WritesInPlace, AreRefusedForLeavesAndTheirViews) {
  on_every_device([](Device device) {
    auto x = leaf({1., 2., 3.}, device);
    const std::string of_leaf = "a leaf Variable that requires grad is being used in an in-place operation.";
    const std::string of_view = "a view of a leaf Variable that requires grad is being used in an in-place operation.";
    expect_error<ValueError>([&] { x.add_(1); }, "] " + of_leaf);
    expect_error<ValueError>([&] { x.zero_(); }, "] " + of_leaf);
    expect_error<ValueError>([&] { x.copy_(zeros({3}, device)); }, "] " + of_leaf);
    expect_error<ValueError>([&] { x[0] = 1; }, "] " + of_view);
    expect_error<ValueError>([&] { x.view({3}).mul_(2); }, "] " + of_view);
    expect_error<ValueError>([&] { x.slice(0, 1).select(0, 0).fill_(2); }, "] " + of_view);
    expect_tensor(x.detach(), {3}, {1, 2, 3});
    {
      const NoGradGuard unrecorded;
      x.add_(1);
      x[0] = 9;
    }
    expect_tensor(x.detach(), {3}, {9, 3, 4});
    EXPECT_TRUE(x.is_leaf());
    EXPECT_TRUE(x.requires_grad());
  });
}

TEST(WritesInPlace, OfAViewReachTheWholeAndEveryOtherView) {
  on_every_device([](Device device) {
    const auto x = leaf({{1., 2.}, {3., 4.}}, device);
    const Tensor y = x * 1;
    const Tensor row = y[0];
    const Tensor column = y.t()[0];
    row.view({2}).mul_(10);
    EXPECT_EQ(y.grad_fn()->name(), "CopySlices");
    EXPECT_EQ(row.grad_fn()->name(), "AsStridedBackward0");
    column.sum().backward({}, true);
    expect_tensor(x.grad(), {2, 2}, {10, 0, 1, 0});
    y.sum().backward();
    expect_tensor(x.grad(), {2, 2}, {20, 10, 2, 1});
    const Tensor collected = zeros({2}, device);
    const Tensor half = collected[1];
    collected[0] = x.sum();
    EXPECT_TRUE(collected.requires_grad());
    EXPECT_TRUE(half.requires_grad());
    EXPECT_EQ(x._version(), 0);
    EXPECT_EQ(collected._version(), 1);
  });
}

TEST(Gradients, CrossDevicesAsTheValuesDid) {
  const auto devices = every_device();
  for (const auto& from : devices) {
    for (const auto& through : devices) {
      SCOPED_TRACE(from.str() + " by way of " + through.str());
      const auto x = leaf({1., 2.}, from);
      const auto y = leaf({3., 4.}, through);
      (x.to(through) * y).to(from, kDouble).sum().backward();
      expect_tensor(x.grad(), {2}, {3, 4});
      expect_tensor(y.grad(), {2}, {1, 2});
      expect_on(from, x.grad());
      expect_on(through, y.grad());
      EXPECT_EQ(x.grad().dtype(), kFloat);
    }
  }
}

TEST(Gradients, NeedNoCopyAndNoWait) {
  for (int i = 0; i < num_gpus(); ++i) {
    const auto device = gpu(i);
    manual_seed(1);
    const auto options = TensorOptions(device).requires_grad(true);
    const auto x = rand({8, 4}, device);
    const auto hidden = rand({5, 4}, options);
    const auto bias = rand({5}, options);
    const auto last = rand({3, 5}, options);
    const auto classes = zeros({8}, TensorOptions(device).dtype(kLong));
    const TransferLedger ledger;
    for (int step = 0; step < 3; ++step) {
      const auto middle = linear(x, hidden, bias).relu() * 0.5 + 1;
      const auto loss = cross_entropy_loss(linear(middle, last), classes) + hidden.norm() + middle.max() +
                        std::get<0>(middle.max(1)).mean() + cat({bias, bias * 2}).pow(2).sum() +
                        stack({last, last})[0].sum();
      loss.backward();
    }
    EXPECT_GT(ledger.launches(), 0);
    EXPECT_EQ(ledger.copies(), 0) << ledger.summary();
    EXPECT_EQ(ledger.synchronisations(), 0) << ledger.summary();
    EXPECT_TRUE(owner(last.grad()) == device);
  }
}

TEST(Gradients, OfAMillionOperationsAreFoundAndLetGo) {
  on_every_device([](Device device) {
    if (device.is_cuda() && device.index() > 0) return;
    const std::int64_t length = device.is_cpu() ? 1'000'000 : 100'000;
    const auto x = leaf({1.}, device);
    {
      Tensor y = x;
      for (std::int64_t i = 0; i < length; ++i) y = y + 1;
      y.backward();
      expect_tensor(x.grad(), {1}, {1});
    }
    {
      Tensor y = x * 2;  // each write in place is recorded on the one before
      for (std::int64_t i = 0; i < length / 10; ++i) y[0].add_(1);
    }
    Tensor unused = x;
    for (std::int64_t i = 0; i < length; ++i) unused = -unused;
    unused = Tensor();
  });
}

TEST(Gradients, LeaveNoMemoryBehind) {
  on_every_device([](Device device) {
    const auto x = leaf({{1., 2.}, {3., 4.}}, device);
    const auto step = [&] {
      auto y = x.exp().mm(x.t()).log_softmax(1) * 3;
      y[0].mul_(2);
      y.sum().backward();
      x.mutable_grad() = Tensor();
    };
    step();
    expect_no_leak(device, [&] {
      for (int i = 0; i < 100; ++i) step();
      for (int i = 0; i < 100; ++i) static_cast<void>(x.exp().mm(x.t()));  // never differentiated
    });
  });
}

TEST(Gradients, CanBeAskedForWithoutTouchingGrad) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const auto y = leaf({3., 4.}, device);
    const auto z = x * x;
    const auto found = autograd::grad({z.sum()}, {x, z});
    expect_tensor(found[0], {2}, {2, 4});
    expect_tensor(found[1], {2}, {1, 1});
    EXPECT_FALSE(x.grad().defined());
    expect_error<ValueError>([&] { autograd::grad({x.sum()}, {y}); }, "One of the differentiated Tensors appears to");
    EXPECT_FALSE(autograd::grad({x.sum()}, {y}, {}, std::nullopt, true)[0].defined());
    autograd::backward({x.sum(), (y * 2).sum()});
    expect_tensor(x.grad(), {2}, {1, 1});
    expect_tensor(y.grad(), {2}, {2, 2});
  });
}

TEST(Gradients, AreNotRecordedUnlessWanted) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    {
      const NoGradGuard unrecorded;
      EXPECT_FALSE((x * 2).requires_grad());
      {
        const AutoGradMode recorded(true);
        EXPECT_TRUE((x * 2).requires_grad());
      }
      EXPECT_FALSE(GradMode::is_enabled());
    }
    EXPECT_TRUE(GradMode::is_enabled());
    EXPECT_FALSE(x.detach().requires_grad());
    EXPECT_TRUE(x.detach().is_leaf());
    EXPECT_EQ(x.detach().data_ptr(), x.data_ptr());
    EXPECT_FALSE(x.eq(1).requires_grad());
    EXPECT_FALSE(x.argmax().requires_grad());
    EXPECT_FALSE(x.to(kLong).requires_grad());
    EXPECT_FALSE(std::get<1>(x.max(0)).requires_grad());
    EXPECT_FALSE(ones_like(x).requires_grad());
    EXPECT_FALSE((ones({2}, device) * 2).requires_grad());
    (x * x.detach()).sum().backward();
    expect_tensor(x.grad(), {2}, {1, 2});
  });
}

TEST(GradMode, BelongsToEachThread) {
  const NoGradGuard unrecorded;
  std::atomic<bool> recorded_elsewhere{false};
  std::thread([&] {
    recorded_elsewhere = GradMode::is_enabled();
    GradMode::set_enabled(true);
  }).join();
  EXPECT_TRUE(recorded_elsewhere);
  EXPECT_FALSE(GradMode::is_enabled());
}

TEST(Backward, WalksOnSeveralThreadsAtOnce) {
  on_every_device([](Device device) {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int i = 1; i <= 4; ++i) {
      threads.emplace_back([i, device, &right] {
        const auto x = leaf({1. * i}, device);
        for (int step = 0; step < 50; ++step) (x * x).sum().backward();
        if (x.grad().item<float>() == 100.0F * static_cast<float>(i)) ++right;
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, 4);
  });
}

TEST(Printing, ShowsWhatMadeATensor) {
  on_every_device([](Device device) {
    const std::string where = device.is_cpu() ? "" : ", device='" + device.str() + "'";
    const auto x = leaf({1., 2.}, device);
    EXPECT_EQ(repr(x), "tensor([1., 2.]" + where + ", requires_grad=True)");
    EXPECT_EQ(repr(x * 2), "tensor([2., 4.]" + where + ", grad_fn=<MulBackward0>)");
    EXPECT_EQ(repr(x.detach()), "tensor([1., 2.]" + where + ")");
    EXPECT_EQ(repr(linear(x.unsqueeze(0), ones({1, 2}, device), zeros({1}, device))),
              "tensor([[3.]]" + where + ", grad_fn=<AddmmBackward0>)");
    Tensor y = x * 2;
    y[0] = 5;
    EXPECT_EQ(repr(y), "tensor([5., 4.]" + where + ", grad_fn=<CopySlices>)");
    std::ostringstream out;
    out << x.sum();
    EXPECT_EQ(out.str(), "tensor(3." + where + ", grad_fn=<SumBackward0>)");
  });
}

TEST(AssignedGradients, MustFitTheirTensor) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const auto g = ones({2}, device);
    x.set_grad(g);
    EXPECT_TRUE(x.grad().is_same(g));
    x.sum().backward();
    expect_tensor(g, {2}, {2, 2});
    expect_error<ValueError>([&] { x.set_grad(x); }, "can't assign Variable as its own grad");
    expect_error<TypeError>([&] { x.set_grad(g.to(kDouble)); }, "assigned grad has data of a different type");
    expect_error<ShapeError>([&] { x.set_grad(ones(list(1, 2), device)); },
                             "assigned grad has data of a different size");
    const auto elsewhere = device.is_cuda() || num_gpus() == 0 ? cpu() : gpu(0);
    if (!(elsewhere == device)) {
      expect_error<DeviceError>([&] { x.set_grad(g.to(elsewhere)); }, "assigned grad has data of a different type");
    }
    if (device.is_cuda() && num_gpus() > 1) {
      const auto other = gpu(device.index() == 0 ? 1 : 0);
      expect_error<DeviceError>([&] { x.set_grad(g.to(other)); },
                                "assigned grad has data located on a different device");
    }
    x.set_grad({});
    EXPECT_FALSE(x.grad().defined());
  });
}

// An operation is differentiated once, after all operations that used its result.
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
}  // namespace d2l::testing
