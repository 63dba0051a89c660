// SPDX-License-Identifier: MIT
// Section 2.5: the memory of a block: a block reversed, and a product of matrices in
// tiles, which reads global memory less often.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "d2l/kernel_report.h"
#include "d2l/roofline.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Shared memory
//
// *Twenty-five minutes.* After this lesson you can let the threads of a block exchange
// values, and make a kernel read each element from global memory once for a whole block
// instead of once for each thread.
//
// So far, threads have had nothing to do with each other: each reads and writes
// elements of its own. Many algorithms need more. The threads of a *block* can work
// together, because they run on the same multiprocessor and share a piece of its own
// memory, which is much faster than global memory. A variable with `__shared__` lives
// there:
//
// - each block has a copy of its own, which its threads see and those of other blocks
//   do not;
// - it exists while the block runs, and nothing of it is left afterwards;
// - it is uninitialised: what a thread reads before anything was written is arbitrary;
// - it is small: 48 KiB for a block, more only on request, against gigabytes of global
//   memory;
// - it is near: a few dozen clock cycles away, where global memory takes hundreds.
//
// ## Reverse a block
//
// Each block reverses its 64 elements. Each thread writes one element to shared memory
// and reads another one, which another thread has written. So all writes must be done
// before the first read. `__syncthreads()` is a *barrier*: a thread waits there until
// all threads of its block have arrived. Section 2.6 is about what happens without it.

constexpr int part = 64;

__global__ void reverse_parts(float* x) {
  __shared__ float values[part];
  const int thread = static_cast<int>(threadIdx.x);
  float* const own = x + static_cast<int>(blockIdx.x) * part;
  values[thread] = own[thread];
  __syncthreads();
  own[thread] = values[part - 1 - thread];
}

// %%
// If the size is known only at run time, the launch gives it, in bytes, as the third
// part of its configuration. The kernel declares the array without a size:
// `extern __shared__ float values[];`.
//
// ## A product of matrices
//
// Now a kernel that needs this memory. In c = a * b, an element of c is the sum of the
// products of a row of a and a column of b. One thread computes one element:

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
  c[row * n + column] = sum;
}

// %%
// For n = 64 each thread reads 2 * 64 elements. There are 4096 threads, so there are
// half a million reads, of matrices that have 8192 elements together. Each element of a
// is read 64 times, once for each column of the result.
//
// The remedy follows from a question: what do the threads of one block need? A block of
// 16 by 16 threads computes a *tile* of 16 by 16 elements of c. Its threads need 16
// rows of a and 16 columns of b, and all 16 threads of a row of the block need the same
// row of a. So the block loads them together, each element once, into shared memory.
// Whole rows may be too long for it. The block therefore walks along the inner
// dimension: it loads a tile of a and a tile of b, adds their products to the sums, and
// continues with the next two tiles.

constexpr int width = 16;

__global__ void multiply_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[width][width];
  __shared__ float tile_b[width][width];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * width + y;
  const int column = static_cast<int>(blockIdx.x) * width + x;
  float sum = 0;
  for (int begin = 0; begin < n; begin += width) {
    tile_a[y][x] = a[row * n + begin + x];
    tile_b[y][x] = b[(begin + y) * n + column];
    __syncthreads();
    for (int i = 0; i < width; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  manual_seed(5);
  const Device device = gpu(0);
  const Tensor numbers = arange(0.0, 128, device);
  reverse_parts<<<2, part, 0, stream(device)>>>(numbers.data_ptr<float>());
  show(numbers[0], numbers[63], numbers[64]);

  // %%
  // The two blocks reversed their parts: the first begins with 63, the second with 127.
  // The order of all 128 elements could not be reversed in this way, because no barrier
  // covers two blocks.
  //
  // Here is the product in tiles. The filled tile of c needs the filled tiles of a and
  // b, one pair after the other.
  show_figure("tiles_of_a_product");

  // %%
  // The first barrier in the loop separates the loads from the sums, as above. The
  // second one is at the end of the step: no thread may load the next tile while
  // another one still reads this one. Both kernels compute the same as the library's
  // `matmul`. Tensors of small whole numbers make the comparison exact:
  constexpr int n = 64;
  const Tensor a = (rand({n, n}) * 8).to(kInt).to(kFloat).to(device);
  const Tensor b = (rand({n, n}) * 8).to(kInt).to(kFloat).to(device);
  Tensor c = zeros({n, n}, device);
  const dim3 blocks(n / width, n / width);
  const dim3 threads(width, width);
  TransferLedger ledger;
  multiply<<<blocks, threads, 0, stream(device)>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
  show(equal(c, matmul(a, b)));
  const auto naive = ledger.entries();
  ledger.clear();
  multiply_tiles<<<blocks, threads, 0, stream(device)>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
  show(equal(c, matmul(a, b)));
  const auto tiled = ledger.entries();

  // %%
  // **Predict first.** The tiles are 16 wide. How many load requests of global memory
  // does a warp make in each step of the loop? How many do all 128 warps make, with
  // tiles and without?
  const KernelCounts without = counts_of(naive);
  const KernelCounts with = counts_of(tiled);
  show(without.load_requests, with.load_requests);
  show(without.load_sectors, with.load_sectors);
  show(with.shared_requests, with.shared_passes, with.barriers);

  // %%
  // (On a card all of them are 0, because it does not count.) 16384 requests became
  // 1024: 16 times fewer, the width of the tile. In each step a thread loads two
  // elements instead of 32.
  //
  // The sectors are 8 times fewer, not 16. Why? A warp is two rows of the block.
  // Without tiles, its 32 threads ask for only two different elements of a in each
  // request: 2 sectors. In b they ask for 16 neighbours, 64 bytes: 2 sectors. The
  // hardware combines reads *within* a warp by itself. With tiles, a request reads two
  // rows of 16 elements, 4 sectors, and uses each byte.
  //
  // The reads have not vanished; they go to shared memory now: in each of 4 steps, each
  // of 128 warps makes 2 stores and 2 * 16 loads, together 17408 requests, each in one
  // pass. Section 2.7 says when it takes more. The 128 barriers are 2 for each of the 4
  // steps of 16 blocks.
  //
  // ## On the roofline
  //
  // Section 2.0 placed operations on the roofline. Here are the two kernels. Each does
  // 2 * 64³ operations, and its bytes are 32 for each sector that it loads or stores.
  // The picture is modelled: nothing was timed.
  //
  // **Predict first.** With tiles of width w, a block loads an element once and uses it
  // w times. What is the intensity then, in operations per byte, if n is large? How
  // wide must a tile be for the balance of an A100, 12.5?
  if (without.load_sectors > 0) {
    std::vector<Work> works;
    for (const auto& [entries, name] :
         {std::pair(naive, "without tiles"), std::pair(tiled, "with tiles of 16")}) {
      for (const LedgerEntry& entry : entries) {
        if (entry.kernel) works.push_back(work_of({entry}, name));
      }
      works.back().operations = 2.0 * n * n * n;
      show(name, std::round(100 * works.back().intensity()) / 100);
    }
    show_svg(roofline_svg(cards(), works), roofline_description(cards(), works));
  } else {
    show(
        "Without counts there is nothing to model. To get them: "
        "D2L_VIRTUAL_GPUS=1@host ./learn run 2.5");
  }

  // %%
  // Two loaded floats, 8 bytes, serve w multiplications and w additions: w / 4
  // operations per byte. For 16 that is 4, a little less with the stores, and memory
  // bounds the kernel on every card. The balance of an A100 would need a tile of 50 by
  // 50 elements. A block cannot have that many threads.
  //
  // ## What libraries do
  //
  // How far is that from a good product? Far. With wider tiles shared memory would be
  // the next limit, because each multiplication here reads two values from it.
  // Libraries let each thread compute 8 by 8 elements in registers, so that it loads
  // 8 + 8 values for 64 multiplications; they load the next tile while they compute
  // with this one; and for 16-bit numbers, and for float32 that may be rounded to TF32,
  // they use the tensor cores, which multiply small matrices in one instruction.
  // NVIDIA's library cuBLAS does all of that, and this library's `matmul` calls it on a
  // card. Use it. But tiles are the idea behind each step: load once, use often.
  //
  // On a machine with a card, you can measure how far. This cell multiplies matrices of
  // 4096 by 4096 in three ways.
  if (device_properties(device).kind == DeviceKind::physical_gpu) {
    constexpr int large = 4096;
    const Tensor left = rand({large, large}, device);
    const Tensor right = rand({large, large}, device);
    const Tensor product = zeros({large, large}, device);
    const auto rate_of = [&](const char* name, const auto& work) {
      show_measured(2.0 * large * large * large / measure(work).median / 1e12,
                    "TFLOP/s", 1e-3, 1e3, name);
    };
    const auto rate_of_kernel = [&](const char* name, auto kernel) {
      rate_of(name, [&] {
        kernel<<<dim3(large / width, large / width), threads, 0, stream(device)>>>(
            left.data_ptr<float>(), right.data_ptr<float>(), product.data_ptr<float>(),
            large);
      });
    };
    rate_of_kernel("without tiles", multiply);
    rate_of_kernel("with tiles of 16", multiply_tiles);
    rate_of("cuBLAS, by matmul", [&] { static_cast<void>(matmul(left, right)); });
  } else {
    show("There is no card here to measure; virtual GPUs would measure this computer.");
  }

  // %%
  // ## What to try next
  //
  // - Change `width` to 32. How many threads does a block have then? Which counts
  //   change, and by what factor?
  // - Remove the second barrier and run the lesson with `D2L_CHECK_KERNELS=1`. Which
  //   two lines does the report name, and are they in the same step of the loop? The
  //   program ends at the first operation that waits.
  // - Let `n` be 60. What goes wrong first? Exercise 2.5 fixes that:
  //   `./learn next 2.5`.
}
