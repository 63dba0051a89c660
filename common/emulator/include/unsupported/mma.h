// SPDX-License-Identifier: MIT
#pragma once

static_assert(false, "the interface of tensor cores (nvcuda::wmma) is not supported by the emulator");
