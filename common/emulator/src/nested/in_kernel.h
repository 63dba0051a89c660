// SPDX-License-Identifier: MIT
// The functions of the runtime that kernels may call, when a kernel calls them. Those that change something have a part
// here; the others do the same as on the host.
#pragma once

#include <cstddef>

#include "d2l_emulator/launch.h"
#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {

/// A launch from a kernel: the grid becomes a child of the running one.
void submit_in_kernel(const Configuration& configuration, const BoundKernel& kernel);

namespace in_kernel_calls {

// `caller` is where the kernel calls the function.
cudaError_t allocate(void** memory, std::size_t bytes, const void* caller);
cudaError_t free(void* memory);
cudaError_t copy(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t rows, cudaStream_t stream, const void* caller);
cudaError_t fill(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t rows, cudaStream_t stream,
                 const void* caller);
cudaError_t create_stream(cudaStream_t* stream, unsigned flags, const void* caller);
cudaError_t destroy_stream(cudaStream_t stream);
cudaError_t create_event(cudaEvent_t* event, unsigned flags, const void* caller);
cudaError_t destroy_event(cudaEvent_t event);
cudaError_t record(cudaEvent_t event, cudaStream_t stream);
cudaError_t wait_for(cudaStream_t stream, cudaEvent_t event);
/// cudaDeviceSynchronize() of CUDA 11 and before: waits for what the block has launched.
cudaError_t synchronize();
cudaError_t last_error(bool forget);
/// Makes an error the last one of the running thread. Returns it.
cudaError_t note(cudaError_t error);
/// The running grid ends with an error of the device: `function` cannot do what the kernel wants, and why.
void fail(const char* function, const char* why);
/// The device that runs the kernel.
int device();

}  // namespace in_kernel_calls

}  // namespace d2l::emulator
