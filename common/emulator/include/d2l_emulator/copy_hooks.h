// SPDX-License-Identifier: MIT
// For instrumented files: copies call the hooks. Clang makes copies itself, of a float4 for example; GCC instruments
// those, but not the functions. The functions must not be built in (-fno-builtin-memcpy and so on).
#pragma once

#ifdef __clang__
asm(".weakref memcpy,__tsan_memcpy\n"
    ".weakref memmove,__tsan_memmove\n"
    ".weakref memset,__tsan_memset\n");
#else
extern "C" {
void* memcpy(void* __restrict, const void* __restrict, __SIZE_TYPE__) noexcept(true) asm("__tsan_memcpy");
void* memmove(void*, const void*, __SIZE_TYPE__) noexcept(true) asm("__tsan_memmove");
void* memset(void*, int, __SIZE_TYPE__) noexcept(true) asm("__tsan_memset");
}
#endif
