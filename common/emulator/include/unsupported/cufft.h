// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "cuFFT is not supported by the emulator");
