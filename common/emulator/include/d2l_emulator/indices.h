// SPDX-License-Identifier: MIT
// threadIdx and its kin: variables of the worker thread that the scheduler sets before a thread of a kernel goes on.
#pragma once

#include <cstddef>
#include <utility>

#include "d2l_emulator/launches/warp_size.h"
#include "d2l_emulator/vector_types.h"

// A kernel that is compiled with the instrumentation is called once for each thread; another is a loop over threads.
#if defined(__SANITIZE_THREAD__)
#define D2L_EMULATOR_CALLED_BY_THREAD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define D2L_EMULATOR_CALLED_BY_THREAD 1
#endif
#endif

namespace d2l::emulator {

/// The index of a thread in a loop over threads. The member that may change keeps the compiler from reading the index
/// once for the whole loop, and yet a program cannot assign to threadIdx.
struct ThreadIndex : uint3 {
  mutable unsigned changes;

  void set(const uint3& index) noexcept { static_cast<uint3&>(*this) = index; }
};
/// The size of the block or the grid. A constant dim3 would be read again after each store, since it has a constructor.
struct LaunchSize : uint3 {};

// For `auto [x, y, z] = threadIdx`.
template <std::size_t I>
unsigned get(const ThreadIndex& index) noexcept {
  return I == 0 ? index.x : I == 1 ? index.y : index.z;
}

}  // namespace d2l::emulator

template <>
struct std::tuple_size<d2l::emulator::ThreadIndex> : std::integral_constant<std::size_t, 3> {};
template <std::size_t I>
struct std::tuple_element<I, d2l::emulator::ThreadIndex> {
  using type = unsigned;
};

// Constant for the compiler, since they never change during one thread's call of the kernel, or one loop over threads.
#ifdef D2L_EMULATOR_CALLED_BY_THREAD
extern __thread const uint3 threadIdx asm("d2l_emulator_thread_index");
#else
extern __thread const d2l::emulator::ThreadIndex threadIdx asm("d2l_emulator_thread_index");
#endif
extern __thread const uint3 blockIdx asm("d2l_emulator_block_index");
extern __thread const d2l::emulator::LaunchSize blockDim asm("d2l_emulator_block_size");
extern __thread const d2l::emulator::LaunchSize gridDim asm("d2l_emulator_grid_size");
inline constexpr int warpSize = D2L_WARP_SIZE;
