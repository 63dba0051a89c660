// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "OptiX is not supported by the emulator");
