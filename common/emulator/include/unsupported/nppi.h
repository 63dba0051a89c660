// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "NPP is not supported by the emulator");
