// SPDX-License-Identifier: MIT
// RecordedOperation: what backward() needs to know of an operation that was carried out.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "autograd/derivatives.h"
#include "core/tensor_impl.h"
#include "d2l/autograd.h"

namespace d2l::detail {

/// Where a gradient goes on: to the operation that made an input, or to the grad() of a leaf; neither when none is
/// wanted.
struct Edge {
  std::shared_ptr<RecordedOperation> operation;
  std::shared_ptr<TensorImpl> leaf;

  [[nodiscard]] bool wanted() const noexcept { return operation != nullptr || leaf != nullptr; }
  [[nodiscard]] const Dimensions& sizes() const noexcept;
  [[nodiscard]] ScalarType dtype() const noexcept;
  [[nodiscard]] Device device() const noexcept;
};

/// A tensor that the derivative is computed from, and the version that its memory had.
struct SavedTensor {
  Tensor tensor;
  std::uint32_t version = 0;
  const char* made_by = nullptr;  ///< the name of the operation that made it; null for a leaf
  bool is_result = false;         ///< of the very operation that saved it
};

/// Where a view's elements are in the row-major tensor that it is a view of.
struct ViewGeometry {
  Dimensions sizes;
  Dimensions strides;
  std::int64_t offset = 0;
};

struct RecordedOperation final : autograd::Node {
  explicit RecordedOperation(Recorded kind);
  ~RecordedOperation() override;
  RecordedOperation(const RecordedOperation&) = delete;
  RecordedOperation& operator=(const RecordedOperation&) = delete;

  [[nodiscard]] std::string name() const override;
  /// Notes the shape, dtype and device of what the operation made.
  void describe(const TensorImpl& result) noexcept;
  [[nodiscard]] bool wants(std::size_t input) const noexcept { return inputs[input].wanted(); }
  /// A saved tensor; ValueError when backward() has let it go, or when it was written since.
  [[nodiscard]] const Tensor& saved(std::size_t index) const;
  /// ValueError when backward() has let go of what the derivative needs.
  void check_not_released() const;
  void release_saved() noexcept;

  Recorded kind;
  std::uint64_t sequence;  ///< later operations have higher numbers, on whatever thread
  // The result.
  Dimensions sizes;
  ScalarType dtype = kFloat;
  Device device{kCPU};
  // The operands.
  std::vector<Edge> inputs;
  std::array<SavedTensor, 3> saved_tensors;
  bool has_saved = false;
  bool released = false;
  // What else the operation was told.
  Scalar number;
  std::array<std::int64_t, 2> integers{};
  Dimensions dims;
  std::vector<std::int64_t> offsets;  ///< CatBackward0: where each input begins, and the end
  std::unique_ptr<ViewGeometry> geometry;
  std::shared_ptr<RecordedOperation> written;  ///< CopySlices: what was done to the view
};

/// Lets go of a record; a chain of any length is let go without recursion.
void release(std::shared_ptr<RecordedOperation> operation) noexcept;

}  // namespace d2l::detail
