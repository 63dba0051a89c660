// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "NVML is not supported by the emulator");
