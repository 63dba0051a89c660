// SPDX-License-Identifier: MIT
// Every public operation on tensors without elements: undefined, or moved from.
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "d2l/testing.h"
#include "kernels/operations.h"
#include "tensor/bad_input.h"

namespace d2l::testing::refusals {
namespace {

struct Reading {
  std::string name;
  std::function<void(Tensor&)> read;
};

/// Every operation, with `x` as each of its operands.
std::vector<Reading> all_readings() {
  std::vector<Reading> all = {
      // Metadata.
      {"device", [](Tensor& x) { (void)x.device(); }},
      {"dtype", [](Tensor& x) { (void)x.dtype(); }},
      {"scalar_type", [](Tensor& x) { (void)x.scalar_type(); }},
      {"options", [](Tensor& x) { (void)x.options(); }},
      {"sizes", [](Tensor& x) { (void)x.sizes(); }},
      {"strides", [](Tensor& x) { (void)x.strides(); }},
      {"size", [](Tensor& x) { (void)x.size(0); }},
      {"stride", [](Tensor& x) { (void)x.stride(0); }},
      {"dim", [](Tensor& x) { (void)x.dim(); }},
      {"numel", [](Tensor& x) { (void)x.numel(); }},
      {"element_size", [](Tensor& x) { (void)x.element_size(); }},
      {"nbytes", [](Tensor& x) { (void)x.nbytes(); }},
      {"storage_offset", [](Tensor& x) { (void)x.storage_offset(); }},
      {"is_cpu", [](Tensor& x) { (void)x.is_cpu(); }},
      {"is_cuda", [](Tensor& x) { (void)x.is_cuda(); }},
      {"is_contiguous", [](Tensor& x) { (void)x.is_contiguous(); }},
      {"is_pinned", [](Tensor& x) { (void)x.is_pinned(); }},
      {"is_floating_point", [](Tensor& x) { (void)x.is_floating_point(); }},
      {"owner", [](Tensor& x) { (void)owner(x); }},
      {"placed", [](Tensor& x) { (void)placed(x); }},
      {"relabel", [](Tensor& x) { (void)relabel(x, cpu()); }},
      {"data_without_waiting", [](Tensor& x) { (void)data_without_waiting(x); }},
      // Copies.
      {"to options", [](Tensor& x) { (void)x.to(TensorOptions(kDouble)); }},
      {"to device", [](Tensor& x) { (void)x.to(cpu()); }},
      {"to device, dtype", [](Tensor& x) { (void)x.to(cpu(), kDouble); }},
      {"to dtype", [](Tensor& x) { (void)x.to(kDouble); }},
      {"to other", [](Tensor& x) { (void)x.to(ones({1})); }},
      {"to undefined", [](Tensor& x) { (void)ones({1}).to(x); }},
      {"cpu", [](Tensor& x) { (void)x.cpu(); }},
      {"cuda", [](Tensor& x) { (void)x.cuda(); }},
      {"copy_to", [](Tensor& x) { (void)x.copy_to(cpu()); }},
      {"copy_", [](Tensor& x) { x.copy_(ones({1})); }},
      {"copy_ from", [](Tensor& x) { ones({1}).copy_(x); }},
      {"clone", [](Tensor& x) { (void)x.clone(); }},
      {"free clone", [](Tensor& x) { (void)clone(x); }},
      {"pin_memory", [](Tensor& x) { (void)x.pin_memory(); }},
      {"write to part", [](Tensor& x) { x[0] = ones({1}); }},
      {"write number to part", [](Tensor& x) { x[0] = 1; }},
      {"write to undefined", [](Tensor& x) { std::move(x) = ones({1}); }},
      {"write number to undefined", [](Tensor& x) { std::move(x) = Scalar(1); }},
      {"write undefined", [](Tensor& x) { ones({1})[0] = std::as_const(x); }},
      // Values.
      {"item", [](Tensor& x) { (void)x.item(); }},
      {"item<float>", [](Tensor& x) { (void)x.item<float>(); }},
      {"to_vector", [](Tensor& x) { (void)x.to_vector<float>(); }},
      {"data_ptr", [](Tensor& x) { (void)x.data_ptr(); }},
      {"data_ptr<float>", [](Tensor& x) { (void)x.data_ptr<float>(); }},
      {"is_nonzero", [](Tensor& x) { (void)x.is_nonzero(); }},
      {"bool", [](Tensor& x) { (void)static_cast<bool>(x); }},
      {"repr", [](Tensor& x) { (void)repr(x); }},
      {"<<", [](Tensor& x) { std::ostringstream() << x; }},
      {"free equal", [](Tensor& x) { (void)equal(x, x); }},
      // Views.
      {"view", [](Tensor& x) { (void)x.view({1}); }},
      {"transpose", [](Tensor& x) { (void)x.transpose(0, 0); }},
      {"t", [](Tensor& x) { (void)x.t(); }},
      {"permute", [](Tensor& x) { (void)x.permute({0}); }},
      {"unsqueeze", [](Tensor& x) { (void)x.unsqueeze(0); }},
      {"squeeze", [](Tensor& x) { (void)x.squeeze(); }},
      {"squeeze dim", [](Tensor& x) { (void)x.squeeze(0); }},
      {"expand", [](Tensor& x) { (void)x.expand({1}); }},
      {"select", [](Tensor& x) { (void)x.select(0, 0); }},
      {"slice", [](Tensor& x) { (void)x.slice(0, 0, 1); }},
      {"[]", [](Tensor& x) { (void)x[0]; }},
      {"reshape", [](Tensor& x) { (void)x.reshape({1}); }},
      {"contiguous", [](Tensor& x) { (void)x.contiguous(); }},
      {"flatten", [](Tensor& x) { (void)x.flatten(); }},
      {"unflatten", [](Tensor& x) { (void)x.unflatten(0, {1}); }},
      {"T", [](Tensor& x) { (void)x.T(); }},
      {"mT", [](Tensor& x) { (void)x.mT(); }},
      {"broadcast_to", [](Tensor& x) { (void)x.broadcast_to({1}); }},
      {"movedim", [](Tensor& x) { (void)x.movedim(0, 0); }},
      {"narrow", [](Tensor& x) { (void)x.narrow(0, 0, 1); }},
      {"split", [](Tensor& x) { (void)x.split(1); }},
      {"split sizes", [](Tensor& x) { (void)x.split_with_sizes({1}); }},
      {"chunk", [](Tensor& x) { (void)x.chunk(1); }},
      // Places and order.
      {"index_select", [](Tensor& x) { (void)x.index_select(0, zeros({1}, kLong)); }},
      {"index_select by it", [](Tensor& x) { (void)ones({1}).index_select(0, x); }},
      {"gather", [](Tensor& x) { (void)x.gather(0, zeros({1}, kLong)); }},
      {"gather by it", [](Tensor& x) { (void)ones({1}).gather(0, x); }},
      {"index", [](Tensor& x) { (void)x.index({zeros({1}, kLong)}); }},
      {"index by it", [](Tensor& x) { (void)ones({1})[std::as_const(x)]; }},
      {"masked_select", [](Tensor& x) { (void)x.masked_select(ones({1}, kBool)); }},
      {"masked_select by it", [](Tensor& x) { (void)ones({1}).masked_select(x); }},
      {"flip", [](Tensor& x) { (void)x.flip({0}); }},
      {"roll", [](Tensor& x) { (void)x.roll(1); }},
      {"repeat", [](Tensor& x) { (void)x.repeat({1}); }},
      {"repeat_interleave", [](Tensor& x) { (void)x.repeat_interleave(1); }},
      {"repeat_interleave by it", [](Tensor& x) { (void)ones({1}).repeat_interleave(x); }},
      {"index list",
       [](Tensor& x) {
         (void)x.index({indexing::Slice(), 0});
       }},
      {"index list by it",
       [](Tensor& x) {
         (void)ones({1, 1}).index({0, x});
       }},
      {"index_put_", [](Tensor& x) { x.index_put_({0}, 1); }},
      {"index_put_ of it", [](Tensor& x) { ones({1}).index_put_({0}, x); }},
      {"index_put_ at it", [](Tensor& x) { ones({1}).index_put_({x}, 1); }},
      {"nonzero", [](Tensor& x) { (void)x.nonzero(); }},
      {"unbind", [](Tensor& x) { (void)x.unbind(); }},
      {"unfold", [](Tensor& x) { (void)x.unfold(0, 1, 1); }},
      {"swapaxes", [](Tensor& x) { (void)x.swapaxes(0, 0); }},
      {"type_as", [](Tensor& x) { (void)x.type_as(ones({1})); }},
      {"type_as it", [](Tensor& x) { (void)ones({1}).type_as(x); }},
      {"view_as it", [](Tensor& x) { (void)ones({1}).view_as(x); }},
      {"bernoulli", [](Tensor& x) { (void)x.bernoulli(); }},
      {"bernoulli p", [](Tensor& x) { (void)x.bernoulli(0.5); }},
      {"bernoulli_", [](Tensor& x) { x.bernoulli_(); }},
      {"normal_", [](Tensor& x) { x.normal_(); }},
      {"uniform_", [](Tensor& x) { x.uniform_(); }},
      {"normal", [](Tensor& x) { (void)normal(x); }},
      {"normal by it", [](Tensor& x) { (void)normal(ones({1}), x); }},
      {"multinomial", [](Tensor& x) { (void)x.multinomial(1); }},
      {"einsum", [](Tensor& x) { (void)einsum("i", {x}); }},
      {"prelu", [](Tensor& x) { (void)prelu(x, ones({1})); }},
      {"prelu by it", [](Tensor& x) { (void)prelu(ones({1}), x); }},
      {"rms_norm", [](Tensor& x) { (void)rms_norm(x, {1}); }},
      {"im2col", [](Tensor& x) { (void)im2col(x, 1, 1, 0, 1); }},
      {"upsample_nearest2d", [](Tensor& x) { (void)upsample_nearest2d(x, {1, 1}); }},
      {"upsample_bilinear2d", [](Tensor& x) { (void)upsample_bilinear2d(x, {1, 1}, false); }},
      {"tril", [](Tensor& x) { (void)x.tril(); }},
      {"triu", [](Tensor& x) { (void)x.triu(); }},
      {"diag", [](Tensor& x) { (void)x.diag(); }},
      {"one_hot", [](Tensor& x) { (void)one_hot(x); }},
      {"sort", [](Tensor& x) { (void)x.sort(); }},
      {"argsort", [](Tensor& x) { (void)x.argsort(); }},
      {"topk", [](Tensor& x) { (void)x.topk(1); }},
      {"layer_norm", [](Tensor& x) { (void)layer_norm(x, {1}); }},
      {"batch_norm", [](Tensor& x) { (void)batch_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5); }},
      {"embedding", [](Tensor& x) { (void)embedding(x, zeros({1}, kLong)); }},
      {"embedding by it", [](Tensor& x) { (void)embedding(ones({1, 1}), x); }},
      {"embedding_renorm_", [](Tensor& x) { (void)embedding_renorm_(x, zeros({1}, kLong), 1, 2); }},
      // Statistics.
      {"var", [](Tensor& x) { (void)x.var(); }},
      {"std", [](Tensor& x) { (void)x.std(0); }},
      {"prod", [](Tensor& x) { (void)x.prod(); }},
      {"prod dim", [](Tensor& x) { (void)x.prod(0); }},
      {"all", [](Tensor& x) { (void)x.all(); }},
      {"any", [](Tensor& x) { (void)x.any(0); }},
      {"argmin", [](Tensor& x) { (void)x.argmin(); }},
      {"logsumexp", [](Tensor& x) { (void)x.logsumexp(0); }},
      {"cumsum", [](Tensor& x) { (void)x.cumsum(0); }},
      {"stack", [](Tensor& x) { (void)stack({x}); }},
      // Convolutions.
      {"conv2d", [](Tensor& x) { (void)conv2d(x, ones({1, 1, 1, 1})); }},
      {"conv2d by it", [](Tensor& x) { (void)conv2d(ones({1, 1, 1, 1}), x); }},
  // Operations of one tensor, and factories.
#define D2L_UNARY(name, ...)                                                                          \
  {#name, [](Tensor& x) { (void)x.name(); }}, {"free " #name, [](Tensor& x) { (void)d2l::name(x); }}, \
      {#name "_", [](Tensor& x) { x.name##_(); }},
      D2L_UNARY_OPERATIONS(D2L_UNARY)
#undef D2L_UNARY
          {"operator-", [](Tensor& x) { (void)-x; }},
      {"square", [](Tensor& x) { (void)x.square(); }},
      {"square_", [](Tensor& x) { x.square_(); }},
      {"round decimals", [](Tensor& x) { (void)x.round(2); }},
      {"round_ decimals", [](Tensor& x) { x.round_(2); }},
      {"isnan", [](Tensor& x) { (void)x.isnan(); }},
      {"isinf", [](Tensor& x) { (void)x.isinf(); }},
      {"isfinite", [](Tensor& x) { (void)x.isfinite(); }},
      {"logical_not", [](Tensor& x) { (void)x.logical_not(); }},
      {"logical_not_", [](Tensor& x) { x.logical_not_(); }},
      {"clamp", [](Tensor& x) { (void)x.clamp(0); }},
      {"clamp_", [](Tensor& x) { x.clamp_(0, 1); }},
      {"clamp_min", [](Tensor& x) { (void)x.clamp_min(0); }},
      {"clamp_max_", [](Tensor& x) { x.clamp_max_(0); }},
      {"where", [](Tensor& x) { (void)where(x, 1, 2); }},
      {"where numbers", [](Tensor& x) { (void)where(ones({1}) == 1, x, 2); }},
      {"masked_fill", [](Tensor& x) { (void)x.masked_fill(ones({1}) == 1, 2); }},
      {"masked_fill_", [](Tensor& x) { x.masked_fill_(ones({1}) == 1, 2); }},
      {"softmax", [](Tensor& x) { (void)x.softmax(0); }},
      {"gelu", [](Tensor& x) { (void)gelu(x); }},
      {"silu", [](Tensor& x) { (void)silu(x); }},
      {"softplus", [](Tensor& x) { (void)softplus(x); }},
      {"leaky_relu", [](Tensor& x) { (void)leaky_relu(x); }},
      {"elu", [](Tensor& x) { (void)elu(x); }},
      {"fill_", [](Tensor& x) { x.fill_(1); }},
      {"zero_", [](Tensor& x) { x.zero_(); }},
      {"sum", [](Tensor& x) { (void)x.sum(); }},
      {"sum dims", [](Tensor& x) { (void)x.sum({0}); }},
      {"mean", [](Tensor& x) { (void)x.mean(); }},
      {"mean dims", [](Tensor& x) { (void)x.mean({0}); }},
      {"max", [](Tensor& x) { (void)x.max(); }},
      {"max dim", [](Tensor& x) { (void)x.max(0); }},
      {"min", [](Tensor& x) { (void)x.min(); }},
      {"min dim", [](Tensor& x) { (void)x.min(0); }},
      {"argmax", [](Tensor& x) { (void)x.argmax(); }},
      {"argmax dim", [](Tensor& x) { (void)x.argmax(0); }},
      {"norm", [](Tensor& x) { (void)x.norm(); }},
      {"norm dims", [](Tensor& x) { (void)x.norm(2, {0}); }},
      {"empty_like", [](Tensor& x) { (void)empty_like(x); }},
      {"zeros_like", [](Tensor& x) { (void)zeros_like(x); }},
      {"ones_like", [](Tensor& x) { (void)ones_like(x); }},
      {"full_like", [](Tensor& x) { (void)full_like(x, 1); }},
      {"rand_like", [](Tensor& x) { (void)rand_like(x); }},
      {"randn_like", [](Tensor& x) { (void)randn_like(x); }},
  // Operations with a number.
#define D2L_NUMBER(name, ...) {#name " number", [](Tensor& x) { (void)x.name(1); }},
#define D2L_IN_PLACE(name, ...) {#name "_ number", [](Tensor& x) { x.name##_(1); }},
      D2L_BINARY_OPERATIONS(D2L_NUMBER) D2L_COMPARISONS(D2L_NUMBER) D2L_BINARY_OPERATIONS(D2L_IN_PLACE)
#undef D2L_NUMBER
#undef D2L_IN_PLACE
          {"1 + x", [](Tensor& x) { (void)(1 + x); }},
      {"1 - x", [](Tensor& x) { (void)(1 - x); }},
      {"1 * x", [](Tensor& x) { (void)(1 * x); }},
      {"1 / x", [](Tensor& x) { (void)(1 / x); }},
      {"1 % x", [](Tensor& x) { (void)(1 % x); }},
      {"pow(2, x)", [](Tensor& x) { (void)pow(2, x); }},
      {"1 < x", [](Tensor& x) { (void)(1 < x); }},
      {"x += 1", [](Tensor& x) { x += 1; }},
      {"x -= 1", [](Tensor& x) { x -= 1; }},
      {"x *= 1", [](Tensor& x) { x *= 1; }},
      {"x /= 1", [](Tensor& x) { x /= 1; }},
  };
  for (const auto& [name, operation] : operations_of_two()) {
    all.push_back({name + ", first", [apply = operation](Tensor& x) { apply(x, ones({1, 1})); }});
    all.push_back({name + ", second", [apply = operation](Tensor& x) { apply(ones({1, 1}), x); }});
  }
  return all;
}

constexpr const char* why = "the tensor is undefined";

TEST(Undefined, EveryOperationRefusesIt) {
  for (const auto& [name, read] : all_readings()) {
    SCOPED_TRACE(name);
    Tensor undefined;
    expect_error<ValueError>([&, &action = read] { action(undefined); }, why);
  }
  expect_all_is_well(cpu());
}

TEST(Undefined, EveryOperationRefusesAMovedFromTensor) {
  for (const auto device : every_device()) {
    for (const auto& [name, read] : all_readings()) {
      SCOPED_TRACE(name + " of one from " + device.str());
      auto x = ones({1}, device);
      const auto y = std::move(x);
      expect_error<ValueError>([&, &action = read] { action(x); }, why);  // NOLINT(bugprone-use-after-move)
      EXPECT_EQ(y.sizes(), IntArrayRef({1}));
    }
    expect_all_is_well(device);
  }
}

TEST(Undefined, CanBeAskedWhetherItIsDefinedAndBeGivenAValue) {
  Tensor x;
  EXPECT_FALSE(x.defined());
  EXPECT_TRUE(x.is_same(Tensor()));
  EXPECT_FALSE(x.is_same(ones({1})));
  expect_error<ValueError>([&] { return x + 1; }, "the tensor is undefined (moved from, or never made)");
  x = ones({1});
  EXPECT_TRUE(x.defined());
}

}  // namespace
}  // namespace d2l::testing::refusals
