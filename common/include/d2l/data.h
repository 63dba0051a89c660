// SPDX-License-Identifier: MIT
/// @file
/// Data: sets of examples, their batches, and what a model is fitted to.
#pragma once

#include "d2l/data/data_loader.h"  // IWYU pragma: export
#include "d2l/data/data_module.h"  // IWYU pragma: export
#include "d2l/data/dataset.h"      // IWYU pragma: export
