// SPDX-License-Identifier: MIT
// In place of the toolkit's header: of the driver's functions, queries of devices and pointers, memory, streams,
// events, modules that are compiled at run time, and contexts, of which each device has one.
#pragma once

#include "cuda_runtime.h"
#include "d2l_emulator/driver/devices.h"
#include "d2l_emulator/driver/memory.h"
#include "d2l_emulator/driver/modules.h"
#include "d2l_emulator/driver/streams.h"
#include "d2l_emulator/driver/types.h"
