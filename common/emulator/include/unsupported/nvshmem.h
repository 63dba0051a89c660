// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "NVSHMEM is not supported by the emulator");
