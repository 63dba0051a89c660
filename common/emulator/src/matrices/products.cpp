// SPDX-License-Identifier: MIT
// Products of matrices, of which each lane of a warp has a part.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "matrices/elements.h"

namespace d2l::emulator {
namespace {

/// Calls action(lane, element of the lane, row, column) for all elements of a matrix.
template <class Action>
void for_each_element(const MatrixBlocks& blocks, Action action) {
  for (int number = 0; number < blocks.registers(); ++number) {
    const auto [row, column] = blocks.origin(number);
    for (int lane = 0; lane < static_cast<int>(matrix_lanes); ++lane) {
      for (int i = 0; i < blocks.run; ++i)
        action(lane, number * blocks.run + i, row + lane / 4, column + lane % 4 * blocks.run + i);
    }
  }
}

template <class T>
T saturated_sum(T value) {
  return std::clamp<T>(value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
}

/// `Factor` holds the elements exactly; sums are rounded to `Sum` after each product, in the order of the columns of A.
template <class Factor, class Sum, int max_factor, int max_sum>
void multiply_as(const MatrixProduct& product, const ProductLanes& lanes) {
  std::array<Factor, max_factor> first;
  std::array<Factor, max_factor> second;  // a row for each column of A
  std::array<Sum, max_sum> sum;
  const int inner = product.first.columns;
  const int columns = product.second.rows;
  for_each_element(product.first, [&](int lane, int i, int row, int column) {
    const auto* own = lanes[static_cast<unsigned>(lane)];
    first[static_cast<unsigned>(row * inner + column)] =
        own != nullptr ? get_element<Factor>(product.factor, own->a, i) : Factor{};
  });
  for_each_element(product.second, [&](int lane, int i, int row, int column) {
    const auto* own = lanes[static_cast<unsigned>(lane)];
    second[static_cast<unsigned>(column * columns + row)] =
        own != nullptr ? get_element<Factor>(product.second_factor, own->b, i) : Factor{};
  });
  for_each_element(product.sum, [&](int lane, int i, int row, int column) {
    const auto* own = lanes[static_cast<unsigned>(lane)];
    sum[static_cast<unsigned>(row * columns + column)] =
        own != nullptr ? get_element<Sum>(product.addend, own->c, i) : Sum{};
  });
  for (int row = 0; row < product.first.rows; ++row) {
    Sum* const to = sum.data() + row * columns;
    for (int k = 0; k < inner; ++k) {
      const Factor factor = first[static_cast<unsigned>(row * inner + k)];
      const Factor* const with = second.data() + k * columns;
      if (product.factor == MatrixElement::b1 && !product.by_and) {
        for (int j = 0; j < columns; ++j) to[j] += factor == with[j] ? Sum{0} : Sum{1};
      } else {
        for (int j = 0; j < columns; ++j) to[j] += static_cast<Sum>(factor) * static_cast<Sum>(with[j]);
      }
    }
  }
  for_each_element(product.sum, [&](int lane, int i, int row, int column) {
    const auto* own = lanes[static_cast<unsigned>(lane)];
    if (own == nullptr) return;
    const Sum value = sum[static_cast<unsigned>(row * columns + column)];
    if constexpr (std::is_integral_v<Sum>) {
      set_element(product.result, own->d, i, product.saturate ? saturated_sum(value) : value);
    } else {
      set_element(product.result, own->d, i, value);
    }
  });
}

void count(const MatrixProduct& product) {
  Worker* const worker = current_state.worker;
  if (worker == nullptr) return;
  const int quads = product.quads ? 4 : 1;
  ++worker->counts.matrix_products;
  worker->counts.matrix_multiply_adds +=
      static_cast<std::uint64_t>(quads * product.first.rows * product.first.columns * product.second.rows);
}

void run_product(WarpWork* const* by_lane) {
  ProductLanes lanes{};
  const void* kind = nullptr;
  for (unsigned lane = 0; lane < matrix_lanes; ++lane) {
    lanes[lane] = static_cast<const ProductWork*>(by_lane[lane]);
    if (lanes[lane] != nullptr) kind = lanes[lane]->kind;
  }
  const auto& product = *static_cast<const MatrixProduct*>(kind);
  count(product);
  if (product.quads) {
    multiply_quads(product, lanes);
  } else if (product.result == MatrixElement::s32) {
    multiply_as<std::int16_t, std::int64_t, 16 * 256, 256>(product, lanes);
  } else if (product.result == MatrixElement::f64) {
    multiply_as<double, double, 256, 128>(product, lanes);
  } else {
    multiply_as<float, float, 512, 256>(product, lanes);
  }
}

}  // namespace

void multiply_matrices(const MatrixProduct& product, const void* a, const void* b, const void* c, void* d,
                       const MatrixCall& call) {
  ProductWork own{{&run_product, call.name, &product}, a, b, c, d};
  warp_work(own, call.place);
}

}  // namespace d2l::emulator
