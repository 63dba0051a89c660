// SPDX-License-Identifier: MIT
/// @file
/// All of the library that lessons compute with.
#pragma once

#include "d2l/accelerator.h"        // IWYU pragma: export
#include "d2l/amp.h"                // IWYU pragma: export
#include "d2l/autocast.h"           // IWYU pragma: export
#include "d2l/autograd.h"           // IWYU pragma: export
#include "d2l/board.h"              // IWYU pragma: export
#include "d2l/checkpoint.h"         // IWYU pragma: export
#include "d2l/classifier.h"         // IWYU pragma: export
#include "d2l/cost_model.h"         // IWYU pragma: export
#include "d2l/custom_function.h"    // IWYU pragma: export
#include "d2l/data.h"               // IWYU pragma: export
#include "d2l/device.h"             // IWYU pragma: export
#include "d2l/dtype.h"              // IWYU pragma: export
#include "d2l/error.h"              // IWYU pragma: export
#include "d2l/event.h"              // IWYU pragma: export
#include "d2l/factories.h"          // IWYU pragma: export
#include "d2l/kernel_report.h"      // IWYU pragma: export
#include "d2l/layer_ops.h"          // IWYU pragma: export
#include "d2l/linear_regression.h"  // IWYU pragma: export
#include "d2l/links.h"              // IWYU pragma: export
#include "d2l/metrics.h"            // IWYU pragma: export
#include "d2l/missing.h"            // IWYU pragma: export
#include "d2l/model.h"              // IWYU pragma: export
#include "d2l/nn.h"                 // IWYU pragma: export
#include "d2l/ops.h"                // IWYU pragma: export
#include "d2l/optim.h"              // IWYU pragma: export
#include "d2l/ordered_dict.h"       // IWYU pragma: export
#include "d2l/roofline.h"           // IWYU pragma: export
#include "d2l/safetensors.h"        // IWYU pragma: export
#include "d2l/scalar.h"             // IWYU pragma: export
#include "d2l/sequences.h"          // IWYU pragma: export
#include "d2l/shape.h"              // IWYU pragma: export
#include "d2l/sharding.h"           // IWYU pragma: export
#include "d2l/tensor.h"             // IWYU pragma: export
#include "d2l/tensor_options.h"     // IWYU pragma: export
#include "d2l/timing.h"             // IWYU pragma: export
#include "d2l/trainer.h"            // IWYU pragma: export
#include "d2l/transfers.h"          // IWYU pragma: export
