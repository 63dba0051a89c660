// SPDX-License-Identifier: MIT
// The instruction mma.m8n8k4 for half precision, of the first cards with tensor cores: eight lanes compute a product of
// their own, four in each half of the warp.
#include <array>
#include <cstddef>

#include "matrices/elements.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t rows = 8;
constexpr std::size_t inner = 4;
using Factor = std::array<float, rows * inner>;  ///< the rows of A, or the columns of B
using Sum = std::array<float, rows * rows>;

/// Calls action(lane, the lane's number among the four, whether it is in the upper half of the warp).
template <class Action>
void for_each_lane_of(unsigned quad, Action action) {
  for (const unsigned upper : {0U, 1U}) {
    for (unsigned within = 0; within < 4; ++within) action(16 * upper + 4 * quad + within, within, upper);
  }
}

/// The row and column of an element of a sum: those of half precision are a row, those of float are not.
struct SumPlace {
  unsigned row;
  unsigned column;
};
SumPlace place_of(MatrixElement type, unsigned within, unsigned upper, unsigned i) {
  if (type == MatrixElement::f16) return {within + 4 * upper, i};
  return {(within & 1U) + (i & 2U) + 4 * upper, (i & 4U) + (within & 2U) + (i & 1U)};
}

}  // namespace

void multiply_quads(const MatrixProduct& product, const ProductLanes& lanes) {
  for (unsigned quad = 0; quad < 4; ++quad) {
    Factor first{};
    Factor second{};
    Sum sum{};
    for_each_lane_of(quad, [&](unsigned lane, unsigned within, unsigned upper) {
      const ProductWork* const own = lanes[lane];
      if (own == nullptr) return;
      for (unsigned i = 0; i < inner; ++i) {
        const auto number = static_cast<int>(i);
        first[product.first_by_column ? (i + 4 * upper) * inner + within : (within + 4 * upper) * inner + i] =
            get_element<float>(product.factor, own->a, number);
        second[product.second_by_column ? (within + 4 * upper) * inner + i : (i + 4 * upper) * inner + within] =
            get_element<float>(product.factor, own->b, number);
      }
      for (unsigned i = 0; i < rows; ++i) {
        const auto [row, column] = place_of(product.addend, within, upper, i);
        sum[row * rows + column] = get_element<float>(product.addend, own->c, static_cast<int>(i));
      }
    });
    for (unsigned row = 0; row < rows; ++row) {
      for (unsigned column = 0; column < rows; ++column) {
        for (unsigned k = 0; k < inner; ++k)
          sum[row * rows + column] += first[row * inner + k] * second[column * inner + k];
      }
    }
    for_each_lane_of(quad, [&](unsigned lane, unsigned within, unsigned upper) {
      const ProductWork* const own = lanes[lane];
      if (own == nullptr) return;
      for (unsigned i = 0; i < rows; ++i) {
        const auto [row, column] = place_of(product.result, within, upper, i);
        set_element(product.result, own->d, static_cast<int>(i), sum[row * rows + column]);
      }
    });
  }
}

}  // namespace d2l::emulator
