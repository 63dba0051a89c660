// SPDX-License-Identifier: MIT
/// @file
/// Optimizers: they update parameters with their gradients.
#pragma once

#include "d2l/optim/adagrad.h"       // IWYU pragma: export
#include "d2l/optim/adam.h"          // IWYU pragma: export
#include "d2l/optim/lr_scheduler.h"  // IWYU pragma: export
#include "d2l/optim/optimizer.h"     // IWYU pragma: export
#include "d2l/optim/rmsprop.h"       // IWYU pragma: export
#include "d2l/optim/sgd.h"           // IWYU pragma: export
