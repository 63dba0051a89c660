// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "NCCL is not supported by the emulator");
