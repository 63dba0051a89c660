// SPDX-License-Identifier: MIT
#pragma once

#include "d2l_emulator/vector_types.h"

void contiguous(const float* in, float* out);
void strided(const float* in, float* out, int stride);
void offset_by_one(const float* in, float* out);
void broadcast(const float* in, float* out);
void four_floats(const float4* in, float4* out);
template <int Padding>
void transpose(const float* in, float* out, int n);
void histogram(const unsigned char* in, int* bins);
void reduction(const float* in, float* out);
void divergent(const float* in, float* out);
