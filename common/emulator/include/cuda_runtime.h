// SPDX-License-Identifier: MIT
// In place of the toolkit's header: the CUDA runtime and the language of kernels. As with nvcc, programs find the C
// library's common headers included.
#pragma once

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#include <utility>

#include "d2l_emulator/atomics.h"
#include "d2l_emulator/barriers.h"
#include "d2l_emulator/c_library.h"
#include "d2l_emulator/device_math.h"
#include "d2l_emulator/indices.h"
#include "d2l_emulator/language.h"
#include "d2l_emulator/packed_integers.h"
#include "d2l_emulator/ptx.h"
#include "d2l_emulator/rounding.h"
#include "d2l_emulator/runtime_api.h"
#include "d2l_emulator/special_functions.h"
#include "d2l_emulator/unsupported.h"
#include "d2l_emulator/vector_types.h"
#include "d2l_emulator/warp.h"
