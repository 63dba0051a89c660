// SPDX-License-Identifier: MIT
#include "d2l/nn/multihead_attention.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "d2l/nn/dropout.h"
#include "d2l/nn/init.h"
#include "nn/copy_state.h"

namespace d2l::nn {

namespace {

constexpr const char* mha_name = "MultiheadAttention";
using d2l::detail::impl_of;
using d2l::detail::operands;

std::string torch_size(IntArrayRef sizes) { return fmt::format("torch.Size({})", d2l::detail::text(sizes)); }

[[noreturn]] void refuse(const std::string& sentence, const Tensor& about, const char* advice) {
  d2l::detail::fail<ShapeError>(mha_name, sentence, operands({{"it", about.impl().get()}}), advice);
}

void check_dims(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& padding,
                const Tensor& mask) {
  const auto dims = query.dim();
  if (dims != 2 && dims != 3) {
    refuse(fmt::format("query should be unbatched 2D or batched 3D tensor but received {}-D query tensor", dims), query,
           "give (L, E), or (L, N, E)");
  }
  const auto batched = fmt::format("For {} ({}-D) `query`, expected", dims == 3 ? "batched" : "unbatched", dims);
  if (key.dim() != dims || value.dim() != dims) {
    refuse(fmt::format("{} `key` and `value` to be {}-D but found {}-D and {}-D tensors respectively", batched, dims,
                       key.dim(), value.dim()),
           key, "give all three a batch, or none");
  }
  if (padding.defined() && padding.dim() != dims - 1) {
    refuse(fmt::format("{} `key_padding_mask` to be `None` or {}-D but found {}-D tensor instead", batched, dims - 1,
                       padding.dim()),
           padding, "give a row for each sequence");
  }
  if (mask.defined() && mask.dim() != 2 && mask.dim() != 3) {
    refuse(fmt::format("{} `attn_mask` to be `None`, 2-D or 3-D but found {}-D tensor instead", batched, mask.dim()),
           mask, "give (L, S), or one for each head of each sequence");
  }
}

/// A mask as numbers to add: −∞ where a bool is true.
Tensor as_numbers(const Tensor& mask, const char* mask_name, const Tensor& query) {
  if (!mask.defined()) return mask;
  const auto& impl = impl_of(mask, mha_name);
  if (isFloatingType(impl.dtype)) return mask;
  if (impl.dtype != kBool) {
    d2l::detail::fail<TypeError>(mha_name, fmt::format("only bool and floating types of {} are supported", mask_name),
                                 operands({{"mask", &impl}}), "compare it, for example mask != 0");
  }
  return zeros(mask.sizes(), TensorOptions(query.dtype()).device(query.device()))
      .masked_fill_(mask, -std::numeric_limits<double>::infinity());
}

void check_mask(const Tensor& mask, IntArrayRef expected) {
  if (mask.sizes() == expected) return;
  auto text = d2l::detail::text(expected);
  text.front() = '(';
  text.back() = ')';
  refuse(fmt::format("The shape of the {}D attn_mask is {}, but should be {}.", expected.size(),
                     torch_size(mask.sizes()), text),
         mask, "give a row for each query, and a column for each key");
}

/// One more key, which takes part.
Tensor with_column(const Tensor& mask) {
  if (!mask.defined()) return mask;
  auto sizes = mask.sizes().vec();
  sizes.back() = 1;
  return cat({mask, zeros(sizes, mask.options().requires_grad(false))}, -1);
}

/// The map of the result, whose class PyTorch prints by this name.
class NonDynamicallyQuantizableLinearImpl : public LinearImpl {
 public:
  using LinearImpl::LinearImpl;
};

/// (S, N, E) → (N × heads, S, E / heads).
Tensor heads_of(const Tensor& x, std::int64_t batch, std::int64_t heads) {
  return x.contiguous().view({x.size(0), batch * heads, x.size(2) / heads}).transpose(0, 1);
}

}  // namespace

MultiheadAttentionImpl::MultiheadAttentionImpl(const MultiheadAttentionOptions& chosen) : options(chosen) {
  const std::int64_t size = options.embed_dim();
  if (size <= 0 || options.num_heads() <= 0) {
    d2l::detail::fail<ValueError>(
        mha_name,
        fmt::format("embed_dim and num_heads must be greater than 0, got embed_dim={} and num_heads={} instead", size,
                    options.num_heads()),
        {}, "give numbers above 0");
  }
  if (size % options.num_heads() != 0) {
    d2l::detail::fail<ValueError>(mha_name, "embed_dim must be divisible by num_heads", {},
                                  fmt::format("{} numbers make no {} equal parts", size, options.num_heads()));
  }
  const auto made = [&](bool exists, IntArrayRef sizes) {
    return exists ? empty(sizes, options.parameters()) : Tensor();
  };
  const bool one = has_one_size();
  in_proj_weight = register_parameter("in_proj_weight", made(one, {3 * size, size}));
  q_proj_weight = register_parameter("q_proj_weight", made(!one, {size, size}));
  k_proj_weight = register_parameter("k_proj_weight", made(!one, {size, options.kdim()}));
  v_proj_weight = register_parameter("v_proj_weight", made(!one, {size, options.vdim()}));
  in_proj_bias = register_parameter("in_proj_bias", made(options.bias(), {3 * size}));
  bias_k = register_parameter("bias_k", made(options.add_bias_kv(), {1, 1, size}));
  bias_v = register_parameter("bias_v", made(options.add_bias_kv(), {1, 1, size}));
  auto linear_options = LinearOptions(size, size).bias(options.bias()).dtype(options.parameters().dtype());
  linear_options.device(options.parameters().device());
  out_proj = Linear(
      std::static_pointer_cast<LinearImpl>(std::make_shared<NonDynamicallyQuantizableLinearImpl>(linear_options)));
  register_module("out_proj", out_proj);
  reset_parameters();
}

void MultiheadAttentionImpl::reset_parameters() {
  for (const Tensor& weight : {in_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight}) {
    if (weight.defined()) init::xavier_uniform_(weight);
  }
  if (in_proj_bias.defined()) {
    init::zeros_(in_proj_bias);
    init::zeros_(out_proj->bias);
  }
  for (const Tensor& bias : {bias_k, bias_v}) {
    if (bias.defined()) init::xavier_normal_(bias);
  }
}

MultiheadAttentionImpl::Projected MultiheadAttentionImpl::projected(const Tensor& query, const Tensor& key,
                                                                    const Tensor& value) const {
  std::vector<Tensor> weights{q_proj_weight, k_proj_weight, v_proj_weight};
  std::vector<Tensor> biases(3);
  if (has_one_size()) {
    if (query.is_same(key) && key.is_same(value)) {  // one product for all three
      const auto parts = linear(query, in_proj_weight, in_proj_bias).chunk(3, -1);
      return {parts[0], parts[1], parts[2]};
    }
    weights = in_proj_weight.chunk(3);
  }
  if (in_proj_bias.defined()) biases = in_proj_bias.chunk(3);
  return {linear(query, weights[0], biases[0]), linear(key, weights[1], biases[1]),
          linear(value, weights[2], biases[2])};
}

std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                           const Tensor& key_padding_mask, bool need_weights,
                                                           const Tensor& attn_mask, bool average_attn_weights,
                                                           bool is_causal) {
  for (const Tensor* operand : {&query, &key, &value}) impl_of(*operand, mha_name);
  check_dims(query, key, value, key_padding_mask, attn_mask);
  if (is_causal && !attn_mask.defined()) {
    d2l::detail::fail<ValueError>(mha_name, "Need attn_mask if specifying the is_causal hint.", {},
                                  "give a mask that is true, or −∞, above the diagonal");
  }
  const bool is_batched = query.dim() == 3;
  const bool turned = is_batched && options.batch_first();
  // Equal operands stay the same tensor, so that they are projected together.
  const auto arranged = [&](const Tensor& x) { return !is_batched ? x.unsqueeze(1) : turned ? x.transpose(0, 1) : x; };
  const Tensor q_input = arranged(query);
  const Tensor k_input = key.is_same(query) ? q_input : arranged(key);
  const Tensor v_input = value.is_same(key) ? k_input : arranged(value);
  const std::int64_t length = q_input.size(0);
  const std::int64_t batch = q_input.size(1);
  const std::int64_t heads = options.num_heads();
  const std::int64_t size = options.embed_dim();
  if (q_input.size(2) != size) {
    refuse(fmt::format("was expecting embedding dimension of {}, but got {}", size, q_input.size(2)), query,
           "the last dimension is embed_dim");
  }
  if (k_input.size(0) != v_input.size(0) || k_input.size(1) != v_input.size(1) ||
      (has_one_size() && k_input.size(2) != v_input.size(2))) {
    refuse(fmt::format("key shape {} does not match value shape {}", torch_size(k_input.sizes()),
                       torch_size(v_input.sizes())),
           key, "give a value for each key");
  }
  Tensor padding = as_numbers(key_padding_mask, "key_padding_mask", query);
  if (padding.defined() && !is_batched) padding = padding.unsqueeze(0);
  Tensor mask = as_numbers(attn_mask, "attn_mask", query);
  if (mask.defined() && mask.dim() == 2) {
    check_mask(mask, {length, k_input.size(0)});
    mask = mask.unsqueeze(0);
  } else if (mask.defined()) {
    check_mask(mask, {batch * heads, length, k_input.size(0)});
  }
  auto [q, k, v] = projected(q_input, k_input, v_input);
  if (bias_k.defined()) {
    k = cat({k, bias_k.repeat({1, batch, 1})});
    v = cat({v, bias_v.repeat({1, batch, 1})});
    mask = with_column(mask);
    padding = with_column(padding);
  }
  q = heads_of(q, batch, heads);
  k = heads_of(k, batch, heads);
  v = heads_of(v, batch, heads);
  if (options.add_zero_attn()) {
    const Tensor nothing = zeros({batch * heads, 1, size / heads}, k.options().requires_grad(false));
    k = cat({k, nothing}, 1);
    v = cat({v, nothing}, 1);
    mask = with_column(mask);
    padding = with_column(padding);
  }
  const std::int64_t keys = k.size(1);
  if (padding.defined()) {
    if (padding.size(0) != batch || padding.size(1) != keys) {
      const int wrong = padding.size(0) != batch ? 0 : 1;
      refuse(fmt::format("Expected key_padded_mask.shape[{}] to be {}, but got {}", wrong, wrong == 0 ? batch : keys,
                         padding.size(wrong)),
             key_padding_mask, "give a row for each sequence, and a column for each key");
    }
    padding = padding.view({batch, 1, 1, keys}).expand({-1, heads, -1, -1}).reshape({batch * heads, 1, keys});
    mask = mask.defined() ? mask + padding : padding;
  }
  const double p = is_training() ? options.dropout() : 0;
  Tensor weights;
  Tensor attended;
  if (need_weights) {
    const std::int64_t head_size = size / heads;
    Tensor scores = (q * std::sqrt(1 / static_cast<double>(head_size))).bmm(k.transpose(-2, -1));
    if (mask.defined()) scores = scores + mask;
    weights = scores.softmax(-1);
    if (p > 0) weights = functional::dropout(weights, functional::DropoutFuncOptions().p(p));
    attended = weights.bmm(v);
  } else {
    attended = scaled_dot_product_attention(q, k, v, mask, p);
  }
  Tensor result = out_proj(attended.transpose(0, 1).reshape({length, batch, size}));
  if (!is_batched) {
    result = result.squeeze(1);
  } else if (turned) {
    result = result.transpose(0, 1);
  }
  if (!need_weights) return {result, Tensor()};
  weights = weights.view({batch, heads, length, keys});
  if (average_attn_weights) weights = weights.mean({1});
  return {result, is_batched ? weights : weights.squeeze(0)};
}

std::shared_ptr<Module> MultiheadAttentionImpl::clone() const {
  auto copy = std::make_shared<MultiheadAttentionImpl>(options);
  d2l::detail::copy_state(*this, *copy);
  return copy;
}

}  // namespace d2l::nn
