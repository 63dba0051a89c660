// SPDX-License-Identifier: MIT
// What differs from PyTorch by choice: the rows of docs/pages/differences_from_pytorch.md.
#include <fstream>
#include <set>

#include "every_device.h"

namespace d2l::testing {
namespace {

struct Difference {
  const char* name;  ///< the first column of its row
  void (*check)(Device device);
};

/// Multiplies its argument by 3 in place.
struct Tripled : autograd::Function<Tripled> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x) {
    x.mul_(3);
    ctx->mark_dirty({x});
    ctx->save_for_backward({x});
    return x;
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grad_outputs) {
    EXPECT_FALSE(ctx->get_saved_variables()[0].requires_grad());
    return {grad_outputs[0] * 3};
  }
};

TensorOptions recorded(Device device) { return TensorOptions(device).requires_grad(true); }

constexpr Difference differences[] = {
    {"Memory order of results",
     [](Device device) {
       EXPECT_EQ((ones({2, 3}, device).t() + 1).strides().vec(), (Sizes{2, 1}));
     }},
    {"Strides of dimensions of size 0 and 1",
     [](Device device) {
       EXPECT_EQ((ones({1, 2, 3}, device).transpose(0, 1) + 1).strides().vec(), (Sizes{3, 3, 1}));
       EXPECT_EQ((ones({2, 0}, device).t() + 1).strides().vec(), (Sizes{2, 1}));
     }},
    {"Number of dimensions",
     [](Device device) {
       expect_error<ShapeError>([&] { return ones(Sizes(9, 1), device); }, "up to 8 dims are supported");
     }},
    {"Numbers that the dtype cannot hold",
     [](Device device) {
       const char* const sentence = "without overflow";
       expect_error<ValueError>([&] { return tensor(300, TensorOptions(kByte).device(device)); }, sentence);
       expect_error<ValueError>([&] { return tensor(1e10, TensorOptions(kInt).device(device)); }, sentence);
     }},
    {"Sums and `mse_loss` of float32",
     [](Device device) {
       const auto x = tensor({0x1p24, 1.0, 1.0}, device);
       EXPECT_EQ(x.sum().item<double>(), 0x1p24 + 2);
       EXPECT_EQ(mse_loss(x.sqrt(), zeros({3}, device), Reduction::Sum).item<double>(), 0x1p24 + 2);
     }},
    {"A wrong name for `set_float32_matmul_precision`",
     [](Device device) {
       EXPECT_EQ(get_float32_matmul_precision(), "highest");
       expect_error<ValueError>([] { set_float32_matmul_precision("fast"); },
                                "fast is not one of 'highest', 'high', or 'medium'; the current "
                                "setFloat32MatmulPrecision call has no effect.");
       EXPECT_EQ(get_float32_matmul_precision(), "highest");
       for (const char* name : {"medium", "high", "highest"}) {
         set_float32_matmul_precision(name);
         EXPECT_EQ(get_float32_matmul_precision(), name);
         const auto x = ones({2, 2}, device);
         expect_tensor(matmul(x, x), {2, 2}, {2, 2, 2, 2});
       }
     }},
    {"Parameters of an optimizer",
     [](Device device) {
       using List = std::vector<Tensor>;
       const auto x = ones({1}, recorded(device));
       expect_error<ValueError>([&] { return optim::SGD(List{}, 0.1); }, "empty parameter list");
       expect_error<ValueError>([&] { return optim::SGD(List{x, x}, 0.1); }, "more than one parameter group");
     }},
    {"Schedules of learning rates",
     [](Device device) {
       optim::SGD optimizer(list(ones({1}, recorded(device))), 1);
       optim::StepLR scheduler(optimizer, 1, 0.5);
       scheduler.step();
       EXPECT_EQ(scheduler.get_last_lr()[0], 0.5);
     }},
    {"Index of a device",
     [](Device) {
       EXPECT_EQ(Device("cuda:127").index(), 127);
       expect_error<DeviceError>([] { return Device("cuda:128"); }, "at most 127");
     }},
    {"Error sentences",
     [](Device device) {
       expect_error<DeviceError>([] { return Device("gpu"); }, "fpga, maia, xla");
       expect_error<ValueError>([&] { return arange(-5, device); },
                                "[arange] upper bound and lower bound inconsistent with step sign (0 -> -5); count");
     }},
    {"A write in place that reads its own elements",
     [](Device device) {
       auto x = tensor({2.0, 9.0, 4.0}, device).slice(0, 0, 3, 2);
       x.mul_(x[0]);
       expect_tensor(x, {2}, {4, 8});
     }},
    {"The gradient of such a write",
     [](Device device) {
       const auto x = tensor({2.0, 9.0, 4.0}, recorded(device).dtype(kFloat));
       const Tensor y = x * 1;
       auto part = y.slice(0, 0, 3, 2);
       part.mul_(part[0]);
       y.sum().backward();
       expect_tensor(x.grad(), {3}, {8, 1, 2});
     }},
    {"A view of a tensor that a write gave a history",
     [](Device device) {
       const auto x = ones({2}, recorded(device));
       Tensor base = ones({2}, device);
       Tensor view = base.view({2});
       base.mul_(x);
       view.mul_(2);
       base.sum().backward();
       expect_tensor(x.grad(), {2}, {2, 2});
     }},
    {"A view made under `NoGradGuard`",
     [](Device device) {
       Tensor base = zeros({2}, device);
       const Tensor view = [&] {
         const NoGradGuard unrecorded;
         return base.view({2});
       }();
       base.add_(ones({2}, recorded(device)));
       EXPECT_FALSE(view.requires_grad());
       expect_tensor(view * 2, {2}, {2, 2});
     }},
    {"`backward()` that fails",
     [](Device device) {
       const auto x = ones({2}, recorded(device));
       Tensor y = x.exp();
       const auto z = (y * 1 + x * 1).sum();
       y.mul_(2);
       expect_error<ValueError>([&] { z.backward(); }, "modified by an inplace operation");
       expect_tensor(x.grad(), {2}, {1, 1});
     }},
    {"The name of an `autograd::Function`",
     [](Device device) {
       EXPECT_EQ(Tripled::apply(ones({2}, recorded(device)) * 1).grad_fn()->name(), "TripledBackward");
     }},
    {"A view that an `autograd::Function` marks as dirty",
     [](Device device) {
       const auto x = ones({2}, recorded(device)) * 1;
       expect_error<ValueError>([&] { return Tripled::apply(x[0]); }, "a view cannot be marked as dirty");
     }},
    {"`zero_grad()`",
     [](Device device) {
       const Tensor x = ones({2}, recorded(device));
       optim::SGD optimizer({x}, 0.1);
       x.sum().backward();
       optimizer.zero_grad();
       EXPECT_EQ(x.grad().sum().item<float>(), 0);
       optimizer.zero_grad(true);
       EXPECT_FALSE(x.grad().defined());
     }},
    {"The text of layers that normalise",
     [](Device device) {
       nn::LayerNorm layer(nn::LayerNormOptions({4}));
       layer->to(device);
       EXPECT_EQ(repr(layer), "LayerNorm((4,), eps=1e-05, elementwise_affine=True)");
     }},
    {"`all({})` and `any({})`",
     [](Device device) {
       const Tensor x = tensor({true, false}, device);
       EXPECT_FALSE(x.all(IntArrayRef()).item<bool>());
       EXPECT_TRUE(x.any(IntArrayRef()).item<bool>());
     }},
    {"`mT()` without dimensions",
     [](Device device) { expect_error<ShapeError>([&] { return tensor(3.0, device).mT(); }, "Got 0-D tensor"); }},
    {"`cat` of empty vectors alone",
     [](Device device) {
       expect_error<IndexError>([&] { return cat({zeros({0}, device)}, 1); }, "Dimension out of range");
       EXPECT_EQ(cat({zeros({0}, device), ones({2, 3}, device)}, 1).sizes().vec(), Sizes({2, 3}));
     }},
    {"A value with a gradient for `masked_fill_` of integers",
     [](Device device) {
       Tensor x = tensor({1, 2}, device);
       const Tensor value = tensor(1.5, recorded(device));
       expect_error<TypeError>([&] { x.masked_fill_(x == 1, value); }, "Autograd not support dtype: Long");
     }},
    {"The gradient of `clamp` at a bound",
     [](Device device) {
       const Tensor x = tensor({0.0, 2.0}, recorded(device));
       x.clamp(0, 1).sum().backward();
       expect_tensor(x.grad(), {2}, {1, 0});
     }},
    {"The gradient of `prod` beside a 0",
     [](Device device) {
       const Tensor x = tensor({0.0, 2.0, 1e30, 1e30}, recorded(device).dtype(kFloat));
       x.prod().backward();
       EXPECT_EQ(x.grad()[1].item<float>(), 0);
     }},
    {"Several values for one place in `index_put_`",
     [](Device device) {
       Tensor x = zeros({1}, device);
       x.index_put_({zeros({3}, TensorOptions(kLong).device(device))}, tensor({1.0, 2.0, 3.0}).to(device));
       EXPECT_EQ(x.item<int>(), 3);
     }},
    {"A mask of another floating-point dtype for `MultiheadAttention`",
     [](Device device) {
       const nn::MultiheadAttention attention(4, 2);
       attention->to(device, kDouble);
       const Tensor x = ones({2, 1, 4}, TensorOptions(kDouble).device(device));
       const auto weights =
           std::get<1>(attention->forward(x, x, x, {}, true, tensor({{0.0, 1.0}, {0.0, 0.0}}).to(device)));
       EXPECT_EQ(weights.dtype(), kDouble);
     }},
    {"`checkpoint` of what needs no gradient",
     [](Device device) {
       const Tensor x = ones({2}, device);
       EXPECT_TRUE(utils::checkpoint([](const Tensor& a) { return a + 1; }, x).requires_grad());
     }},
    {"Several values for one place in `index_put_`",
     [](Device device) {
       Tensor x = zeros({1}, device);
       x.index_put_({zeros({3}, TensorOptions(kLong).device(device))}, tensor({1.0, 2.0, 3.0}).to(device));
       EXPECT_EQ(x.item<int>(), 3);
     }},
    {"A mask of another floating-point dtype for `MultiheadAttention`",
     [](Device device) {
       const nn::MultiheadAttention attention(4, 2);
       attention->to(device, kDouble);
       const Tensor x = ones({2, 1, 4}, TensorOptions(kDouble).device(device));
       const Tensor mask = tensor({{0.0, 1.0}, {0.0, 0.0}}).to(device);
       EXPECT_EQ(std::get<1>(attention->forward(x, x, x, {}, true, mask)).dtype(), kDouble);
     }},
    {"`checkpoint` of what needs no gradient",
     [](Device device) {
       const Tensor x = ones({2}, device);
       EXPECT_TRUE(utils::checkpoint([](const Tensor& a) { return a + 1; }, x).requires_grad());
     }},
    {"`cuda` without an index", [](Device) { EXPECT_EQ(Device("cuda"), Device("cuda:0")); }},
    {"The current device",
     [](Device device) {
       if (num_gpus() == 0) return;
       EXPECT_EQ(ones({2}, device).cuda().device(), gpu(0));
     }},
    {"Types of GPUs",
     [](Device) {
       if (num_gpus() == 0) return;
       const DeviceType other = gpu(0).is_cuda() ? kPrivateUse1 : kCUDA;
       expect_error<DeviceError>([&] { return ones({2}, other); }, "no GPU of this process has this type");
     }},
    {"Random numbers of one seed",
     [](Device device) {
       manual_seed(7);
       const Tensor here = randn({3, 5}, device).cpu();
       manual_seed(7);
       EXPECT_TRUE(equal(here, randn({3, 5}, cpu())));
     }},
    {"A copy to the CPU with `non_blocking`",
     [](Device device) {
       const Tensor x = ones({1 << 20}, device) * 3;
       EXPECT_EQ(x.to(cpu(), true)[-1].item<float>(), 3);
     }},
    {"Tensors that an `autograd::Function` saved",
     [](Device device) {
       const auto x = ones({2}, recorded(device));
       Tripled::apply(x * 1).sum().backward();  // backward() looks at what it saved
       expect_tensor(x.grad(), {2}, {3, 3});
     }},
};

TEST(Differences, AreAsTheirPageSays) {
  for (const auto& [name, check] : differences) {
    SCOPED_TRACE(name);
    on_every_device(check);
  }
}

TEST(Differences, AreTheRowsOfTheirPage) {
  std::ifstream page(D2L_ROOT "/docs/pages/differences_from_pytorch.md");
  std::set<std::string> rows;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| ")) rows.insert(line.substr(2, line.find(" |", 2) - 2));
  }
  std::set<std::string> expected{"What", "---"};
  for (const auto& each : differences) expected.insert(each.name);
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace d2l::testing
