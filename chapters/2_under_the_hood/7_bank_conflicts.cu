// SPDX-License-Identifier: MIT
// Section 2.7: the banks of shared memory: strides, and a transpose without a tile,
// without padding, with it, and swizzled.
#include <string>
#include <vector>

#include "d2l/kernel_report.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Bank conflicts
//
// *Twenty minutes.* After this lesson you can say how many passes an access to shared
// memory takes, and lay out an array so that it takes one.
//
// Shared memory is fast because it is many memories. It has 32 *banks*, and each of
// them serves one word of 4 bytes at a time. The word with the number w is in the bank
// w % 32. So 32 neighbouring words are in 32 different banks, and a warp that accesses
// them is served in one *pass*. The 32 threads of a warp are its *lanes*, numbered
// from 0. If two lanes access different words of the same bank, they are served one
// after the other: a *bank conflict*. In the worst case all 32 lanes access different
// words of the same bank, and the request takes 32 passes.
//
// There is one exception: lanes that read the *same* word need only one access to the
// bank, which sends the word to all of them. That is a *broadcast*.
//
// ## Strides
//
// One warp reads shared memory with a stride: lane t reads the word t * stride.

__global__ void read_with_stride(float* result, int stride) {
  __shared__ float words[1024];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < 1024; i += 32) words[i] = static_cast<float>(i);
  __syncthreads();
  result[lane] = words[lane * stride % 1024];
}

// %%
// **Predict first.** How many passes does the read take for the strides 0, 1, 2, 4, 8,
// 16 and 32? And for 3 and 33?

constexpr int width = 32;
constexpr int step = 8;

__global__ void transpose_directly(const float* x, float* result, int n) {
  const int column =
      static_cast<int>(blockIdx.x) * width + static_cast<int>(threadIdx.x);
  for (int i = static_cast<int>(threadIdx.y); i < width; i += step) {
    const int row = static_cast<int>(blockIdx.y) * width + i;
    result[column * n + row] = x[row * n + column];
  }
}

/// A tile of 32 rows with 32 columns, and `Padding` more columns, which nothing uses.
template <int Padding>
__global__ void transpose_tiles(const float* x, float* result, int n) {
  __shared__ float tile[width][width + Padding];
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.y) * width;
  const int column = static_cast<int>(blockIdx.x) * width;
  for (int i = static_cast<int>(threadIdx.y); i < width; i += step)
    tile[i][lane] = x[(row + i) * n + column + lane];
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.y); i < width; i += step)
    result[(column + i) * n + row + lane] = tile[lane][i];
}

/// The element of column c of row r is in the word r ^ c of its row.
__global__ void transpose_swizzled(const float* x, float* result, int n) {
  __shared__ float tile[width][width];
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.y) * width;
  const int column = static_cast<int>(blockIdx.x) * width;
  for (int i = static_cast<int>(threadIdx.y); i < width; i += step) {
    tile[i][i ^ lane] = x[(row + i) * n + column + lane];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.y); i < width; i += step) {
    result[(column + i) * n + row + lane] = tile[lane][lane ^ i];
  }
}

int main() {
  manual_seed(7);
  const Device device = gpu(0);
  Tensor words = zeros({32}, device);
  std::vector<std::int64_t> passes;
  for (const int stride : {0, 1, 2, 4, 8, 16, 32, 3, 33}) {
    const KernelCounts counts = counts_of([&] {
      read_with_stride<<<1, 32, 0, d2l::stream(device)>>>(words.data_ptr<float>(),
                                                          stride);
    });
    passes.push_back(static_cast<std::int64_t>(counts.shared_passes) -
                     static_cast<std::int64_t>(counts.shared_requests) + 1);
  }
  show(passes);

  // %%
  // (All other accesses of the kernel take one pass per request, so all further passes
  // are those of the read. A card does not count, so the numbers there are 1.) Stride 0
  // is a broadcast. With a power of two, only 32 / stride banks are used. With any odd
  // stride all 32 lanes meet different banks, because an odd number has no factor in
  // common with 32. So 33 is as good as 1.
  //
  // ## A transpose
  //
  // The typical stride of 32 is a column of a tile. A transpose must read rows and
  // write columns. If each thread moves its element directly, the loads coalesce and
  // the stores do not, or the reverse:
  constexpr int n = 128;
  const Tensor x = rand({n, n}).to(device);
  Tensor result = zeros({n, n}, device);
  const dim3 blocks(n / width, n / width);
  const dim3 threads(width, step);
  const auto directly = counts_of([&] {
    transpose_directly<<<blocks, threads, 0, stream(device)>>>(
        x.data_ptr<float>(), result.data_ptr<float>(), n);
  });
  show(equal(result, x.t()));
  show(directly.load_sectors, directly.store_sectors);

  // %%
  // 4 sectors per request for the 512 loads, 32 for the 512 stores. In
  // `transpose_tiles` a block stores a tile of 32 by 32 elements in shared memory row
  // by row, and reads it column by column. Then each warp stores a row of the result.
  // The read of `tile[lane][i]` exchanges rows and columns.
  //
  // **Predict first.** The sectors are now 4 per request on both sides. How many passes
  // do the 512 reads of columns take, in a tile with 32 columns?
  const auto tiles = counts_of([&] {
    transpose_tiles<0><<<blocks, threads, 0, stream(device)>>>(
        x.data_ptr<float>(), result.data_ptr<float>(), n);
  });
  show(equal(result, x.t()));
  show(tiles.load_sectors, tiles.store_sectors);
  show(tiles.shared_requests, tiles.shared_passes);

  // %%
  // 1024 requests take 16896 passes: 512 for the rows and 512 * 32 for the columns. The
  // words of a column are 32 apart, all in the same bank. The wait has only moved from
  // global to shared memory.
  //
  // ## Padding
  //
  // A row of 33 words instead of 32 fixes this. The last word of a row is unused. It is
  // there to move the next row by one bank. The pictures show the read of a column by a
  // warp, in the tile with rows of 32 words and in that with rows of 33: which lane
  // meets which bank, and in which pass.
  const auto padded = counts_of([&] {
    transpose_tiles<1><<<blocks, threads, 0, stream(device)>>>(
        x.data_ptr<float>(), result.data_ptr<float>(), n);
  });
  show(equal(result, x.t()));
  show(padded.shared_requests, padded.shared_passes);
  show_kernel_report(
      [&] {
        transpose_tiles<0><<<blocks, threads, 0, stream(device)>>>(
            x.data_ptr<float>(), result.data_ptr<float>(), n);
      },
      "tile");
  show_kernel_report(
      [&] {
        transpose_tiles<1><<<blocks, threads, 0, stream(device)>>>(
            x.data_ptr<float>(), result.data_ptr<float>(), n);
      },
      "tile");

  // %%
  // 1024 passes instead of 16896, for 128 bytes more.
  //
  // ## Swizzling
  //
  // If a block has no room for these 128 bytes, or if rows must begin at multiples of
  // 16 bytes, for `float4` or for asynchronous copies to shared memory, there is
  // another way: keep rows of 32 words, and put each element into another place of its
  // row. `transpose_swizzled` uses the word r ^ c for the column c of the row r, where
  // `^` is the exclusive or. For a fixed row, and also for a fixed column, r ^ c takes
  // each value from 0 to 31 once.
  const auto swizzled = counts_of([&] {
    transpose_swizzled<<<blocks, threads, 0, stream(device)>>>(
        x.data_ptr<float>(), result.data_ptr<float>(), n);
  });
  show(equal(result, x.t()));
  show(swizzled.shared_requests, swizzled.shared_passes);

  // %%
  // The same 1024 passes, without padding. Libraries prefer this layout for the tiles
  // of matrix products.
  //
  // Conflicts are counted for a whole warp; an access of 8 bytes per lane is served
  // half a warp at a time, and one of 16 bytes a quarter. And not every conflict
  // matters: a kernel that waits for global memory anyway does not become faster
  // without them. Count first. Then, if there is a card, measure. This cell transposes
  // 268 MB, and copies them.
  if (device_properties(device).kind == DeviceKind::physical_gpu) {
    constexpr int large = 8192;
    const Tensor from = rand({large, large}, device);
    Tensor to = zeros({large, large}, device);
    const auto rate_of = [&](const char* name, const auto& work) {
      show_measured(2 * static_cast<double>(from.nbytes()) / measure(work).median / 1e9,
                    "GB/s", 1, 1e5, name);
    };
    const auto rate_of_kernel = [&](const char* name, auto kernel) {
      rate_of(name, [&] {
        kernel<<<dim3(large / width, large / width), threads, 0, stream(device)>>>(
            from.data_ptr<float>(), to.data_ptr<float>(), large);
      });
    };
    rate_of("the library's copy", [&] { to.copy_(from); });
    rate_of_kernel("directly", transpose_directly);
    rate_of_kernel("tiles", transpose_tiles<0>);
    rate_of_kernel("tiles with padding", transpose_tiles<1>);
    rate_of_kernel("swizzled tiles", transpose_swizzled);
  } else {
    show("There is no card here to measure; virtual GPUs would measure this computer.");
  }

  // %%
  // ## What to try next
  //
  // - Launch `transpose_tiles<2>`. How many passes does a column take then, and why?
  // - Use `double` in `read_with_stride`. Which strides are free of conflicts?
  // - The tile of section 2.5 has 16 columns and no padding, and no conflicts. Which
  //   words does a warp read there?
  // - Exercise 2.7 asks for a transpose of matrices of any size. `./learn next 2.7`
  //   shows the task.
}
