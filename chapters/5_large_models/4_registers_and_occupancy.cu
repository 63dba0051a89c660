// SPDX-License-Identifier: MIT
// Section 5.4: a thread that computes several elements from registers, and what limits
// the number of resident warps.
#include <string>
#include <vector>

#include "d2l/cost_model.h"
#include "d2l/kernel_report.h"
#include "d2l/occupancy.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Registers and occupancy
//
// *Twenty-five minutes.* After this lesson you can make a kernel read less from shared
// memory by giving each thread more to do, compute how many of its warps a
// multiprocessor holds, and say when that number matters.
//
// The product in tiles of section 2.5 reads an element from global memory once for a
// block of 16 by 16 threads. Then shared memory is the limit: each multiplication reads
// two values from it. There is a memory that is nearer still. The *registers* of a
// thread are where its local variables are, and arithmetic takes its operands from
// there. A card has more registers than shared memory, 256 KiB for each multiprocessor.
//
// The idea is that of section 2.5, once more: load once, use often. Let a thread
// compute not one element of the result but several, in `each` rows and `each` columns.
// For one step of the inner dimension it needs `each` values of a and `each` of b, and
// multiplies each with each:

constexpr int side = 16;  // a block has 16 by 16 threads

template <int each>
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[side * each][side];
  __shared__ float tile_b[side][side * each];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * side * each + y;
  const int column = static_cast<int>(blockIdx.x) * side * each + x;
  float sums[each][each] = {};
  for (int begin = 0; begin < n; begin += side) {
    for (int i = 0; i < each; ++i) {
      tile_a[y + i * side][x] = a[(row + i * side) * n + begin + x];
      tile_b[y][x + i * side] = b[(begin + y) * n + column + i * side];
    }
    __syncthreads();
    for (int k = 0; k < side; ++k) {
      float left[each];
      float right[each];
      for (int i = 0; i < each; ++i) left[i] = tile_a[y + i * side][k];
      for (int j = 0; j < each; ++j) right[j] = tile_b[k][x + j * side];
      for (int i = 0; i < each; ++i) {
        for (int j = 0; j < each; ++j) sums[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < each; ++i) {
    for (int j = 0; j < each; ++j) {
      c[(row + i * side) * n + column + j * side] = sums[i][j];
    }
  }
}

// %%
// The arrays `sums`, `left` and `right` are local variables. All their indices are
// known to the compiler once it has unrolled the loops, so it can keep each element in
// a register. An index that is known only at run time would put the whole array into
// *local memory*, which is device memory.
//
// The elements of a thread are 16 rows and 16 columns apart, not neighbours. So
// neighbouring threads still load neighbouring elements (section 2.4), and use
// neighbouring banks (section 2.7).

int main() {
  manual_seed(5);
  const Device device = gpu(0);
  constexpr int n = 64;
  const Tensor a = (rand({n, n}) * 8).to(kInt).to(kFloat).to(device);
  const Tensor b = (rand({n, n}) * 8).to(kInt).to(kFloat).to(device);
  Tensor c = zeros({n, n}, device);
  const auto counts_of_product = [&](auto kernel, int each) {
    c.zero_();
    const dim3 blocks(n / side / each, n / side / each);
    return counts_of([&] {
      kernel<<<blocks, dim3(side, side), 0, stream(device)>>>(
          a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
    });
  };
  const Tensor expected = matmul(a, b);

  // %%
  // **Predict first.** With `each` = 1, all warps together make 17408 requests of
  // shared memory, as in section 2.5. How many with 2, and with 4? And how many sectors
  // do they load from global memory?
  bool correct = true;
  for (const int each : {1, 2, 4}) {
    const KernelCounts counts = each == 1   ? counts_of_product(multiply<1>, each)
                                : each == 2 ? counts_of_product(multiply<2>, each)
                                            : counts_of_product(multiply<4>, each);
    show(each, counts.shared_requests, counts.load_sectors);
    correct = correct && equal(c, expected);
  }
  show(correct);

  // %%
  // (On a card the counts are 0, because it does not count.) Both halve each time. For
  // one step of k a thread reads 2 · `each` values and makes `each`² multiplications:
  // 2 / `each` reads for a multiplication. And the tile of the block is `each` times as
  // wide, so the block uses each element that it loads from global memory `each` times
  // as often.
  //
  // This is called *thread coarsening*: fewer threads, each with more work. Its price
  // is in the number of threads. With `each` = 4 this product has one block, and a card
  // with a hundred multiprocessors would use one of them. For n = 4096 there are 4096
  // blocks, enough for any card.
  //
  // ## What a multiprocessor holds
  //
  // Why not let a thread compute 8 by 8 elements, or 16 by 16? Because the registers
  // are shared, too. A multiprocessor has 65536 of them, for all threads that reside on
  // it, and one thread can have at most 255. The compiler chooses how many a thread of
  // a kernel gets. `nvcc -arch=sm_80 --resource-usage` of CUDA 13.0 reports these
  // numbers for the kernel above:
  struct Variant {
    int each;
    unsigned registers;        // of a thread
    std::size_t shared_bytes;  // of a block
  };
  const std::vector<Variant> variants{
      {1, 32, 2048}, {2, 32, 4096}, {4, 47, 8192}, {8, 128, 16384}};
  for (const Variant& variant : variants) {
    show(variant.each, variant.registers, variant.shared_bytes);
  }

  // %%
  // With `each` = 8 a thread has 64 sums, 8 + 8 values to multiply, and some addresses.
  //
  // A block needs a place, room for its threads, registers and shared memory, and
  // whichever is used up first limits how many blocks a multiprocessor holds. The warps
  // that reside on it, divided by those that it can hold at most, are the *occupancy*
  // of the kernel. `occupancy` computes it from the limits in the programming guide,
  // with the details that matter: registers are given to whole warps, in units of 256,
  // and each of the four parts of a multiprocessor has a quarter of them.
  //
  // **Predict first.** A multiprocessor of an A100 holds 2048 threads, 65536 registers
  // and 164 KiB of shared memory. A block has 256 threads. For which variants are
  // registers the limit, and how many warps are resident then?
  const auto occupancy_on = [](const char* card, const Variant& variant) {
    return occupancy(multiprocessor_limits(card), side * side, variant.registers,
                     variant.shared_bytes);
  };
  for (const Variant& variant : variants) {
    const Occupancy found = occupancy_on("A100", variant);
    std::string limit;
    if (found.by_threads == found.blocks) limit += " threads";
    if (found.by_registers == found.blocks) limit += " registers";
    if (found.by_shared_memory == found.blocks) limit += " shared memory";
    show(variant.each, found.warps, "limit:" + limit);
  }

  // %%
  // With 47 registers, a warp gets 47 * 32 = 1504, rounded up to 1536. A quarter of the
  // registers, 16384, is enough for 10 such warps, so 40 warps or 5 blocks reside. With
  // 128 registers two blocks remain, a quarter of the warps. (With 32 registers,
  // threads and registers are used up together.) Other cards have as many registers,
  // but room for fewer threads and less shared memory:
  for (const char* const card : {"T4", "RTX 4060 Laptop", "H200"}) {
    std::vector<std::int64_t> warps;
    for (const Variant& variant : variants) {
      warps.push_back(occupancy_on(card, variant).warps);
    }
    show(card, warps);
  }

  // %%
  // ## Does it matter?
  //
  // So the variant that reads least has the fewest warps. Is it slower? Section 2.0 had
  // the reason for many warps: while one waits for memory, others run. What must be
  // large is not the number of warps but the work that is *under way*, and a warp can
  // have much of it. The loads of a thread do not depend on each other, so it requests
  // all of them before it waits for the first.
  //
  // **Predict first.** In each step of its loop, a thread loads 2 · `each` floats. How
  // many bytes can the resident threads of a multiprocessor have under way, with
  // `each` = 1 and with `each` = 8?
  const Card& a100 = card_named("A100");
  const double needed = a100.processor.memory_bandwidth / a100.processor.cores * 200e-9;
  show("needed for the bandwidth", static_cast<int>(needed));
  for (const Variant& variant : variants) {
    const unsigned threads = 32 * occupancy_on("A100", variant).warps;
    show(variant.each, threads * 2 * static_cast<unsigned>(variant.each) * 4);
  }

  // %%
  // With a quarter of the warps, twice as many bytes are under way. (Needed are those
  // that the memory delivers in 200 ns, a multiprocessor's part of them.) The same
  // holds for arithmetic. The result of a multiply-add can be used a few cycles later;
  // until then, the multiprocessor needs other work. With `each` = 1 the next
  // multiply-add of a thread needs the sum of the last one, so the work comes from
  // other warps. With `each` = 8 a thread has 64 sums that do not depend on each other.
  //
  // So occupancy is a means, not an end. A kernel whose threads do one thing at a time,
  // such as most elementwise kernels, needs many warps. A kernel whose threads have
  // much independent work needs few. (V. Volkov, "Better performance at lower
  // occupancy", 2010, showed it with a product of matrices.) Forcing the compiler to
  // use fewer registers, by `__launch_bounds__` or `-maxrregcount`, raises the
  // occupancy, and moves values to local memory if they have no register.
  //
  // ## Enough blocks
  //
  // There is one more limit: the grid must have enough blocks for all multiprocessors.
  // A larger tile makes fewer blocks.
  //
  // **Predict first.** For n = 1024 and `each` = 8, how many of the 108 multiprocessors
  // of an A100 have a block?
  for (const int size : {1024, 4096}) {
    show("n = " + std::to_string(size));
    for (const Variant& variant : variants) {
      const int tiles = size / (side * variant.each);
      const int places =
          static_cast<int>(occupancy_on("A100", variant).blocks) * a100.processor.cores;
      show(variant.each, tiles * tiles, places);
    }
  }

  // %%
  // (The second number is the blocks of the grid, the third how many blocks the whole
  // card holds at once.) 64 blocks for 108 multiprocessors: 44 of them have nothing to
  // do, and the others have one block instead of two. `each` = 4 has 256 blocks there,
  // and is the better choice. For n = 4096 it is the other way round. That is why
  // libraries have many kernels for one operation, and choose by the size.
  //
  // On a card, `cudaOccupancyMaxActiveBlocksPerMultiprocessor` knows the registers of
  // the compiled kernel, and returns the number that `occupancy` computes from what you
  // give it. The emulator does not know registers.
  //
  // ## What to try next
  //
  // - Let a thread compute 4 by 2 elements. How many reads of shared memory does a
  //   multiplication need?
  // - Replace `j * side` by neighbouring columns, `x * each + j`. Which counts change?
  //   Read 2.7 again.
  // - A kernel uses 100 registers and blocks of 1024 threads. How many warps are
  //   resident on an H200? And with blocks of 128 threads?
  // - Exercise 5.4 asks for a product with 4 by 4 elements for each thread, of any
  //   size. `./learn next 5.4` shows the task.
}
