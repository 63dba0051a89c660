// SPDX-License-Identifier: MIT
// d2l::stream() on cards and on slices of cards.
#include "d2l/stream.h"

#include "backend/cuda_queues.h"
#include "d2l/error.h"
#include "runtime/capturing.h"
#include "runtime/runtime.h"

namespace d2l {

CUstream_st* stream(Device device) {
  if (device.is_cpu()) throw DeviceError("[stream] " + device.str() + " has no stream. Name a GPU: d2l::gpu(0)");
  detail::refuse_in_capture(device, "stream", "kernels of the program are no part of it");
  auto* const queues = dynamic_cast<backend::CudaQueues*>(&detail::backend_of(device));
  if (queues == nullptr) {
    throw DeviceError("[stream] " + device.str() +
                      " is a virtual GPU in host memory, which has no stream for kernels that are compiled by nvcc. "
                      "Compile the program with the emulator, or unset D2L_VIRTUAL_GPUS to use the card");
  }
  return static_cast<CUstream_st*>(queues->stream(device.index()));
}

}  // namespace d2l
