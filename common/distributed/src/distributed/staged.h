// SPDX-License-Identifier: MIT
// Staged: a tensor as an engine sees it, contiguous host memory.
#pragma once

#include "d2l/event.h"
#include "d2l/tensor.h"

namespace d2l::distributed::detail {

/// A tensor that is contiguous on the CPU is its own host memory. Others are copied, those of a GPU to pinned memory in
/// the order of its queue.
class Staged {
 public:
  /// Whether the engine reads the elements, writes them, or both.
  enum class Use : std::int8_t { read, write, both };

  Staged(Tensor tensor, Use use);
  /// Waits until the host memory has the elements. Any thread may call it.
  void wait_until_readable() const;
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] const Tensor& tensor() const { return tensor_; }
  /// Copies what the engine wrote to the tensor; on a GPU in the order of its queue.
  void write_back();

 private:
  Tensor tensor_;
  Tensor host_;
  void* data_ = nullptr;
  Event copied_;
  bool own_ = false;  ///< the tensor is its own host memory
};

}  // namespace d2l::distributed::detail
