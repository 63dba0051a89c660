// SPDX-License-Identifier: MIT
// In place of the toolkit's header: random numbers in kernels. The distributions are cuRAND's, the numbers are not: one
// generator, which hashes its seed, sequence and position, stands in for all of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <nv/target>

#include "cuda_runtime.h"
#include "curand.h"

struct curandStateXORWOW {
  std::uint64_t key;
  std::uint64_t position;
};
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStateXORWOW_t = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStateXORWOW;
using curandStateMRG32k3a_t = curandStateXORWOW;
using curandStateMRG32k3a = curandStateXORWOW;
using curandStatePhilox4_32_10 = curandStateXORWOW;

namespace d2l::emulator {
/// A bijection of 64 bits: each input bit changes about half of the output bits.
inline std::uint64_t hashed(std::uint64_t value) {
  value = (value ^ (value >> 32)) * 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 29)) * 0xD6E8FEB86659FD93U;
  return value ^ (value >> 32);
}
}  // namespace d2l::emulator

inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        curandState* state) {
  state->key = d2l::emulator::hashed(d2l::emulator::hashed(seed + 1) + sequence);
  state->position = offset;
}
inline void skipahead(unsigned long long count, curandState* state) { state->position += count; }
inline unsigned int curand(curandState* state) {
  return static_cast<unsigned int>(d2l::emulator::hashed(state->key + 0x9E3779B97F4A7C15U * ++state->position) >> 32);
}
/// In (0, 1].
inline float curand_uniform(curandState* state) { return static_cast<float>((curand(state) >> 8) + 1) * 0x1p-24F; }
inline double curand_uniform_double(curandState* state) { return (static_cast<double>(curand(state)) + 1) * 0x1p-32; }
inline float4 curand_uniform4(curandState* state) {
  const float x = curand_uniform(state), y = curand_uniform(state), z = curand_uniform(state);
  return make_float4(x, y, z, curand_uniform(state));
}
inline double2 curand_normal2_double(curandState* state) {
  const double radius = std::sqrt(-2 * std::log(curand_uniform_double(state)));
  const double angle = 6.283185307179586 * curand_uniform_double(state);
  return make_double2(radius * std::cos(angle), radius * std::sin(angle));
}
inline double curand_normal_double(curandState* state) { return curand_normal2_double(state).x; }
inline float2 curand_normal2(curandState* state) {
  const double2 both = curand_normal2_double(state);
  return make_float2(static_cast<float>(both.x), static_cast<float>(both.y));
}
inline float curand_normal(curandState* state) { return curand_normal2(state).x; }
inline float curand_log_normal(curandState* state, float mean, float deviation) {
  return std::exp(mean + deviation * curand_normal(state));
}
inline unsigned int curand_poisson(curandState* state, double lambda) {
  unsigned int count = 0;
  for (double left = -std::log(curand_uniform_double(state)); left < lambda;
       left -= std::log(curand_uniform_double(state))) {
    ++count;
  }
  return count;
}
inline void skipahead_sequence(unsigned long long count, curandState* state) {
  state->key = d2l::emulator::hashed(state->key + count);
}
inline void skipahead_subsequence(unsigned long long count, curandState* state) { skipahead_sequence(count, state); }
inline uint4 curand4(curandState* state) {
  const unsigned x = curand(state), y = curand(state), z = curand(state);
  return make_uint4(x, y, z, curand(state));
}
inline double2 curand_uniform2_double(curandState* state) {
  const double x = curand_uniform_double(state);
  return make_double2(x, curand_uniform_double(state));
}
inline float4 curand_normal4(curandState* state) {
  const float2 first = curand_normal2(state), second = curand_normal2(state);
  return make_float4(first.x, first.y, second.x, second.y);
}
inline double curand_log_normal_double(curandState* state, double mean, double deviation) {
  return std::exp(mean + deviation * curand_normal_double(state));
}
