// SPDX-License-Identifier: MIT
// Section 2.6: what a barrier separates: races within a block and between blocks;
// divergent and superfluous barriers.
#include <cooperative_groups.h>

#include <string>

#include "d2l/kernel_checks.h"
#include "d2l/kernel_report.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Barriers and races
//
// *Twenty-five minutes.* After this lesson you can say where a kernel needs a barrier
// and where it does not, and read the reports about kernels in which one is missing, or
// is not reached by all.
//
// Section 2.5 put `__syncthreads()` where it was needed. What happens if one is
// missing? On a card, usually nothing at first. The threads of a warp run side by side,
// the warps are often ready in the same order, and the result is correct, until a
// larger input, a newer card or another kernel beside it changes the timing. Such an
// error appears in one of a thousand runs and vanishes under a debugger. It is better
// to find it first.
//
// ## A race
//
// Two accesses to the same *word*, 4 bytes of memory, are a *race* if different threads
// make them, at least one of them writes, and nothing says which comes first. In this
// kernel, each thread writes one word of shared memory and reads that of its neighbour:

constexpr int threads = 64;

__global__ void shift_without_barrier(const float* x, float* result) {
  __shared__ float values[threads];
  const int thread = static_cast<int>(threadIdx.x);
  values[thread] = 0;
  __syncthreads();
  values[thread] = x[thread];
  result[thread] = values[(thread + 1) % threads];
}

// %%
// The first barrier is there, after the zeros. Between the write of `values[thread]`
// and the read of the neighbour's word there is none. That is a *read after write*:
// thread 0 should read what thread 1 has written, and may be faster.
//
// The emulator runs the threads of a block one after the other, in an order that it
// draws for each launch. So a thread whose neighbour comes later reads the old 0.
//
// **Predict first.** 64 threads in a random order: about how many of the results are
// wrong?

__global__ void shift(const float* x, float* result) {
  __shared__ float values[threads];
  const int thread = static_cast<int>(threadIdx.x);
  values[thread] = x[thread];
  __syncthreads();
  result[thread] = values[(thread + 1) % threads];
}

__global__ void smooth_in_place(float* x, int steps) {
  __shared__ float values[threads];
  const int thread = static_cast<int>(threadIdx.x);
  values[thread] = x[thread];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    values[thread] = (values[thread] + values[(thread + 1) % threads]) / 2;
    __syncthreads();
  }
  x[thread] = values[thread];
}

__global__ void smooth(float* x, int steps) {
  __shared__ float values[threads];
  const int thread = static_cast<int>(threadIdx.x);
  values[thread] = x[thread];
  for (int step = 0; step < steps; ++step) {
    __syncthreads();
    const float mean = (values[thread] + values[(thread + 1) % threads]) / 2;
    __syncthreads();
    values[thread] = mean;
  }
  x[thread] = values[thread];
}

__global__ void subtract_first(float* x, int n) {
  __shared__ float first;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < n) {
    if (thread == 0) first = x[0];
    __syncthreads();
    x[thread] -= first;
  }
}

__global__ void shift_with_many_barriers(const float* x, float* result) {
  __shared__ float values[threads];
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();
  values[thread] = x[thread];
  __syncthreads();
  result[thread] = values[(thread + 1) % threads];
  __syncthreads();
}

__global__ void add_first_elements(const float* x, float* sum) {
  if (threadIdx.x == 0) *sum = *sum + x[blockIdx.x * blockDim.x];
}

__global__ void count_large(const float* x, int* counts, float limit) {
  const bool large = x[blockIdx.x * blockDim.x + threadIdx.x] > limit;
  const int count = __syncthreads_count(large);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

__global__ void share_of_large(const float* x, int* counts, float* shares,
                               float limit) {
  const bool large = x[blockIdx.x * blockDim.x + threadIdx.x] > limit;
  const int own = __syncthreads_count(large);
  if (threadIdx.x == 0) counts[blockIdx.x] = own;
  cooperative_groups::this_grid().sync();
  if (threadIdx.x > 0) return;
  int all = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) all += counts[block];
  shares[blockIdx.x] = static_cast<float>(own) / static_cast<float>(all);
}

int main() {
  const Device device = gpu(0);
  const Tensor x = arange(1.0, threads + 1.0, device);
  Tensor result = zeros({threads}, device);
  const auto wrong_elements = [&] {
    const auto found = result.to_vector<float>();
    int wrong = 0;
    for (int i = 0; i < threads; ++i)
      wrong += found[static_cast<std::size_t>(i)] ==
                       static_cast<float>((i + 1) % threads + 1)
                   ? 0
                   : 1;
    return wrong;
  };
  shift_without_barrier<<<1, threads, 0, stream(device)>>>(x.data_ptr<float>(),
                                                           result.data_ptr<float>());
  show(wrong_elements());
  shift<<<1, threads, 0, stream(device)>>>(x.data_ptr<float>(),
                                           result.data_ptr<float>());
  show(wrong_elements());

  // %%
  // The result of each thread that read before its neighbour wrote is wrong. In a
  // random order that is half of them, 32, on average; the order that the emulator drew
  // for this launch gives 25. (A card may well print 0 twice.) With the barrier: none.
  show_figure("read_after_write");

  // %%
  // ## Reading a report
  //
  // You need not wait for a wrong result. `check_kernels` runs kernels with the
  // emulator's checks on and returns what they found; the exercises do the same, and
  // `./learn cuda --check` for programs of your own. The check compares each access
  // with the earlier ones to the same word, and records which barriers were between
  // them. It reports the race even if the result happened to be correct.
  //
  // A report has a line for each kind of finding. We show the beginning of the first
  // line, up to the block and the thread, and whether a line is about a read after
  // write of `values`:
  const auto begin_of = [](const std::string& report) {
    return report.substr(0, report.find(", block"));
  };
  const std::string race = check_kernels([&] {
    shift_without_barrier<<<1, threads, 0, stream(device)>>>(x.data_ptr<float>(),
                                                             result.data_ptr<float>());
  });
  show(begin_of(race));
  show(race.find("read after write, shared values[") != std::string::npos);
  show(check_kernels([&] {
         shift<<<1, threads, 0, stream(device)>>>(x.data_ptr<float>(),
                                                  result.data_ptr<float>());
       }).empty());

  // %%
  // It names the kind, the line of the access, the kernel, and then the thread, the
  // word, and the thread and line of the other access. The first line here is about
  // line 42. The one about the read after write is, in full:
  //
  // ```text
  // race at 6_barriers_and_races.cu:43: kernel shift_without_barrier, block (0, 0, 0),
  // thread (26, 0, 0): read after write, shared values[27], with thread (27, 0, 0) at
  // 6_barriers_and_races.cu:42
  // ```
  //
  // Line 42 is `values[thread] = x[thread];`, and line 43 reads the neighbour. Where
  // the reader came first, as in the first line of the report, the same race is a
  // `write after read`, at the line of the write. The remedy is a barrier between the
  // two lines. If the word had no value before, the check says `uninitialised` instead
  // of `race`: the reader came before the writer. The remedy is the same barrier. (On a
  // card there is no report; NVIDIA's program compute-sanitizer has such checks, its
  // tools `racecheck` and `synccheck`.)
  //
  // ## Write after read
  //
  // The other direction is easier to overlook. `smooth_in_place` above replaces each
  // word by the mean of itself and its neighbour, step by step. After each step there
  // is a barrier, so each step reads what the previous step has written. Where is the
  // race?
  //
  // **Predict first.** Which two threads use the same word between two barriers?
  Tensor values = arange(0.0, threads, device);
  const std::string in_place = check_kernels([&] {
    smooth_in_place<<<1, threads, 0, stream(device)>>>(values.data_ptr<float>(), 3);
  });
  show(begin_of(in_place));
  show(in_place.find("write after read, shared values[") != std::string::npos);

  // %%
  // Thread 0 reads the word of thread 1, and thread 1 replaces it, in the same step. If
  // thread 1 is faster, thread 0 gets the new value instead of the old one: a *write
  // after read*. A second barrier is needed, between the reads and the writes of a
  // step. `smooth` keeps the mean in a variable of the thread, and writes it after the
  // barrier:
  show(check_kernels([&] {
         smooth<<<1, threads, 0, stream(device)>>>(values.data_ptr<float>(), 3);
       }).empty());

  // %%
  // ## A barrier that not all threads reach
  //
  // `__syncthreads()` waits for all threads of the block. If some of them do not reach
  // it, the others wait for threads that never come. On a card the kernel may hang, or
  // continue with undefined results. It happens most often with the guard of section
  // 2.1: in `subtract_first` the barrier is inside `if (thread < n)`.
  const std::string divergent = check_kernels([&] {
    subtract_first<<<1, threads, 0, stream(device)>>>(values.data_ptr<float>(), 40);
  });
  show(begin_of(divergent));
  show(divergent.find("40 of 64 threads reach __syncthreads") != std::string::npos);

  // %%
  // The condition belongs around the loads and the stores, not around the barrier. A
  // loop may contain a barrier if its number of iterations is the same for all threads.
  // An early `return` is reported, too: a thread that has ended can no longer load its
  // part for the others.
  //
  // ## A barrier too many
  //
  // If in doubt, why not a barrier after each line? Because at each one all warps of
  // the block wait for the slowest. Between two barriers, warps hide each other's
  // waiting for memory; a barrier ends that. A barrier is needed only if two threads
  // use the same word, one of them writes it, and no other barrier is between the two
  // accesses. The kernel `shift_with_many_barriers` gives the same result as `shift`,
  // and the check finds nothing wrong with it. The counts tell them apart.
  const auto barriers_of = [&](auto kernel) {  // 0 on a card, which does not count them
    return counts_of([&] {
             kernel<<<1, threads, 0, stream(device)>>>(x.data_ptr<float>(),
                                                       result.data_ptr<float>());
           })
        .barriers;
  };
  show(barriers_of(shift_with_many_barriers), barriers_of(shift));

  // %%
  // The first of its three barriers has nothing before it. The last one has nothing
  // after it: the end of a kernel needs no barrier, because the next kernel of the
  // stream begins only when this one has ended.
  //
  // ## Between blocks
  //
  // A barrier covers the threads of one block. Blocks run in any order, some of them
  // not before others have ended. So an ordinary launch has no `__syncthreads()` for
  // all of them. In `add_first_elements`, each block adds one element to the same word:
  Tensor sum = zeros({}, device);
  const Tensor many = ones({4 * threads}, device);
  const std::string between = check_kernels([&] {
    add_first_elements<<<4, threads, 0, stream(device)>>>(many.data_ptr<float>(),
                                                          sum.data_ptr<float>());
  });
  show(begin_of(between));
  show(between.find("sum[0]") != std::string::npos);

  // %%
  // There are two remedies. Let the blocks write their values to different words, and
  // add them in a second launch: the end of a launch is the barrier of all blocks. Or
  // use an atomic addition; section 2.9 is about atomics.
  //
  // ## Barriers that compute
  //
  // Some barriers carry a value. `__syncthreads_count(condition)` returns to all
  // threads the number of threads for which the condition holds; `__syncthreads_and`
  // and `__syncthreads_or` say whether it holds for all, or for any. A block can count
  // with one barrier and no shared memory:
  Tensor counts = zeros({2}, TensorOptions().dtype(kInt).device(device));
  const Tensor numbers = arange(0.0, 2 * threads, device);
  count_large<<<2, threads, 0, stream(device)>>>(numbers.data_ptr<float>(),
                                                 counts.data_ptr<int>(), 50.0f);
  show(counts.cpu());

  // %%
  // 13 of the numbers 0 to 63 are larger than 50, and all 64 from 64 on.
  //
  // ## A barrier for the grid
  //
  // What if each block needs what *all* blocks have computed? `share_of_large` counts
  // like `count_large`, and then divides each block's count by the sum of all. Between
  // the two steps is `cooperative_groups::this_grid().sync()`, a barrier for all
  // threads of the grid. It needs a *cooperative* launch, which starts all blocks at
  // once. So the grid must not have more blocks than the card can hold:
  //
  // **Predict first.** Which of the two launches is refused, the one with 2 blocks or
  // the one with a million?
  Tensor shares = zeros({2}, device);
  const float* numbers_there = numbers.data_ptr<float>();
  int* counts_there = counts.data_ptr<int>();
  float* shares_there = shares.data_ptr<float>();
  float limit = 50;
  void* arguments[] = {&numbers_there, &counts_there, &shares_there, &limit};
  for (const unsigned blocks : {2U, 1'000'000U}) {
    show(blocks, cudaGetErrorName(cudaLaunchCooperativeKernel(
                     reinterpret_cast<const void*>(share_of_large), dim3(blocks),
                     dim3(threads), arguments, 0, stream(device))));
    static_cast<void>(cudaGetLastError());
  }
  show(shares.cpu());

  // %%
  // 13 / 77 and 64 / 77. A barrier of the grid saves the second launch, and values can
  // stay in registers and shared memory across it. It costs more than a barrier of a
  // block, and the size of the grid depends on the card. Two launches are the better
  // choice in most cases.
  //
  // ## What to try next
  //
  // - Run the lesson with `D2L_KERNEL_ORDER=0`, which runs the threads in ascending
  //   order, and with `D2L_KERNEL_ORDER=7`. How many elements does
  //   `shift_without_barrier` get wrong? Why does the report stay?
  // - Remove the first barrier of the loop in `smooth`. Which kind of race does the
  //   report name?
  // - Write `shift` for one warp with `__shfl_sync` and without shared memory. How many
  //   barriers does it need?
  // - Exercise 2.6 has three kernels to repair. `./learn next 2.6` shows the task.
}
