// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "cuDNN is not supported by the emulator");
