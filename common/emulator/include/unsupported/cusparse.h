// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "cuSPARSE is not supported by the emulator");
