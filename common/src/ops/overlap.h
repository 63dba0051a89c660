// SPDX-License-Identifier: MIT
// Overlap of the memory that an operation writes with the memory that it reads.
#pragma once

#include "core/tensor_impl.h"

namespace d2l::detail {

/// ValueError when two elements of `out` have the same address.
void check_no_internal_overlap(const TensorImpl& out, const char* operation);
/// `input`, or a copy of it in `kept` if its memory may overlap that of `out`. ValueError if it certainly overlaps,
/// unless both are the same elements in the same order.
const Tensor& safe_to_read(const Tensor& input, const TensorImpl& out, const char* operation, Tensor& kept);

}  // namespace d2l::detail
