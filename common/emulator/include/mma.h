// SPDX-License-Identifier: MIT
// In place of the toolkit's header: products of matrices by a warp, as tensor cores compute them.
#pragma once

#include "cuda_runtime.h"
#include "d2l_emulator/matrices/fragments.h"

namespace d2l::emulator::fragments {

/// A fragment's matrix in memory. Blocks have the rows of A and the columns of B, or of a transposed product.
template <class Use, int m, int n, int k, class T>
struct InMemory {
  static constexpr MatrixElement element = Element<T>::name;
  static constexpr MatrixBlocks blocks = blocks_of<Use>(element, m, n, k);
  static constexpr bool turned = std::is_same_v<Use, nvcuda::wmma::matrix_b> || (is_accumulator<Use> && is_turned(n));
  static constexpr MatrixInMemory by_row{blocks, element, !turned};
  static constexpr MatrixInMemory by_column{blocks, element, turned};
  static constexpr const MatrixInMemory& with(bool row_major) { return row_major ? by_row : by_column; }
};

template <int m, int n, int k, class A, class C, class D, bool saturate, bool by_and>
struct Product {
  using a = nvcuda::wmma::matrix_a;
  using b = nvcuda::wmma::matrix_b;
  using c = nvcuda::wmma::accumulator;
  static constexpr MatrixElement factor = Element<A>::name;
  static constexpr MatrixBlocks of_a = blocks_of<a>(factor, m, n, k);
  static constexpr MatrixBlocks of_b = blocks_of<b>(factor, m, n, k);
  static constexpr MatrixProduct value{factor,
                                       factor,
                                       Element<C>::name,
                                       Element<D>::name,
                                       is_turned(n) ? of_b : of_a,
                                       is_turned(n) ? of_a : of_b,
                                       blocks_of<c>(Element<C>::name, m, n, k),
                                       saturate,
                                       by_and};
};

template <class A, class C, class D>
constexpr bool has_types() {
  constexpr MatrixElement a = Element<A>::name, c = Element<C>::name, d = Element<D>::name;
  using enum MatrixElement;
  if (a == f16) return (c == f16 || c == f32) && (d == f16 || d == f32);
  return c == d && c == (a == bf16 || a == tf32 ? f32 : a == f64 ? f64 : s32);
}

/// The library reads the first elements only; the others of factors of type half repeat them.
template <class Fragment>
void repeat(Fragment& fragment, int different) {
  for (int i = different; i < Fragment::num_storage_elements; ++i) fragment.x[i] = fragment.x[i - different];
}

template <bool by_and, int m, int n, int k, class A, class LayoutA, class LayoutB, class C, class D>
void multiply(nvcuda::wmma::fragment<nvcuda::wmma::accumulator, m, n, k, D>& d,
              const nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, m, n, k, A, LayoutA>& a,
              const nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, m, n, k, A, LayoutB>& b,
              const nvcuda::wmma::fragment<nvcuda::wmma::accumulator, m, n, k, C>& c, bool saturate,
              const MatrixCall& call) {
  static_assert(has_types<A, C, D>(), "no product has these types of accumulators");
  const MatrixProduct& product =
      saturate ? Product<m, n, k, A, C, D, true, by_and>::value : Product<m, n, k, A, C, D, false, by_and>::value;
  const void* const first = is_turned(n) ? static_cast<const void*>(b.x) : a.x;
  const void* const second = is_turned(n) ? static_cast<const void*>(a.x) : b.x;
  multiply_matrices(product, first, second, c.x, d.x, call);
}

}  // namespace d2l::emulator::fragments

// NOLINTBEGIN: the names are CUDA's.
namespace nvcuda::wmma {

#define D2L_MATRIX_CALL(NAME) \
  d2l::emulator::MatrixCall { NAME, place, __builtin_return_address(0) }
#define D2L_FUNCTION __attribute__((noinline)) void  // so that it returns to the program's line

template <class Use, int m, int n, int k, class T, class Layout, class Memory>
D2L_FUNCTION load_matrix_sync(fragment<Use, m, n, k, T, Layout>& a, const Memory* memory, unsigned ldm,
                              d2l::emulator::Place place = d2l::emulator::Place::here()) {
  static_assert(!std::is_void_v<Layout>, "load_matrix_sync of an accumulator needs mem_row_major or mem_col_major");
  static_assert(std::is_same_v<Memory, typename d2l::emulator::fragments::Element<T>::Storage> ||
                    d2l::emulator::fragments::Element<T>::in_storage != 1,
                "the pointer must be to the fragment's type of elements");
  using Matrix = d2l::emulator::fragments::InMemory<Use, m, n, k, T>;
  d2l::emulator::load_matrix(Matrix::with(std::is_same_v<Layout, row_major>), a.x, memory, ldm,
                             D2L_MATRIX_CALL("load_matrix_sync"));
  if (Matrix::element == d2l::emulator::MatrixElement::f16)
    d2l::emulator::fragments::repeat(a, Matrix::blocks.elements());
}
template <int m, int n, int k, class T>
D2L_FUNCTION load_matrix_sync(fragment<accumulator, m, n, k, T>& a, const std::type_identity_t<T>* memory, unsigned ldm,
                              layout_t layout, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  using Matrix = d2l::emulator::fragments::InMemory<accumulator, m, n, k, T>;
  d2l::emulator::load_matrix(Matrix::with(layout == mem_row_major), a.x, memory, ldm,
                             D2L_MATRIX_CALL("load_matrix_sync"));
}
template <int m, int n, int k, class T>
D2L_FUNCTION store_matrix_sync(std::type_identity_t<T>* memory, const fragment<accumulator, m, n, k, T>& a,
                               unsigned ldm, layout_t layout,
                               d2l::emulator::Place place = d2l::emulator::Place::here()) {
  using Matrix = d2l::emulator::fragments::InMemory<accumulator, m, n, k, T>;
  d2l::emulator::store_matrix(Matrix::with(layout == mem_row_major), a.x, memory, ldm,
                              D2L_MATRIX_CALL("store_matrix_sync"));
}

template <class Use, int m, int n, int k, class T, class Layout>
void fill_fragment(fragment<Use, m, n, k, T, Layout>& a,
                   const std::type_identity_t<typename d2l::emulator::fragments::Element<T>::Storage>& value) {
  for (auto& element : a.x) element = value;
}

template <int m, int n, int k, class A, class LayoutA, class LayoutB, class C, class D>
void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, A, LayoutA>& a,
              const fragment<matrix_b, m, n, k, A, LayoutB>& b, const fragment<accumulator, m, n, k, C>& c,
              bool satf = false, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  d2l::emulator::fragments::multiply<false>(d, a, b, c, satf, D2L_MATRIX_CALL("mma_sync"));
}

namespace experimental {

enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };

}  // namespace experimental

inline void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
                      const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
                      const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
                      const fragment<accumulator, 8, 8, 128, int>& c,
                      experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
                      experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC,
                      d2l::emulator::Place place = d2l::emulator::Place::here()) {
  if (operation == experimental::bmmaBitOpAND) {
    d2l::emulator::fragments::multiply<true>(d, a, b, c, false, D2L_MATRIX_CALL("bmma_sync"));
  } else {
    d2l::emulator::fragments::multiply<false>(d, a, b, c, false, D2L_MATRIX_CALL("bmma_sync"));
  }
}

#undef D2L_FUNCTION
#undef D2L_MATRIX_CALL

/// Rounds to the nearest number of 10 bits after the point, and away from zero if two are equally near.
inline float __float_to_tf32(float value) { return d2l::emulator::ptx::to_tf32(value); }

}  // namespace nvcuda::wmma
// NOLINTEND
