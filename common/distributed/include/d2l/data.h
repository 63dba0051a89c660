// SPDX-License-Identifier: MIT
/// @file
/// Data: datasets, batches and data modules.
#pragma once

#include "d2l/data/data_loader.h"  // IWYU pragma: export
#include "d2l/data/data_module.h"  // IWYU pragma: export
#include "d2l/data/dataset.h"      // IWYU pragma: export
