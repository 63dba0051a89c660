// SPDX-License-Identifier: MIT
// Thrust's header, for the host, and the runtime, which a .cpp file too has from the device system of CUDA. With any
// header of Thrust, the host uses the memory of devices, because the algorithms run there.
#pragma once
#pragma GCC system_header  // for #include_next

#include_next <thrust/detail/config.h>

#include "../../d2l_emulator/cccl/device_malloc.h"
#include "../../d2l_emulator/cccl/host_code_begin.h"
#include "../../d2l_emulator/cccl/host_code_end.h"
#include "../../d2l_emulator/host_algorithms.h"
#include "../../d2l_emulator/runtime_api.h"
