// SPDX-License-Identifier: MIT
/// @file
/// CUDAGraph: captured work of a GPU, submitted as a whole. d2l/d2l.h does not include it, for the reason that
/// d2l/memory.h gives.
#pragma once

#include <memory>

#include "d2l/device.h"

namespace d2l::cuda {

/// The launches of tensor operations between capture_begin() and capture_end(), with PyTorch's names. Replaying them
/// takes one submission in place of one for each launch.
///
/// During a capture the operations of this thread on the device do not run; the results that they return have their
/// elements after a replay. A replay computes with the tensors, and the numbers, of the capture: put new inputs into
/// the same tensors, for example with copy_(). A tensor that is made during the capture keeps its memory until it and
/// the graph are gone. Tensors from before the capture must exist when the graph is replayed.
///
/// Error, with PyTorch's words, for what a capture cannot contain: copies from and to other devices, waits of the host,
/// reading values, random numbers, events, the stream for kernels of the program, an optimizer's first step (which
/// makes its state), and steps of Adam, which computes with the number of the step on the host. Work of other devices
/// and of other threads runs at once.
class CUDAGraph {
 public:
  /// An empty graph.
  CUDAGraph();
  /// Ends a capture that has not ended. Work that was submitted still runs.
  ~CUDAGraph();
  CUDAGraph(const CUDAGraph&) = delete;
  CUDAGraph& operator=(const CUDAGraph&) = delete;

  /// From now on this thread's work on a GPU is captured. ValueError for the CPU; Error if this thread captures
  /// already, or if the graph has work.
  void capture_begin(Device device = gpu());
  /// Ends the capture; Error unless this thread began it with this graph.
  void capture_end();
  /// Submits the work to the device; returns before it is done. Error without captured work, if a tensor from before
  /// the capture is gone, or while this thread captures.
  void replay();
  /// Removes the work, and ends a capture that has not ended: the graph is as a new one.
  void reset();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace d2l::cuda
