// SPDX-License-Identifier: MIT
// Section 2.2: blocks, grids of one to three dimensions, warps, threads without work,
// and the grid-stride loop.
#include <cstdint>
#include <string>
#include <vector>

#include "d2l/kernel_report.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Grids
//
// *Twenty-five minutes.* After this lesson you can choose blocks and grids of one to
// three dimensions, say how many of their threads have no work, and write a kernel that
// is correct for any `n` and any grid.
//
// A launch starts a *grid* of *blocks* of *threads*. Why two levels? A card has many
// multiprocessors: from 24 to 132 in the cards of section 2.0. A block runs on one of
// them, from beginning to end. So the threads of a block are close together: they can
// wait for each other and share memory (sections 2.5 and 2.6). Blocks are independent.
// They run in any order, a few at a time or all at once. This is why the same program
// runs on small cards and on large ones.
//
// ## One, two or three dimensions
//
// Grids and blocks have the dimensions x, y and z. A launch names their sizes with
// `dim3(x, y, z)`; what you leave out is 1. So `<<<4, 256>>>` means
// `<<<dim3(4, 1, 1), dim3(256, 1, 1)>>>`. In the kernel, `gridDim` is the size of the
// grid in blocks, and `blockDim` the size of a block in threads. This kernel gives each
// thread a number: x counts fastest, then y, then z, as in a tensor of shape {z, y, x}.

__global__ void number_threads(int* numbers, int* firsts) {
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int number_in_block =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int number = block * threads + number_in_block;
  numbers[number] = number;
  firsts[number] = __shfl_sync(0xffffffff, number, 0);
}

// %%
// Kernels are functions, so they are defined before `main`. Here are the others of this
// lesson, in the order in which we use them. The first is a *map* of a matrix, as in
// the exercise of section 2.1: each element of the result depends on one element of the
// input.

__global__ void twice_of_matrix(const float* x, float* result, int rows, int columns) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns)
    result[row * columns + column] = 2 * x[row * columns + column];
}

// %%
// The last two double `n` elements with any number of threads, because each thread has
// a loop. They differ in the elements that a thread visits.

__global__ void twice_by_chunks(const float* x, float* result, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int chunk = (n + threads - 1) / threads;
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = begin; i < begin + chunk && i < n; ++i) result[i] = 2 * x[i];
}

__global__ void twice_by_strides(const float* x, float* result, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    result[i] = 2 * x[i];
}

// %%
// ## Warps
//
// The card numbers the threads of a block in the same way. It does not run them one by
// one, but in *warps* of 32 threads, which execute the same instruction together. Which
// threads are a warp? The last line of `number_threads` answers this: `__shfl_sync`
// returns what another thread of the same warp has in `number`. The first argument
// names the threads that take part, here all 32, and the last one is the thread to read
// from, here the first. (Section 2.8 says more.)
//
// **Predict first.** A block has 16 threads in x and 4 in y. Which threads are in its
// second warp?
int main() {
  const Device device = gpu(0);
  const auto numbered = [&](dim3 grid, dim3 block, int threads) {
    const Tensor numbers = empty({threads}, TensorOptions(device).dtype(kInt));
    const Tensor firsts = empty_like(numbers);
    number_threads<<<grid, block, 0, stream(device)>>>(numbers.data_ptr<int>(),
                                                       firsts.data_ptr<int>());
    show(equal(numbers, arange(threads, numbers.options())));
    return firsts;
  };
  show(numbered(1, dim3(16, 4), 16 * 4).view({4, 16}));
  static_cast<void>(numbered(dim3(2, 3, 4), dim3(8, 4, 2), 24 * 64));

  // %%
  // The first two rows belong to the warp that starts with thread 0, and the last two
  // to that of thread 32. A warp is 32 *consecutive numbers*, so its threads are
  // neighbours in x. Section 2.4 shows what follows for memory. The two outputs `True`
  // show that each thread has a different number, from 0 to the last one, also in three
  // dimensions.
  //
  // A warp never contains threads of two blocks. A block of 33 threads has two warps.
  // The places of a warp are its *lanes*, and 31 lanes of the second warp are empty.
  // That is why the number of threads in a block should be a multiple of 32.
  //
  // ## Limits
  //
  // Each size has a limit. Ask the card for its limits:
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  show(properties.warpSize, properties.maxThreadsPerBlock);
  const auto limits = [](const int* values) {
    return std::vector<std::int64_t>(values, values + 3);
  };
  show(limits(properties.maxThreadsDim), limits(properties.maxGridSize));
  number_threads<<<dim3(1, 65536), 1, 0, stream(device)>>>(nullptr, nullptr);
  show(cudaGetErrorString(cudaGetLastError()));

  // %%
  // Up to 1024 threads in a block, in all dimensions *together*: a block of 32 by 32 is
  // allowed, one of 64 by 32 is not. A grid may have 2147483647 blocks in x, but only
  // 65535 in y and in z. So y and z are for small dimensions, or the kernel loops over
  // the rest. The launch with 65536 blocks in y was refused, as the one with 2048
  // threads was in section 2.1.
  //
  // ## Threads without work
  //
  // A matrix of 20 rows and 70 columns, and one thread for each element: x counts
  // columns, and y counts rows. Both are rounded up to whole blocks, and the guard
  // excludes the other threads.
  constexpr int rows = 20;
  constexpr int columns = 70;
  const Tensor x = arange(0.0, rows * columns, device);
  Tensor result = zeros({rows * columns}, device);

  // %%
  // **Predict first.** With blocks of 32 by 8: how many blocks, threads and warps are
  // there?
  const auto map = [&](dim3 threads) {
    const dim3 blocks((columns + threads.x - 1) / threads.x,
                      (rows + threads.y - 1) / threads.y);
    return counts_of([&] {
      twice_of_matrix<<<blocks, threads, 0, stream(device)>>>(
          x.data_ptr<float>(), result.data_ptr<float>(), rows, columns);
    });
  };
  const KernelCounts flat = map(dim3(32, 8));
  show(equal(result, 2 * x));
  show(flat.blocks, flat.threads, flat.warps);
  if (flat.blocks == 0)
    show(
        "A card does not count. To see the counts: D2L_VIRTUAL_GPUS=1@host ./learn run "
        "2.2");

  // %%
  // 3 by 3 blocks of 256 threads, and 256 / 32 = 8 warps in each. 2304 threads work on
  // 1400 elements. Here they are:
  show_figure("grid_over_a_matrix");

  // %%
  // The shape of the block decides how many threads are left over. All of these blocks
  // have 256 threads.
  //
  // **Predict first.** Which shape leaves the most threads over here, and which the
  // fewest?
  for (const dim3 threads :
       {dim3(256, 1), dim3(64, 4), dim3(32, 8), dim3(16, 16), dim3(8, 32)}) {
    const KernelCounts counts = map(threads);
    const std::string shape =
        std::to_string(threads.x) + " x " + std::to_string(threads.y);
    show(shape, counts.threads, counts.threads - counts.store_bytes / sizeof(float));
  }

  // %%
  // Each line shows the shape, the number of threads, and the number of those without
  // an element. Blocks of 256 by 1 put 256 threads on each row of 70 elements: nearly
  // three quarters of them have nothing to do. 32 by 8 and 8 by 32 leave the fewest
  // over. In a large matrix all shapes waste little, because only the blocks at the
  // edges are partly empty. 32 by 8 is a good default: a warp is a piece of one row. In
  // blocks of 8 by 32 it covers pieces of four rows, and section 2.4 shows what that
  // costs.
  //
  // ## A grid that does not depend on n
  //
  // One thread for each element is simple. But then the grid depends on `n`, and a
  // thread does little: it starts, computes its index, and ends. Instead the grid can
  // be fixed, and each thread visits several elements. Which ones? A habit from CPUs is
  // to give each thread one piece of the array, a *chunk*: thread 0 visits 0 to 15,
  // thread 1 visits 16 to 31. That is `twice_by_chunks`. In `twice_by_strides`, a
  // thread begins at its own number and advances by the number of all threads. This is
  // a *grid-stride loop*. Take 4 blocks of 64 threads and 4096 elements, 16 for each
  // thread:
  const Tensor y = arange(0.0, 4096, device);
  Tensor doubled;
  const auto run = [&](const auto& kernel, int n) {
    doubled = zeros({n}, device);
    return counts_of([&] {
      kernel<<<4, 64, 0, stream(device)>>>(y.data_ptr<float>(),
                                           doubled.data_ptr<float>(), n);
    });
  };
  const KernelCounts chunks = run(twice_by_chunks, 4096);
  show(equal(doubled, 2 * y));
  const KernelCounts strides = run(twice_by_strides, 4096);
  show(equal(doubled, 2 * y));

  // %%
  // Both are correct. Device memory, which CUDA calls *global memory*, is read in
  // *sectors* of 32 bytes, 8 floats. When a warp executes a load, the 32 addresses of
  // its threads are one *request*, and the card fetches each sector that one of them
  // needs.
  //
  // **Predict first.** How many requests does each kernel make to load 4096 floats? In
  // the first iteration, thread 0 reads element 0: which one does thread 1 read in each
  // kernel? So how many sectors does a request have?
  show("chunks", chunks.load_requests, chunks.load_sectors);
  show("strides", strides.load_requests, strides.load_sectors);

  // %%
  // The numbers of requests are equal: 8 warps with 16 iterations each. By chunks, the
  // threads of a warp are 16 floats, 64 bytes, apart, so each needs a sector of its
  // own: 4096 / 128 = 32 sectors per request. By strides, the 32 threads read 32
  // neighbours, 128 bytes: 512 / 128 = 4 sectors. That is an eighth, for the same
  // result. (A cache may keep what the chunks need in their next iterations. With many
  // warps it is soon too small.) On a CPU, a chunk is the better choice, because *one*
  // thread reads its elements one after the other. On a GPU, neighbouring *threads*
  // should read neighbouring elements at the same time.
  //
  // And for other `n`, with the same grid?
  //
  // **Predict first.** For 100 elements: how many requests load them?
  for (const int n : {100, 1000}) {
    const KernelCounts counts = run(twice_by_strides, n);
    show(equal(doubled, 2 * y.slice(0, 0, n)));
    show(counts.threads, counts.load_requests, counts.store_bytes);
  }

  // %%
  // The grid is the same 256 threads. The condition of the loop is the guard: for 100
  // elements, 4 of 8 warps have something to read, and the others end at once. Each
  // element is written once, 4 bytes each.
  //
  // There are more reasons for a grid-stride loop. A grid has at most 65535 blocks in y
  // or z, too few for the rows of some matrices. What a thread prepares before the loop
  // is prepared once for many elements. And with `<<<1, 1>>>` the same kernel is an
  // ordinary loop, which helps to find an error. A usual grid has a few blocks for each
  // multiprocessor, `properties.multiProcessorCount`. One warning: `i` is an `int`, and
  // `i + threads` overflows if `n` is close to 2147483647. Use `std::int64_t` for
  // arrays of this size.
  //
  // ## What to try next
  //
  // - Call `numbered` with blocks of `dim3(8, 2, 4)`. What is the `threadIdx` of the
  //   first thread of the second warp?
  // - Call `map` with `dim3(70, 10)`. No thread is left over. How many lanes are empty?
  // - Run `twice_by_chunks` with 2048 elements: predict the sectors per request. And
  //   with 1024, and 256?
  // - Write the grid-stride loop in two dimensions: a loop over the rows, and in it a
  //   loop over the columns.
  // - Exercise 2.2: any `n` with the grid that you are given. `./learn next 2.2` shows
  //   the task.
}
