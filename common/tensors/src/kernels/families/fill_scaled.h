// SPDX-License-Identifier: MIT
// fill_scaled: the kernel out = a + number × b, the step of an optimiser.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

/// a + factor × b; floating-point numbers are rounded once, on every device, as PyTorch's are.
template <class T>
D2L_HOST_DEVICE D2L_ALWAYS_INLINE T scaled_sum(T a, T factor, T b) {
  if constexpr (is_floating<T>) {
    return std::fma(b, factor, a);
  } else {
    return functions::add{}(a, functions::mul{}(factor, b));
  }
}

// Uses the processor's fused multiply-add if it has one: without it, std::fma is a function call.
#if defined(__x86_64__) && !defined(__CUDACC__)
#define D2L_FUSED __attribute__((target("avx2,fma"), noinline))
inline bool fused_vectors() { return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0; }
#else
#define D2L_FUSED D2L_NEVER_INLINE
inline bool fused_vectors() { return false; }
#endif

template <class T>
struct ScaledSum {
  T* out;
  const T* a;
  const T* b;
  T factor;

  /// One element, for a GPU's thread.
  D2L_HOST_DEVICE void operator()(std::int64_t i) const { out[i] = scaled_sum(a[i], factor, b[i]); }

  D2L_ALWAYS_INLINE void loop(std::int64_t begin, std::int64_t end) const {
    D2L_VECTORISE
    for (std::int64_t i = begin; i < end; ++i) out[i] = scaled_sum(a[i], factor, b[i]);
  }
  D2L_NEVER_INLINE void baseline(std::int64_t begin, std::int64_t end) const { loop(begin, end); }
  D2L_FUSED void fused(std::int64_t begin, std::int64_t end) const { loop(begin, end); }
  void elements(std::int64_t begin, std::int64_t end) const {
    fused_vectors() ? fused(begin, end) : baseline(begin, end);
  }
};

template <class Policy, class T>
void scaled_kernel(const KernelContext& context, const KernelArguments& arguments) {
  const ScaledSum<T> work{static_cast<T*>(arguments.operands[0].data),
                          static_cast<const T*>(arguments.operands[1].data),
                          static_cast<const T*>(arguments.operands[2].data), number<T>(arguments.parameters[0])};
  const std::int64_t count = arguments.sizes[0];
  if constexpr (Policy::on_device) {
    Policy::for_each(context, count, work);
  } else {
    if (count < parallel_threshold || context.threads == 1) {
      work.elements(0, count);
      return;
    }
    Policy::for_each(context, (count + chunk_elements - 1) / chunk_elements, [&work, count](std::int64_t chunk) {
      work.elements(chunk * chunk_elements, std::min(count, (chunk + 1) * chunk_elements));
    });
  }
}

template <class Policy>
void fill_scaled(KernelTable& table) {
  add_kernels<Operation::add_scaled>(table, []<class T>(Type<T>) -> Kernel { return scaled_kernel<Policy, T>; });
}

}  // namespace d2l::backend::kernels
