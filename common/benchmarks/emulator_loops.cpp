// SPDX-License-Identifier: MIT
// Compiled as ./learn cuda compiles a program: with -O2, without instrumentation.
#include "emulator_loops.h"

#include <cmath>

#include "d2l_emulator/barriers.h"
#include "d2l_emulator/thread_loop.h"
#include "emulator_bodies.h"

using d2l::emulator::for_each_thread;

namespace {

inline void saxpy(int n, float a, const float* x, float* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}

float normal_distribution(float d) {
  const float k = 1.0F / (1.0F + 0.2316419F * std::fabs(d));
  const float polynomial =
      k * (0.31938153F + k * (-0.356563782F + k * (1.781477937F + k * (-1.821255978F + k * 1.330274429F))));
  const float tail = 0.39894228F * std::exp(-0.5F * d * d) * polynomial;
  return d > 0 ? 1.0F - tail : tail;
}

void black_scholes(const Options& of, int i) {
  constexpr float rate = 0.02F;
  constexpr float volatility = 0.3F;
  const float root = std::sqrt(of.years[i]);
  const float d1 = (std::log(of.price[i] / of.strike[i]) + (rate + 0.5F * volatility * volatility) * of.years[i]) /
                   (volatility * root);
  const float first = normal_distribution(d1);
  const float second = normal_distribution(d1 - volatility * root);
  const float discounted = of.strike[i] * std::exp(-rate * of.years[i]);
  of.call[i] = of.price[i] * first - discounted * second;
  of.put[i] = discounted * (1.0F - second) - of.price[i] * (1.0F - first);
}

}  // namespace

void saxpy_loop(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
std::function<void()> saxpy_threads(int n, float a, const float* x, float* y) {
  return [=] { for_each_thread([=] { saxpy(n, a, x, y); }); };
}
void black_scholes_loop(int n, const Options& options) {
  for (int i = 0; i < n; ++i) black_scholes(options, i);
}
std::function<void()> black_scholes_threads(int n, const Options& options) {
  return [=] {
    for_each_thread([=] {
      const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
      if (i < n) black_scholes(options, i);
    });
  };
}
std::function<void()> product_threads(const float* a, const float* b, float* out, int n) {
  return [=] { for_each_thread([=] { product_by_tiles(a, b, out, n); }); };
}
std::function<void()> reverse_twice_threads(const float* in, float* out) {
  return [=] { for_each_thread([=] { reverse_block_twice(in, out); }); };
}
