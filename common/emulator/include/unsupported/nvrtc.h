// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "NVRTC is not supported by the emulator");
