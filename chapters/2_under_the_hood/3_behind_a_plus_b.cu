// SPDX-License-Identifier: MIT
// Section 2.3: what the sum of two tensors calls: Thrust, its policies and iterators,
// and one launch instead of two.
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <vector>

#include "d2l/kernel_report.h"
#include "d2l/show.h"
#include "d2l/thrust.h"

using namespace d2l;

// %%
// # Behind a + b
//
// *Twenty minutes.* After this lesson you can say what a sum of two tensors does on a
// GPU, use the same tools for functions that the library does not have, and combine
// several operations in one launch.
//
// You have written kernels, and chosen a grid and a guard for each. Most kernels of
// deep learning are maps: a function of one element, or of two, for each index. It
// would be tedious to write the grid and the guard hundreds of times. The toolkit
// contains *Thrust*, a library in the manner of the C++ standard library: `transform`,
// `for_each`, `reduce`, `sort`. It launches the kernels. You provide iterators, which
// say where the elements are, and a function, which says what to do.
//
// ## The sum of chapter 1
//
// A `TransferLedger` shows what `a + b` does.
//
// **Predict first.** How many launches, how many allocations and how many waits? How
// many bytes do the launches move, for n floats in each tensor?

int main() {
  const Device device = gpu(0);
  constexpr int n = 1000;
  const Tensor a = arange(0.0, n, device);
  const Tensor b = ones({n}, device);
  synchronize();
  TransferLedger ledger;
  const Tensor sum = a + b;
  /// The sum of the bytes of all launches in the ledger.
  const auto bytes_of_launches = [&] {
    std::int64_t bytes = 0;
    for (const LedgerEntry& entry : ledger.entries()) {
      if (entry.kind == LedgerEntry::Kind::launch) bytes += entry.bytes;
    }
    return bytes;
  };
  show(ledger.launches(), ledger.allocations(), ledger.synchronisations());
  show(bytes_of_launches());

  // %%
  // One launch, one allocation for the result, no wait. 12000 bytes are 12 for each
  // element: two loads and a store of 4 bytes. The allocation comes from a pool of
  // memory that the library keeps, because asking the driver each time would make the
  // host wait.
  //
  // In the source, `common/tensors/src/kernels/elementwise_kernel.h` describes the map
  // once for all devices, and `card_policy.h` in `kernels/cuda` how a card runs it.
  // The core is one call of Thrust:
  //
  // ```cpp
  // thrust::for_each_n(thrust::cuda::par_nosync.on(stream),
  //     thrust::counting_iterator<std::int64_t>(0), count, body);
  // ```
  //
  // `for_each_n` calls `body(i)` for `count` numbers from 0 on, and each call loads its
  // elements, adds, and stores. Thrust chooses the grid and the block, and writes the
  // guard.
  //
  // ## Policies
  //
  // The first argument, the *policy*, says where and how an algorithm runs.
  // `.on(stream)` names the stream; here it is the stream of the device's tensors, so
  // the sum comes after the operations that made a and b. `par_nosync` says that the
  // algorithm need not wait until the work is done. The older policy, `par`, waits at
  // the end of each algorithm, and the host would be slowed down for nothing.
  // `thrust_policy(device)` gives you the policy that the library uses. The sum
  // follows. Its last argument is a lambda with `__device__`: a function for the GPU.
  // (nvcc needs the option `--extended-lambda` for it, which the course's build
  // passes.) If it captures variables, capture them by value, `[=]`, because a
  // reference would be an address of the host's memory. Capture pointers, not tensors.
  Tensor mine = empty({n}, a.options());
  const float* const first = a.data_ptr<float>();
  ledger.clear();
  thrust::transform(thrust_policy(device), first, first + n, b.data_ptr<float>(),
                    mine.data_ptr<float>(),
                    [] __device__(float x, float y) { return x + y; });
  show(ledger.launches(), ledger.allocations(), ledger.synchronisations());
  show(equal(mine, sum));

  // %%
  // `empty` allocated the result without filling it, before the ledger was cleared.
  //
  // An algorithm that *returns a value* has to wait, whatever the policy says: the host
  // cannot have a number that is not computed yet. `transform` returns an iterator,
  // which is known at once. `reduce` returns the sum of the elements.
  //
  // **Predict first.** How often does the host wait? (The number of launches depends on
  // the version of Thrust, so we only show that there was at least one.)
  ledger.clear();
  const float total = thrust::reduce(thrust_policy(device), first, first + n, 0.0f);
  show(total);
  show(ledger.launches() > 0, ledger.synchronisations());

  // %%
  // Each value that comes back costs a wait, as `item()` did in section 1.2.3.
  //
  // ## Two operations, or one
  //
  // Now `2 * x + y`. As tensor operations it is a product and then a sum.
  //
  // **Predict first.** How many bytes per element do the two launches move?
  const Tensor x = arange(0.0, n, device);
  const Tensor y = ones({n}, device);
  synchronize();
  ledger.clear();
  const Tensor in_two_launches = 2 * x + y;
  show(ledger.launches(), ledger.allocations());
  show(bytes_of_launches());

  // %%
  // 20: the product loads 4 and stores 4, the sum loads 8 and stores 4. And there is a
  // second allocation, for the products, which is not needed later. A map is bound by
  // memory, as section 2.0 showed, so the number of bytes decides its time. A function
  // that does both needs 12:
  Tensor fused = empty({n}, x.options());
  const float* const begin = x.data_ptr<float>();
  ledger.clear();
  thrust::transform(thrust_policy(device), begin, begin + n, y.data_ptr<float>(),
                    fused.data_ptr<float>(), [] __device__(float left, float right) {
                      return 2 * left + right;
                    });
  synchronize();
  show(ledger.launches());
  const KernelCounts of_fused = counts_of(ledger.entries());
  show(of_fused.load_bytes, of_fused.store_bytes);
  show(equal(fused, in_two_launches));

  // %%
  // (The counts come from the emulator. On a card they are 0.) 8000 bytes loaded and
  // 4000 stored: 12 instead of 20 per element, one launch instead of two, and no
  // temporary. Combining operations in this way is called *fusion*. It is the main
  // thing that compilers for deep learning, such as PyTorch's `torch.compile`, do with
  // a network.
  //
  // ## Iterators that compute
  //
  // The input of an algorithm need not be in memory. A `counting_iterator` gives 0, 1,
  // 2 and so on, computed by each thread from its index. So a kernel that needs the
  // index needs no tensor with indices. Here are the squares of the first 1000 numbers:
  Tensor squares = empty({n}, x.options());
  ledger.clear();
  const thrust::counting_iterator<int> numbers(0);
  thrust::transform(
      thrust_policy(device), numbers, numbers + n, squares.data_ptr<float>(),
      [] __device__(int i) { return static_cast<float>(i) * static_cast<float>(i); });
  synchronize();
  show(squares[31]);
  const KernelCounts of_squares = counts_of(ledger.entries());
  show(of_squares.load_bytes, of_squares.store_bytes);

  // %%
  // Nothing is loaded. With `for_each` and a counting iterator the function gets only
  // the index, and can read and write any number of arrays. The library uses it in this
  // way. The differences below need two neighbouring elements of one array:
  Tensor differences = zeros({n}, x.options());
  float* const result = differences.data_ptr<float>();
  const float* const values = squares.data_ptr<float>();
  ledger.clear();
  thrust::for_each_n(thrust_policy(device), numbers, n - 1,
                     [=] __device__(int i) { result[i] = values[i + 1] - values[i]; });
  synchronize();
  show(differences[0], differences[1], differences[30]);

  // %%
  // ## When to write a kernel
  //
  // Use Thrust for maps, reductions, sorts and scans (sums of all elements up to each
  // one): the code is short, and it is hard to make a mistake in it. Write a kernel if
  // threads must work together, as they do from section 2.5 on: shared memory and
  // barriers have no place in the function of a `transform`.
  //
  // ## What to try next
  //
  // - Replace `thrust_policy(device)` by `thrust_policy()`, the stream of the first
  //   GPU, and run with `D2L_VIRTUAL_GPUS=2` and `gpu(1)` as the device. What happens?
  // - Compute the sum of squares of x with one `thrust::transform_reduce`. How many
  //   launches and waits does it take?
  // - Run the lesson with `D2L_KERNEL_REPORT=1`. Which of its launches make requests of
  //   global memory, and how many? The library's own operations are not in the report.
  // - Exercise 2.3 fuses three operations. `./learn next 2.3` shows the task.
}
