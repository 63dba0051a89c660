// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "graphics interoperability is not supported by the emulator");
