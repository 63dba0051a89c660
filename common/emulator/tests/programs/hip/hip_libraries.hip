// SPDX-License-Identifier: MIT
// Libraries of ROCm: hipBLAS, hipFFT, hipRAND, hipCUB, hipSPARSE, hipSOLVER, 16-bit and complex numbers, textures.
#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <hipfft/hipfft.h>
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>
#include <hipsolver/hipsolver.h>
#include <hipsparse/hipsparse.h>
#include <roctracer/roctx.h>

#include <cmath>
#include <hipcub/hipcub.hpp>
#include <vector>

#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(EXIT_FAILURE);                                                       \
    }                                                                                \
  } while (0)

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  REQUIRE(hipMalloc(&memory, values.size() * sizeof(T)) == hipSuccess);
  REQUIRE(hipMemcpy(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice) == hipSuccess);
  return memory;
}
template <class T>
std::vector<T> on_host(const T* memory, std::size_t count) {
  std::vector<T> values(count);
  REQUIRE(hipMemcpy(values.data(), memory, count * sizeof(T), hipMemcpyDeviceToHost) == hipSuccess);
  return values;
}

void blas() {
  hipblasHandle_t handle;
  REQUIRE(hipblasCreate(&handle) == HIPBLAS_STATUS_SUCCESS);
  float* const a = on_device<float>({1, 2, 3, 4});
  float* const b = on_device<float>({5, 6, 7, 8});
  float* const c = on_device<float>({0, 0, 0, 0});
  const float one = 1, zero = 0;
  REQUIRE(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_T, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2) ==
          HIPBLAS_STATUS_SUCCESS);
  REQUIRE(on_host(c, 4) == (std::vector<float>{26, 38, 30, 44}));
  REQUIRE(hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 2, 2, 2, &one, a, HIP_R_32F, 2, b, HIP_R_32F, 2, &zero, c,
                        HIP_R_32F, 2, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT) == HIPBLAS_STATUS_SUCCESS);
  REQUIRE(on_host(c, 4) == (std::vector<float>{23, 34, 31, 46}));
  REQUIRE(hipblasSaxpy(handle, 4, &one, a, 1, b, 1) == HIPBLAS_STATUS_SUCCESS);
  float norm = 0;
  REQUIRE(hipblasSasum(handle, 4, b, 1, &norm) == HIPBLAS_STATUS_SUCCESS);
  REQUIRE(norm == 36);
  REQUIRE(hipblasDestroy(handle) == HIPBLAS_STATUS_SUCCESS);
  for (float* memory : {a, b, c}) REQUIRE(hipFree(memory) == hipSuccess);
}

void fft() {
  hipfftHandle plan;
  hipfftComplex* const values = on_device<hipfftComplex>({{1, 0}, {2, 0}, {3, 0}, {4, 0}});
  REQUIRE(hipfftPlan1d(&plan, 4, HIPFFT_C2C, 1) == HIPFFT_SUCCESS);
  REQUIRE(hipfftExecC2C(plan, values, values, HIPFFT_FORWARD) == HIPFFT_SUCCESS);
  REQUIRE(std::abs(on_host(values, 4)[0].x - 10) < 1e-5f);
  REQUIRE(hipfftExecC2C(plan, values, values, HIPFFT_BACKWARD) == HIPFFT_SUCCESS);
  REQUIRE(std::abs(on_host(values, 4)[3].x - 16) < 1e-5f);
  REQUIRE(hipfftDestroy(plan) == HIPFFT_SUCCESS);
  REQUIRE(hipFree(values) == hipSuccess);
}

__global__ void draw(float* numbers) {
  hiprandState_t state;
  hiprand_init(7, threadIdx.x, 0, &state);
  numbers[threadIdx.x] = hiprand_uniform(&state);
}

void random_numbers() {
  constexpr int count = 4096;
  float* const numbers = on_device(std::vector<float>(count));
  hiprandGenerator_t generator;
  REQUIRE(hiprandCreateGenerator(&generator, HIPRAND_RNG_PSEUDO_DEFAULT) == HIPRAND_STATUS_SUCCESS);
  REQUIRE(hiprandSetPseudoRandomGeneratorSeed(generator, 3) == HIPRAND_STATUS_SUCCESS);
  REQUIRE(hiprandGenerateUniform(generator, numbers, count) == HIPRAND_STATUS_SUCCESS);
  double sum = 0;
  for (const float number : on_host(numbers, count)) sum += number;
  REQUIRE(std::abs(sum / count - 0.5) < 0.03);
  draw<<<1, 256>>>(numbers);
  sum = 0;
  for (const float number : on_host(numbers, 256)) sum += number;
  REQUIRE(std::abs(sum / 256 - 0.5) < 0.1);
  REQUIRE(hiprandDestroyGenerator(generator) == HIPRAND_STATUS_SUCCESS);
  REQUIRE(hipFree(numbers) == hipSuccess);
}

__global__ void block_sum(const int* values, int* sum) {
  using Reduce = hipcub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int found = Reduce(storage).Sum(values[threadIdx.x]);
  if (threadIdx.x == 0) *sum = found;
}

void cub_of_hip() {
  std::vector<int> values(128);
  for (int i = 0; i < 128; ++i) values[i] = i;
  int* const in = on_device(values);
  int* const out = on_device(std::vector<int>(128));
  std::size_t bytes = 0;
  REQUIRE(hipcub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, 128) == hipSuccess);
  void* work = nullptr;
  REQUIRE(hipMalloc(&work, bytes) == hipSuccess);
  REQUIRE(hipcub::DeviceScan::InclusiveSum(work, bytes, in, out, 128) == hipSuccess);
  REQUIRE(on_host(out, 128)[127] == 8128);
  block_sum<<<1, 128>>>(in, out);
  REQUIRE(on_host(out, 1)[0] == 8128);
  REQUIRE(hipFree(work) == hipSuccess && hipFree(in) == hipSuccess && hipFree(out) == hipSuccess);
}

void sparse_and_solver() {
  hipsparseHandle_t sparse;
  REQUIRE(hipsparseCreate(&sparse) == HIPSPARSE_STATUS_SUCCESS);
  int* const rows = on_device<int>({0, 1, 3});
  int* const columns = on_device<int>({0, 0, 1});
  float* const elements = on_device<float>({2, 1, 3});
  float* const x = on_device<float>({1, 2});
  float* const y = on_device<float>({0, 0});
  hipsparseSpMatDescr_t matrix;
  hipsparseDnVecDescr_t from, to;
  REQUIRE(hipsparseCreateCsr(&matrix, 2, 2, 3, rows, columns, elements, HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_32I,
                             HIPSPARSE_INDEX_BASE_ZERO, HIP_R_32F) == HIPSPARSE_STATUS_SUCCESS);
  REQUIRE(hipsparseCreateDnVec(&from, 2, x, HIP_R_32F) == HIPSPARSE_STATUS_SUCCESS);
  REQUIRE(hipsparseCreateDnVec(&to, 2, y, HIP_R_32F) == HIPSPARSE_STATUS_SUCCESS);
  const float one = 1, zero = 0;
  std::size_t bytes = 0;
  REQUIRE(hipsparseSpMV_bufferSize(sparse, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to, HIP_R_32F,
                                   HIPSPARSE_SPMV_ALG_DEFAULT, &bytes) == HIPSPARSE_STATUS_SUCCESS);
  char* const area = on_device(std::vector<char>(bytes + 1));
  REQUIRE(hipsparseSpMV(sparse, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to, HIP_R_32F,
                        HIPSPARSE_SPMV_ALG_DEFAULT, area) == HIPSPARSE_STATUS_SUCCESS);
  REQUIRE(on_host(y, 2) == (std::vector<float>{2, 7}));
  REQUIRE(hipsparseDestroySpMat(matrix) == HIPSPARSE_STATUS_SUCCESS);
  REQUIRE(hipsparseDestroyDnVec(from) == HIPSPARSE_STATUS_SUCCESS);
  REQUIRE(hipsparseDestroyDnVec(to) == HIPSPARSE_STATUS_SUCCESS);
  REQUIRE(hipsparseDestroy(sparse) == HIPSPARSE_STATUS_SUCCESS);

  hipsolverHandle_t solver;
  REQUIRE(hipsolverCreate(&solver) == HIPSOLVER_STATUS_SUCCESS);
  double* const a = on_device<double>({4, 2, 2, 5});
  double* const b = on_device<double>({8, 9});
  int* const pivots = on_device<int>({0, 0});
  int* const info = on_device<int>({-1});
  int size = 0;
  REQUIRE(hipsolverDgetrf_bufferSize(solver, 2, 2, a, 2, &size) == HIPSOLVER_STATUS_SUCCESS);
  double* const work = on_device(std::vector<double>(static_cast<std::size_t>(size) + 1));
  REQUIRE(hipsolverDgetrf(solver, 2, 2, a, 2, work, size, pivots, info) == HIPSOLVER_STATUS_SUCCESS);
  REQUIRE(hipsolverDgetrs(solver, HIPSOLVER_OP_N, 2, 1, a, 2, pivots, b, 2, work, size, info) ==
          HIPSOLVER_STATUS_SUCCESS);
  const auto solution = on_host(b, 2);
  REQUIRE(std::abs(solution[0] - 1.375) < 1e-12 && std::abs(solution[1] - 1.25) < 1e-12 && on_host(info, 1)[0] == 0);
  REQUIRE(hipsolverDestroy(solver) == HIPSOLVER_STATUS_SUCCESS);
  for (void* memory :
       {static_cast<void*>(rows), static_cast<void*>(columns), static_cast<void*>(elements), static_cast<void*>(x),
        static_cast<void*>(y), static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(pivots),
        static_cast<void*>(info), static_cast<void*>(work), static_cast<void*>(area)}) {
    REQUIRE(hipFree(memory) == hipSuccess);
  }
}

__global__ void number_kinds(float* out, hipTextureObject_t texture) {
  const __half half = __float2half(1.5f);
  const __hip_bfloat16 brain = __float2bfloat16(2.5f);
  const hipFloatComplex product = hipCmulf(make_hipFloatComplex(0, 1), make_hipFloatComplex(0, 2));
  out[0] = __half2float(__hadd(half, half));
  out[1] = __bfloat162float(brain);
  out[2] = hipCrealf(product);
  out[3] = tex2D<float>(texture, 1.5f, 0.5f);
}

void kinds_and_textures() {
  const float texels[] = {10, 20, 30, 40};
  const hipChannelFormatDesc channel = hipCreateChannelDesc<float>();
  hipArray_t array;
  REQUIRE(hipMallocArray(&array, &channel, 2, 2) == hipSuccess);
  REQUIRE(hipMemcpy2DToArray(array, 0, 0, texels, 2 * sizeof(float), 2 * sizeof(float), 2, hipMemcpyHostToDevice) ==
          hipSuccess);
  hipResourceDesc resource = {};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = hipAddressModeClamp;
  description.filterMode = hipFilterModePoint;
  description.readMode = hipReadModeElementType;
  hipTextureObject_t texture = 0;
  REQUIRE(hipCreateTextureObject(&texture, &resource, &description, nullptr) == hipSuccess);
  float* const out = on_device(std::vector<float>(4));
  number_kinds<<<1, 1>>>(out, texture);
  REQUIRE(on_host(out, 4) == (std::vector<float>{3, 2.5f, -2, 20}));
  REQUIRE(hipDestroyTextureObject(texture) == hipSuccess);
  REQUIRE(hipFreeArray(array) == hipSuccess && hipFree(out) == hipSuccess);
}

int main() {
  roctxRangePushA("libraries");
  blas();
  fft();
  random_numbers();
  cub_of_hip();
  sparse_and_solver();
  kinds_and_textures();
  roctxRangePop();
  std::puts("PASSED");
}
