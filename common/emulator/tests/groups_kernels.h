// SPDX-License-Identifier: MIT
#pragma once

void sum_by_tiles(const int* in, int* out);
void reverse_in_grid(const int* in, int* between, int* out);
