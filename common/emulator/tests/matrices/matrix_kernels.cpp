// SPDX-License-Identifier: MIT
// Kernels with functions for matrices: with one fault each, and right ones. Compiled with the instrumentation.
#include "checks_kernels.h"
#include "kernels.h"
#include "mma.h"

namespace d2l::emulator::testing {
namespace {

using namespace nvcuda;  // as programs do

using FactorA = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using FactorB = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

/// 256 floats are two tiles of 16 x 16 halves.
half* halves(float* memory) { return reinterpret_cast<half*>(memory); }

__device__ void load_rows_of(half* tile, unsigned t, unsigned pitch) {
  unsigned registers[4];
  ptx::load_matrices(4, false, registers, tile + t * pitch);
}

#define FAULTY(NAME, GRID, BLOCK, REPORT, ...) PLANTED(NAME, GRID, BLOCK, 0, REPORT, __VA_ARGS__)
#define RIGHT(NAME, GRID, BLOCK, ...) PLANTED(NAME, GRID, BLOCK, 0, "", __VA_ARGS__)
#define AT(KIND, THREAD) \
  KIND " at matrix_kernels.cpp:LINE: kernel kernel, block \\(0, 0, 0\\), thread \\((" THREAD "), 0, 0\\)"
#define ANY "[0-9]+"
#define TILE SHARED(tile, half[16 * 24])
#define FLOATS SHARED(floats, float[16 * 16])
#define FILL_TILE \
  for (unsigned k = t; k < 16 * 24; k += 32) tile[k] = half(1.0F);

// The body of each kernel is on the line of its name.
// clang-format off
const std::vector<Planted> faulty{
    FAULTY("half of a warp multiplies", 1, 32, "deadlock: mma_sync with mask 0xffffffff at matrix_kernels.cpp:LINE: lane (1[6-9]|2.|3[01]) \\(thread \\(\\1, 0, 0\\)\\) does not take part", FactorA x; FactorB y; Sum z; wmma::fill_fragment(x, 1.0F); wmma::fill_fragment(y, 1.0F); wmma::fill_fragment(z, 0.0F); if (t < 16) wmma::mma_sync(z, x, y, z); __syncthreads();),
    {"two halves of a warp at different lines", [](Arguments a) {
       FactorA x;
       if (threadIdx.x < 16) {
         wmma::load_matrix_sync(x, halves(a.in), 16);
       } else {
         wmma::load_matrix_sync(x, halves(a.in), 16);
       }
     }, 1, 32, "deadlock: load_matrix_sync with mask 0xffffffff at matrix_kernels.cpp:[0-9]+: lane [0-9]+ .* does not take part: it waits at matrix_kernels.cpp:", __LINE__, 0},
    FAULTY("a lane has ended", 1, 32, AT("missing lane", ANY) " calls load_matrix_sync, which all 32 lanes of a warp must execute, but lane 31 \\(thread \\(31, 0, 0\\)\\) has ended", if (t == 31) return; FactorA x; wmma::load_matrix_sync(x, halves(a.in), 16);),
    FAULTY("a block of 20 threads", 1, 20, AT("missing lane", ANY) " calls store_matrix_sync, which all 32 lanes of a warp must execute, but lane 20 does not exist: the block has 20 threads", Sum z; wmma::fill_fragment(z, 0.0F); wmma::store_matrix_sync(a.out, z, 16, wmma::mem_row_major);),
    FAULTY("a tile at 16 bytes", 1, 32, AT("misaligned", ANY) ": the address of the matrix is no multiple of 32 bytes", FactorA x; wmma::load_matrix_sync(x, halves(a.in) + 8, 16);),
    FAULTY("a shared tile at 2 bytes", 1, 32, AT("misaligned", ANY) ": the address of the matrix is no multiple of 32 bytes", TILE FILL_TILE __syncwarp(); FactorA x; wmma::load_matrix_sync(x, tile + 1, 16);),
    FAULTY("a result at 4 bytes", 1, 32, AT("misaligned", ANY) ": the address of the matrix is no multiple of 32 bytes", Sum z; wmma::fill_fragment(z, 0.0F); wmma::store_matrix_sync(a.out + 1, z, 15, wmma::mem_row_major);),
    FAULTY("rows of 17 elements", 1, 32, AT("wrong leading dimension", ANY) ": the distance of rows or columns is no multiple of 16 bytes", FactorA x; wmma::load_matrix_sync(x, halves(a.in), 17);),
    FAULTY("columns of 18 floats", 1, 32, AT("wrong leading dimension", ANY) ": the distance of rows or columns is no multiple of 16 bytes", Sum z; wmma::load_matrix_sync(z, a.in, 18, wmma::mem_col_major);),
    FAULTY("a tile over the last row", 1, 32, AT("out of bounds", ANY) ": read of 4 bytes, in\\[2[5-9].\\], which has 1024 bytes", FactorA x; wmma::load_matrix_sync(x, halves(a.in) + 272, 16);),
    FAULTY("a leading dimension that is too large", 1, 32, AT("out of bounds", ANY) ": read of 4 bytes, in\\[[0-9]+\\], which has 1024 bytes", FactorB x; wmma::load_matrix_sync(x, halves(a.in), 40);),
    FAULTY("a result over the last row", 1, 32, AT("out of bounds", ANY) ": write of 8 bytes, out\\[2[5-9].\\], which has 1024 bytes", Sum z; wmma::fill_fragment(z, 0.0F); wmma::store_matrix_sync(a.out + 16, z, 16, wmma::mem_row_major);),
    FAULTY("a result by column over the last one", 1, 32, AT("out of bounds", ANY) ": write of 4 bytes, out\\[2[5-9].\\], which has 1024 bytes", Sum z; wmma::fill_fragment(z, 0.0F); wmma::store_matrix_sync(a.out + 16, z, 16, wmma::mem_col_major);),
    FAULTY("a shared tile over the last row", 1, 32, AT("out of bounds", ANY) ": read of 16 bytes, tile\\[[34]..\\] of shared memory, which has 768 bytes", TILE FILL_TILE __syncwarp(); FactorA x; wmma::load_matrix_sync(x, tile + 48, 24);),
    FAULTY("a tile that was never written", 1, 32, AT("uninitialised", ANY) ": read of 4 bytes, fresh\\[[0-9]+\\]", FactorA x; wmma::load_matrix_sync(x, halves(a.fresh), 16);),
    FAULTY("a shared tile of which the last row is missing", 1, 32, AT("uninitialised", ANY) ": read of 16 bytes, tile\\[36.\\]", TILE for (unsigned k = t; k < 15 * 24; k += 32) tile[k] = half(1.0F); __syncwarp(); FactorA x; wmma::load_matrix_sync(x, tile, 24);),
    FAULTY("different tiles in one warp", 1, 32, AT("different arguments", ANY) ": lanes of the warp give different addresses", FactorA x; wmma::load_matrix_sync(x, halves(a.in) + (t < 16 ? 0 : 16), 16);),
    FAULTY("different shared tiles in one warp", 1, 32, AT("different arguments", ANY) ": lanes of the warp give different addresses", TILE FILL_TILE __syncwarp(); FactorA x; wmma::load_matrix_sync(x, tile, t < 16 ? 24 : 16);),
    FAULTY("two warps store one tile", 1, 64, AT("race", ANY) ": write after write, out\\[[0-9]+\\], with thread", Sum z; wmma::fill_fragment(z, 0.0F); wmma::store_matrix_sync(a.out, z, 16, wmma::mem_row_major);),
    FAULTY("a stored tile read without __syncwarp", 1, 32, AT("race", ANY) ": (read after write|write after read), shared floats\\[[0-9]+\\], with thread", FLOATS Sum z; wmma::fill_fragment(z, 1.0F); wmma::store_matrix_sync(floats, z, 16, wmma::mem_row_major); a.out[t] = floats[8 * t];),
    FAULTY("a tile loaded without __syncwarp", 1, 32, AT("race", ANY) ": (read after write|write after read), shared tile\\[[0-9]+\\], with thread", TILE FILL_TILE FactorA x; wmma::load_matrix_sync(x, tile, 24);),
    FAULTY("ldmatrix beyond", 1, 32, "out of bounds at matrix_kernels.cpp:[0-9]+: kernel kernel, block \\(0, 0, 0\\), thread \\((1[6-9]|2.|3[01]), 0, 0\\): read of 16 bytes, tile\\[[0-9]+\\] of shared memory", TILE FILL_TILE __syncwarp(); load_rows_of(tile, t, 24);),
    FAULTY("ldmatrix of misaligned rows", 1, 32, "misaligned at matrix_kernels.cpp:[0-9]+: kernel kernel, block \\(0, 0, 0\\), thread \\([0-9]*[13579], 0, 0\\): read of 16 bytes, tile\\[[0-9]+\\]", TILE FILL_TILE __syncwarp(); load_rows_of(tile, t % 16, 20);),
    FAULTY("ldmatrix of global memory", 1, 32, "not shared memory at matrix_kernels.cpp:[0-9]+: kernel kernel, block \\(0, 0, 0\\), thread \\([0-9]+, 0, 0\\): the address of a row is not one of shared memory", load_rows_of(halves(a.in), t, 16);),
    FAULTY("ldmatrix by half of a warp", 1, 32, "deadlock: ldmatrix with mask 0xffffffff at matrix_kernels.cpp:[0-9]+: lane", TILE FILL_TILE __syncwarp(); if (t % 2 == 0) load_rows_of(tile, t % 16, 24); __syncthreads();),
};

const std::vector<Planted> right{
    RIGHT("a warp multiplies", 1, 32, FactorA x; FactorB y; Sum z; wmma::load_matrix_sync(x, halves(a.in), 16); wmma::load_matrix_sync(y, halves(a.in), 16); wmma::fill_fragment(z, 0.0F); wmma::mma_sync(z, x, y, z); wmma::store_matrix_sync(a.out, z, 16, wmma::mem_row_major);),
    RIGHT("one of two warps multiplies", 1, 64, if (t < 32) { FactorA x; FactorB y; Sum z; wmma::load_matrix_sync(x, halves(a.in), 16); wmma::load_matrix_sync(y, halves(a.in) + 256, 16); wmma::load_matrix_sync(z, a.out, 16, wmma::mem_col_major); wmma::mma_sync(z, x, y, z); wmma::store_matrix_sync(a.out, z, 16, wmma::mem_col_major); } __syncthreads();),
    RIGHT("lanes of another warp have ended", 1, 64, if (t >= 40) return; if (t < 32) { FactorA x; wmma::load_matrix_sync(x, halves(a.in), 16); }),
    RIGHT("the last tile", 1, 32, FactorA x; wmma::load_matrix_sync(x, halves(a.in) + 256, 16);),
    RIGHT("the right half of two tiles", 1, 32, FactorA x; wmma::load_matrix_sync(x, halves(a.in) + 16, 32);),
    RIGHT("a shared tile with longer rows", 1, 32, TILE FILL_TILE __syncwarp(); FactorA x; FactorB y; wmma::load_matrix_sync(x, tile, 24); wmma::load_matrix_sync(y, tile, 24);),
    RIGHT("a tile of which the rest is not written", 1, 32, TILE for (unsigned k = t; k < 256; k += 32) tile[k / 16 * 24 + k % 16] = half(1.0F); __syncwarp(); FactorA x; wmma::load_matrix_sync(x, tile, 24);),
    RIGHT("a stored tile read after __syncwarp", 1, 32, FLOATS Sum z; wmma::fill_fragment(z, 1.0F); wmma::store_matrix_sync(floats, z, 16, wmma::mem_row_major); __syncwarp(); a.out[t] = floats[8 * t];),
    RIGHT("a tile read again after __syncwarp", 1, 32, FLOATS Sum z; wmma::fill_fragment(z, 1.0F); wmma::store_matrix_sync(floats, z, 16, wmma::mem_row_major); __syncwarp(); wmma::load_matrix_sync(z, floats, 16, wmma::mem_col_major); __syncwarp(); wmma::store_matrix_sync(floats, z, 16, wmma::mem_row_major);),
    RIGHT("two warps store two tiles", 1, 64, wmma::fragment<wmma::accumulator, 16, 16, 16, half> z; wmma::fill_fragment(z, half(0.0F)); wmma::store_matrix_sync(halves(a.out) + t / 32 * 256, z, 16, wmma::mem_col_major);),
    RIGHT("two warps read one tile", 1, 64, TILE if (t < 32) { FILL_TILE } __syncthreads(); FactorA x; wmma::load_matrix_sync(x, tile, 24);),
    RIGHT("the tiles of 8-bit elements at 16 bytes", 1, 32, wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> x; wmma::load_matrix_sync(x, reinterpret_cast<unsigned char*>(a.in) + 16, 32);),
    RIGHT("ldmatrix", 1, 32, TILE FILL_TILE __syncwarp(); load_rows_of(tile, t % 16, 24);),
    RIGHT("ldmatrix of 8 rows, other lanes give no address", 1, 32, TILE FILL_TILE __syncwarp(); unsigned one; ptx::load_matrices(1, true, &one, t < 8 ? tile + t * 24 : nullptr); a.out[t] = static_cast<float>(one);),
    RIGHT("stmatrix", 1, 32, TILE const unsigned two[2] = {t, t}; ptx::store_matrices(2, false, two, tile + t % 16 * 24); __syncwarp(); a.out[t] = tile[t / 8 * 24 + t % 8];),
};
// clang-format on

}  // namespace

const std::vector<Planted>& faulty_matrix_kernels() { return faulty; }
const std::vector<Planted>& right_matrix_kernels() { return right; }

}  // namespace d2l::emulator::testing
