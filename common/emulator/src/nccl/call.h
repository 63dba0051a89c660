// SPDX-License-Identifier: MIT
// What a rank calls of NCCL, the memory that it uses, and what the calls of all ranks compute.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

// clang-format off
#include "nccl.h"  // first: it renames functions of the C library
// clang-format on
#include "calls/call_site.h"
#include "libraries/library_work.h"

namespace d2l::emulator::nccl {

enum class Kind { all_reduce, broadcast, reduce, all_gather, reduce_scatter, send, receive };

/// An operation, and the scalar of ncclRedOpCreatePreMulSum().
struct Reduction {
  ncclRedOp_t op = ncclSum;
  bool multiplies = false;
  const void* on_device = nullptr;  ///< null: the scalar is `value`
  std::array<std::byte, 8> value{};
};

struct Call {
  Kind kind;
  const void* in;
  void* out;
  std::size_t count;
  ncclDataType_t type;
  Reduction reduction;
  int root;  ///< of send and receive: the other rank
  CallSite site;
};

[[nodiscard]] std::size_t size_of(ncclDataType_t type);
/// True if the calls of two ranks belong together. "1024 elements of type ncclFloat32" tells one.
[[nodiscard]] bool alike(const Call& a, const Call& b);
[[nodiscard]] std::string text_of(const Call& call);
/// What one of `ranks` ranks reads and writes.
[[nodiscard]] std::vector<LibraryMemory> memory_of(const Call& call, int rank, int ranks);
/// Computes the results, in the order of the ranks; of a send and a receive, in this order.
void compute(const std::vector<Call>& all);

}  // namespace d2l::emulator::nccl
