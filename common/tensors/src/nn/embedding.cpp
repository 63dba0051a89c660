// SPDX-License-Identifier: MIT
#include "d2l/nn/embedding.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "d2l/nn/init.h"
#include "d2l/repr.h"
#include "nn/copy_state.h"

namespace d2l::nn {

namespace {

/// The row from the front; ValueError for one outside of the table, none for nullopt.
std::optional<std::int64_t> padding_row(std::optional<std::int64_t> index, std::int64_t rows) {
  if (!index || (*index >= 0 && *index < rows)) return index;
  if (*index < 0 && *index >= -rows) return rows + *index;
  d2l::detail::fail<ValueError>("embedding", "Padding_idx must be within num_embeddings",
                                fmt::format("(padding_idx: {}; num_embeddings: {})", *index, rows),
                                "give the number of a row");
}

Tensor first_weight(const EmbeddingOptions& options) {
  const Tensor& given = options._weight();
  if (!given.defined()) return empty({options.num_embeddings(), options.embedding_dim()}, options.parameters());
  const auto& sizes = d2l::detail::impl_of(given, "Embedding").sizes;
  if (sizes.count != 2 || sizes[0] != options.num_embeddings() || sizes[1] != options.embedding_dim()) {
    d2l::detail::fail<ShapeError>("Embedding", "Shape of _weight does not match num_embeddings and embedding_dim",
                                  d2l::detail::operands({{"_weight", given.impl().get()}}),
                                  "give a row for each embedding");
  }
  return given;
}

}  // namespace

EmbeddingImpl::EmbeddingImpl(const EmbeddingOptions& chosen) : options(chosen) {
  options.padding_idx(padding_row(options.padding_idx(), options.num_embeddings()));
  const bool drawn = !options._weight().defined();
  weight = register_parameter("weight", first_weight(options));
  if (drawn) reset_parameters();
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void EmbeddingImpl::reset_parameters() {
  init::normal_(weight);
  if (!options.padding_idx()) return;
  const NoGradGuard unrecorded;
  weight[*options.padding_idx()].fill_(0);
}

Tensor EmbeddingImpl::forward(const Tensor& indices) {
  return functional::embedding(indices, weight,
                               functional::EmbeddingFuncOptions()
                                   .padding_idx(options.padding_idx())
                                   .max_norm(options.max_norm())
                                   .norm_type(options.norm_type())
                                   .scale_grad_by_freq(options.scale_grad_by_freq())
                                   .sparse(options.sparse()));
}

std::string EmbeddingImpl::extra_repr() const {
  std::string text = fmt::format("{}, {}", options.num_embeddings(), options.embedding_dim());
  if (options.padding_idx()) text += fmt::format(", padding_idx={}", *options.padding_idx());
  if (options.max_norm()) text += fmt::format(", max_norm={}", d2l::repr(*options.max_norm()));
  if (options.norm_type() != 2) text += fmt::format(", norm_type={}", d2l::repr(options.norm_type()));
  if (options.scale_grad_by_freq()) text += ", scale_grad_by_freq=True";
  if (options.sparse()) text += ", sparse=True";
  return text;
}

std::shared_ptr<Module> EmbeddingImpl::clone() const {
  auto fresh = options;
  auto copy = std::make_shared<EmbeddingImpl>(fresh._weight(empty_like(weight.detach())));
  copy->options = options;
  d2l::detail::copy_state(*this, *copy);
  return copy;
}

Embedding Embedding::from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options) {
  const auto& sizes = d2l::detail::impl_of(embeddings, "from_pretrained").sizes;
  if (sizes.count != 2) {
    d2l::detail::fail<ShapeError>("from_pretrained", "Embeddings parameter is expected to be 2-dimensional",
                                  d2l::detail::operands({{"embeddings", embeddings.impl().get()}}),
                                  "give a row for each embedding");
  }
  Embedding result(EmbeddingOptions(sizes[0], sizes[1])
                       ._weight(embeddings.detach())
                       .padding_idx(options.padding_idx())
                       .max_norm(options.max_norm())
                       .norm_type(options.norm_type())
                       .scale_grad_by_freq(options.scale_grad_by_freq())
                       .sparse(options.sparse()));
  result->weight.set_requires_grad(!options.freeze());
  return result;
}

Tensor functional::embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options) {
  const auto& sizes = d2l::detail::impl_of(weight, "embedding").sizes;
  const auto padding = padding_row(options.padding_idx(), sizes.count == 0 ? 0 : sizes[0]);
  if (options.max_norm()) {
    Tensor table = weight;
    embedding_renorm_(table, input, *options.max_norm(), options.norm_type());
  }
  return d2l::embedding(weight, input, padding.value_or(-1), options.scale_grad_by_freq(), options.sparse());
}

}  // namespace d2l::nn
