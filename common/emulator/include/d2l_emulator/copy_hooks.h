// SPDX-License-Identifier: MIT
// For instrumented files that Clang compiles: the copies that it makes itself, of a float4 for example, call the hooks.
#pragma once

asm(".weakref memcpy,__tsan_memcpy\n"
    ".weakref memmove,__tsan_memmove\n"
    ".weakref memset,__tsan_memset\n");
