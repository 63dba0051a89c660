// SPDX-License-Identifier: MIT
// Which cuda::std programs have. Thrust from 2.2 on is written with libcu++, which comes with it: then cuda::std is
// that of libcu++, compiled for the host. Older versions of Thrust do without: then it is the standard library.
#pragma once
#pragma GCC system_header  // for #include_next

#if __has_include(<thrust/version.h>)
#include <thrust/version.h>
#endif

#if defined(THRUST_VERSION) && THRUST_VERSION >= 200200
#define D2L_EMULATOR_HAS_LIBCUDACXX 1
#include <cuda/std/detail/__config>
#else
// NOLINTNEXTLINE: the name is libcu++'s
namespace cuda::std {
using namespace ::std;
}
#endif
