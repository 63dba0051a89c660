// SPDX-License-Identifier: MIT
// embedding.
#include <fmt/format.h>

#include "autograd/recording.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "ops/lines.h"
#include "ops/operands.h"

namespace d2l {

using detail::fail;
using detail::TensorImpl;

namespace {

struct EmbeddingState {
  std::int64_t padding;
  bool scales;  ///< each gradient is divided by how often its row was used
};

/// The name of a tensor's class in the sentences of PyTorch's checks: "torch.cuda.FloatTensor".
std::string tensor_class(const TensorImpl& impl) {
  return fmt::format("torch.{}{}Tensor", impl.device().is_cpu() ? "" : "cuda.", toString(impl.dtype));
}

void check_embedding(const TensorImpl& weight, const TensorImpl& indices) {
  const auto both = [&] { return detail::operands({{"weight", &weight}, {"indices", &indices}}); };
  if (weight.sizes.count != 2) {
    fail<ShapeError>("embedding", "'weight' must be 2-D", both(), "it has a row for each index");
  }
  if (indices.dtype != kLong && indices.dtype != kInt) {
    fail<TypeError>("embedding",
                    fmt::format("Expected tensor for argument #1 'indices' to have one of the following scalar types: "
                                "Long, Int; but got {} instead (while checking arguments for embedding)",
                                tensor_class(indices)),
                    both(), "convert the indices with to(kLong)");
  }
  detail::same_device("embedding", {&weight, &indices}, {"weight", "indices", ""});
}

}  // namespace

Tensor embedding(const Tensor& weight, const Tensor& indices, std::int64_t padding_idx, bool scale_grad_by_freq,
                 bool sparse) {
  const TensorImpl& table = detail::impl_of(weight, "embedding");
  const TensorImpl& places = detail::impl_of(indices, "embedding");
  check_embedding(table, places);
  if (sparse) {
    fail<ValueError>("embedding", "sparse gradients are not supported", detail::operands({{"weight", &table}}),
                     "pass sparse = false");
  }
  if (places.sizes.count >= max_dimensions) {
    fail<ShapeError>("embedding", "the result would have too many dimensions", detail::operands({{"indices", &places}}),
                     "flatten the indices");
  }
  auto sizes = places.sizes;
  sizes[sizes.count++] = table.sizes[1];
  const Tensor list = detail::unrecorded([&] { return detail::converted(indices, kLong).reshape({-1}); });
  auto result = detail::unrecorded([&] {
    return detail::take(weight, {list, 0, true, detail::IndexUse::index_select}).view(sizes.ref());
  });
  if (!detail::is_recorded(weight)) return result;
  auto record = detail::record(detail::Recorded::EmbeddingBackward0, {&weight});
  detail::save(*record, 0, list);
  record->state = EmbeddingState{padding_idx, scale_grad_by_freq};
  detail::attach(result, std::move(record));
  return result;
}

Tensor& embedding_renorm_(Tensor& weight, const Tensor& indices, double max_norm, double norm_type) {
  const TensorImpl& table = detail::impl_of(weight, "embedding_renorm_");
  const TensorImpl& places = detail::impl_of(indices, "embedding_renorm_");
  check_embedding(table, places);
  if (places.numel == 0) return weight;
  const NoGradGuard unrecorded;
  const Tensor list = detail::converted(indices, kLong).reshape({-1});
  const Tensor ones_of_list = ones({list.numel()}, weight.options());
  const detail::Dimensions rows{{table.sizes[0]}, 1};
  const Tensor used = detail::index_add(ones_of_list, rows, {list, 0, true, detail::IndexUse::index_select}).gt(0);
  const Tensor norms = weight.norm(norm_type, {1}, true);
  const Tensor long_rows = logical_and(used.unsqueeze(1), norms.gt(max_norm));
  // As in PyTorch, which adds 1e-7 to the norm.
  return weight.mul_(where(long_rows, max_norm / (norms + 1e-7), ones_like(norms)));
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void EmbeddingBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const auto& table = operation.inputs[0].sizes;
  const auto& [padding, scales] = state_of<EmbeddingState>(operation);
  const Tensor& list = operation.saved(0);
  const IndexAlong rows{list, 0, true, IndexUse::index_select};
  Tensor values = g.reshape({list.numel(), table[1]});
  if (padding >= 0) values = values.masked_fill(list.eq(padding).unsqueeze(1), 0);
  results[0] = index_add(values, table, rows);
  if (!scales) return;
  const Tensor counts = index_add(ones({list.numel()}, g.options()), {{table[0]}, 1}, rows);
  results[0] = results[0] / counts.clamp_min(1).unsqueeze(1);
}

}  // namespace d2l::detail::derivatives
