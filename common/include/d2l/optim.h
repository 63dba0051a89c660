// SPDX-License-Identifier: MIT
/// @file
/// Optimizers: they change parameters by their gradients.
#pragma once

#include "d2l/optim/optimizer.h"  // IWYU pragma: export
#include "d2l/optim/sgd.h"        // IWYU pragma: export
