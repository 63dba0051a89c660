// SPDX-License-Identifier: MIT
// Section 5.3: tensor cores: a warp multiplies small matrices, what is rounded, and how
// many bytes it may read for that.
// On a card it needs compute capability 8.0, for bfloat16 and TF32.
#include <mma.h>

#include <cmath>
#include <string>
#include <vector>

#include "d2l/kernel_report.h"
#include "d2l/roofline.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;
namespace wmma = nvcuda::wmma;

// %%
// # Tensor cores
//
// *Twenty-five minutes.* After this lesson you can write a product of matrices for
// tensor cores, say which of its numbers are rounded, and compute how many operations
// it must do with each byte.
//
// In the products of sections 2.5 and 5.4 a thread multiplies two numbers at a time.
// One instruction of a warp makes 32 multiply-adds, one for each lane. Most of what a
// network computes is products of matrices, so cards since 2017 have units for nothing
// else. A *tensor core* multiplies small matrices: one call of a warp computes
// d = a · b + c for *tiles* of 16 by 16 elements. That is 4096 multiply-adds instead of
// 32. The elements of a and b have 16 bits, so that they fit; the sums are float32.
//
// ## Fragments
//
// Where is such a tile? In the registers of the *whole warp*: each lane has some of the
// 256 elements. A tile that is distributed in this way is a *fragment*. Which lane has
// which element differs from card to card, and a program need not know it. CUDA's
// header `mma.h`, namespace `nvcuda::wmma`, has four functions for fragments:
//
// | call | what the warp does |
// | --- | --- |
// | `fill_fragment(f, value)` | sets all elements |
// | `load_matrix_sync(f, address, stride)` | loads a tile; rows are `stride` apart |
// | `mma_sync(d, a, b, c)` | d = a · b + c |
// | `store_matrix_sync(address, f, stride, layout)` | stores a tile |
//
// All 32 lanes must call them together, with the same arguments: it is the warp that
// calls, not the thread. So there is no `threadIdx` in the kernel below. A block is one
// warp here, and computes `tiles` by `tiles` tiles of c. For now, `tiles` is 1.

constexpr int width = 16;

template <class T, int tiles>
__global__ void multiply(const T* a, const T* b, float* c, int n, float least) {
  const int row = static_cast<int>(blockIdx.y) * width * tiles;
  const int column = static_cast<int>(blockIdx.x) * width * tiles;
  wmma::fragment<wmma::matrix_a, width, width, width, T, wmma::row_major> left[tiles];
  wmma::fragment<wmma::matrix_b, width, width, width, T, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, width, width, width, float> sums[tiles][tiles];
  for (int i = 0; i < tiles; ++i) {
    for (int j = 0; j < tiles; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
  }
  for (int k = 0; k < n; k += width) {
    for (int i = 0; i < tiles; ++i) {
      wmma::load_matrix_sync(left[i], a + (row + i * width) * n + k, n);
    }
    for (int j = 0; j < tiles; ++j) {
      wmma::load_matrix_sync(right, b + k * n + column + j * width, n);
      for (int i = 0; i < tiles; ++i) {
        wmma::mma_sync(sums[i][j], left[i], right, sums[i][j]);
      }
    }
  }
  for (int i = 0; i < tiles; ++i) {
    for (int j = 0; j < tiles; ++j) {
      for (int e = 0; e < sums[i][j].num_elements; ++e) {
        sums[i][j].x[e] = fmaxf(sums[i][j].x[e], least);
      }
      wmma::store_matrix_sync(c + (row + i * width) * n + column + j * width,
                              sums[i][j], n, wmma::mem_row_major);
    }
  }
}

// %%
// The last loop changes each sum before it is stored: no element of the result is less
// than `least`. A lane may use its elements of a fragment, `x[0]` to
// `x[num_elements - 1]`, for anything that is the same for all elements, without
// knowing which they are. With `least` = 0 that is a ReLU, which costs no further
// launch, and no further byte.
//
// TF32 is another format. The numbers stay float32 in memory, and a tensor core uses
// the first 11 significant bits of each. Its tiles have 8 columns of a and 8 rows of b:

__global__ void multiply_tf32(const float* a, const float* b, float* c, int n) {
  constexpr int depth = 8;
  using tf32 = wmma::precision::tf32;
  const int row = static_cast<int>(blockIdx.y) * width;
  const int column = static_cast<int>(blockIdx.x) * width;
  wmma::fragment<wmma::matrix_a, width, width, depth, tf32, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, width, width, depth, tf32, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, width, width, depth, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += depth) {
    wmma::load_matrix_sync(left, a + row * n + k, n);
    wmma::load_matrix_sync(right, b + k * n + column, n);
    for (float& value : left.x) value = wmma::__float_to_tf32(value);
    for (float& value : right.x) value = wmma::__float_to_tf32(value);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

int main() {
  manual_seed(5);
  const Device device = gpu(0);
  constexpr int n = 64;
  const dim3 blocks(n / width, n / width);
  constexpr float none = -INFINITY;
  const Tensor c = zeros({n, n}, device);
  const auto halves = [](const Tensor& x) {
    return reinterpret_cast<const half*>(x.data_ptr<Half>());
  };

  // %%
  // Whole numbers make the comparison exact: float16 holds those up to 2048, and
  // float32 their sums. The matrices have both signs here.
  //
  // **Predict first.** The matrices are 64 by 64. How many warps are there, how many
  // products of tiles do they make together, and how many multiply-adds are these?
  const Tensor whole_a = (rand({n, n}) * 16 - 8).to(kInt).to(kHalf).to(device);
  const Tensor whole_b = (rand({n, n}) * 16 - 8).to(kInt).to(kHalf).to(device);
  const Tensor expected = matmul(whole_a.to(kFloat), whole_b.to(kFloat));
  const KernelCounts counts = counts_of([&] {
    multiply<half, 1><<<blocks, 32, 0, stream(device)>>>(
        halves(whole_a), halves(whole_b), c.data_ptr<float>(), n, none);
  });
  show(equal(c, expected));
  show(counts.warps, counts.matrix_products, counts.matrix_multiply_adds);
  multiply<half, 1><<<blocks, 32, 0, stream(device)>>>(halves(whole_a), halves(whole_b),
                                                       c.data_ptr<float>(), n, 0);
  show(equal(c, relu(expected)));

  // %%
  // (On a card the counts are 0, because it does not count.) There are 16 tiles of c,
  // with a warp each. A warp makes 64 / 16 = 4 products, 64 in all. Each has 16³ = 4096
  // multiply-adds, so all together have 64³: as many as the multiplication of the
  // matrices has, with a 128th of the instructions.
  //
  // ## What is rounded
  //
  // Three things could be. The *elements* are: a number that is not a float16 becomes
  // the nearest one. The *products* are not: two numbers of 11 significant bits have a
  // product of at most 22, which float32 holds. The *sums* are rounded as float32 sums
  // are. So the question is what the 16 bits do to the elements. We multiply random
  // numbers between 0 and 1 in four formats, and compare with float64. The error is
  // given relative to the largest element of the result.
  //
  // **Predict first.** bfloat16 has 8 significant bits and float16 has 11. By what
  // factor do the errors differ? And how large is that of TF32?
  const Tensor a = rand({n, n});
  const Tensor b = rand({n, n});
  const Tensor exact = matmul(a.to(kDouble), b.to(kDouble));
  const auto error_of = [&](const Tensor& reference) {
    const Tensor difference = (c.cpu().to(kDouble) - reference).abs().max();
    const double error = (difference / reference.abs().max()).item<double>();
    return std::pow(2, std::round(std::log2(error)));
  };
  const auto as_text = [](double error) {
    return "2^" + std::to_string(static_cast<int>(std::log2(error)));
  };
  const Tensor half_a = a.to(kHalf);
  const Tensor half_b = b.to(kHalf);
  const Tensor half_a_there = half_a.to(device);
  const Tensor half_b_there = half_b.to(device);
  multiply<half, 1><<<blocks, 32, 0, stream(device)>>>(
      halves(half_a_there), halves(half_b_there), c.data_ptr<float>(), n, none);
  show("float16", as_text(error_of(exact)));
  show("float16, against the product of the rounded elements",
       error_of(matmul(half_a.to(kDouble), half_b.to(kDouble))) < 1e-6);
  const Tensor brain_a = a.to(kBFloat16).to(device);
  const Tensor brain_b = b.to(kBFloat16).to(device);
  multiply<__nv_bfloat16, 1><<<blocks, 32, 0, stream(device)>>>(
      reinterpret_cast<const __nv_bfloat16*>(brain_a.data_ptr<BFloat16>()),
      reinterpret_cast<const __nv_bfloat16*>(brain_b.data_ptr<BFloat16>()),
      c.data_ptr<float>(), n, none);
  show("bfloat16", as_text(error_of(exact)));
  const Tensor a_there = a.to(device);
  const Tensor b_there = b.to(device);
  multiply_tf32<<<blocks, 32, 0, stream(device)>>>(
      a_there.data_ptr<float>(), b_there.data_ptr<float>(), c.data_ptr<float>(), n);
  show("TF32", as_text(error_of(exact)));

  // %%
  // Three bits more make the error 8 times as small. TF32 has as many significant bits
  // as float16, and its error is about the same; it has the range of float32, though,
  // and so has bfloat16. A float16 is at most 65504. The products and the sums may be
  // larger than that, because they are float32, but a stored result may not. The second
  // line says that nothing else was lost: against the product of the numbers that the
  // card was given, the error is that of float32.
  //
  // ## The second roof
  //
  // Tensor cores are so fast that the memory is the limit even more often (section
  // 2.0). How many operations does the kernel do with each byte that it reads? In each
  // step a warp loads two tiles of 512 bytes, and does 2 · 4096 operations: 8 for each
  // byte.
  //
  // **Predict first.** An A100 has 312 TFLOP/s and 1555 GB/s. Which part of its peak
  // can this kernel reach at most? And if a warp computes 2 by 2 or 4 by 4 tiles?
  const Card& a100 = card_named("A100");
  const auto show_intensity = [&](const KernelCounts& of) {
    if (of.load_bytes == 0) {
      show("A card does not count: D2L_VIRTUAL_GPUS=1@host ./learn run 5.3");
      return;
    }
    const double intensity = 2.0 * static_cast<double>(of.matrix_multiply_adds) /
                             static_cast<double>(of.load_bytes);
    const double reached = intensity * a100.processor.memory_bandwidth;
    show(of.load_bytes, intensity,
         std::round(1000 * reached / a100.processor.float16) / 10);
  };
  show_intensity(counts);
  show_intensity(counts_of([&] {
    multiply<half, 2><<<dim3(n / 32, n / 32), 32, 0, stream(device)>>>(
        halves(whole_a), halves(whole_b), c.data_ptr<float>(), n, none);
  }));
  show(equal(c, expected));
  show_intensity(counts_of([&] {
    multiply<half, 4><<<dim3(n / 64, n / 64), 32, 0, stream(device)>>>(
        halves(whole_a), halves(whole_b), c.data_ptr<float>(), n, none);
  }));
  show(equal(c, expected));

  // %%
  // Each line has the bytes that are loaded, the operations for each of them, and the
  // percent of the peak of an A100. A warp that computes 4 by 4 tiles uses
  // each of its fragments four times. It is the idea of section 5.4, with tiles in the
  // place of numbers, and it has the same limit: 16 accumulators of 256 floats take 128
  // registers of each lane.
  //
  // So the warps of a block share what they load, through shared memory as in section
  // 2.5. A block whose tile is w by w elements loads 2 · w · 16 numbers of 2 bytes for
  // 2 · w² · 16 operations: w / 2 operations for a byte. To reach 200, the balance of
  // an A100, w must be 400. Libraries use tiles of up to 256 by 128, and the L2 cache
  // does the rest: many blocks need the same rows of a at the same time.
  //
  // ## Sizes
  //
  // The kernel above needs sizes that are multiples of 16. `load_matrix_sync` also
  // needs a stride that is a multiple of 8 elements of 16 bits, and an address that is
  // a multiple of 32 bytes. At the edge of other matrices, a block copies its tiles to
  // shared memory first, with zeros outside; the exercise does that. Libraries do, too,
  // or use a kernel without tensor cores. So choose the sizes of a network as multiples
  // of 8, or better 64: a vocabulary of 50257 words is often padded to 50304.
  //
  // In practice, you do not write such kernels for plain products. `matmul` of float16
  // or bfloat16 tensors calls cuBLAS on a card, and cuBLAS uses tensor cores.
  //
  // ## What to try next
  //
  // - Let all elements of a and b be 256 in float16. What is the result, and what is
  //   it after `.to(kHalf)`?
  // - Load b with `wmma::col_major`. Which matrix does the kernel multiply by then?
  // - Add the elements of a fragment of lane 0 only. What do you learn about which
  //   elements it has? Would you rely on it?
  // - Exercise 5.3: a product of any size. `./learn next 5.3` shows the task.
}
