// SPDX-License-Identifier: MIT
/// @file
/// Occupancy: how many blocks of a kernel a multiprocessor holds at once, from published limits.
///
/// A block is resident on one multiprocessor until it ends. It needs a place, room for its threads, registers and
/// shared memory, and whichever is used up first is the limit. Registers are given to whole warps, in units of 256, and
/// each of the four parts of a multiprocessor has a quarter of them.
#pragma once

#include <cstddef>
#include <string_view>

namespace d2l {

/// What the blocks on one multiprocessor share. Source: CUDA C++ Programming Guide 12.6, "Technical Specifications per
/// Compute Capability" and "Compute Capability x.y", "Shared Memory".
struct MultiprocessorLimits {
  std::string_view compute_capability;  ///< for example "8.0"
  unsigned threads;                     ///< threads that can be resident
  unsigned blocks;                      ///< blocks that can be resident
  unsigned registers;                   ///< of 4 bytes; a block cannot have more either
  std::size_t shared_memory;            ///< bytes for all blocks
  std::size_t shared_memory_of_block;   ///< bytes that one block can have at most
  std::size_t reserved;                 ///< bytes of shared memory that each block needs in addition
  std::size_t shared_unit;              ///< shared memory is given in multiples of these bytes
};

/// The limits of the known cards, by name, or of their compute capabilities: "T4" or "7.5", "V100" or "7.0", "RTX 4060
/// Laptop" or "8.9", "A100" or "8.0", "H200" or "9.0". ValueError, with the known names, for another one.
const MultiprocessorLimits& multiprocessor_limits(std::string_view card);

/// How many blocks of a kernel are resident on a multiprocessor, and why not more.
struct Occupancy {
  unsigned by_blocks = 0;         ///< as many as a multiprocessor can hold
  unsigned by_threads = 0;        ///< as many as its threads allow
  unsigned by_registers = 0;      ///< as many as its registers allow; the same as `by_blocks` if they are not known
  unsigned by_shared_memory = 0;  ///< as many as its shared memory allows
  unsigned blocks = 0;            ///< the smallest of these; 0: the kernel cannot run
  unsigned warps = 0;             ///< of these blocks
  double share = 0;               ///< `warps` divided by the warps that can be resident
};

/// The occupancy of blocks with `threads` threads, each with `registers` registers (0: not known), and `shared_bytes`
/// bytes of shared memory. ValueError unless there are 1 to 1024 threads and at most 255 registers.
Occupancy occupancy(const MultiprocessorLimits& limits, unsigned threads, unsigned registers, std::size_t shared_bytes);

}  // namespace d2l
