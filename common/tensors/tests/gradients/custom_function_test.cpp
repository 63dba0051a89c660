// SPDX-License-Identifier: MIT
// autograd::Function: gradients of functions with one result and with several, saved tensors, marks, errors.
#include "d2l/custom_function.h"

#include <cmath>

#include "gradients/leaf.h"

namespace d2l::testing {
namespace {

using autograd::AutogradContext;
using autograd::Function;
using autograd::tensor_list;
using autograd::variable_list;

/// x × factor + y, of which y may be missing.
struct Scaled : Function<Scaled> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double factor, const std::optional<Tensor>& y) {
    recorded = GradMode::is_enabled();
    needed = y ? std::vector<bool>{ctx->needs_input_grad(0), ctx->needs_input_grad(1)}
               : std::vector<bool>{ctx->needs_input_grad(0)};
    ctx->saved_data["factor"] = factor;
    return y ? x * factor + *y : x * factor;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grad_outputs) {
    needed_again = ctx->needs_input_grad(0);
    const Tensor& g = grad_outputs[0];
    const Tensor of_y = has_y ? g : Tensor();
    return {g * ctx->saved_data["factor"].toDouble(), Tensor(), of_y};
  }
  static inline bool recorded = true;
  static inline bool has_y = true;
  static inline std::vector<bool> needed;
  static inline bool needed_again = false;
};

TEST(CustomFunction, HasTheGradientThatItsBackwardReturns) {
  on_every_device([](Device device) {
    Scaled::has_y = true;
    const auto x = leaf({{1., 2.}, {3., 4.}}, device);
    const auto y = leaf({5., 6.}, device);
    const Tensor result = Scaled::apply(x, 3.0, std::optional<Tensor>(y));
    expect_tensor(result.detach(), {2, 2}, {8, 12, 14, 18});
    EXPECT_FALSE(Scaled::recorded) << "forward() was recorded";
    EXPECT_TRUE(GradMode::is_enabled());
    EXPECT_EQ(Scaled::needed, (std::vector<bool>{true, true}));
    EXPECT_EQ(result.grad_fn()->name(), "ScaledBackward");
    (result * result).sum().backward();
    expect_tensor(x.grad(), {2, 2}, {48, 72, 84, 108});
    expect_tensor(y.grad(), {2}, {44, 60});  // summed over what was broadcast
    EXPECT_TRUE(Scaled::needed_again);
    Scaled::has_y = false;
    const auto z = leaf({1.}, device);
    Scaled::apply(z, 2, std::nullopt).backward();
    expect_tensor(z.grad(), {1}, {2});
  });
}

TEST(CustomFunction, IsRecordedOnlyIfAnArgumentRequiresGradients) {
  on_every_device([](Device device) {
    Scaled::has_y = true;
    const auto x = leaf({1., 2.}, device);
    const auto constant = ones({2}, device);
    EXPECT_FALSE(Scaled::apply(constant, 3.0, std::optional<Tensor>(constant)).requires_grad());
    EXPECT_EQ(Scaled::needed, (std::vector<bool>{false, false}));
    {
      const NoGradGuard unrecorded;
      EXPECT_FALSE(Scaled::apply(x, 3.0, std::optional<Tensor>(x)).requires_grad());
    }
    const Tensor result = Scaled::apply(constant, 3.0, std::optional<Tensor>(x));
    EXPECT_EQ(Scaled::needed, (std::vector<bool>{false, true}));
    result.sum().backward();
    EXPECT_FALSE(Scaled::needed_again);
    expect_tensor(x.grad(), {2}, {1, 1});
    EXPECT_FALSE(constant.grad().defined());
    const auto other = leaf({1., 1.}, device);
    static_cast<void>(autograd::grad({Scaled::apply(other, 3.0, std::optional<Tensor>(x))}, {x}, {ones({2}, device)}));
    EXPECT_FALSE(Scaled::needed_again) << "grad() needs the gradient of the second argument only";
  });
}

/// exp(x), from the result, and x², from the argument; either may be left out of the result's use.
struct ExpAndSquare : Function<ExpAndSquare> {
  static tensor_list forward(AutogradContext* ctx, const Tensor& x, bool materialize) {
    ctx->set_materialize_grads(materialize);
    tensor_list results{x.exp(), x * x};
    ctx->save_for_backward({x, results[0]});
    return results;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grad_outputs) {
    const auto saved = ctx->get_saved_variables();
    given = {grad_outputs[0].defined(), grad_outputs[1].defined()};
    Tensor gradient;
    if (given[0]) gradient = grad_outputs[0] * saved[1];
    if (given[1]) {
      const Tensor of_square = grad_outputs[1] * saved[0] * 2;
      gradient = gradient.defined() ? gradient + of_square : of_square;
    }
    return {gradient, Tensor()};
  }
  static inline std::vector<bool> given;
};

TEST(CustomFunction, MayHaveSeveralResults) {
  on_every_device([](Device device) {
    const float e = std::exp(2.0F);
    const auto x = leaf({0., 2.}, device);
    const tensor_list results = ExpAndSquare::apply(x, true);
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[1].grad_fn()->name(), "ExpAndSquareBackward");
    (results[0] + results[1] * 10).sum().backward();
    EXPECT_NEAR(x.grad()[0].item<double>(), 1, 1e-6);
    EXPECT_NEAR(x.grad()[1].item<double>(), static_cast<double>(e) + 40, 1e-4);
    for (const bool materialize : {true, false}) {
      const auto y = leaf({0., 2.}, device);
      ExpAndSquare::apply(y, materialize)[1].sum().backward();
      expect_tensor(y.grad(), {2}, {0, 4});
      EXPECT_EQ(ExpAndSquare::given, (std::vector<bool>{materialize, true}));
    }
    const auto z = leaf({0., 2.}, device);
    const tensor_list two = ExpAndSquare::apply(z, false);
    const auto gradients = autograd::grad({(two[1] * two[0]).sum()}, {two[1], z}, {}, true);
    expect_tensor(gradients[0], {2}, {1, std::exp(2.0F)});
    EXPECT_NEAR(gradients[1][1].item<double>(), 8 * std::exp(2.0), 1e-3);
    expect_tensor(autograd::grad({two[1].sum()}, {z})[0], {2}, {0, 4});
  });
}

TEST(CustomFunction, IsRefusedASecondTimeOnlyIfItReadsWhatItSaved) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const Tensor square = ExpAndSquare::apply(x, true)[1].sum();
    square.backward({}, true);
    square.backward();
    expect_tensor(x.grad(), {2}, {4, 8});
    expect_error<ValueError>([&] { square.backward(); }, "Trying to backward through the graph a second time");
    const auto y = leaf({1., 2.}, device);
    Scaled::has_y = false;
    const Tensor scaled = Scaled::apply(y, 2.0, std::nullopt).sum();
    scaled.backward();
    scaled.backward();  // saved_data stays
    expect_tensor(y.grad(), {2}, {4, 4});
  });
}

TEST(CustomFunction, NoticesWritesToWhatItSaved) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    Tensor y = x * 2;
    const tensor_list of_input = ExpAndSquare::apply(y, true);
    y.add_(1);
    expect_error<ValueError>([&] { of_input[1].sum().backward(); },
                             "one of the variables needed for gradient computation has been modified by an inplace "
                             "operation: [" +
                                 type_on(device, "FloatTensor") +
                                 " [2]], which is output 0 of AddBackward0, is at version 1; expected version 0");
    tensor_list of_result = ExpAndSquare::apply(x, true);
    of_result[0].add_(1);
    expect_error<ValueError>([&] { of_result[0].sum().backward(); },
                             ", which is output 0 of ExpAndSquareBackward, is at version 1; expected version 0");
    of_result = ExpAndSquare::apply(x, true);
    of_result[1].add_(1);  // was not saved
    of_result[1].sum().backward();
    expect_tensor(x.grad(), {2}, {2, 4});
  });
}

/// Returns what the test asks for.
struct Wrong : Function<Wrong> {
  static Tensor forward(AutogradContext* /*ctx*/, const Tensor& x, int /*number*/) { return x * 1; }
  static variable_list backward(AutogradContext* ctx, variable_list /*grad_outputs*/) {
    static_cast<void>(ctx);
    return returned;
  }
  static inline variable_list returned;
};

TEST(CustomFunction, RefusesWrongGradients) {
  on_every_device([](Device device) {
    const auto x = leaf({{1., 2., 3.}, {4., 5., 6.}}, device);
    const auto run = [&](variable_list returned) {
      Wrong::returned = std::move(returned);
      Wrong::apply(x, 7).sum().backward();
    };
    const Tensor right = ones({2, 3}, device);
    expect_error<ValueError>([&] { run({right}); },
                             "function WrongBackward returned an incorrect number of gradients (expected 2, got 1)");
    expect_error<ValueError>([&] { run({right, Tensor(), right}); }, "(expected 2, got 3)");
    expect_error<ValueError>(
        [&] {
          run({right, right});
        },
        "function WrongBackward returned a gradient different that is defined at position 2, std "
        "the corresponding forward input was not a Variable");
    expect_error<ShapeError>(
        [&] {
          run({ones({3, 2}, device), Tensor()});
        },
        "Function WrongBackward returned an invalid gradient at index 0 - got [3, 2] but expected "
        "shape compatible with [2, 3]");
    expect_error<ShapeError>([&] { run({ones({3}, device), Tensor()}); }, "got [3] but expected shape");
    if (device.is_cuda()) {
      expect_error<DeviceError>(
          [&] {
            run({ones({2, 3}), Tensor()});
          },
          "returned an invalid gradient at index 0 - expected device " + device.str() + " but got cpu");
    }
    EXPECT_FALSE(x.grad().defined());
    run({Tensor(), Tensor()});  // zero
    EXPECT_FALSE(x.grad().defined());
    run({right, Tensor(), Tensor()});
    run({ones({2, 2, 3}, TensorOptions(device).dtype(kDouble)), Tensor()});  // summed, and converted
    expect_tensor(x.grad(), {2, 3}, {3, 3, 3, 3, 3, 3});
    EXPECT_EQ(x.grad().dtype(), kFloat);
  });
}

struct Doubled : Function<Doubled> {
  static Tensor forward(AutogradContext* ctx, Tensor x, bool returns_it) {
    x.mul_(2);
    ctx->mark_dirty({x});
    return returns_it ? x : x.clone();
  }
  static variable_list backward(AutogradContext* /*ctx*/, variable_list grad_outputs) {
    return {grad_outputs[0] * 2, Tensor()};
  }
};

TEST(CustomFunction, MayWriteItsArgument) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const Tensor y = x * 3;
    const auto square = (y * y).sum();
    const Tensor z = Doubled::apply(y, true);
    EXPECT_TRUE(z.is_same(y));
    EXPECT_EQ(y.grad_fn()->name(), "DoubledBackward");
    (y * 1).sum().backward();
    expect_tensor(x.grad(), {2}, {6, 6});
    expect_error<ValueError>([&] { square.backward(); }, "which is output 0 of DoubledBackward, is at version");
    expect_error<ValueError>([&] { Doubled::apply(x * 1, false); },
                             "Some elements marked as dirty during the forward method were not returned as output. The "
                             "inputs that are modified inplace must all be outputs of the Function.");
    expect_error<ValueError>([&] { Doubled::apply(x, true); },
                             "a leaf Variable that requires grad has been used in an in-place operation.");
    expect_error<ValueError>([&] { Doubled::apply((x * 1).view({2, 1}), true); }, "a view cannot be marked as dirty");
    expect_tensor(Doubled::apply(ones({2}, device), true), {2}, {2, 2});
  });
}

/// Its argument as it is, its sign, and the index of its largest element.
struct Parts : Function<Parts> {
  static tensor_list forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor sign = x.gt(0).to(kFloat);
    ctx->mark_non_differentiable({sign});
    return {x, sign, x.argmax(), Tensor()};
  }
  static variable_list backward(AutogradContext* /*ctx*/, variable_list grad_outputs) {
    EXPECT_EQ(grad_outputs.size(), 4U);
    EXPECT_EQ(grad_outputs[1].sizes().vec(), (std::vector<std::int64_t>{3}));
    EXPECT_EQ(grad_outputs[2].dtype(), kLong);
    EXPECT_FALSE(grad_outputs[3].defined());
    return {grad_outputs[0]};
  }
};

TEST(CustomFunction, MayHaveResultsWithoutGradient) {
  on_every_device([](Device device) {
    const auto x = leaf({1., -2., 3.}, device);
    const tensor_list parts = Parts::apply(x);
    EXPECT_FALSE(parts[0].is_same(x));
    EXPECT_EQ(parts[0].grad_fn()->name(), "PartsBackward");
    EXPECT_TRUE(x.is_leaf());
    EXPECT_FALSE(parts[1].requires_grad());
    EXPECT_FALSE(parts[2].requires_grad());
    EXPECT_FALSE(parts[3].defined());
    (parts[0] * parts[1]).sum().backward();
    expect_tensor(x.grad(), {3}, {1, 0, 1});
  });
}

TEST(CustomFunction, HasNoSecondDerivatives) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const auto gradient = autograd::grad({ExpAndSquare::apply(x, true)[1].sum()}, {x})[0];
    EXPECT_FALSE(gradient.requires_grad());
    expect_error<ValueError>([&] { gradient.sum().backward(); }, "does not require grad and does not have a grad_fn");
  });
}

TEST(CustomFunction, ReleasesWhatItSavedWithItsResult) {
  on_every_device([](Device device) {
    const auto x = leaf({1., 2.}, device);
    const auto before = memory_info(device).requested;
    { const tensor_list results = ExpAndSquare::apply(x, true); }
    EXPECT_EQ(memory_info(device).requested, before);
    Tensor long_chain = x * 1;
    Scaled::has_y = false;
    for (int i = 0; i < 2000; ++i) long_chain = Scaled::apply(long_chain, 1.0, std::nullopt);
    long_chain.sum().backward();
    expect_tensor(x.grad(), {2}, {1, 1});
  });
}

struct Throws : Function<Throws> {
  static Tensor forward(AutogradContext* /*ctx*/, const Tensor& x) {
    if (x.numel() == 0) throw std::runtime_error("no elements");
    return x * 1;
  }
  static variable_list backward(AutogradContext* /*ctx*/, variable_list /*grad_outputs*/) {
    throw std::runtime_error("no gradient");
  }
};

struct AsksTooMuch : Function<AsksTooMuch> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, int index) {
    static_cast<void>(ctx->needs_input_grad(static_cast<std::size_t>(index)));
    return x;
  }
  static variable_list backward(AutogradContext* /*ctx*/, variable_list grad_outputs) {
    return {grad_outputs[0], Tensor()};
  }
};

TEST(CustomFunction, LetsErrorsThrough) {
  on_every_device([](Device device) {
    const auto x = leaf({1.}, device);
    EXPECT_THROW(Throws::apply(ones({0}, TensorOptions(device).requires_grad(true))), std::runtime_error);
    EXPECT_TRUE(GradMode::is_enabled());
    EXPECT_THROW(Throws::apply(x).backward(), std::runtime_error);
    EXPECT_TRUE(GradMode::is_enabled());
    expect_error<IndexError>([&] { AsksTooMuch::apply(x, 1); },
                             "[needs_input_grad] index 1 is out of range for 1 tensor arguments");
  });
}

TEST(IValue, HoldsAValueOfOneType) {
  EXPECT_TRUE(IValue().isNone());
  EXPECT_TRUE(IValue(true).toBool());
  EXPECT_EQ(IValue(7).toInt(), 7);
  EXPECT_EQ(IValue(0.5F).toDouble(), 0.5);
  EXPECT_EQ(IValue("text").toStringRef(), "text");
  EXPECT_EQ(IValue(std::vector<std::int64_t>{1, 2}).toIntVector().size(), 2U);
  EXPECT_TRUE(IValue(ones({2})).isTensor());
  EXPECT_EQ(IValue(ones({2})).toTensor().numel(), 2);
  EXPECT_FALSE(IValue(1).isDouble() || IValue(1).isBool() || IValue(1).isString() || IValue(1).isIntList());
  EXPECT_TRUE(IValue(1).isInt());
  expect_error<TypeError>([] { return IValue(1).toDouble(); }, "Expected Double but got Int");
}

}  // namespace
}  // namespace d2l::testing
