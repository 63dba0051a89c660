// SPDX-License-Identifier: MIT
// Whether a number fits into an element type.
#pragma once

#include "d2l/dtype.h"
#include "d2l/scalar.h"

namespace d2l::detail {

/// False for a number beyond the range of `type`; a negative integer may wrap around in uint8, as in PyTorch.
bool representable(const Scalar& value, ScalarType type);
/// ValueError when it is not.
void check_representable(const Scalar& value, ScalarType type, const char* operation);

}  // namespace d2l::detail
