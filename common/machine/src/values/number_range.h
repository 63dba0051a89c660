// SPDX-License-Identifier: MIT
// Whether an element type can represent a number.
#pragma once

#include "d2l/dtype.h"
#include "d2l/scalar.h"

namespace d2l::detail {

/// False for a number outside the range of `type`; a negative integer may wrap around in uint8, as in PyTorch.
bool representable(const Scalar& value, ScalarType type);
/// ValueError if the number is not representable.
void check_representable(const Scalar& value, ScalarType type, const char* operation);

}  // namespace d2l::detail
