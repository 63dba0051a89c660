// SPDX-License-Identifier: MIT
/// @file
/// Autograd: operations on tensors that require gradients are recorded, and backward() differentiates the record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// Whether this thread records operations.
class GradMode {
 public:
  /// Whether this thread records operations; true by default.
  [[nodiscard]] static bool is_enabled() noexcept;
  /// Sets whether this thread records operations; prefer a guard.
  static void set_enabled(bool enabled) noexcept;
};

/// Sets whether this thread records operations, in a scope.
class AutoGradMode {
 public:
  /// Starts or stops recording.
  explicit AutoGradMode(bool enabled) : before_(GradMode::is_enabled()) { GradMode::set_enabled(enabled); }
  /// Restores the mode.
  ~AutoGradMode() { GradMode::set_enabled(before_); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool before_;
};

/// Stops recording on this thread, in a scope: results need no memory for gradients.
class NoGradGuard : public AutoGradMode {
 public:
  /// Stops recording.
  NoGradGuard() : AutoGradMode(false) {}
};

/// Gradients of several tensors at once, with LibTorch's names.
namespace autograd {

/// A recorded operation.
class Node {
 public:
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  /// The name that PyTorch prints, such as "AddmmBackward0".
  [[nodiscard]] virtual std::string name() const = 0;

 protected:
  Node() = default;
};

/// Tensor::backward() of several tensors at once, with one gradient each, which may be undefined for a tensor with one
/// element. Errors as Tensor::backward(), and ValueError for another number of gradients.
void backward(const std::vector<Tensor>& tensors, const std::vector<Tensor>& grad_tensors = {},
              std::optional<bool> retain_graph = std::nullopt);
/// The gradients of the outputs with respect to the inputs; no grad() changes. An unused input is a ValueError, or with
/// `allow_unused` its gradient is undefined.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const std::vector<Tensor>& grad_outputs = {}, std::optional<bool> retain_graph = std::nullopt,
                         bool allow_unused = false);

}  // namespace autograd

}  // namespace d2l
