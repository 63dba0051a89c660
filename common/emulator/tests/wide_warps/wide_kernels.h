// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

void ballots(std::uint64_t* out);
void sum_of_warp(const int* in, int* out, unsigned size);
void sum_of_half(const int* in, int* out);
void votes(int* out);
void matches(std::uint64_t* out);
void tiles(int* out);
void warp_meets(int* out);
void halves_meet(int* out, unsigned other);
void lanes_without_order(int* out);
void mask_of_32_lanes(int* out);
void ballot_of_32_lanes(int* out);
void first_half_meets(int* out);
void first_half_alone(int* out);
void lane_beyond_the_mask(int* out);
void product_of_matrices(int* out);
