// SPDX-License-Identifier: MIT
// Overlap of the memory that an operation writes with the memory that it reads.
#include "ops/overlap.h"

#include <utility>

#include "ops/elementwise_launch.h"

namespace d2l::detail {

namespace {

/// The first and one past the last element of the storage that a tensor uses.
std::pair<std::int64_t, std::int64_t> range(const TensorImpl& tensor) {
  std::int64_t last = tensor.offset;
  for (int i = 0; i < tensor.sizes.count; ++i) last += (tensor.sizes[i] - 1) * tensor.strides[i];
  return {tensor.offset, last + 1};
}

bool same_elements(const TensorImpl& a, const TensorImpl& b) {
  if (a.offset != b.offset || !same(a.sizes, b.sizes)) return false;
  for (int i = 0; i < a.sizes.count; ++i) {
    if (a.sizes[i] != 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

}  // namespace

void check_no_internal_overlap(const TensorImpl& out, const char* operation) {
  if (out.contiguous) return;
  for (int i = 0; i < out.sizes.count; ++i) {
    if (out.strides[i] != 0 || out.sizes[i] <= 1) continue;
    fail<ValueError>(operation,
                     "unsupported operation: more than one element of the written-to tensor refers to a single memory "
                     "location. Please clone() the tensor before performing the operation.",
                     operands({{"it", &out}}));
  }
}

const Tensor& safe_to_read(const Tensor& input, const TensorImpl& out, const char* operation, Tensor& kept) {
  const TensorImpl& in = *input.impl();
  if (in.storage != out.storage || &in == &out || in.numel == 0 || out.numel == 0) return input;
  if (same_elements(in, out)) return input;
  const auto [in_begin, in_end] = range(in);
  const auto [out_begin, out_end] = range(out);
  if (in_end <= out_begin || out_end <= in_begin) return input;
  if (is_dense(in) && is_dense(out)) {
    fail<ValueError>(operation,
                     "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                     "single memory location. Please clone() the tensor before performing the operation.",
                     operands({{"written", &out}, {"read", &in}}));
  }
  kept = make_tensor(in.sizes, in.dtype, in.device(), false, operation);
  copy_within_device(*kept.impl(), in);
  return kept;
}

}  // namespace d2l::detail
