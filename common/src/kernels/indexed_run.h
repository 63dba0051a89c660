// SPDX-License-Identifier: MIT
// run_indexed: work on single elements, divided among host threads in chunks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/elementwise_kernel.h"
#include "kernels/policy.h"

namespace d2l::backend::kernels {

/// Calls work(i) for i below `count`.
template <class Policy, class Work>
void run_indexed(const KernelContext& context, std::int64_t count, const Work& work) {
  if constexpr (Policy::on_device) {
    Policy::for_each(context, count, work);
  } else {
    const std::int64_t chunk = context.threads == 1 ? std::max<std::int64_t>(count, 1) : chunk_elements / 4;
    Policy::for_each(context, (count + chunk - 1) / chunk, [&work, chunk, count](std::int64_t index) {
      const std::int64_t end = std::min(count, (index + 1) * chunk);
      for (std::int64_t i = index * chunk; i < end; ++i) work(i);
    });
  }
}

}  // namespace d2l::backend::kernels
