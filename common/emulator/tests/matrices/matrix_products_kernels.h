// SPDX-License-Identifier: MIT
#pragma once

enum class Types { half_float, half_half, bfloat16_float };

/// c + 16 * (a * b), with factors and sums of these types.
void add_products(Types types, float a, float b, float c, float* out);
/// 1 + the products of 16 numbers with 256, one column of A after the other.
void add_in_order(const float* numbers, float* out);
