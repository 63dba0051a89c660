// SPDX-License-Identifier: MIT
// Products of matrices by the threads of a warp, each of which holds a part of every matrix: what mma.h and inline PTX
// call.
#pragma once

#include "d2l_emulator/language.h"

namespace d2l::emulator {

/// The types of elements, by the names of PTX.
enum class MatrixElement { f16, bf16, tf32, f32, f64, e4m3, e5m2, s8, u8, s32, s4, u4, b1 };

constexpr int bits_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::f64:
      return 64;
    case MatrixElement::f16:
    case MatrixElement::bf16:
      return 16;
    case MatrixElement::e4m3:
    case MatrixElement::e5m2:
    case MatrixElement::s8:
    case MatrixElement::u8:
      return 8;
    case MatrixElement::s4:
    case MatrixElement::u4:
      return 4;
    case MatrixElement::b1:
      return 1;
    default:
      return 32;
  }
}

/// How the elements of a matrix are distributed over a warp. The matrix consists of blocks with 8 rows. Each lane has
/// `run` consecutive elements of a row of each block, called a register here: lane l those of row l / 4 from column
/// l % 4 * run on. The registers of a lane are numbered down the blocks of a `stack`, then to the right, then by stack.
///
/// This is the layout of the PTX manual. For it, the first factor has the rows of A, the second one the columns of B.
struct MatrixBlocks {
  int rows;
  int columns;
  int run;
  int stack;  ///< blocks that are below each other, before the next ones are to the right

  struct Origin {
    int row;
    int column;
  };
  [[nodiscard]] constexpr int width() const { return 4 * run; }
  [[nodiscard]] constexpr int registers() const { return rows / 8 * (columns / width()); }
  [[nodiscard]] constexpr int elements() const { return registers() * run; }  ///< of a lane
  /// The registers of a stack.
  [[nodiscard]] constexpr int in_stack() const { return stack * (columns / width()); }
  /// Where the block of a register begins.
  [[nodiscard]] constexpr Origin origin(int number) const {
    const int within = number % in_stack();
    return {8 * (number / in_stack() * stack + within % stack), within / stack * width()};
  }
};

/// D = A B + C with D and C of m rows and n columns, and A of k columns.
struct MatrixProduct {
  MatrixElement factor;         ///< of A
  MatrixElement second_factor;  ///< of B; it differs for signed and unsigned integers only
  MatrixElement addend;
  MatrixElement result;
  MatrixBlocks first;
  MatrixBlocks second;
  MatrixBlocks sum;
  bool saturate = false;  ///< integers beyond the range of an int become the nearest one
  bool by_and = false;    ///< single bits: `and` in the place of `xor`
  bool quads = false;     ///< Volta's m8n8k4: four products, by 8 lanes each
  bool first_by_column = false;
  bool second_by_column = true;
};

/// The blocks of the operands in the instruction mma of PTX.
constexpr MatrixProduct matrix_product(int m, int n, int k, MatrixElement d, MatrixElement a, MatrixElement b,
                                       MatrixElement c) {
  const int run = bits_of(a) >= 32 ? 1 : 32 / bits_of(a);
  const int stack = m == 8 ? 1 : 2;
  return {a, b, c, d, {m, k, run, stack}, {n, k, run, 1}, {m, n, 2, stack}};
}

/// A call of one of the functions below, for reports.
struct MatrixCall {
  const char* name;    ///< what the program calls
  Place place;         ///< where
  const void* caller;  ///< the same as an address in the code
};

/// Computes a product. The pointers are to what this lane has of each matrix; `d` may be `c`.
void multiply_matrices(const MatrixProduct& product, const void* a, const void* b, const void* c, void* d,
                       const MatrixCall& call);

/// A matrix in memory: where the element in row i and column j of its blocks is, i * stride + j or i + j * stride.
struct MatrixInMemory {
  MatrixBlocks blocks;
  MatrixElement element;
  bool by_row;
};
/// Loads or stores what this lane has of a matrix.
void load_matrix(const MatrixInMemory& matrix, void* own, const void* memory, unsigned stride, const MatrixCall& call);
void store_matrix(const MatrixInMemory& matrix, const void* own, void* memory, unsigned stride, const MatrixCall& call);

/// Loads or stores 1, 2 or 4 matrices of 8 rows with 16 bytes each, of which lanes 0 to 7, 8 to 15 and so on give the
/// addresses; transposed if wanted, as matrices of 8 x 8 elements with 2 bytes. A lane has 4 bytes of each.
void load_rows(int count, bool transposed, unsigned* registers, const void* row, const MatrixCall& call);
void store_rows(int count, bool transposed, const unsigned* registers, void* row, const MatrixCall& call);
/// The same exchange without memory: one matrix of 8 x 8 elements with 2 bytes is transposed.
unsigned transpose_matrix(unsigned own, const MatrixCall& call);

}  // namespace d2l::emulator
