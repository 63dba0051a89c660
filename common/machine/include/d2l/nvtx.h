// SPDX-License-Identifier: MIT
/// @file
/// Named ranges of a program, with the names of PyTorch's torch.cuda.nvtx. d2l/d2l.h does not include it, for the
/// reason that d2l/memory.h gives.
#pragma once

#include <string>

/// Ranges mark what a thread does, for a profile. Each entry of a TransferLedger has the ranges that were open when it
/// was issued; traces and, on a card, Nsight Systems show them. They nest.
namespace d2l::cuda::nvtx {

/// Begins a range of this thread; returns the number of ranges that were open before.
int range_push(const std::string& name);
/// Ends the innermost range of this thread; returns the number of ranges that are still open. Error if none is open.
int range_pop();

/// A range from its construction to the end of its scope.
class range {
 public:
  /// Begins it.
  explicit range(const std::string& name) { range_push(name); }
  /// Ends it.
  ~range();
  range(const range&) = delete;
  range& operator=(const range&) = delete;
};

}  // namespace d2l::cuda::nvtx
