// SPDX-License-Identifier: MIT
// The generators of cuRAND that the host calls, on the queue's thread.
#include "curand.h"

#include <cmath>
#include <memory>

#include "curand_kernel.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/memory.h"

struct curandGenerator_st {
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0;
  unsigned long long offset = 0;
  bool on_host = false;
};

using namespace d2l::emulator;

namespace {

curandStatus_t create(curandGenerator_t* generator, bool on_host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  auto made = std::make_unique<curandGenerator_st>();
  made->on_host = on_host;
  *generator = made.release();
  return CURAND_STATUS_SUCCESS;
}

/// Fills with what `next` makes of the generator's numbers, which go on with the next call.
template <class T, class Next>
curandStatus_t generate(curandGenerator_t generator, T* numbers, std::size_t count, Next next) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  curandState state;
  curand_init(generator->seed, generator->offset, 0, &state);
  generator->offset += 0x9E3779B97F4A7C15U;
  const auto fill = [=, place = numbers]() mutable {
    auto* const to = static_cast<T*>(contents_of(place));
    for (std::size_t i = 0; i < count; ++i) to[i] = next(&state);
    allocations().mark_initialised(reinterpret_cast<const std::byte*>(place), count * sizeof(T));
  };
  if (generator->on_host) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = next(&state);
    return CURAND_STATUS_SUCCESS;
  }
  const cudaError_t error = device_call([&] { stream_of(generator->stream)->push(fill); });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t set(curandGenerator_t generator, unsigned long long curandGenerator_st::*member,
                   unsigned long long value) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->*member = value;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t /*type*/) {
  return create(generator, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t /*type*/) {
  return create(generator, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  const std::unique_ptr<curandGenerator_st> owner(generator);
  return owner ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (generator != nullptr) generator->offset = 0;
  return set(generator, &curandGenerator_st::seed, seed);
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return set(generator, &curandGenerator_st::offset, offset);
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t /*ordering*/) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, size_t count) {
  return generate(generator, numbers, count, [](curandState* state) { return curand(state); });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* numbers, size_t count) {
  return generate(generator, numbers, count, [](curandState* state) {
    const unsigned long long high = curand(state);
    return high << 32U | curand(state);
  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, size_t count) {
  return generate(generator, numbers, count, [](curandState* state) { return curand_uniform(state); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, size_t count) {
  return generate(generator, numbers, count, [](curandState* state) { return curand_uniform_double(state); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                    float deviation) {
  return generate(generator, numbers, count,
                  [=](curandState* state) { return mean + deviation * curand_normal(state); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, size_t count, double mean,
                                          double deviation) {
  return generate(generator, numbers, count,
                  [=](curandState* state) { return mean + deviation * curand_normal_double(state); });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                       float deviation) {
  return generate(generator, numbers, count,
                  [=](curandState* state) { return std::exp(mean + deviation * curand_normal(state)); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, size_t count, double mean,
                                             double deviation) {
  return generate(generator, numbers, count,
                  [=](curandState* state) { return std::exp(mean + deviation * curand_normal_double(state)); });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, size_t count, double lambda) {
  return generate(generator, numbers, count, [=](curandState* state) { return curand_poisson(state, lambda); });
}
