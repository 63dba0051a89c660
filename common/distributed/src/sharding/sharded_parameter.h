// SPDX-License-Identifier: MIT
// ShardedParameter: a parameter of which each rank keeps some rows.
#pragma once

#include <memory>
#include <string>

#include "autograd/gradient_hooks.h"
#include "core/tensor_impl.h"
#include "d2l/distributed/process_group.h"
#include "d2l/distributed/work.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// The tensor of the module stays the same; its elements are the rows of this rank, or for a while all rows. The memory
/// of all rows is one storage, which records of backward() refer to also while it has no memory.
class ShardedParameter : NonCopyable {
 public:
  /// Keeps this rank's rows of the parameter. ValueError for a scalar; `name` is for the message.
  ShardedParameter(Tensor parameter, const std::string& name, distributed::ProcessGroup group);
  ~ShardedParameter();

  [[nodiscard]] const Tensor& parameter() const noexcept { return parameter_; }
  [[nodiscard]] bool has_all_rows() const noexcept { return has_all_rows_; }
  /// Begins to gather all rows; nothing if they are there.
  void begin_gather();
  /// Waits for them.
  void finish_gather();
  /// Releases the rows of other ranks.
  void reshard();
  /// Before backward(): puts the gradient of earlier calls aside, which has the rows of this rank.
  void begin_backward();
  /// After backward(), if no gradient came.
  void end_backward();

  /// All rows, on all ranks, of a tensor like this rank's rows.
  [[nodiscard]] Tensor gathered(const Tensor& rows) const;
  /// This rank's rows of a tensor with all rows; ShapeError for another shape.
  [[nodiscard]] Tensor rows_of(const Tensor& all, const std::string& name) const;

 private:
  /// Reduces the gradient of all rows.
  void reduce(TensorImpl& leaf);
  void show(const StridedView& elements);
  /// A view of the first rows of memory for one rank, or for all.
  [[nodiscard]] Tensor rows(const Tensor& memory, std::int64_t count) const;
  [[nodiscard]] Tensor padded(const Tensor& tensor, std::int64_t count) const;

  Tensor parameter_;
  distributed::ProcessGroup group_;
  int ranks_;
  Dimensions sizes_;            ///< of all rows
  std::int64_t own_rows_ = 0;   ///< of this rank
  std::int64_t each_ = 0;       ///< elements of the rows of one rank, with padding
  std::int64_t row_ = 0;        ///< elements of a row
  std::int64_t first_row_ = 0;  ///< of this rank
  Tensor own_;                  ///< this rank's rows, padded
  Tensor all_;                  ///< all rows, padded; its storage has no memory most of the time
  StridedView own_view_;
  StridedView all_view_;
  bool has_all_rows_ = false;
  distributed::Work gathering_;
  Tensor earlier_grad_;  ///< during backward()
  std::unique_ptr<GradientHookHandle> hook_;
};

}  // namespace d2l::detail
