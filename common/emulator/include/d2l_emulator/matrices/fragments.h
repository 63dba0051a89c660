// SPDX-License-Identifier: MIT
// The fragments of mma.h: what one thread has of a matrix. Element i of the array `x` is the same place of the matrix
// in all fragments of one type, namely that of a card of compute capability 8.0 or newer.
#pragma once

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "d2l_emulator/matrices/products.h"

// NOLINTBEGIN: the names are CUDA's.
namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental::precision {
struct u4;
struct s4;
struct b1;
}  // namespace experimental::precision

}  // namespace nvcuda::wmma
// NOLINTEND

namespace d2l::emulator::fragments {

/// The type of an element, what it is in PTX, and how a fragment keeps it.
template <class T>
struct Element;
#define D2L_ELEMENT(T, STORAGE, NAME)                                                          \
  template <>                                                                                  \
  struct Element<T> {                                                                          \
    using Storage = STORAGE;                                                                   \
    static constexpr MatrixElement name = MatrixElement::NAME;                                 \
    static constexpr int in_storage = bits_of(name) < 8 ? 32 / bits_of(name) : 1; /* packed */ \
  };
D2L_ELEMENT(__half, __half, f16)
D2L_ELEMENT(__nv_bfloat16, __nv_bfloat16, bf16)
D2L_ELEMENT(nvcuda::wmma::precision::tf32, float, tf32)
D2L_ELEMENT(float, float, f32)
D2L_ELEMENT(double, double, f64)
D2L_ELEMENT(signed char, signed char, s8)
D2L_ELEMENT(unsigned char, unsigned char, u8)
D2L_ELEMENT(int, int, s32)
D2L_ELEMENT(nvcuda::wmma::experimental::precision::s4, int, s4)
D2L_ELEMENT(nvcuda::wmma::experimental::precision::u4, unsigned, u4)
D2L_ELEMENT(nvcuda::wmma::experimental::precision::b1, unsigned, b1)
#undef D2L_ELEMENT

template <class Use>
constexpr bool is_accumulator = std::is_same_v<Use, nvcuda::wmma::accumulator>;

/// True for a shape that the element's type has as a factor, or as an accumulator.
template <class Use>
constexpr bool has_shape(MatrixElement element, int m, int n, int k) {
  using enum MatrixElement;
  const bool large =
      (m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) || (m == 8 && n == 32 && k == 16);
  const bool tf32_shape = m == 16 && n == 16 && k == 8;
  const bool eight = m == 8 && n == 8;
  if (is_accumulator<Use>) {
    if (element == f16) return large;
    if (element == f32) return large || tf32_shape;
    if (element == s32) return large || (eight && (k == 32 || k == 128));
    return element == f64 && eight && k == 4;
  }
  if (element == f16 || element == bf16 || element == s8 || element == u8) return large;
  if (element == tf32) return tf32_shape;
  if (element == f64) return eight && k == 4;
  return eight && ((element == b1 && k == 128) || ((element == s4 || element == u4) && k == 32));
}

/// A product with n = 32 is computed as the transposed one, whose first factor is B.
constexpr bool is_turned(int n) { return n == 32; }
constexpr int stack_of(int rows) { return rows == 8 ? 1 : 2; }

/// The blocks of a fragment.
template <class Use>
constexpr MatrixBlocks blocks_of(MatrixElement element, int m, int n, int k) {
  const int run = bits_of(element) >= 32 ? 1 : 32 / bits_of(element);
  if (std::is_same_v<Use, nvcuda::wmma::matrix_a>) return {m, k, run, is_turned(n) ? 1 : stack_of(m)};
  if (std::is_same_v<Use, nvcuda::wmma::matrix_b>) return {n, k, run, is_turned(n) ? 2 : 1};
  return is_turned(n) ? MatrixBlocks{n, m, 2, 2} : MatrixBlocks{m, n, 2, stack_of(m)};
}

/// How many elements a thread has. Factors of type half repeat theirs, because on the first cards two threads had each.
template <class Use>
constexpr int elements_of(MatrixElement element, int m, int n, int k) {
  return element == MatrixElement::f16 && !is_accumulator<Use> ? 16 : blocks_of<Use>(element, m, n, k).elements();
}

}  // namespace d2l::emulator::fragments

// NOLINTBEGIN: the names are CUDA's.
namespace nvcuda::wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class __align__(8) fragment {
  using Element = d2l::emulator::fragments::Element<T>;
  static_assert(d2l::emulator::fragments::has_shape<Use>(Element::name, m, n, k),
                "no fragment has this shape and type");
  static_assert(d2l::emulator::fragments::is_accumulator<Use> == std::is_void_v<Layout>,
                "matrix_a and matrix_b need a layout, an accumulator has none");
  static_assert(Element::in_storage == 1 || d2l::emulator::fragments::is_accumulator<Use> ||
                    std::is_same_v<Layout, row_major> == std::is_same_v<Use, matrix_a>,
                "elements of less than a byte need row_major for matrix_a and col_major for matrix_b");

 public:
  using element_type = T;
  using storage_element_type = typename Element::Storage;
  static constexpr int num_elements = d2l::emulator::fragments::elements_of<Use>(Element::name, m, n, k);
  static constexpr int num_storage_elements = num_elements / Element::in_storage;
  storage_element_type x[num_storage_elements];
};

}  // namespace nvcuda::wmma
// NOLINTEND
