// SPDX-License-Identifier: MIT
/// @file
/// TensorDataset: tensors whose rows belong together.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// The tensors of some examples, one example in each row.
using Batch = std::vector<Tensor>;

/// Tensors whose rows belong together: example i is row i of each.
class TensorDataset {
 public:
  ///@{
  /// ValueError for no tensors, ShapeError if their first sizes differ or a tensor has no dimensions.
  explicit TensorDataset(std::vector<Tensor> tensors);
  TensorDataset(std::initializer_list<Tensor> tensors) : TensorDataset(std::vector<Tensor>(tensors)) {}
  ///@}
  /// The number of examples.
  [[nodiscard]] std::int64_t size() const;
  /// Example `index`, a row of each tensor; a negative one counts from the end. IndexError if it is out of range.
  [[nodiscard]] Batch get(std::int64_t index) const;
  /// The examples at these indices, joined; IndexError if one is out of range.
  [[nodiscard]] Batch get_batch(IntArrayRef indices) const;
  /// The tensors of all examples.
  [[nodiscard]] const std::vector<Tensor>& tensors() const noexcept { return tensors_; }

 private:
  std::vector<Tensor> tensors_;
};

}  // namespace d2l
