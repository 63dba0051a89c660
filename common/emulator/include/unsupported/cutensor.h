// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "cuTENSOR is not supported by the emulator");
