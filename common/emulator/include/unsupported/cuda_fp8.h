// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "8-bit floating point is not supported by the emulator");
