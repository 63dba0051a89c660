// SPDX-License-Identifier: MIT
/// @file
/// Computation by several GPUs and several processes.
#pragma once

#include "d2l/distributed/collectives.h"    // IWYU pragma: export
#include "d2l/distributed/process_group.h"  // IWYU pragma: export
#include "d2l/distributed/ranks.h"          // IWYU pragma: export
#include "d2l/distributed/reduce_op.h"      // IWYU pragma: export
#include "d2l/distributed/work.h"           // IWYU pragma: export
