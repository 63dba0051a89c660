// SPDX-License-Identifier: MIT
// The check that the roofline's numbers and its picture share.
#pragma once

#include "d2l/roofline.h"

namespace d2l::detail {

/// ValueError unless the bytes of the work are positive and its operations are not negative.
void check_work(const Work& work, const char* operation);

}  // namespace d2l::detail
