// SPDX-License-Identifier: MIT
// Section 2.11: a softmax kernel: three reads of the input, two, one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "d2l/roofline.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # A softmax kernel
//
// *Twenty minutes.* After this lesson you can write a kernel that reduces each row of a
// matrix in one pass, and say how often it reads its input.
//
// A classifier ends with a row of numbers, one for each class. *Softmax* turns the row
// into probabilities: each number x becomes e to the power of x, divided by the sum of
// them all. In the library it is one operation, `softmax`. Written as an expression of
// simpler ones, it is three operations, each with a launch of its own, and it is also
// wrong:
void as_an_expression() {
  const Tensor x = tensor({{1000.f, 999.f, 0.f}, {1.f, 0.f, -INFINITY}}, gpu(0));
  TransferLedger ledger;
  const Tensor powers = x.exp();
  const Tensor y = powers / powers.sum({1}, /*keepdim=*/true);
  show(ledger.launches());
  show(y);
  show(x.softmax(1));
}

// %%
// e to the power of 1000 is larger than any float, and infinity divided by infinity is
// `nan`. The last line is correct, because it first subtracts the largest number of the
// row. That changes no probability: numerator and denominator are divided by the same
// factor. And then no power is larger than 1. So each row needs its maximum, its sum,
// and a division of every element: two reductions (section 2.8) that depend on each
// other.
//
// ## One row per block
//
// Let a block work on a row. Each thread takes every 256th element, and the threads
// combine what they found: with shuffles in each warp, then in shared memory between
// the warps. `of_block` does this for any value and any rule of combination.
// `__shfl_xor_sync(lanes, value, bits)` returns the value of the lane whose number
// differs in these bits. So after five of them all lanes have the total, where
// `__shfl_down_sync` gives it to lane 0 alone. Every thread reads all partial results
// and combines them itself, so that all have the total after one barrier. A second call
// with the same types would need a barrier before it, because it overwrites what slow
// warps may still read.
constexpr int max_threads = 256;

/// As many threads as columns, in whole warps, up to the limit.
int threads_for(int columns) { return std::min(max_threads, (columns + 31) / 32 * 32); }

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

__device__ float from_lane(float value, int mask) {
  return __shfl_xor_sync(0xffffffff, value, mask);
}

template <class Value, class Combine>
__device__ Value of_block(Value value, Combine combine) {
  __shared__ Value of_warp[max_threads / 32];
  for (int mask = 16; mask > 0; mask /= 2)
    value = combine(value, from_lane(value, mask));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  const int warps = blockDim.x / 32;
  for (int warp = 1; warp < warps; ++warp) value = combine(value, of_warp[warp]);
  return value;
}

// %%
// The first version follows the definition. It goes over the row three times: for the
// maximum, for the sum, and to write. A thread reads an element once in each pass, into
// a register, and does not keep it.
__global__ void three_passes(const float* x, float* y, int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    largest = fmaxf(largest, x[begin + i]);
  largest = of_block(largest, Larger());
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += expf(x[begin + i] - largest);
  sum = of_block(sum, Sum());
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    y[begin + i] = expf(x[begin + i] - largest) / sum;
}

// %%
// The second version needs one pass for both reductions. It is called *online* softmax.
// A thread keeps the largest number so far *and* the sum of the powers relative to it.
// When a larger number comes, the sum so far was relative to the wrong maximum. That
// can be corrected: multiply it by e to the power of the old maximum minus the new one.
//
// Two such pairs combine in the same way, so `of_block` reduces them, too. A pair
// without elements is (-∞, 0). Then -∞ minus -∞ would be `nan`, so equal maxima get the
// factor 1 without a subtraction.
struct alignas(8) MaxAndSum {
  float max;
  float sum;
};

__device__ float rescale(float from, float to) {
  return from == to ? 1.f : expf(from - to);
}

struct Merge {
  __device__ MaxAndSum operator()(MaxAndSum a, MaxAndSum b) const {
    const float max = fmaxf(a.max, b.max);
    return {max, a.sum * rescale(a.max, max) + b.sum * rescale(b.max, max)};
  }
};

__device__ MaxAndSum from_lane(MaxAndSum value, int mask) {
  return {from_lane(value.max, mask), from_lane(value.sum, mask)};
}

__global__ void online(const float* x, float* y, int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  MaxAndSum total{-INFINITY, 0};
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    total = Merge()(total, {x[begin + i], 1});
  total = of_block(total, Merge());
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    y[begin + i] = expf(x[begin + i] - total.max) / total.sum;
}

// %%
// The third version keeps the row. A block of 256 threads with four registers each
// holds 1024 numbers, and a multiprocessor has 65536 registers. The loop over the four
// has a constant length, so the compiler can unroll it, as `#pragma unroll` asks: an
// array whose index is not known when the kernel is compiled would be in *local
// memory*, a part of global memory for each thread, which is slow. Beyond the end of
// the row, the registers hold -∞, which adds nothing to the sum.
constexpr int kept_by_thread = 4;

__global__ void one_read(const float* x, float* y, int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  float kept[kept_by_thread];
  MaxAndSum total{-INFINITY, 0};
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    kept[k] = i < columns ? x[begin + i] : -INFINITY;
    total = Merge()(total, {kept[k], 1});
  }
  total = of_block(total, Merge());
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    if (i < columns) y[begin + i] = expf(kept[k] - total.max) / total.sum;
  }
}

// %%
// The results must be the same as the library's. How often does each kernel read the
// input? A `TransferLedger` has an entry for each launch, with the bytes that the
// threads loaded.
//
// **Predict first.** How many times is each element read, and how many barriers does a
// block meet? The order is `three_passes`, `online`, `one_read`.
using Kernel = void (*)(const float*, float*, int);

Tensor launched(Kernel kernel, const Tensor& x) {
  Tensor y = empty(x.sizes(), x.options());
  const int rows = static_cast<int>(x.size(0));
  const int columns = static_cast<int>(x.size(1));
  if (x.numel() > 0) {
    kernel<<<rows, threads_for(columns), 0, stream(x.device())>>>(
        x.data_ptr<float>(), y.data_ptr<float>(), columns);
  }
  return y;
}

/// How often the first counted kernel of a ledger loaded each of `elements` floats, and
/// the barriers of a block.
std::string reads(const TransferLedger& ledger, std::int64_t elements) {
  for (const LedgerEntry& entry : ledger.entries()) {
    if (entry.name != "kernel" || entry.kernel == nullptr || !entry.kernel->counted)
      continue;
    const KernelCounts& counts = entry.kernel->counts;
    return "reads of an element: " +
           std::to_string(counts.load_bytes / (4 * elements)) +
           ", barriers of a block: " + std::to_string(counts.barriers / counts.blocks);
  }
  return "a card does not count: D2L_VIRTUAL_GPUS=1@host ./learn run 2.11";
}

void compare_the_kernels() {
  const Tensor x = randn({64, 1000}, gpu(0)) * 10;
  const Tensor expected = x.softmax(1);
  TransferLedger ledger;
  for (const Kernel kernel : {three_passes, online, one_read}) {
    ledger.clear();
    const Tensor y = launched(kernel, x);
    show(y.allclose(expected, 1e-5, 1e-7), reads(ledger, x.numel()));
  }
}

// %%
// Three, two, one. Each version also writes every element once, so a card moves 16, 12
// and 8 bytes per element. Softmax does little arithmetic per byte. If memory bounds it
// (section 2.0), the last version needs half of the time of the first. A short row may
// still be in a cache when it is read again, so on a card the gain can be smaller. The
// online versions compute more powers, and have one barrier fewer: they trade
// arithmetic, of which a card has plenty, for bytes.
//
// **Predict first.** Here is the model of section 2.0 for the three kernels: the bytes
// are those of the sectors that they touched, and the operations are counted by hand
// from the code, `expf` as one. On which of the five cards does memory bound them? How
// many microseconds does the last one take at least on a T4, with its 320 GB/s?
//
// A card does not count, but it can be measured. There the function shows the rate of
// each kernel for 262 MB, with 8 bytes per element, and beside it the rate of a copy,
// which is what the memory allows.
void measure_on_the_card() {
  const Tensor x = randn({65536, 1000}, gpu(0));
  const auto rate_of = [&](const char* name, const auto& work) {
    show_measured(8e-9 * 65536 * 1000 / measure(work).median, "GB/s", 1, 1e5, name);
  };
  rate_of("the library's copy", [&] { static_cast<void>(x.clone()); });
  rate_of("three passes", [&] { launched(three_passes, x); });
  rate_of("online", [&] { launched(online, x); });
  rate_of("one read", [&] { launched(one_read, x); });
}

void place_on_the_roofline() {
  const Tensor x = ones({64, 1000}, gpu(0));
  const auto elements = static_cast<double>(x.numel());
  std::vector<Work> works;
  const auto add = [&](Kernel kernel, const char* name, double operations) {
    const TransferLedger ledger;
    launched(kernel, x);
    synchronize(gpu(0));
    for (const LedgerEntry& entry : ledger.entries()) {
      if (entry.kernel && entry.kernel->counted)
        works.push_back(work_of({entry}, name));
    }
    if (!works.empty()) works.back().operations = operations * elements;
  };
  add(three_passes, "three passes", 7);
  add(online, "online", 11);
  add(one_read, "one read", 11);
  if (works.empty()) return measure_on_the_card();
  for (const Card& card : cards()) {
    std::vector<double> microseconds;
    for (const Work& work : works)
      microseconds.push_back(std::round(min_seconds(card, work) * 1e8) / 100);
    show("modelled, " + card.name, microseconds);
  }
  show_svg(roofline_svg(cards(), works), roofline_description(cards(), works));
}

// %%
// Memory bounds all of them on all five cards, so the times follow the bytes: 4 to 3
// to 2. The powers cost nothing in this model, which counts `expf` as one operation,
// like an addition. A card computes powers at an eighth to a quarter of the rate of
// additions, so measure before you rely on this.
//
// The online form is needed where a row is too long to keep. In tiled attention
// (exercise 2.12.4) the row is never stored: the scores arrive piece by piece.
//
// **Predict first.** Here are the numbers of the beginning again, and a row in which
// every class is masked. What does the kernel make of 1000, of -∞, and of a row that
// has only -∞?
void look_at_the_corners() {
  const float none = -INFINITY;
  const Tensor x =
      tensor({{1000.f, 999.f, 0.f}, {1.f, 0.f, none}, {none, none, none}}, gpu(0));
  show(launched(one_read, x));
  show(x.softmax(1));
}

// %%
// Exactly 0 for -∞, which is how a program masks a class. In a row of -∞ alone, the
// probabilities are 0 ÷ 0, and `nan` is the correct result, which the library and
// PyTorch give too.
//
// The kernel is not yet an operation that a network can train with. Section 2.11.1
// gives it a gradient.
//
// The functions of this lesson in order:
int main() {
  manual_seed(5);
  as_an_expression();
  compare_the_kernels();
  place_on_the_roofline();
  look_at_the_corners();

  // %%
  // ## What to try next
  //
  // - Exercise 2.11: write the online softmax without looking, for rows of any length.
  //   `./learn next 2.11`
  // - Use `Larger` for both reductions of `three_passes`, as a careless copy would.
  //   Which race does `D2L_CHECK_KERNELS=1 ./learn run 2.11` report?
}
