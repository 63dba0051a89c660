// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "cuSOLVER is not supported by the emulator");
