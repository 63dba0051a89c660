// SPDX-License-Identifier: MIT
/// @file
/// For .cu programs that use tensors: Thrust's algorithms in the stream of a device's tensor operations.
#pragma once

#include "d2l/stream.h"

#ifdef D2L_EMULATED
#include "d2l_emulator/stream_algorithms.h"
#else
#include <thrust/system/cuda/execution_policy.h>
#endif

namespace d2l {

#ifdef D2L_EMULATED
/// The execution policy of Thrust's algorithms in stream(device): in order with the tensor operations and the kernels
/// on that stream. An algorithm that returns a value waits for the device, the others do not. Algorithms without an
/// implementation for this policy do not compile. `file` and `line` are the caller's.
inline emulator::StreamPolicy thrust_policy(Device device = gpu(), const char* file = __builtin_FILE(),
                                            int line = __builtin_LINE()) {
  return {stream(device), {file, line}};
}
#else
/// The execution policy of Thrust's algorithms in stream(device): in order with the tensor operations and the kernels
/// on that stream. An algorithm that returns a value waits for the device, the others do not.
inline auto thrust_policy(Device device = gpu()) { return thrust::cuda::par_nosync.on(stream(device)); }
#endif

}  // namespace d2l
