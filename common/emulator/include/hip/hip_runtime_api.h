// SPDX-License-Identifier: MIT
// In place of HIP's header: the functions of the host, HIP's names for those of the CUDA runtime.
#pragma once

#include "d2l_emulator/hip/attributes.h"
#include "d2l_emulator/hip/devices.h"
#include "d2l_emulator/hip/errors.h"
#include "d2l_emulator/hip/graphs.h"
#include "d2l_emulator/hip/launches.h"
#include "d2l_emulator/hip/library_types.h"
#include "d2l_emulator/hip/memory.h"
#include "d2l_emulator/hip/memory_names.h"
#include "d2l_emulator/hip/modules.h"
#include "d2l_emulator/hip/program.h"
#include "d2l_emulator/hip/runtime_names.h"
#include "d2l_emulator/hip/textures.h"
#include "d2l_emulator/hip/vectors.h"
#include "d2l_emulator/hip/version.h"
