// SPDX-License-Identifier: MIT
/// @file
/// TensorDataset: tensors whose rows belong together.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// The tensors of some examples, one a row, as a DataLoader gives them.
using Batch = std::vector<Tensor>;

/// Tensors whose rows belong together: example i is row i of each.
class TensorDataset {
 public:
  ///@{
  /// ValueError for no tensor at all, ShapeError when their first sizes differ or one has none.
  explicit TensorDataset(std::vector<Tensor> tensors);
  TensorDataset(std::initializer_list<Tensor> tensors) : TensorDataset(std::vector<Tensor>(tensors)) {}
  ///@}
  /// How many examples there are.
  [[nodiscard]] std::int64_t size() const;
  /// Example `index`, a row of each tensor; IndexError when there is none; a negative one counts from the end.
  [[nodiscard]] Batch get(std::int64_t index) const;
  /// The examples of the given numbers, joined; IndexError when there is no such number.
  [[nodiscard]] Batch get_batch(IntArrayRef indices) const;
  /// The tensors, whole.
  [[nodiscard]] const std::vector<Tensor>& tensors() const noexcept { return tensors_; }

 private:
  std::vector<Tensor> tensors_;
};

}  // namespace d2l
