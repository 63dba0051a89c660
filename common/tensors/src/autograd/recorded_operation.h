// SPDX-License-Identifier: MIT
// RecordedOperation: what backward() needs of an operation that has been computed.
#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "autograd/derivatives.h"
#include "base/non_copyable.h"
#include "core/tensor_impl.h"
#include "d2l/autograd.h"

namespace d2l::detail {

/// The receiver of an input's gradient: the operation that made the input, or a leaf; neither if the input wants no
/// gradient.
///
/// A leaf is not held: it may hold a base or a grad() that was recorded from it, and would then never be released. The
/// gradient of a released leaf is dropped, since no handle can read it.
struct Edge {
  Edge() = default;
  Edge(std::shared_ptr<RecordedOperation> made_by, const TensorImpl& input)
      : operation(std::move(made_by)), sizes(input.sizes), dtype(input.dtype), device(input.device()), wanted(true) {}
  explicit Edge(const std::shared_ptr<TensorImpl>& input) : Edge(nullptr, *input) { leaf = input; }

  std::shared_ptr<RecordedOperation> operation;
  std::weak_ptr<TensorImpl> leaf;
  // The input when it was used.
  Dimensions sizes;
  ScalarType dtype = kFloat;
  Device device{kCPU};
  bool wanted = false;
  std::size_t output = 0;  ///< of the operation's results, the one that was the input

  /// The same for all edges with one receiver; null for the edges of a released leaf.
  [[nodiscard]] const void* key() const noexcept {
    return operation != nullptr ? static_cast<const void*>(operation.get()) : leaf.lock().get();
  }
};

/// During autograd::grad() on this thread, the keys of the receivers that it needs; null otherwise.
using Receivers = std::unordered_set<const void*>;
inline constinit thread_local const Receivers* needed_receivers = nullptr;

/// A tensor that the derivative is computed from, and the version of its memory when it was saved.
struct SavedTensor {
  Tensor tensor;
  std::uint32_t version = 0;
  const char* made_by = nullptr;  ///< the name of the operation that made the tensor; null for a leaf
  bool is_result = false;         ///< true for the result of the operation that saved it
};

/// The same tensor; ValueError if it was written after it was saved.
const Tensor& checked(const SavedTensor& saved);
/// ValueError: backward() has released the saved tensors.
[[noreturn]] void fail_released();

/// What a record of an autograd::Function has in place of a derivative of the table.
struct CustomOperation : NonCopyable {
  CustomOperation() = default;
  virtual ~CustomOperation() = default;
  /// Computes the gradients of the inputs from those of the results, which may be undefined.
  virtual void differentiate(std::vector<Tensor> grads, Gradients& results) = 0;
  virtual void release_saved() noexcept = 0;
};

/// Where a view's elements are in the memory of its base.
struct ViewGeometry {
  explicit ViewGeometry(const TensorImpl& view)
      : sizes(view.sizes),
        strides(view.strides),
        offset(view.offset - view.base->offset),
        base_strides(view.base->strides) {}

  Dimensions sizes;
  Dimensions strides;
  std::int64_t offset;  ///< in elements, from the first element of the base
  Dimensions base_strides;
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
  [[nodiscard]] bool wants(std::size_t input) const noexcept {
    const Edge& edge = inputs[input];
    return edge.wanted && (needed_receivers == nullptr || needed_receivers->contains(edge.key()));
  }
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
  std::array<SavedTensor, 4> saved_tensors;
  bool has_saved = false;
  bool released = false;
  Scalar number;   ///< elementwise operations: the operand that is a number, or alpha
  std::any state;  ///< what else the derivative needs, in a type of the operation's own; see state_of()
  std::unique_ptr<ViewGeometry> geometry;
  std::unique_ptr<CustomOperation> custom;           ///< CustomFunction: the function
  const char* own_name = nullptr;                    ///< CustomFunction, CustomOutput: the name of the function
  std::shared_ptr<RecordedOperation> written;        ///< CopySlices: the operation on the view
  std::shared_ptr<RecordedOperation> next_released;  ///< only for release(), which must not allocate
};

/// The name as PyTorch prints it; valid for as long as the program runs.
inline const char* name_of(const RecordedOperation& operation) noexcept {
  return operation.own_name != nullptr ? operation.own_name : name_of(operation.kind);
}

/// The state of a record, in the type that the operation gave it.
template <class State>
const State& state_of(const RecordedOperation& operation) {
  return std::any_cast<const State&>(operation.state);
}

/// Defines a derivative with one gradient, an expression of `operation` and the gradient `g` of its result.
#define D2L_DERIVATIVE(name, gradient)                                                             \
  void name([[maybe_unused]] const RecordedOperation& operation, [[maybe_unused]] const Tensor& g, \
            Gradients& results) {                                                                  \
    results[0] = gradient;                                                                         \
  }

/// Releases a record, and a chain of any length without recursion.
void release(std::shared_ptr<RecordedOperation> operation) noexcept;

}  // namespace d2l::detail
