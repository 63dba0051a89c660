// SPDX-License-Identifier: MIT
#pragma once

void load_halves(const float* in, float* out, bool by_row);
void store_floats(float* out, bool by_row);
void load_bytes_by_column(const float* in, float* out);
template <int pitch>
void load_shared_halves(float* out);
void load_shared_bytes(float* out);
void load_few_rows(float* out);
void multiply_often(float* out);
