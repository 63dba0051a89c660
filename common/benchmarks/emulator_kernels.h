// SPDX-License-Identifier: MIT
#pragma once

void reverse_twice(const float* in, float* out);
void divergent(const float* in, float* out);
void add(const float* a, const float* b, float* out, int n);
void product(const float* a, const float* b, float* out, int n);
