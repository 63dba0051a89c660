// SPDX-License-Identifier: MIT
// Whether memory that is written is also read, or written twice.
#pragma once

#include <string_view>

#include "core/tensor_impl.h"

namespace d2l::detail {

/// ValueError when two elements of `out` are one place in memory.
void check_no_internal_overlap(const TensorImpl& out, const char* operation);
/// `input`, or a copy of it, `kept`, where its memory may meet that of `out`; ValueError where it certainly does
/// without being the same elements in the same places.
const Tensor& safe_to_read(const Tensor& input, const TensorImpl& out, const char* operation, Tensor& kept);

}  // namespace d2l::detail
