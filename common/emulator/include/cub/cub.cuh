// SPDX-License-Identifier: MIT
// In place of CUB: the collectives of a warp and a block, and the algorithms of a device that programs use most, with
// CUB's results. Sums of floating point numbers are added in another order.
#pragma once

#include "block_collectives.h"
#include "block_exchange.h"
#include "block_transfer.h"
#include "device_algorithms.h"
#include "device_for.h"
#include "device_segments.h"
#include "host_utilities.h"
#include "iterators.h"
