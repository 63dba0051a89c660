// SPDX-License-Identifier: MIT
// In place of the toolkit's header: the functions of the CUDA runtime.
#pragma once

#include "d2l_emulator/runtime_api.h"
