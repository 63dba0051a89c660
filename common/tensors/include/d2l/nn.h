// SPDX-License-Identifier: MIT
/// @file
/// Neural networks: modules, layers, losses, initial values and gradient clipping.
#pragma once

#include "d2l/nn/activation.h"               // IWYU pragma: export
#include "d2l/nn/any_module.h"               // IWYU pragma: export
#include "d2l/nn/batch_norm.h"               // IWYU pragma: export
#include "d2l/nn/clip_grad.h"                // IWYU pragma: export
#include "d2l/nn/conv.h"                     // IWYU pragma: export
#include "d2l/nn/dropout.h"                  // IWYU pragma: export
#include "d2l/nn/embedding.h"                // IWYU pragma: export
#include "d2l/nn/flatten.h"                  // IWYU pragma: export
#include "d2l/nn/functional.h"               // IWYU pragma: export
#include "d2l/nn/init.h"                     // IWYU pragma: export
#include "d2l/nn/layer_norm.h"               // IWYU pragma: export
#include "d2l/nn/linear.h"                   // IWYU pragma: export
#include "d2l/nn/loss.h"                     // IWYU pragma: export
#include "d2l/nn/module.h"                   // IWYU pragma: export
#include "d2l/nn/module_holder.h"            // IWYU pragma: export
#include "d2l/nn/module_list.h"              // IWYU pragma: export
#include "d2l/nn/multihead_attention.h"      // IWYU pragma: export
#include "d2l/nn/parameter.h"                // IWYU pragma: export
#include "d2l/nn/pooling.h"                  // IWYU pragma: export
#include "d2l/nn/recurrent/rnn.h"            // IWYU pragma: export
#include "d2l/nn/recurrent/rnn_cell.h"       // IWYU pragma: export
#include "d2l/nn/sequential.h"               // IWYU pragma: export
#include "d2l/nn/transformer/transformer.h"  // IWYU pragma: export
#include "d2l/nn/upsampling.h"               // IWYU pragma: export
