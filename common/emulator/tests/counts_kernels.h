// SPDX-License-Identifier: MIT
#pragma once

#include "d2l_emulator/vector_types.h"

void contiguous(const float* in, float* out);
void strided(const float* in, float* out, int stride);
void offset_by_one(const float* in, float* out);
void broadcast(const float* in, float* out);
void pairs(const float* in, float* out);
void four_floats(const float4* in, float4* out);
template <int Padding>
void transpose(const float* in, float* out, int n);
void histogram(const unsigned char* in, int* bins);
void reduction(const float* in, float* out);
void divergent(const float* in, float* out);

struct Point {
  float x, y, z;
};
void doubles(const double* in, double* out);
void bytes(const unsigned char* in, unsigned char* out);
void guarded(const float* in, float* out, int n);
void rows(const float* in, float* out, int pitch);
void one_counter(int* counter);
void one_counter_a_block(int* counters);
void shared_vectors(const float4* in, float4* out);
void constant_vectors(float4* out);
void group_copy(const float* in, float* out);
void points(const Point* in, Point* out);
void long_loop(const float* in, float* out, int times);
void shared_stride(float* out, int stride);
void one_lane_an_iteration(const float* in, float* out);
void vectors_and_a_rest(const float* in, float* out, int n);
void backwards(const float* in, float* out, int n);
void tiles_of_a_warp(const float* in, float* out, int n);
void same_for_all(const float4* in, float* out, int queries, int keys);
void leaves_with_work(const float* in, float* out);
void continues(const float* in, float* out);
void recursion(const float* in, float* out);
void halves(const float* in, float* out, int times);
void long_loop_of_one(const float* in, float* out, int times);
void long_loop_without_accesses(const int* in, int* out);
