// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "the generator MTGP32 is not supported by the emulator");
