// SPDX-License-Identifier: MIT
// What emulator_loops.cpp compares: plain loops of the host, and kernels without instrumentation, each as a loop over
// the threads of a block.
#pragma once

#include <functional>

struct Options {
  const float* price;
  const float* strike;
  const float* years;
  float* call;
  float* put;
};

void saxpy_loop(int n, float a, const float* x, float* y);
std::function<void()> saxpy_threads(int n, float a, const float* x, float* y);
void black_scholes_loop(int n, const Options& options);
std::function<void()> black_scholes_threads(int n, const Options& options);
std::function<void()> product_threads(const float* a, const float* b, float* out, int n);
std::function<void()> reverse_twice_threads(const float* in, float* out);
