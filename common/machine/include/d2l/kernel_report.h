// SPDX-License-Identifier: MIT
/// @file
/// What CUDA kernels did with memory, as the emulator counts it, and a table of it.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include "d2l/device.h"
#include "d2l/occupancy.h"
#include "d2l/transfers.h"
#include "d2l/warp_request.h"

namespace d2l {

/// What the accesses of one source line cost.
struct LineCounts {
  std::string file;                   ///< the source file
  int line = 0;                       ///< the line in it
  std::uint64_t load_requests = 0;    ///< loads from global memory, one for each warp that makes them
  std::uint64_t store_requests = 0;   ///< stores to global memory, per warp
  std::uint64_t load_sectors = 0;     ///< sectors of 32 bytes that the loads touch
  std::uint64_t store_sectors = 0;    ///< sectors of 32 bytes that the stores touch
  std::uint64_t load_bytes = 0;       ///< bytes that the threads loaded
  std::uint64_t store_bytes = 0;      ///< bytes that the threads stored
  std::uint64_t shared_requests = 0;  ///< accesses to shared memory, per warp
  std::uint64_t shared_passes = 0;    ///< equal to shared_requests without bank conflicts
  std::uint64_t active_lanes = 0;     ///< threads that take part in the requests and shared_requests, added up
  std::uint64_t atomics = 0;          ///< atomic operations on global and shared memory, per thread
  std::uint64_t shared_atomics = 0;   ///< those of them on shared memory
};

/// What one launch did. Threads, blocks, barriers, atomics and products of matrices are always counted; the rest if the
/// kernel's file is compiled for it.
struct KernelCounts : LineCounts {
  std::uint64_t blocks = 0;                ///< blocks of the grid
  std::uint64_t threads = 0;               ///< threads of all blocks
  std::uint64_t warps = 0;                 ///< warps of all blocks
  unsigned warp_size = 32;                 ///< the lanes of a warp: 32 or 64
  std::uint64_t barriers = 0;              ///< barriers of whole blocks
  std::uint64_t divergent_warps = 0;       ///< warps that made a step without all of their threads that still ran
  std::uint64_t steps = 0;                 ///< basic blocks that the warps executed, each once for the threads together
  std::uint64_t lane_steps = 0;            ///< the same, once for each thread; warp_size times `steps` where none waits
  std::uint64_t longest_warp = 0;          ///< the most steps of one warp
  std::uint64_t longest_block = 0;         ///< the most steps of one block
  std::uint64_t idle_threads = 0;          ///< threads that accessed no memory
  std::uint64_t idle_blocks = 0;           ///< blocks of which no thread accessed memory
  std::uint64_t shared_bytes = 0;          ///< shared memory of a block
  std::uint64_t matrix_products = 0;       ///< products of matrices by tensor cores (wmma, mma), one for each warp
  std::uint64_t matrix_multiply_adds = 0;  ///< the multiplications of these products, each with an addition
  std::vector<LineCounts> lines;           ///< by file and line
  /// Examples, a few for each line; only where requests_of() or a report wants them.
  std::vector<WarpRequest> requests;
};

/// One launch of a CUDA kernel. LedgerEntry::kernel points to it.
struct KernelRun {
  std::string name;                        ///< the kernel's expression, for example "add<float>"
  std::array<unsigned, 3> grid{1, 1, 1};   ///< the number of blocks
  std::array<unsigned, 3> block{1, 1, 1};  ///< the number of threads of a block
  bool counted = false;                    ///< the launch has ended, and `counts` has its memory requests
  KernelCounts counts;                     ///< what the launch did
};

/// How many blocks of a launch one multiprocessor of compute capability 9.0 holds at once. The number of registers,
/// which is a limit, too, is not known.
Occupancy residency(const KernelRun& run);

/// The counts of all launches of CUDA kernels among the entries, added up: all 0 where nothing counts, as on a card.
KernelCounts counts_of(const std::vector<LedgerEntry>& entries);
/// Calls `work`, waits for its launches, and returns their counts, added up.
template <std::invocable Work>
KernelCounts counts_of(const Work& work) {
  const TransferLedger ledger;
  work();
  synchronize();
  return counts_of(ledger.entries());
}

/// Calls `work`, waits for its launches, and returns the most expensive request of each array at each line: none where
/// nothing counts, as on a card.
template <std::invocable Work>
std::vector<WarpRequest> requests_of(const Work& work) {
  const detail::KeptRequests kept;
  return counts_of(work).requests;
}

///@{
/// A table of the memory requests of each kernel, by source line; the launches of one kernel are added up. It is empty
/// if no launch was counted.
std::string kernel_report(const std::vector<LedgerEntry>& entries);
std::string kernel_report(const TransferLedger& ledger);
///@}

}  // namespace d2l
