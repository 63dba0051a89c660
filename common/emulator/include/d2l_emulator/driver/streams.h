// SPDX-License-Identifier: MIT
// The driver's functions for streams and events: those of the runtime.
#pragma once

#include "d2l_emulator/driver/types.h"

// NOLINTBEGIN: the names are CUDA's.
inline CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return CUresult(cudaStreamCreateWithFlags(stream, flags));
}
inline CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return CUresult(cudaStreamCreateWithPriority(stream, flags, priority));
}
inline CUresult cuStreamDestroy(CUstream stream) { return CUresult(cudaStreamDestroy(stream)); }
inline CUresult cuStreamSynchronize(CUstream stream) { return CUresult(cudaStreamSynchronize(stream)); }
inline CUresult cuStreamQuery(CUstream stream) { return CUresult(cudaStreamQuery(stream)); }
inline CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return CUresult(cudaStreamWaitEvent(stream, event, flags));
}
inline CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return CUresult(cudaLaunchHostFunc(stream, function, data));
}
inline CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return CUresult(cudaEventCreateWithFlags(event, flags));
}
inline CUresult cuEventRecord(CUevent event, CUstream stream) { return CUresult(cudaEventRecord(event, stream)); }
inline CUresult cuEventQuery(CUevent event) { return CUresult(cudaEventQuery(event)); }
inline CUresult cuEventSynchronize(CUevent event) { return CUresult(cudaEventSynchronize(event)); }
inline CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent stop) {
  return CUresult(cudaEventElapsedTime(milliseconds, start, stop));
}
inline CUresult cuEventDestroy(CUevent event) { return CUresult(cudaEventDestroy(event)); }
// NOLINTEND
