// SPDX-License-Identifier: MIT
// In place of the header of CUB that has this name.
#pragma once

#include <cub/cub.cuh>
