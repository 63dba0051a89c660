// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "cuFile is not supported by the emulator");
