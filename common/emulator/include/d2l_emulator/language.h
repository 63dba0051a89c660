// SPDX-License-Identifier: MIT
// CUDA's language for the host compiler. The translator handles __shared__ and kernel launches.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "d2l_emulator/qualifiers.h"

// NOLINTBEGIN: the names are CUDA's.
#define D2L_EMULATED 1
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
// The translator puts D2L_EMULATOR_LOOP at the begin of a loop's body, with the number of the loop around it, and
// D2L_EMULATOR_LEAVE where a loop is left. The counts read their places from the section: see counts/loop_marks.h. They
// also keep the compiler from joining blocks of a loop with others, whose iterations the counts could not tell apart.
// ./learn cuda defines both as empty in files for the host's compiler, which may include nothing of CUDA.
#undef D2L_EMULATOR_LOOP
#undef D2L_EMULATOR_LEAVE
#ifdef D2L_EMULATOR_COUNTS
#define D2L_EMULATOR_MARK(number) ".long 799b - .; .long " #number ";"
#define D2L_EMULATOR_MARKS(marks) \
  __asm__ __inline__ __volatile__("799: .pushsection d2l_loops, \"a?\"; .balign 4; " marks " .popsection")
#define D2L_EMULATOR_LOOP(loop, around)   \
  if (!__builtin_is_constant_evaluated()) \
    D2L_EMULATOR_MARKS(D2L_EMULATOR_MARK(2 * loop + 1) D2L_EMULATOR_MARK(2 * around));
#define D2L_EMULATOR_LEAVE(loop)                     \
  if (!__builtin_is_constant_evaluated()) {          \
    D2L_EMULATOR_MARKS(D2L_EMULATOR_MARK(2 * loop)); \
    __sanitizer_cov_trace_pc();                      \
  }
extern "C" void __sanitizer_cov_trace_pc();
#else
#define D2L_EMULATOR_LOOP(loop, around)
#define D2L_EMULATOR_LEAVE(loop)
#endif
#define __builtin_assume(condition) (void)0
#define __nv_pure__

// The translator writes this after the definition of a kernel.
#define D2L_EMULATOR_JOINED(a, b) a##b
#define D2L_EMULATOR_UNIQUE(name, number) D2L_EMULATOR_JOINED(name, number)
#define D2L_EMULATOR_PARAMETERS(kernel, names)                                                                     \
  [[maybe_unused]] static const ::d2l::emulator::ParameterNames D2L_EMULATOR_UNIQUE(d2l_parameters_, __COUNTER__){ \
      kernel, names};
// NOLINTEND

namespace d2l::emulator {

/// A line of the kernel's source. As a default argument, Place::here() is the caller's line.
struct Place {
  const char* file;
  int line;
  static constexpr Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

/// An argument of a kernel that points to elements of this size, 0 if that is unknown.
struct PointerArgument {
  const void* address;
  std::size_t element;
  std::size_t number;      ///< of the argument, from 0
  bool scalar;             ///< the elements are numbers or pointers, which have no unused bytes
  bool reference = false;  ///< the parameter is a reference to one element
};

/// Makes the names of a kernel's parameters known, "out,in,": for reports.
class ParameterNames {
 public:
  ParameterNames(const char* kernel, const char* names);
};

/// The size of an array's elements, and the lengths of its dimensions after the first: for reports. A variable that is
/// no array has no dimensions.
struct ArrayShape {
  static constexpr std::size_t max_dimensions = 4;
  std::size_t element = 0;  ///< in bytes; 0: unknown
  std::size_t dimensions = 0;
  std::size_t lengths[max_dimensions - 1] = {};
};

/// The shape of an array whose elements are of type T, which may be arrays.
template <class T>
constexpr ArrayShape shape_of_elements() {
  if constexpr (std::rank_v<T> == 0 || std::rank_v<T> >= ArrayShape::max_dimensions) {
    return {sizeof(T), 1, {}};
  } else {
    return {sizeof(std::remove_all_extents_t<T>),
            1 + std::rank_v<T>,
            {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>}};
  }
}

/// The shape of a variable of type T.
template <class T>
constexpr ArrayShape shape_of_variable() {
  if constexpr (std::is_array_v<T>) {
    return shape_of_elements<std::remove_extent_t<T>>();
  } else {
    return {sizeof(T), 0, {}};
  }
}

/// The translator writes this before a call of the runtime whose result the program does not use.
void result_unused() noexcept;

/// Ends the kernel with an error of the device.
[[noreturn]] void fail_kernel(const char* what, Place place);

/// Registers a __shared__ variable of the running block. Its bytes are not zero when a block first declares it.
void declare_shared(const char* name, void* address, std::size_t bytes, int line, const ArrayShape& shape);

/// The running block's dynamic shared memory, which all `extern __shared__` arrays share.
void* dynamic_shared_memory(const char* name, const ArrayShape& shape);

template <class T>
T* dynamic_shared(const char* name) {
  return static_cast<T*>(dynamic_shared_memory(name, shape_of_elements<T>()));
}
/// The same memory as an array, so that a cast to a reference refers to the memory.
template <class T>
auto dynamic_shared_array(const char* name) -> T (&)[] {
  return *reinterpret_cast<T(*)[]>(dynamic_shared<T>(name));
}

/// A __shared__ variable with unused bytes around it, so that an index beyond it does not hit the next variable.
template <class T>
class SharedVariable {
 public:
  T& of_block(const char* name, int line) {
    declare_shared(name, const_cast<void*>(static_cast<const volatile void*>(&value_)), sizeof(T), line,
                   shape_of_variable<T>());
    return value_;
  }

 private:
  // As nvcc's first variable, each begins at a multiple of 32, which loads of matrices need.
  alignas(32) unsigned char before_[256];
  alignas(32) T value_;
  unsigned char after_[256];
};

/// An `extern __shared__` array at namespace scope.
template <class T>
struct DynamicSharedArray {
  const char* name;
  operator T*() const { return dynamic_shared<T>(name); }
};

}  // namespace d2l::emulator
