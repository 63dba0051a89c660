// SPDX-License-Identifier: MIT
// Programs that are compiled at run time: nvrtc and the driver's modules.
#include <cuda.h>
#include <nvrtc.h>

#include <cstring>
#include <string>
#include <vector>

#include "verify.h"

#define NVRTC_CHECK(call) REQUIRE((call) == NVRTC_SUCCESS)
#define DRIVER_CHECK(call) REQUIRE((call) == CUDA_SUCCESS)

const char* const source = R"(
#include "factor.h"

__constant__ float offsets[2];
__device__ int launches = 7;

extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
  if (i == 0) atomicAdd(&launches, 1);
}

template <typename T, int stride>
__global__ void scale(T* x, int n) {
  __shared__ T tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n) x[threadIdx.x] = FACTOR * tile[n - 1 - threadIdx.x] + stride + static_cast<T>(offsets[1]);
}

namespace inner {
__global__ void store(int* out) { *out = EXTRA; }
}
)";

std::string log_of(nvrtcProgram program) {
  size_t bytes = 0;
  NVRTC_CHECK(nvrtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, '\0');
  NVRTC_CHECK(nvrtcGetProgramLog(program, log.data()));
  log.resize(bytes - 1);
  return log;
}

std::string ptx_of(nvrtcProgram program) {
  size_t bytes = 0;
  NVRTC_CHECK(nvrtcGetPTXSize(program, &bytes));
  std::string ptx(bytes, '\0');
  NVRTC_CHECK(nvrtcGetPTX(program, ptx.data()));
  return ptx;
}

struct Compiled {
  std::string ptx, scale, store, launches;
};

Compiled compile() {
  nvrtcProgram program;
  const char* const headers[] = {"#define FACTOR 10\n"};
  const char* const names[] = {"factor.h"};
  NVRTC_CHECK(nvrtcCreateProgram(&program, source, "kernels.cu", 1, headers, names));
  NVRTC_CHECK(nvrtcAddNameExpression(program, "scale<int, 3>"));
  NVRTC_CHECK(nvrtcAddNameExpression(program, "inner::store"));
  NVRTC_CHECK(nvrtcAddNameExpression(program, "&launches"));
  const char* const options[] = {"--gpu-architecture=compute_75", "-std=c++17", "-DEXTRA=5"};
  const nvrtcResult result = nvrtcCompileProgram(program, 3, options);
  if (result != NVRTC_SUCCESS) std::fprintf(stderr, "%s", log_of(program).c_str());
  NVRTC_CHECK(result);
  Compiled compiled;
  compiled.ptx = ptx_of(program);
  const char* name = nullptr;
  NVRTC_CHECK(nvrtcGetLoweredName(program, "scale<int, 3>", &name));
  compiled.scale = name;
  NVRTC_CHECK(nvrtcGetLoweredName(program, "inner::store", &name));
  compiled.store = name;
  NVRTC_CHECK(nvrtcGetLoweredName(program, "&launches", &name));
  compiled.launches = name;
  verify(nvrtcGetLoweredName(program, "scale<float, 3>", &name) == NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
         "an expression that was not added");
  NVRTC_CHECK(nvrtcDestroyProgram(&program));
  return compiled;
}

int value_of(CUmodule module, const char* name) {
  CUdeviceptr address;
  size_t bytes = 0;
  int value = 0;
  DRIVER_CHECK(cuModuleGetGlobal(&address, &bytes, module, name));
  verify(bytes == sizeof value, "the size of a variable");
  DRIVER_CHECK(cuMemcpyDtoH(&value, address, bytes));
  return value;
}

void run_saxpy(CUmodule module, bool buffer) {
  constexpr int n = 1000;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = i, y[i] = 1;
  CUdeviceptr on_device[2];
  for (int i : {0, 1}) {
    DRIVER_CHECK(cuMemAlloc(&on_device[i], n * sizeof(float)));
    DRIVER_CHECK(cuMemcpyHtoD(on_device[i], i == 0 ? x.data() : y.data(), n * sizeof(float)));
  }
  CUfunction saxpy;
  DRIVER_CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
  float a = 2;
  int count = n;
  void* parameters[] = {&a, &on_device[0], &on_device[1], &count};
  struct {
    float a;
    CUdeviceptr x, y;
    int n;
  } all = {a, on_device[0], on_device[1], n};
  size_t bytes = sizeof all;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  DRIVER_CHECK(
      cuLaunchKernel(saxpy, 8, 1, 1, 128, 1, 1, 0, nullptr, buffer ? nullptr : parameters, buffer ? extra : nullptr));
  DRIVER_CHECK(cuMemcpyDtoH(y.data(), on_device[1], n * sizeof(float)));
  for (int i = 0; i < n; ++i) verify(y[i] == 2.0f * i + 1, "saxpy");
  verify(cuLaunchKernel(saxpy, 1, 1, 1, 2000, 1, 1, 0, nullptr, parameters, nullptr) == CUDA_ERROR_INVALID_VALUE,
         "too many threads");
  verify(cudaGetLastError() == cudaSuccess, "the driver's errors are not the runtime's");
  for (CUdeviceptr one : on_device) DRIVER_CHECK(cuMemFree(one));
}

void run_others(CUmodule module, const Compiled& compiled) {
  CUfunction scale, store;
  DRIVER_CHECK(cuModuleGetFunction(&scale, module, compiled.scale.c_str()));
  DRIVER_CHECK(cuModuleGetFunction(&store, module, compiled.store.c_str()));
  verify(cuModuleGetFunction(&store, module, "absent") == CUDA_ERROR_NOT_FOUND, "a kernel that does not exist");
  CUdeviceptr offsets, memory;
  size_t bytes = 0;
  DRIVER_CHECK(cuModuleGetGlobal(&offsets, &bytes, module, "offsets"));
  const float values[2] = {1000, 2};
  verify(bytes == sizeof values, "the size of an array");
  DRIVER_CHECK(cuMemcpyHtoD(offsets, values, sizeof values));
  DRIVER_CHECK(cuMemAlloc(&memory, 64 * sizeof(int)));
  int x[64];
  for (int i = 0; i < 64; ++i) x[i] = i;
  DRIVER_CHECK(cuMemcpyHtoD(memory, x, sizeof x));
  int n = 64;
  void* parameters[] = {&memory, &n};
  DRIVER_CHECK(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  DRIVER_CHECK(cuMemcpyDtoH(x, memory, sizeof x));
  for (int i = 0; i < 64; ++i) verify(x[i] == 10 * (63 - i) + 5, "a template");
  DRIVER_CHECK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  DRIVER_CHECK(cuMemcpyDtoH(x, memory, sizeof(int)));
  verify(x[0] == 5, "a kernel in a namespace");
  DRIVER_CHECK(cuMemFree(memory));
}

void errors() {
  nvrtcProgram program;
  NVRTC_CHECK(nvrtcCreateProgram(&program, "__global__ void k(int* x) {\n  *x = 1;\n  y = 2;\n}\n", "wrong.cu", 0,
                                 nullptr, nullptr));
  verify(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_ERROR_COMPILATION, "a program that does not compile");
  const std::string log = log_of(program);
  verify(log.find("wrong.cu:3") != std::string::npos || log.find("wrong.cu(3)") != std::string::npos,
         "the line of an error");
  NVRTC_CHECK(nvrtcDestroyProgram(&program));
  verify(program == nullptr, "a destroyed program");
  NVRTC_CHECK(nvrtcCreateProgram(&program, "__global__ void k() {}", nullptr, 0, nullptr, nullptr));
  const char* const options[] = {"--no-such-option"};
  verify(nvrtcCompileProgram(program, 1, options) == NVRTC_ERROR_INVALID_OPTION, "an unknown option");
  NVRTC_CHECK(nvrtcDestroyProgram(&program));
  verify(std::strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0, "names of errors");
  CUmodule module;
  verify(cuModuleLoadData(&module, "this is not PTX") != CUDA_SUCCESS, "an image that is no PTX");
}

int main() {
  int major = 0, minor = 0;
  NVRTC_CHECK(nvrtcVersion(&major, &minor));
  verify(major >= 11, "the version");
  DRIVER_CHECK(cuInit(0));
  CHECK(cudaFree(nullptr));  // creates the context
  const Compiled compiled = compile();
  CUmodule first, second;
  DRIVER_CHECK(cuModuleLoadData(&first, compiled.ptx.c_str()));
  DRIVER_CHECK(cuModuleLoadDataEx(&second, compiled.ptx.c_str(), 0, nullptr, nullptr));
  run_saxpy(first, false);
  run_saxpy(first, true);
  run_saxpy(second, false);
  verify(value_of(first, compiled.launches.c_str()) == 9, "the variable of the first module");
  verify(value_of(second, compiled.launches.c_str()) == 8, "the variable of the second module");
  run_others(second, compiled);
  DRIVER_CHECK(cuModuleUnload(first));
  DRIVER_CHECK(cuModuleUnload(second));
  errors();
  return passed();
}
