// SPDX-License-Identifier: MIT
// Section 2.8: the sum of many numbers: a tree in shared memory, shuffles within a
// warp, many blocks; what the order of the additions does to the result.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "d2l/kernel_report.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Reductions
//
// *Twenty-five minutes.* After this lesson you can add up any number of elements with
// many threads, say how many barriers and atomics that takes, and say why two correct
// kernels give different sums.
//
// A map is easy for a GPU: no element needs another one. A sum is the opposite: one
// number depends on all elements. And sums are everywhere: a mean, a norm, a loss, the
// gradient of a bias and the denominator of a softmax all contain one. A sum is a
// *reduction*: many elements become one, by an operation that is associative, in exact
// arithmetic. The obvious program has one thread:

constexpr int threads = 256;

__global__ void sum_by_one_thread(const float* x, float* sum, int n) {
  float total = 0;
  for (int i = 0; i < n; ++i) total += x[i];
  *sum = total;
}

// %%
// It uses one of the thousands of threads that a card can run. Each addition waits for
// the one before it, so n elements take n steps, one after the other.
//
// ## A tree
//
// Additions that do not depend on each other can happen at once. With 256 threads for
// 256 elements, 128 threads add two elements each; then 64 threads add two of these
// sums; after 8 steps there is one. The sums must be where other threads can read them,
// in shared memory, and each step must be over before the next one reads its results:
// one barrier per step.
//
// Which two elements does a thread add? The first idea is neighbours: 0 and 1, 2 and 3,
// then 0 and 2, 4 and 6, and so on.

__global__ void sum_of_neighbours(const float* x, float* sum) {
  __shared__ float sums[threads];
  const int thread = static_cast<int>(threadIdx.x);
  sums[thread] = x[thread];
  for (int distance = 1; distance < threads; distance *= 2) {
    __syncthreads();
    const int at = 2 * distance * thread;
    if (at < threads) sums[at] += sums[at + distance];
  }
  if (thread == 0) *sum = sums[0];
}

// %%
// The second idea adds the upper half to the lower half: thread t adds the element t +
// 128 to the element t, then t + 64, then t + 32.

__global__ void sum_of_halves(const float* x, float* sum) {
  __shared__ float sums[threads];
  const int thread = static_cast<int>(threadIdx.x);
  sums[thread] = x[thread];
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  if (thread == 0) *sum = sums[0];
}

// %%
// Both trees have 8 levels, 255 additions and 8 barriers. In both, only the first
// threads work: half of the block in the first step, one thread in the last. The
// picture shows 8 elements.
//
// **Predict first.** How do the two differ in the accesses to shared memory? Remember
// section 2.7: neighbouring words are in different banks, and words that are 32 apart
// are in the same one.

/// The warp's sum in lane 0: each lane adds the value of the lane that is 16, 8, 4, 2
/// and 1 further on.
__device__ float sum_of_warp(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

/// The block's sum in thread 0: the sums of its warps, then their sum.
__device__ float sum_of_block(float value) {
  __shared__ float sums[threads / 32];
  const int thread = static_cast<int>(threadIdx.x);
  value = sum_of_warp(value);
  if (thread % 32 == 0) sums[thread / 32] = value;
  __syncthreads();
  if (thread >= 32) return 0;
  return sum_of_warp(thread < threads / 32 ? sums[thread] : 0.0f);
}

__global__ void sum_by_shuffles(const float* x, float* sum) {
  const float value = sum_of_block(x[threadIdx.x]);
  if (threadIdx.x == 0) *sum = value;
}

__global__ void sum_with_atomics(const float* x, float* sum, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomicAdd(sum, x[i]);
}

/// Adds every gridDim.x * 256th element in a register, then the block's sums.
__device__ float sum_of_part(const float* x, int n) {
  float value = 0;
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += step)
    value += x[i];
  return sum_of_block(value);
}

__global__ void sum_with_one_atomic_per_block(const float* x, float* sum, int n) {
  const float value = sum_of_part(x, n);
  if (threadIdx.x == 0) atomicAdd(sum, value);
}

__global__ void sums_of_blocks(const float* x, float* sums, int n) {
  const float value = sum_of_part(x, n);
  if (threadIdx.x == 0) sums[blockIdx.x] = value;
}

int main() {
  manual_seed(8);
  const Device device = gpu(0);
  const Tensor x = rand({threads}).to(device);
  Tensor sum = zeros({}, device);
  const float* const elements = x.data_ptr<float>();
  float* const result = sum.data_ptr<float>();
  show_figure("tree_of_a_sum");
  const auto neighbours = counts_of(
      [&] { sum_of_neighbours<<<1, threads, 0, stream(device)>>>(elements, result); });
  show(neighbours.barriers, neighbours.shared_requests, neighbours.shared_passes);
  const auto halves = counts_of(
      [&] { sum_of_halves<<<1, threads, 0, stream(device)>>>(elements, result); });
  show(halves.barriers, halves.shared_requests, halves.shared_passes);

  // %%
  // The numbers are barriers, requests and passes. (On a card they are 0: it does not
  // count.) Barriers and requests are the same. But with halves each request takes one
  // pass, because the lanes always read neighbouring words. With neighbours, the words
  // of adjacent lanes are first 2 apart, then 4, then 8. In the step with the distance
  // 8, the 16 words of a request are in 2 banks only, and take 8 passes. All steps
  // together take 150 passes instead of 45. The 45 requests are 8 stores at first, two
  // loads and a store of each warp that works in a step (12, 6, then six times 3), and
  // a load at the end.
  //
  // ## Shuffles
  //
  // In the last six of the eight steps only one warp works. The 32 threads of a warp
  // can pass values to each other without shared memory:
  // `__shfl_down_sync(mask, value, offset)` returns the `value` of the lane that is
  // `offset` further on. Beyond lane 31 there is no lane: there the shuffle returns the
  // lane's own value. Such lanes end with wrong sums, which lane 0 never reads. The
  // mask names the lanes that take part, here all 32; they all have to arrive. A
  // shuffle waits only for the lanes of its own warp, so it needs no barrier. Five
  // shuffles make the sum of a warp, and each warp can do that. So the block's sum
  // needs one barrier: all warps write their sums to shared memory, and after it the
  // first warp adds these, again by shuffles.
  //
  // **Predict first.** How many accesses to shared memory are left, for 8 warps?
  const auto shuffles = counts_of(
      [&] { sum_by_shuffles<<<1, threads, 0, stream(device)>>>(elements, result); });
  show(shuffles.barriers, shuffles.shared_requests, shuffles.shared_passes);
  show(std::abs(sum.item<double>() - x.sum().item<double>()) < 1e-4);

  // %%
  // 8 stores, one of each warp, and one load of the first warp. (The library's own
  // `sum` of a long row adds in registers first, and then uses the tree of halves.)
  //
  // ## More than one block
  //
  // Barriers and shared memory end at the block. For a large tensor many blocks must
  // work, and their sums must meet in global memory. The simplest way is an atomic
  // addition for each element. It is correct, and it needs neither a tree nor a
  // barrier: the hardware adds one value after the other to the same word. That is the
  // problem: all 65536 additions are done one after the other, as with the single
  // thread.
  //
  // The better way has three levels. Each thread adds many elements in a register, with
  // the grid-stride loop of section 2.2. Each block adds the sums of its threads as
  // above. One thread of each block adds the result to global memory.
  //
  // **Predict first.** 65536 elements, 64 blocks: how many atomics do the two kernels
  // need?
  constexpr int n = 1 << 16;
  constexpr int blocks = 64;
  const Tensor many = rand({n}).to(device);
  sum.zero_();
  const auto each = counts_of([&] {
    sum_with_atomics<<<n / threads, threads, 0, stream(device)>>>(
        many.data_ptr<float>(), result, n);
  });
  sum.zero_();
  const auto block = counts_of([&] {
    sum_with_one_atomic_per_block<<<blocks, threads, 0, stream(device)>>>(
        many.data_ptr<float>(), result, n);
  });
  show(each.atomics, block.atomics);

  // %%
  // 1024 times fewer: one for each 4 * 256 elements, of which a thread adds 4 in its
  // register. There is one barrier per block.
  //
  // Without any atomic it takes two launches. The first one writes the sum of each
  // block to a small tensor, the second one adds these with a single block. The end of
  // a launch is the barrier of all blocks: the second launch, in the same stream,
  // begins when the first has ended.
  Tensor partial = zeros({threads}, device);
  sums_of_blocks<<<blocks, threads, 0, stream(device)>>>(many.data_ptr<float>(),
                                                         partial.data_ptr<float>(), n);
  sum_by_shuffles<<<1, threads, 0, stream(device)>>>(partial.data_ptr<float>(), result);
  show(std::abs(sum.item<double>() - many.sum().item<double>()) /
           many.sum().item<double>() <
       1e-6);

  // %%
  // A sum reads each element once and does one addition with it: memory bounds it
  // (section 2.0). If there is a card, this cell measures with 268 MB, and with as many
  // blocks as fill the card. The library's copy shows what the memory allows.
  if (device_properties(device).kind == DeviceKind::physical_gpu) {
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, device.index());
    const int filling = 8 * properties.multiProcessorCount;
    constexpr int large = 1 << 26;
    const Tensor from = rand({large}, device);
    Tensor to = zeros({large}, device);
    const auto rate_of = [&](const char* name, double arrays, const auto& work) {
      show_measured(arrays * 4 * large / measure(work).median / 1e9, "GB/s", 1e-3, 1e5,
                    name);
    };
    rate_of("the library's copy", 2, [&] { to.copy_(from); });
    rate_of("an atomic for each element", 1, [&] {
      sum_with_atomics<<<large / threads, threads, 0, stream(device)>>>(
          from.data_ptr<float>(), result, large);
    });
    rate_of("an atomic for each block", 1, [&] {
      sum_with_one_atomic_per_block<<<filling, threads, 0, stream(device)>>>(
          from.data_ptr<float>(), result, large);
    });
    rate_of("the library's sum", 1, [&] { static_cast<void>(from.sum()); });
  } else {
    show("There is no card here to measure; virtual GPUs would measure this computer.");
  }

  // %%
  // ## The order of the additions
  //
  // The comparison above allows a relative difference of one millionth. Why not
  // `equal`? The significand of a float32 has 24 bits. The exact sum of two floats
  // usually has more, so it is rounded: by up to u = 2^-24 of the sum, which is 6e-8.
  // Where brackets are placed decides what is rounded. In the loop of one thread, the
  // first element goes through all (n - 1) additions, and each of them rounds. In a
  // tree it goes through log2(n). If all elements are positive, the relative error is
  // at most (n - 1) * u for the loop and about log2(n) * u for the tree.
  //
  // Take 65536 times the same number, 0.1 as a float32. In float64 the sum is exact
  // enough to compare with.
  //
  // **Predict first.** The bounds are 4e-3 for the loop and 1e-6 for a tree. Ours is a
  // tree of 4 additions in each thread, 8 levels in each block and up to 64 atomics, so
  // its bound is 5e-6. Which errors do you expect?
  const Tensor tenths = full({n}, 0.1f, device);
  const double exact = n * static_cast<double>(0.1f);
  const auto error_of = [&](double found) { return std::abs(found - exact) / exact; };
  sum_by_one_thread<<<1, 1, 0, stream(device)>>>(tenths.data_ptr<float>(), result, n);
  show(sum.item<double>(), error_of(sum.item<double>()));
  sum.zero_();
  sum_with_one_atomic_per_block<<<blocks, threads, 0, stream(device)>>>(
      tenths.data_ptr<float>(), result, n);
  show(sum.item<double>(), error_of(sum.item<double>()));

  // %%
  // The loop is wrong in the fourth digit: as its sum grows, the same 0.1 is rounded in
  // the same direction, thousands of times. The sum of the blocks is wrong in the
  // seventh, the last digit of a float32; most of that comes from the 64 atomics, which
  // are a loop again. More threads make the sum faster, and here also more accurate.
  //
  // And with atomics the order is not even the same each time: the blocks add their
  // sums in the order in which they end. Here are 20 launches of the same kernel on the
  // same elements. Is there more than one result?
  std::set<float> results;
  for (int launch = 0; launch < 20; ++launch) {
    sum.zero_();
    sum_with_one_atomic_per_block<<<blocks, threads, 0, stream(device)>>>(
        many.data_ptr<float>(), result, n);
    results.insert(sum.item<float>());
  }
  show(results.size() > 1);

  // %%
  // Each of them is correct: within the bound. But a program that must give the same
  // bits in each run, to find an error or to compare two versions, uses the two
  // launches above, whose order is fixed. PyTorch has a switch for that,
  // `torch.use_deterministic_algorithms`.
  //
  // ## What to try next
  //
  // - Change `0xffffffff` to `0x0000ffff` and run `./learn cuda` with `--check` on a
  //   program with this kernel: what does the report say about the lanes that are not
  //   in the mask?
  // - Write the maximum instead of the sum. Which value does a thread without elements
  //   start with? Does the order matter?
  // - Use 1024 threads in a block. Which lines must change, and which counts?
  // - `__shfl_up_sync(mask, value, offset)` reads from the lane `offset` places before.
  //   With it, five steps give each lane the sum of its value and of all values before
  //   it: with the offsets 1, 2, 4, 8 and 16, the lanes from `offset` on add what they
  //   read. Exercise 2.12.1 needs that.
  // - Exercise 2.8 puts the three levels together. `./learn next 2.8` shows the task.
}
