// SPDX-License-Identifier: MIT
// scaled_dot_product_attention: the products, the mask and the softmax are operations of their own.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "d2l/repr.h"
#include "layer_ops/softmax.h"
#include "ops/operands.h"

namespace d2l {

using detail::CastRule;
using detail::fail;
using detail::impl_of;
using detail::TensorImpl;

namespace {

constexpr const char* attention_name = "scaled_dot_product_attention";
constexpr double masked_score = -std::numeric_limits<double>::infinity();

/// A dtype as C++ calls it, which is how PyTorch's sentences of this function do.
const char* cpp_type_name(ScalarType dtype) {
  switch (dtype) {
    case kBool:
      return "bool";
    case kByte:
      return "unsigned char";
    case kInt:
      return "int";
    case kLong:
      return "long";
    case kHalf:
      return "c10::Half";
    case kBFloat16:
      return "c10::BFloat16";
    case kFloat:
      return "float";
    default:
      return "double";
  }
}

void check_attention(const TensorImpl& query, const TensorImpl& key, const TensorImpl& value, const Tensor& mask) {
  const auto all = detail::operands({{"query", &query}, {"key", &key}, {"value", &value}});
  if (query.dtype != key.dtype || query.dtype != value.dtype) {
    fail<TypeError>(attention_name,
                    fmt::format("Expected query, key, and value to have the same dtype, but got query.dtype: {} "
                                "key.dtype: {} and value.dtype: {} instead.",
                                cpp_type_name(query.dtype), cpp_type_name(key.dtype), cpp_type_name(value.dtype)),
                    all, "convert them to one dtype");
  }
  detail::same_device(attention_name, {&query, &key, &value}, {"query", "key", "value"});
  if (query.sizes.count < 2 || key.sizes.count < 2 || value.sizes.count < 2) {
    fail<ShapeError>(attention_name,
                     fmt::format("Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
                                 "{} key.dim: {} and value.dim: {} instead.",
                                 query.sizes.count, key.sizes.count, value.sizes.count),
                     all, "the last two dimensions are the positions and their features");
  }
  if (!mask.defined()) return;
  const auto type = mask.dtype();
  if (type == kBool || type == kFloat || type == query.dtype) return;
  fail<TypeError>(attention_name,
                  fmt::format("Expected attn_mask dtype to be bool or float or to match query dtype, but got "
                              "attn_mask.dtype: {} and  query.dtype: {} instead.",
                              cpp_type_name(type), cpp_type_name(query.dtype)),
                  detail::operands({{"query", &query}, {"attn_mask", mask.impl().get()}}), "convert the mask");
}

/// The scores with the mask added: where it is bool, −∞ where it is false.
Tensor masked_scores(const Tensor& scores, const Tensor& mask) {
  const TensorImpl& impl = *scores.impl();
  const auto shape = detail::broadcast_shapes(impl, *mask.impl(), attention_name);
  if (!same(shape, impl.sizes)) {
    fail<ShapeError>(attention_name,
                     fmt::format("output with shape {} doesn't match the broadcast shape {}",
                                 detail::text(impl.sizes.ref()), detail::text(shape.ref())),
                     detail::operands({{"scores", &impl}, {"attn_mask", mask.impl().get()}}),
                     "the mask broadcasts to (…, queries, keys)");
  }
  if (mask.dtype() != kBool) return scores + mask;
  return scores + zeros(mask.sizes(), scores.options()).masked_fill_(mask.logical_not(), masked_score);
}

/// softmax(scores, -1), and 0 in rows that are −∞ everywhere; their gradient is 0. The exponentials are rounded to a
/// 16-bit `dtype` before they are divided by their sum.
Tensor attention_weights(const Tensor& scores, ScalarType dtype) {
  const int last = static_cast<int>(scores.dim()) - 1;
  if (!isReducedFloatingType(dtype) || scores.numel() == 0) return detail::safe_softmax(scores, last);
  Tensor result = detail::unrecorded([&] {
    Tensor weights = scores.softmax(-1);
    const Tensor largest = std::get<0>(weights.max(-1, true));  // 1 / the sum
    weights = weights.div_(largest).to(dtype).to(kFloat).mul_(largest);
    return weights.masked_fill_(std::get<0>(scores.max(-1, true)).eq(masked_score), 0);
  });
  detail::record_softmax(result, detail::Recorded::SoftmaxBackward0, scores, last);
  return result;
}

/// The weights with dropout, in training and evaluation mode alike.
Tensor dropped_weights(const Tensor& weights, double p) {
  if (!(p > 0) || weights.numel() == 0) return weights;
  if (p > 1) {
    fail<ValueError>("dropout", fmt::format("dropout probability has to be between 0 and 1, but got {}", d2l::repr(p)),
                     {}, "give the probability that an element becomes 0");
  }
  if (p == 1) return weights * 0;
  return weights * detail::unrecorded([&] { return rand_like(weights).lt(1 - p).to(weights.dtype()).div_(1 - p); });
}

/// The attention for operands of a dtype that is computed with; `dtype` is that of the result. As in PyTorch, its
/// weights are rounded for batches without dropout.
Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask, double dropout_p,
                 double factor, ScalarType dtype) {
  Tensor scores = (query * factor).matmul(key.transpose(-2, -1));
  if (mask.defined()) scores = masked_scores(scores, mask);
  const bool is_rounded = query.dim() > 2 && dropout_p == 0;
  return dropped_weights(attention_weights(scores, is_rounded ? dtype : scores.dtype()), dropout_p).matmul(value);
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& attn_mask, double dropout_p, bool is_causal,
                                    std::optional<double> scale) {
  if (detail::autocasts(CastRule::low, query)) {
    const auto converted = [&](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
      return scaled_dot_product_attention(q, k, v, mask, dropout_p, is_causal, scale);
    };
    return detail::with_casts(CastRule::low, converted, query, key, value, attn_mask);
  }
  const TensorImpl& q = impl_of(query, attention_name);
  const TensorImpl& k = impl_of(key, attention_name);
  const TensorImpl& v = impl_of(value, attention_name);
  check_attention(q, k, v, attn_mask);
  if (is_causal && attn_mask.defined()) {
    fail<ValueError>(attention_name,
                     "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True", {},
                     "give one of the two");
  }
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  Tensor mask = attn_mask;
  if (is_causal) mask = ones({query.size(-2), key.size(-2)}, query.options().dtype(kBool)).tril();
  if (!isReducedFloatingType(q.dtype)) return attention(query, key, value, mask, dropout_p, factor, q.dtype);
  if (mask.defined() && mask.dtype() != kBool) mask = mask.to(kFloat);
  return attention(query.to(kFloat), key.to(kFloat), value.to(kFloat), mask, dropout_p, factor, q.dtype).to(q.dtype);
}

}  // namespace d2l
