// SPDX-License-Identifier: MIT
// Whether memory that is written is also read, or written twice.
#pragma once

#include <string_view>

#include "tensor_impl.h"

namespace d2l::detail {

/// ValueError when two elements of `out` are one place in memory.
void check_no_internal_overlap(const TensorImpl& out, std::string_view operation);
/// `input`, or a copy of it where its memory may meet that of `out`; ValueError where it certainly does without being
/// the same elements in the same places.
Tensor safe_to_read(const Tensor& input, const TensorImpl& out, std::string_view operation);

}  // namespace d2l::detail
