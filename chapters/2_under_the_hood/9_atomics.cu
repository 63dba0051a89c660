// SPDX-License-Identifier: MIT
// Section 2.9: atomics: lost updates, a histogram, contention, and a histogram for each
// block.
#include <string>
#include <vector>

#include "d2l/kernel_checks.h"
#include "d2l/kernel_report.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Atomics
//
// *Twenty minutes.* After this lesson you can let many threads change the same word
// without losing an update, count how many of these updates go to global memory, and
// make them a thousand times fewer.
//
// A map writes each element once, and a reduction has a tree. A *histogram* has
// neither: each value decides which word changes, and it is not known in advance which
// threads will meet at the same word. Here each thread has one value, and adds 1 to the
// count of its bin:

constexpr int threads = 256;

__global__ void count_plainly(const int* values, int* counts, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) counts[values[i]] += 1;
}

// %%
// `counts[b] += 1` looks like one step. It is three: read the count, add 1, write it.
// If two threads read the same 7 before either of them writes, both write 8, and one of
// the two updates is *lost*. On a card, thousands of threads run at the same time, so
// most updates are lost, and different ones in each run.
//
// **Predict first.** The emulator runs the threads of a block one after the other. Is
// the result correct there? And does that make the kernel correct?

__global__ void count_with_atomics(const int* values, int* counts, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomicAdd(&counts[values[i]], 1);
}

__global__ void count_by_blocks(const int* values, int* counts, int n, int bins) {
  extern __shared__ int own[];
  const int thread = static_cast<int>(threadIdx.x);
  for (int bin = thread; bin < bins; bin += threads) own[bin] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x) * threads + thread; i < n;
       i += static_cast<int>(gridDim.x) * threads) {
    atomicAdd(&own[values[i]], 1);
  }
  __syncthreads();
  for (int bin = thread; bin < bins; bin += threads) {
    if (own[bin] > 0) atomicAdd(&counts[bin], own[bin]);
  }
}

/// The larger of two floats, for which there is no atomic function: a loop that tries
/// until no other thread came between.
__device__ void atomic_maximum(float* address, float value) {
  int* const word = reinterpret_cast<int*>(address);
  int seen =
      __float_as_int(*address);  // a stale value only costs another turn of the loop
  while (__int_as_float(seen) < value) {
    const int before = atomicCAS(word, seen, __float_as_int(value));
    if (before == seen) break;
    seen = before;
  }
}

__global__ void largest(const float* x, float* result, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomic_maximum(result, x[i]);
}

int main() {
  manual_seed(9);
  const Device device = gpu(0);
  constexpr int n = 1 << 14;
  constexpr int bins = 64;
  constexpr int blocks_for_all = n / threads;
  const Tensor numbers = rand({n}) * static_cast<double>(bins);  // 0 to 64, without 64
  const Tensor values = numbers.to(kInt).to(device);
  const Tensor expected = [&] {
    Tensor counts = zeros({bins}, kInt);
    for (const int value : values.to_vector<int>()) ++counts.data_ptr<int>()[value];
    return counts;
  }();
  Tensor counts = zeros({bins}, values.options());
  const auto plain = [&](int launched, int of_these) {
    count_plainly<<<launched, threads, 0, stream(device)>>>(
        values.data_ptr<int>(), counts.data_ptr<int>(), of_these);
  };
  const std::string report = check_kernels([&] { plain(1, 2 * bins); });
  show(report.substr(0, report.find(" at ")));
  show(report.find("counts[") != std::string::npos);

  // %%
  // The counts may well be correct in the emulator, because no thread is interrupted
  // between its read and its write. We do not print them: a correct result in one run
  // proves nothing about such a kernel. But the emulator's check finds that two threads
  // used the same word, that one of them wrote, and that nothing put them in order: a
  // *race*.
  //
  // ## atomicAdd
  //
  // `atomicAdd(&counts[b], 1)` does the three steps as one, in the memory system of the
  // card: no other thread sees or changes the word between them. It returns the old
  // value, which we do not need. The order of the additions is still open, but for
  // integers the sum does not depend on it. `atomicAdd` takes `int`, `unsigned`,
  // `unsigned long long`, `float` and `double`, and on newer cards also floats of 16
  // bits. For a `std::int64_t`, cast its address to `unsigned long long*`; the bits of
  // the sum are the same.
  counts.zero_();
  /// The atomics of a launch on global memory and on shared memory; 0 on a card, which
  /// does not count.
  const auto atomics_of = [](const auto& launch) {
    const KernelCounts counted = counts_of(launch);
    return std::vector<std::uint64_t>{counted.atomics - counted.shared_atomics,
                                      counted.shared_atomics};
  };
  const auto each_value = atomics_of([&] {
    count_with_atomics<<<blocks_for_all, threads, 0, stream(device)>>>(
        values.data_ptr<int>(), counts.data_ptr<int>(), n);
  });
  show(equal(counts.cpu(), expected));
  show(each_value);

  // %%
  // One atomic for each value: 16384 on global memory, none on shared memory.
  //
  // ## Contention
  //
  // How long do they take? Atomics on *different* words run side by side. Atomics on
  // the *same* word run one after the other. With 64 bins and thousands of running
  // threads, some always meet. With a picture in which nearly all pixels are black,
  // almost all threads update the same word. This waiting is called *contention*. The
  // number of atomics does not show it, and neither does an average: the worst word
  // decides.
  //
  // ## A histogram for each block
  //
  // More words help. Each block counts in a histogram of its own, in shared memory:
  // that is *privatisation*. The atomics there are fast, and only the threads of one
  // block compete. At its end, the block adds its counts to the result: one atomic on
  // global memory for each bin, however many values it has counted. The kernel
  // `count_by_blocks` above does that. Its two barriers separate three phases: set to
  // zero, count, add.
  //
  // The gain grows with the number of values that a block counts. So it pays to launch
  // few blocks, which walk over the values in a grid-stride loop.
  //
  // **Predict first.** How many atomics on global memory do 16 blocks need, at most?
  constexpr int blocks = 16;
  counts.zero_();
  const auto by_blocks = atomics_of([&] {
    count_by_blocks<<<blocks, threads, bins * sizeof(int), stream(device)>>>(
        values.data_ptr<int>(), counts.data_ptr<int>(), n, bins);
  });
  show(equal(counts.cpu(), expected));
  show(by_blocks);

  // %%
  // 16 blocks times 64 bins are 1024: 16 times fewer than 16384, because each block
  // counts 1024 values in 64 bins. The other 16384 are still there, but in shared
  // memory.
  //
  // Now the darkest picture: all values are 0.
  const Tensor black = zeros({n}, values.options());
  counts.zero_();
  const auto of_black = atomics_of([&] {
    count_by_blocks<<<blocks, threads, bins * sizeof(int), stream(device)>>>(
        black.data_ptr<int>(), counts.data_ptr<int>(), n, bins);
  });
  show(counts[0]);
  show(of_black);

  // %%
  // Only 16 atomics on global memory are left, 1024 times fewer, since a block leaves
  // out the bins in which it found nothing. With `count_with_atomics`, all 16384 would
  // have waited for the same word.
  //
  // ## Other atomics
  //
  // There are `atomicSub`, `atomicMin`, `atomicMax`, `atomicAnd`, `atomicOr`,
  // `atomicXor` and `atomicExch`, which replaces a word and returns the old one. Other
  // operations can be built from `atomicCAS(address, seen, wanted)`, *compare and
  // swap*: it writes `wanted` if the word is still `seen`, and returns what was there.
  // If that is not `seen`, another thread was faster, and the loop tries again with the
  // new value. The function `atomic_maximum` above does that for floats, which have no
  // `atomicMax` of their own.
  //
  // **Predict first.** Does the result depend on the order of the threads?
  const Tensor x = numbers.to(device);
  Tensor result = zeros({}, device);
  largest<<<blocks_for_all, threads, 0, stream(device)>>>(x.data_ptr<float>(),
                                                          result.data_ptr<float>(), n);
  show(equal(result, x.max()));

  // %%
  // No: of two numbers the larger one wins in any order, and neither is rounded. Sums
  // of integers and maxima are the same in every run. Sums of floats are not, as
  // section 2.8 showed: there each order rounds differently.
  //
  // ## What to try next
  //
  // - Launch 1, 4 and 64 blocks of `count_by_blocks`. When do the atomics on global
  //   memory become fewer, and what becomes worse?
  // - Remove the second `__syncthreads()` and run the lesson with
  //   `D2L_CHECK_KERNELS=1`. What does the report name?
  // - Give each *warp* a histogram of its own. How much shared memory does a block need
  //   then, and which barrier stays?
  // - Exercise 2.9 (`./learn next 2.9`) asks for a histogram with any number of bins,
  //   for values that may lie outside the bins.
}
