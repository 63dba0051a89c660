// SPDX-License-Identifier: MIT
/// @file
/// Autograd: operations on tensors that require gradients are recorded, and backward() walks back through the record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// Whether this thread records operations.
class GradMode {
 public:
  /// Whether this thread records operations; it does unless told otherwise.
  [[nodiscard]] static bool is_enabled() noexcept;
  /// Lets this thread record operations from now on, or not; a guard is safer.
  static void set_enabled(bool enabled) noexcept;
};

/// While it lives this thread records operations, or does not; then it is as before.
class AutoGradMode {
 public:
  /// Records from here on, or does not.
  explicit AutoGradMode(bool enabled) : before_(GradMode::is_enabled()) { GradMode::set_enabled(enabled); }
  /// As it was before.
  ~AutoGradMode() { GradMode::set_enabled(before_); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool before_;
};

/// While it lives this thread records nothing: results need no memory for gradients.
class NoGradGuard : public AutoGradMode {
 public:
  /// Records nothing from here on.
  NoGradGuard() : AutoGradMode(false) {}
};

/// Gradients of several tensors at once, by the names of LibTorch.
namespace autograd {

/// A recorded operation.
class Node {
 public:
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  /// Its name as PyTorch prints it, "AddmmBackward0".
  [[nodiscard]] virtual std::string name() const = 0;

 protected:
  Node() = default;
};

/// Tensor::backward() of several tensors at once; a gradient each, undefined for tensors with one element; its errors,
/// and ValueError for another number of gradients.
void backward(const std::vector<Tensor>& tensors, const std::vector<Tensor>& grad_tensors = {},
              std::optional<bool> retain_graph = std::nullopt);
/// The gradients of the outputs with respect to the inputs, whose grad() is left alone; undefined for an input that was
/// not used, which is a ValueError unless allowed.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const std::vector<Tensor>& grad_outputs = {}, std::optional<bool> retain_graph = std::nullopt,
                         bool allow_unused = false);

}  // namespace autograd

}  // namespace d2l
