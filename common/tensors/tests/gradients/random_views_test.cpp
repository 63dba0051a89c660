// SPDX-License-Identifier: MIT
// Random programs of views and writes in place, whose gradients are compared with central differences. The bases of the
// views are themselves detached views: with an offset, transposed, with gaps. And programs after which no recorded
// operation may be left, where tensors become leaves and stop being leaves.
#include <random>

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {
namespace {

using Records = std::vector<std::weak_ptr<autograd::Node>>;

class RandomProgram {
 public:
  explicit RandomProgram(std::uint32_t seed, Records* records = nullptr) : seed_(seed), records_(records) {}

  /// Views of zeros, written with functions of x, which has 24 elements; all joined.
  Tensor operator()(const std::vector<Tensor>& inputs) {
    random_.seed(seed_);
    const Tensor& x = inputs[0];
    const auto options = x.options().requires_grad(false);
    std::vector<Tensor> tensors{zeros({3, 4, 6}, options)[1].detach(), zeros({6, 4}, options).t().detach(),
                                zeros({4, 13}, options).slice(1, 1, std::nullopt, 2).detach(), zeros({4, 6}, options)};
    for (int step = 0; step < 12; ++step) {
      const Tensor chosen = tensors[draw(tensors.size())];
      if (records_ != nullptr && draw(3) == 0) {
        if (chosen.is_leaf()) chosen.requires_grad_(!chosen.requires_grad());
      } else if (draw(2) == 0) {
        tensors.push_back(view_of(chosen));
      } else {
        try {
          write(chosen, x, tensors[draw(tensors.size())]);
        } catch (const ValueError&) {  // a leaf that requires gradients, or a view of one
          if (records_ == nullptr) throw;
        }
      }
      if (records_ == nullptr) continue;
      for (const auto& each : tensors) records_->push_back(each.grad_fn());
    }
    std::vector<Tensor> all{x.reshape({-1})};
    for (const auto& each : tensors) all.push_back(each.reshape({-1}));
    return cat(all);
  }

 private:
  std::size_t draw(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }

  Tensor view_of(const Tensor& of) {
    if (of.dim() == 0) return of.unsqueeze(0);
    const auto dim = static_cast<std::int64_t>(draw(static_cast<std::size_t>(of.dim())));
    const auto size = of.sizes()[static_cast<std::size_t>(dim)];
    switch (draw(5)) {
      case 0:
        return of.select(dim, static_cast<std::int64_t>(draw(static_cast<std::size_t>(size))));
      case 1:
        return of.slice(dim, size > 1 ? 1 : 0, std::nullopt, 2);
      case 2:
        return of.transpose(0, dim);
      case 3:
        return of.unsqueeze(dim);
      default:
        return of.is_contiguous() ? of.view({-1}) : of.squeeze();
    }
  }

  void write(const Tensor& to, const Tensor& x, const Tensor& other) {
    Tensor target = to;
    const auto part = x.reshape({-1}).slice(0, 0, target.numel()).reshape(target.sizes());
    switch (draw(5)) {
      case 0:
        target.copy_(part * 3);
        break;
      case 1:
        target.mul_(part.tanh());
        break;
      case 2:
        target.add_(part);
        break;
      case 3:
        target.zero_();
        break;
      default:
        target.mul_(other.clone().mean());
    }
  }

  std::uint32_t seed_;
  Records* records_;  ///< where the records are noted, if tensors are to become leaves
  std::mt19937 random_;
};

TEST(Gradients, OfRandomViewsAndWritesAgreeWithCentralDifferences) {
  on_every_device([](Device device) {
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
      SCOPED_TRACE("program " + std::to_string(seed));
      check({"CatBackward0", "", {{{24}}}, RandomProgram(seed)}, device);
    }
  });
}

struct ReleasedProgram {
  const char* name;
  void (*run)(Records& records, Device device);
};

constexpr ReleasedProgram released_programs[] = {
    {"a view that is a leaf of the history of its base",
     [](Records& records, Device device) {
       Tensor base = zeros({6}, device);
       const Tensor view = base.view({2, 3});
       view.requires_grad_();
       base.add_((view * 2).reshape({6}));
       records.push_back(base.grad_fn());
       base.sum().backward();
     }},
    {"a former leaf, written with a function of itself",
     [](Records& records, Device device) {
       Tensor x = ones({3}, TensorOptions(device).requires_grad(true));
       const Tensor y = x * 2;
       x.requires_grad_(false);
       x.add_(y);
       records.push_back(x.grad_fn());
     }},
    {"a leaf whose gradient is a function of it",
     [](Records& records, Device device) {
       const Tensor x = ones({3}, TensorOptions(device).requires_grad(true));
       x.set_grad(x * 2);
       records.push_back(x.grad().grad_fn());
     }},
    {"a leaf in the graph of a view that was written",
     [](Records& records, Device device) {
       Tensor base = zeros({2, 3}, device);
       const Tensor row = base[0];
       const Tensor leaf = row.detach().requires_grad_();
       base[1].copy_(leaf.exp());
       records.insert(records.end(), {base.grad_fn(), row.grad_fn(), base[1].grad_fn()});
     }},
};

TEST(Gradients, LeaveNoRecordedOperationBehind) {
  on_every_device([](Device device) {
    for (const auto& program : released_programs) {
      SCOPED_TRACE(program.name);
      Records records;
      program.run(records, device);
      for (const auto& each : records) EXPECT_TRUE(each.expired());
    }
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      Records records;
      RandomProgram(seed, &records)({full({24}, 0.5, TensorOptions(device).requires_grad(true))});
      for (const auto& each : records) ASSERT_TRUE(each.expired()) << "program " << seed;
    }
  });
}

// A leaf that no handle can read any more gets no gradient; the others get theirs.
TEST(Gradients, OfAReleasedLeafAreDropped) {
  on_every_device([](Device device) {
    const auto options = TensorOptions(device).requires_grad(true);
    const auto x = full({2}, 3.0, options);
    const auto y = [&] {
      const auto released = full({3, 2}, 5.0, options);
      return (x * released + released.exp().sum()).sum();
    }();
    y.backward();
    expect_tensor(x.grad(), {2}, {15, 15});
  });
}

TEST(Gradients, OfAViewOfADetachedViewWithAnOffset) {
  on_every_device([](Device device) {
    const auto a = ones({72}, TensorOptions(device).requires_grad(true));
    Tensor x = zeros({2, 72}, device)[1].detach();
    const Tensor v = x.view({72});
    x.copy_(a * 3);
    v.backward(ones({72}, device));
    EXPECT_TRUE(a.grad().equal(full({72}, 3.0, device))) << a.grad();
  });
}

}  // namespace
}  // namespace d2l::testing::gradients
