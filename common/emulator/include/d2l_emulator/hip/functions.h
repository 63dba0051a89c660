// SPDX-License-Identifier: MIT
// HIP's functions of kernels that CUDA does not have: bits, clocks, atomics on further types, builtins of the compiler.
#pragma once

#include <cstdint>
#include <type_traits>

#include "d2l_emulator/atomics.h"
#include "d2l_emulator/barriers.h"
#include "d2l_emulator/small_functions.h"

// NOLINTBEGIN: the names are HIP's.
inline std::uint32_t __bitextract_u32(std::uint32_t value, std::uint32_t first, std::uint32_t width) {
  first &= 31;
  width &= 31;
  return width == 0 ? 0 : (value << (32 - (first + width < 32 ? first + width : 32))) >> (32 - width);
}
inline std::uint64_t __bitextract_u64(std::uint64_t value, std::uint64_t first, std::uint64_t width) {
  first &= 63;
  width &= 63;
  return width == 0 ? 0 : (value << (64 - (first + width < 64 ? first + width : 64))) >> (64 - width);
}
inline std::uint32_t __bitinsert_u32(std::uint32_t value, std::uint32_t other, std::uint32_t first,
                                     std::uint32_t width) {
  const std::uint32_t mask = (1U << (width & 31)) - 1;
  first &= 31;
  return (value & ~(mask << first)) | ((other & mask) << first);
}
inline std::uint64_t __bitinsert_u64(std::uint64_t value, std::uint64_t other, std::uint64_t first,
                                     std::uint64_t width) {
  const std::uint64_t mask = (std::uint64_t{1} << (width & 63)) - 1;
  first &= 63;
  return (value & ~(mask << first)) | ((other & mask) << first);
}
inline long long wall_clock64() { return clock64(); }
inline long long __clock64() { return clock64(); }
inline long long __clock() { return clock64(); }

// Atomic functions on unsigned long, which is as large as unsigned long long.
#define D2L_HIP_ATOMIC(NAME)                                                                           \
  inline unsigned long NAME(unsigned long* address, unsigned long value) {                             \
    return static_cast<unsigned long>(                                                                 \
        NAME(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value))); \
  }
D2L_HIP_ATOMIC(atomicAdd)
D2L_HIP_ATOMIC(atomicExch)
D2L_HIP_ATOMIC(atomicMin)
D2L_HIP_ATOMIC(atomicMax)
D2L_HIP_ATOMIC(atomicAnd)
D2L_HIP_ATOMIC(atomicOr)
D2L_HIP_ATOMIC(atomicXor)
#undef D2L_HIP_ATOMIC
inline unsigned long atomicCAS(unsigned long* address, unsigned long expected, unsigned long value) {
  return static_cast<unsigned long>(atomicCAS(reinterpret_cast<unsigned long long*>(address),
                                              static_cast<unsigned long long>(expected),
                                              static_cast<unsigned long long>(value)));
}
inline unsigned long long atomicSub(unsigned long long* address, unsigned long long value) {
  return atomicAdd(address, 0 - value);
}
inline unsigned long atomicSub(unsigned long* address, unsigned long value) { return atomicAdd(address, 0 - value); }
inline float atomicSub(float* address, float value) { return atomicAdd(address, -value); }
inline double atomicSub(double* address, double value) { return atomicAdd(address, -value); }

namespace d2l::emulator::hip {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

/// Replaces the value by what `change` makes of it; returns the old value.
template <class T, class Change>
T replace(T* address, Change change) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomic operations of kernels are on values of 4 or 8 bytes");
  auto* const bits = reinterpret_cast<Bits<T>*>(address);
  Bits<T> old = atomicCAS(bits, Bits<T>{0}, Bits<T>{0});  // an atomic load
  while (true) {
    const T value = __builtin_bit_cast(T, old);
    const T next = change(value);
    const Bits<T> found = atomicCAS(bits, old, __builtin_bit_cast(Bits<T>, next));
    if (found == old) return value;
    old = found;
  }
}
template <class T>
T load(T* address) {
  return replace(const_cast<std::remove_const_t<T>*>(address), [](auto value) { return value; });
}
template <class T, class Expected>
bool compare_exchange(T* address, Expected* expected, std::type_identity_t<T> desired) {
  const auto old = atomicCAS(reinterpret_cast<Bits<T>*>(address), __builtin_bit_cast(Bits<T>, T(*expected)),
                             __builtin_bit_cast(Bits<T>, desired));
  const bool same = old == __builtin_bit_cast(Bits<T>, T(*expected));
  *expected = __builtin_bit_cast(T, old);
  return same;
}

}  // namespace d2l::emulator::hip

#define D2L_HIP_ATOMIC(T)                                                                              \
  inline T atomicMin(T* address, T value) {                                                            \
    return d2l::emulator::hip::replace(address, [value](T old) { return value < old ? value : old; }); \
  }                                                                                                    \
  inline T atomicMax(T* address, T value) {                                                            \
    return d2l::emulator::hip::replace(address, [value](T old) { return old < value ? value : old; }); \
  }                                                                                                    \
  inline T unsafeAtomicAdd(T* address, T value) { return atomicAdd(address, value); }                  \
  inline T safeAtomicAdd(T* address, T value) { return atomicAdd(address, value); }                    \
  inline T unsafeAtomicMin(T* address, T value) { return atomicMin(address, value); }                  \
  inline T unsafeAtomicMax(T* address, T value) { return atomicMax(address, value); }                  \
  inline T safeAtomicMin(T* address, T value) { return atomicMin(address, value); }                    \
  inline T safeAtomicMax(T* address, T value) { return atomicMax(address, value); }
D2L_HIP_ATOMIC(float)
D2L_HIP_ATOMIC(double)
#undef D2L_HIP_ATOMIC
inline void atomicAddNoRet(float* address, float value) { atomicAdd(address, value); }

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define __hip_atomic_load(address, order, scope) ::d2l::emulator::hip::load(address)
#define __hip_atomic_store(address, value, order, scope) \
  static_cast<void>(__hip_atomic_exchange(address, value, order, scope))
#define __hip_atomic_exchange(address, value, order, scope) \
  ::d2l::emulator::hip::replace(                            \
      address, [&](auto) { return static_cast<std::remove_reference_t<decltype(*(address))>>(value); })
#define __hip_atomic_fetch_add(address, value, order, scope) atomicAdd(address, value)
#define __hip_atomic_fetch_min(address, value, order, scope) atomicMin(address, value)
#define __hip_atomic_fetch_max(address, value, order, scope) atomicMax(address, value)
#define __hip_atomic_fetch_and(address, value, order, scope) atomicAnd(address, value)
#define __hip_atomic_fetch_or(address, value, order, scope) atomicOr(address, value)
#define __hip_atomic_fetch_xor(address, value, order, scope) atomicXor(address, value)
#define __hip_atomic_compare_exchange_strong(address, expected, desired, success, failure, scope) \
  ::d2l::emulator::hip::compare_exchange(address, expected, desired)
#define __hip_atomic_compare_exchange_weak __hip_atomic_compare_exchange_strong

#define __builtin_amdgcn_s_barrier() __syncthreads()
#define __builtin_amdgcn_sched_barrier(mask) static_cast<void>(mask)
#define __builtin_amdgcn_sched_group_barrier(mask, size, id) static_cast<void>(mask)
#define __builtin_amdgcn_fence(order, scope) __threadfence()
#define __builtin_amdgcn_s_sleep(time) __nanosleep(time)
#define __builtin_amdgcn_s_memtime() static_cast<unsigned long long>(clock64())
#define __builtin_amdgcn_s_memrealtime() static_cast<unsigned long long>(clock64())
#define __builtin_amdgcn_workgroup_id_x() blockIdx.x
#define __builtin_amdgcn_workgroup_id_y() blockIdx.y
#define __builtin_amdgcn_workgroup_id_z() blockIdx.z
#define __builtin_amdgcn_workitem_id_x() threadIdx.x
#define __builtin_amdgcn_workitem_id_y() threadIdx.y
#define __builtin_amdgcn_workitem_id_z() threadIdx.z
#define __builtin_amdgcn_rcpf(x) (1.0F / (x))
#define __builtin_amdgcn_rsqf(x) rsqrtf(x)
#ifndef __clang__
#define __builtin_nontemporal_load(address) (*(address))
#define __builtin_nontemporal_store(value, address) static_cast<void>(*(address) = (value))
#endif
// NOLINTEND
