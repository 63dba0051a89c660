// SPDX-License-Identifier: MIT
// RecordedOperation: what backward() needs of an operation that has been computed.
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

/// The receiver of an input's gradient: the operation that made the input, or a leaf; neither if the input wants no
/// gradient.
struct Edge {
  std::shared_ptr<RecordedOperation> operation;
  std::shared_ptr<TensorImpl> leaf;

  [[nodiscard]] bool wanted() const noexcept { return operation != nullptr || leaf != nullptr; }
  [[nodiscard]] const Dimensions& sizes() const noexcept;
  [[nodiscard]] ScalarType dtype() const noexcept;
  [[nodiscard]] Device device() const noexcept;
};

/// A tensor that the derivative is computed from, and the version of its memory when it was saved.
struct SavedTensor {
  Tensor tensor;
  std::uint32_t version = 0;
  const char* made_by = nullptr;  ///< the name of the operation that made the tensor; null for a leaf
  bool is_result = false;         ///< true for the result of the operation that saved it
};

/// Where a view's elements are in the row-major tensor that it is a view of.
struct ViewGeometry {
  Dimensions sizes;
  Dimensions strides;
  std::int64_t offset = 0;
};

/// The index of an elementwise operation's result among its saved tensors; its inputs are 0 and 1.
inline constexpr std::size_t saved_result = 2;

struct RecordedOperation final : autograd::Node {
  explicit RecordedOperation(Recorded kind);
  ~RecordedOperation() override;
  RecordedOperation(const RecordedOperation&) = delete;
  RecordedOperation& operator=(const RecordedOperation&) = delete;

  [[nodiscard]] std::string name() const override;
  /// Stores the shape, dtype and device of the result.
  void describe(const TensorImpl& result) noexcept;
  [[nodiscard]] bool wants(std::size_t input) const noexcept { return inputs[input].wanted(); }
  /// A saved tensor; ValueError if backward() has released it, or if it was written after it was saved.
  [[nodiscard]] const Tensor& saved(std::size_t index) const;
  /// ValueError if backward() has released the saved tensors.
  void check_not_released() const;
  void release_saved() noexcept;

  Recorded kind;
  std::uint64_t sequence;  ///< later operations have higher numbers, across all threads
  // The result.
  Dimensions sizes;
  ScalarType dtype = kFloat;
  Device device{kCPU};
  // The operands.
  std::vector<Edge> inputs;
  std::array<SavedTensor, 3> saved_tensors;
  bool has_saved = false;
  bool released = false;
  // Further arguments of the operation.
  Scalar number;
  std::array<std::int64_t, 2> integers{};
  Dimensions dims;
  std::vector<std::int64_t> offsets;  ///< CatBackward0: the start of each input, and the end of the last
  std::unique_ptr<ViewGeometry> geometry;
  std::shared_ptr<RecordedOperation> written;  ///< CopySlices: the operation on the view
};

/// Defines a derivative with one gradient, an expression of `operation` and the gradient `g` of its result.
#define D2L_DERIVATIVE(name, gradient)                                                             \
  void name([[maybe_unused]] const RecordedOperation& operation, [[maybe_unused]] const Tensor& g, \
            Gradients& results) {                                                                  \
    results[0] = gradient;                                                                         \
  }

/// Releases a record, and a chain of any length without recursion.
void release(std::shared_ptr<RecordedOperation> operation) noexcept;

}  // namespace d2l::detail
