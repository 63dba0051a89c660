// SPDX-License-Identifier: MIT
// Section 2.1: a kernel, its launch, one thread for each element, the guard, and the
// errors of a launch.
#include <string>

#include "d2l/kernel_checks.h"
#include "d2l/show.h"
#include "d2l/stream.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # A first kernel
//
// *Twenty minutes.* After this lesson you can write a function that runs on a GPU,
// launch it with enough threads for any number of elements, and tell apart the three
// ways in which a launch goes wrong.
//
// In chapter 1 you wrote `2 * x`, and the library ran it on the GPU. How? On a CPU, one
// thread visits the elements one after the other:
//
// ```cpp
// for (int i = 0; i < n; ++i) result[i] = 2 * x[i];
// ```
//
// No iteration needs another one. So a GPU does not loop: it starts `n` threads, and
// each of them runs the body of the loop once, for its own `i`. A function that runs in
// this way is a *kernel*. Here is one:

__device__ float doubled(float value) { return 2 * value; }

__global__ void twice(const float* x, float* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = doubled(x[i]);
}

// %%
// This is C++ with a few extra keywords and variables.
//
// - `__global__` marks a kernel: a function that the host starts and that the GPU runs.
//   It returns `void`, because the host does not wait for it. Its results go to memory.
// - `__device__` marks a function that code on the GPU calls and that runs in the
//   calling thread, like any function call. The host cannot call it. A function with
//   `__host__ __device__` is compiled for both.
// - Every kernel can read `threadIdx`, `blockIdx` and `blockDim`. Threads are started
//   in groups of equal size, called *blocks*. `blockDim.x` is the number of threads in
//   a block, `blockIdx.x` the number of this thread's block, and `threadIdx.x` the
//   number of this thread in it. Both count from 0. They are unsigned; store an index
//   in an `int` before you compare it with one.
//
// With blocks of 256 threads, thread 5 of block 2 has `i` = 2 * 256 + 5 = 517. No other
// thread has this `i`, and there are no gaps. The line with `if` is the *guard*. It
// will turn out that the kernel needs it, so here is a second kernel, without it, for
// comparison:

__global__ void twice_without_guard(const float* x, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = doubled(x[i]);
}

// %%
// ## Where the pointers point
//
// A kernel takes plain values, such as pointers and numbers. They are copied to the GPU
// at the launch. A `Tensor` stays on the host. What the kernel needs of it is the
// address of its first element:

int main() {
  const Device device = gpu(0);
  constexpr int n = 1000;
  const Tensor x = arange(0.0, n, device);
  const float* const elements = x.data_ptr<float>();
  show(testing::owner(elements), testing::owner(&device));

  // %%
  // `owner` asks the driver which device an address belongs to. The two addresses
  // belong to different memories. Both fit into a `const float*`, and the compiler does
  // not tell them apart. But the memory of the card is not the memory of the host.
  // `elements[0]` in this function ends the program with a segmentation fault, and
  // `&device` in a kernel is an error on most machines. (Managed
  // memory, below, is for both sides, and some Linux systems let a kernel read all
  // memory of the host. Do not rely on that.) So:
  //
  // - the host keeps addresses of the GPU's memory, passes them on, and never
  //   dereferences them;
  // - a kernel gets no address of the host: no local variables by reference, no
  //   `std::vector`, no `Tensor&`.
  //
  // To read a result, copy it to the host, as `.cpu()` and `show` do.
  //
  // ## The launch
  //
  // A launch is a function call with a configuration between `<<<` and `>>>`:
  //
  // | part | here | meaning |
  // | --- | --- | --- |
  // | blocks | 3 | how many blocks to start |
  // | threads | 256 | how many threads each block has, at most 1024 |
  // | bytes | 0 | additional shared memory for each block: section 2.5 |
  // | stream | `stream(device)` | the queue of the device's tensor operations |
  //
  // The stream matters. `x` was made by an operation in this queue, and the kernel
  // comes after it in the same queue. Without the fourth part, the launch enters the
  // default stream, another queue (section 2.10), and may read `x` before it is filled.
  // (The library's streams are non-blocking. In PyTorch the tensors' stream *is* the
  // default stream, unless the program chooses another.)
  //
  // **Predict first.** `x` has 1000 elements. We start 1000 / 256 = 3 blocks. What is
  // the last element of the result? How many elements are correct?
  Tensor result = zeros({n}, device);
  twice<<<n / 256, 256, 0, stream(device)>>>(elements, result.data_ptr<float>(), n);
  show(result[-1]);
  show((result == 2 * x).to(kFloat).sum());

  // %%
  // 3 * 256 = 768 elements are correct; 232 elements have no thread. The GPU does not
  // treat this as an error: it started what it was asked to start. The division of
  // integers must round *up*, so that the last block covers the rest: (1000 + 255) /
  // 256 = 4. The result is then that of the library's own operation:
  constexpr int threads = 256;
  constexpr int blocks = (n + threads - 1) / threads;
  twice<<<blocks, threads, 0, stream(device)>>>(elements, result.data_ptr<float>(), n);
  show(blocks, blocks * threads);
  show(equal(result, 2 * x));

  // %%
  // ## The guard
  //
  // Now there are 1024 threads for 1000 elements. A block always starts with all of its
  // threads, so 24 threads are left over. For them `i < n` is false, and they do
  // nothing. How much of the work is that? A `TransferLedger`, which counted copies in
  // chapter 1, has an entry for each launch. Virtual GPUs run kernels in an *emulator*,
  // which counts what they do. There the entry also has counts: here the threads that
  // ran, and the bytes that they stored.
  //
  // **Predict first.** What are the two numbers?
  TransferLedger ledger;
  twice<<<blocks, threads, 0, stream(device)>>>(elements, result.data_ptr<float>(), n);
  synchronize();
  const auto kernel = ledger.entries().front().kernel;
  if (kernel && kernel->counted) {
    show(kernel->counts.threads, kernel->counts.store_bytes);
  } else {
    show("A card does not count: D2L_VIRTUAL_GPUS=1@host ./learn run 2.1");
  }

  // %%
  // 1024 threads stored 1000 * 4 bytes: each element once. What happens without the
  // guard? On a card perhaps nothing that you notice. 24 threads read and write beyond
  // the tensors, where the elements of another tensor may be. The 1000 results are
  // correct, and the other tensor is damaged: you find out much later. Or the card
  // stops the kernel, and with it the program. The emulator can check each access.
  // `check_kernels` runs a function with these checks on, and returns what they found.
  // (On a card, it does not run the function.)
  show(check_kernels([&] {
    twice_without_guard<<<blocks, threads, 0, stream(device)>>>(
        elements, result.data_ptr<float>());
  }));
  const std::string report = check_kernels([&] {
    twice<<<blocks, threads, 0, stream(device)>>>(elements, result.data_ptr<float>(),
                                                  n);
  });
  show(report.empty() ? "with the guard: nothing found" : report);

  // %%
  // Read such a report from left to right: what is wrong, the line of the kernel, the
  // kernel, the thread, and the access. Thread 232 of block 3 has `i` = 3 * 256 + 232 =
  // 1000, and `x` ends at 999. The 23 others are the other threads that are left over.
  // Which of them comes first is chance: threads have no order. The emulator draws one,
  // the same in every run, so that a kernel that relies on an order fails. The kernel
  // with the guard has no report.
  //
  // In exercises these checks are always on. For a program of your own,
  // `./learn cuda file.cu --check` does the same.
  //
  // ## A launch returns early
  //
  // The host puts the launch into the queue and continues, as with each operation on
  // tensors (section 1.2.3). We hold the queue to see it.
  //
  // **Predict first.** Has the kernel run when the next line of `main` runs?
  const Tensor again = zeros({n}, device);
  {
    testing::HeldQueue held(device);
    twice<<<blocks, threads, 0, stream(device)>>>(elements, again.data_ptr<float>(), n);
    Event finished;
    finished.record(device);
    show(finished.query());
    held.release();
    finished.synchronize();
    show(finished.query());
  }
  show(equal(again, 2 * x));

  // %%
  // It had not. Two things follow.
  //
  // - The memory must be there until the kernel has ended. A tensor may leave its scope
  //   right after the launch, because its memory is used again only by later work in
  //   the same queue. Memory that you allocate yourself, with the runtime's
  //   `cudaMalloc`, must stay allocated until then, and that is your responsibility.
  // - An access out of bounds is not an error of the launch: by then the launch has
  //   returned. The device reports it to a later call, often the one that waits. If
  //   `cudaDeviceSynchronize()` or `.cpu()` fails, look at the kernels before it.
  //
  // ## Memory for both sides
  //
  // `cudaMallocManaged` allocates *managed memory*. It has one address, and both sides
  // may use it: the driver moves its pages to whoever touches them. The program has no
  // copies then. But each page still crosses the link, at its first use on the other
  // side, and the kernel waits for it. And the host must wait as before:
  //
  // **Predict first.** Which line below may not be left out?
  float* both = nullptr;
  cudaMallocManaged(&both, n * sizeof(float));
  for (int i = 0; i < n; ++i) both[i] = static_cast<float>(i);
  twice<<<blocks, threads, 0, stream(device)>>>(both, both, n);
  synchronize(device);
  show(both[1], both[n - 1]);
  cudaFree(both);

  // %%
  // The wait: without it, the host reads while the kernel may still run. With checks on
  // (`./learn cuda --check`), the emulator reports such a read. Managed memory helps
  // where it is not known in advance what a kernel will use: trees, lists, tables.
  // Tensors are not in managed memory, so that this library can count each copy.
  //
  // ## Errors of the launch itself
  //
  // Some launches cannot start at all. A block has at most 1024 threads. What does a
  // launch with 2048 do? It has no return value and throws nothing.
  // `cudaGetLastError()` returns the last error of this host thread, and clears it.
  //
  // **Predict first.** What does `untouched` contain afterwards?
  const Tensor untouched = zeros({n}, device);
  twice<<<1, 2048, 0, stream(device)>>>(elements, untouched.data_ptr<float>(), n);
  const cudaError_t error = cudaGetLastError();
  show(cudaGetErrorName(error), cudaGetErrorString(error));
  show(untouched.sum());
  show(cudaGetErrorString(cudaGetLastError()));

  // %%
  // The launch was refused: no thread ran, and all elements are still 0. Without
  // `cudaGetLastError()` you would not have noticed. So call it after each launch in a
  // program of your own:
  //
  // ```cpp
  // kernel<<<blocks, threads, 0, stream>>>(…);
  // if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) …
  // ```
  //
  // A grid of 0 blocks is refused, too. For `n` = 0, (0 + 255) / 256 is 0, so a
  // function that may get an empty tensor must return before the launch. In exercises a
  // refused launch fails the check.
  //
  // To sum up, a launch goes wrong in three ways. With too few threads it runs, and
  // part of the result is missing. With a wrong access it fails later, or damages other
  // data. With an impossible configuration it does not run.
  //
  // ## What to try next
  //
  // - Launch with blocks of 100 threads. How many blocks do you need, and how many
  //   threads are left over?
  // - Write `const int i = threadIdx.x;`. Predict the result, and what `check_kernels`
  //   says about it.
  // - In `check_kernels`, give `twice` the elements of a tensor on the host:
  //   `const Tensor y = arange(0.0, n);` and `y.data_ptr<float>()`. What does the
  //   report say?
  // - Remove `__device__` from `doubled`. nvcc refuses the program. The emulator does
  //   not notice, because one compiler compiles both kinds of functions there: do not
  //   rely on it.
  // - Exercise 2.1: a kernel whose threads have a row and a column. `./learn next 2.1`
  //   shows the task.
}
