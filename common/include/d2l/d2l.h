// SPDX-License-Identifier: MIT
// Everything of the library that a lesson uses to compute.
#pragma once

#include "d2l/device.h"          // IWYU pragma: export
#include "d2l/dtype.h"           // IWYU pragma: export
#include "d2l/error.h"           // IWYU pragma: export
#include "d2l/event.h"           // IWYU pragma: export
#include "d2l/factories.h"       // IWYU pragma: export
#include "d2l/ops.h"             // IWYU pragma: export
#include "d2l/scalar.h"          // IWYU pragma: export
#include "d2l/shape.h"           // IWYU pragma: export
#include "d2l/tensor.h"          // IWYU pragma: export
#include "d2l/tensor_options.h"  // IWYU pragma: export
#include "d2l/timing.h"          // IWYU pragma: export
#include "d2l/transfers.h"       // IWYU pragma: export
