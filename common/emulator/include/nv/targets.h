// SPDX-License-Identifier: MIT
// What the translator writes for NV_IF_TARGET and its kin, which choose between code of the host and of the device.
// Here the choice is made when the program runs, so that both must compile: a lambda or a function for both may run
// anywhere.
#pragma once

#include "d2l_emulator/qualifiers.h"

namespace d2l::emulator {

[[nodiscard]] bool in_kernel() noexcept;
constexpr bool in_device_code() { return !__builtin_is_constant_evaluated() && in_kernel(); }

}  // namespace d2l::emulator

#define D2L_NV_IS_DEVICE ::d2l::emulator::in_device_code()
#define D2L_NV_IS_HOST (!::d2l::emulator::in_device_code())
#define D2L_NV_ANY_TARGET true
#define D2L_NV_NO_TARGET false
#define D2L_NV_PROVIDES_SM(number) ((number)*10 <= D2L_CUDA_ARCH && ::d2l::emulator::in_device_code())
#define D2L_NV_IS_EXACTLY_SM(number) ((number)*10 == D2L_CUDA_ARCH && ::d2l::emulator::in_device_code())

// The code of an argument, without the parentheses that may be around it.
#define D2L_NV_CODE(...) D2L_NV_CODE_OF(D2L_NV_MARK __VA_ARGS__)
#define D2L_NV_CODE_OF(...) D2L_NV_CODE_AFTER(__VA_ARGS__)
#define D2L_NV_CODE_AFTER(...) D2L_NV_NO_##__VA_ARGS__
#define D2L_NV_MARK(...) D2L_NV_MARK __VA_ARGS__
#define D2L_NV_NO_D2L_NV_MARK

#define D2L_NV_IF_TARGET(condition, code, ...) \
  {                                            \
    if (condition) {                           \
      D2L_NV_CODE(code)                        \
    } else {                                   \
      __VA_OPT__(D2L_NV_CODE(__VA_ARGS__))     \
    }                                          \
  }
#define D2L_NV_IF_ELSE_TARGET(condition, code, other) D2L_NV_IF_TARGET(condition, code, other)

// Pairs of a condition and code, of which the first that is true counts.
#define D2L_NV_DISPATCH_TARGET(...) \
  { D2L_NV_RESCAN(D2L_NV_DISPATCH(__VA_ARGS__)) }
#define D2L_NV_DISPATCH(condition, code, ...) \
  if (condition) {                            \
    D2L_NV_CODE(code)                         \
  }                                           \
  __VA_OPT__(else D2L_NV_DISPATCH_NAME D2L_NV_NOTHING()()(__VA_ARGS__))
#define D2L_NV_DISPATCH_NAME() D2L_NV_DISPATCH
#define D2L_NV_NOTHING()
#define D2L_NV_RESCAN(...) D2L_NV_RESCAN_4(D2L_NV_RESCAN_4(D2L_NV_RESCAN_4(__VA_ARGS__)))
#define D2L_NV_RESCAN_4(...) D2L_NV_RESCAN_1(D2L_NV_RESCAN_1(D2L_NV_RESCAN_1(__VA_ARGS__)))
#define D2L_NV_RESCAN_1(...) __VA_ARGS__
