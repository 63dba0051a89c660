// SPDX-License-Identifier: MIT
#pragma once

#include "cuda_fp16.h"

void load_halves(const half* in, float* out, bool by_row);
void store_floats(float* out, bool by_row);
void load_bytes_by_column(const signed char* in, int* out);
template <int pitch>
void load_shared_halves(float* out);
void load_shared_bytes(int* out);
void load_few_rows(float* out);
