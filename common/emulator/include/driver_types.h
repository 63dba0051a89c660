// SPDX-License-Identifier: MIT
// In place of the header of the toolkit that has this name.
#pragma once

#include "cuda_runtime.h"
