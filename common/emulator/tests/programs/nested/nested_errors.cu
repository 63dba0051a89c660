// SPDX-License-Identifier: MIT
// Errors of launches from kernels: each thread has its last error, and a fault of a child is one of the device.
#include <cstring>

#include "verify.h"

__global__ void nothing(int) {}
__global__ void store(int* to) { *to = 1; }

__global__ void refused(int* errors) {
  const int i = threadIdx.x;
  if (i == 0) nothing<<<1, 2000>>>(0);
  if (i == 1) nothing<<<1, dim3(1, 1, 65)>>>(0);
  if (i == 2) nothing<<<1, 32>>>(0);
  if (i == 3) nothing<<<0, 32>>>(0);
  errors[2 * i] = cudaPeekAtLastError();
  errors[2 * i + 1] = cudaGetLastError() == cudaPeekAtLastError();
}

__global__ void names(char* text) {
  const char* const name = cudaGetErrorName(cudaErrorInvalidConfiguration);
  const char* const description = cudaGetErrorString(cudaSuccess);
  for (int i = 0; i < 64 && name[i] != 0; ++i) text[i] = name[i];
  text[64] = description[0];
}

__global__ void wrong_flags(int* errors) {
  cudaStream_t stream;
  cudaEvent_t event;
  errors[0] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
  errors[1] = cudaEventCreateWithFlags(&event, cudaEventDefault);
  errors[2] = cudaGetLastError();
}

__global__ void launch_store(int* to) { store<<<1, 1>>>(to); }

int main() {
  int* errors;
  CHECK(cudaMallocManaged(&errors, 8 * sizeof(int)));
  refused<<<1, 4>>>(errors);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) {
    verify(errors[2 * i] == (i == 2 ? cudaSuccess : cudaErrorInvalidConfiguration), "the last error of a thread");
    verify(errors[2 * i + 1] == (i == 2), "cudaGetLastError() forgets the error");
  }
  wrong_flags<<<1, 1>>>(errors);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) verify(errors[i] == cudaErrorInvalidValue, "flags of streams and events");

  char* text;
  CHECK(cudaMallocManaged(&text, 65));
  std::memset(text, 0, 65);
  names<<<1, 1>>>(text);
  CHECK(cudaDeviceSynchronize());
  verify(std::strcmp(text, "cudaErrorInvalidConfiguration") == 0 && text[64] == 'n', "texts of errors");
  CHECK(cudaFree(text));
  CHECK(cudaFree(errors));

  launch_store<<<1, 1>>>(nullptr);  // the last step: the device is lost then
  verify(cudaDeviceSynchronize() == cudaErrorIllegalAddress, "a fault of a child");
  verify(cudaDeviceSynchronize() == cudaErrorIllegalAddress, "which stays");
  return passed();
}
