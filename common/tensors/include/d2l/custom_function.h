// SPDX-License-Identifier: MIT
/// @file
/// autograd::Function: an operation of your own with a gradient, with LibTorch's names and meaning.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include "d2l/autograd.h"
#include "d2l/tensor.h"

namespace d2l {

namespace detail {
class FunctionCall;
struct RecordedOperation;
}  // namespace detail

/// A value of one of a few types, for AutogradContext::saved_data.
class IValue {
 public:
  /// No value.
  IValue() = default;
  ///@{
  /// A value of the type of the argument.
  template <class T>
  requires std::is_arithmetic_v<T> IValue(T value) {
    if constexpr (std::same_as<T, bool>) {
      value_ = value;
    } else if constexpr (std::integral<T>) {
      value_ = static_cast<std::int64_t>(value);
    } else {
      value_ = static_cast<double>(value);
    }
  }
  IValue(std::string value);
  IValue(const char* value);
  IValue(Tensor value);
  IValue(std::vector<std::int64_t> value);
  ///@}

  ///@{
  /// Whether the value is of this type.
  [[nodiscard]] bool isNone() const noexcept { return value_.index() == 0; }
  [[nodiscard]] bool isBool() const noexcept;
  [[nodiscard]] bool isInt() const noexcept;
  [[nodiscard]] bool isDouble() const noexcept;
  [[nodiscard]] bool isString() const noexcept;
  [[nodiscard]] bool isTensor() const noexcept;
  [[nodiscard]] bool isIntList() const noexcept;
  ///@}
  ///@{
  /// The value; TypeError if it is of another type.
  [[nodiscard]] bool toBool() const;
  [[nodiscard]] std::int64_t toInt() const;
  [[nodiscard]] double toDouble() const;
  [[nodiscard]] const std::string& toStringRef() const;
  [[nodiscard]] const Tensor& toTensor() const;
  [[nodiscard]] const std::vector<std::int64_t>& toIntVector() const;
  ///@}

 private:
  template <class T>
  [[nodiscard]] const T& get(const char* operation, const char* type) const;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Tensor, std::vector<std::int64_t>> value_;
};

namespace autograd {

/// A tensor that may have a gradient.
using Variable = Tensor;
/// Tensors that may have gradients.
using variable_list = std::vector<Variable>;
/// Tensors, each of which may be undefined.
using tensor_list = std::vector<Tensor>;

/// What forward() of a Function keeps for its backward().
class AutogradContext {
 public:
  /// Releases what was saved.
  ~AutogradContext();
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;

  /// Saves inputs and results of forward(), once forward() has returned; a second call replaces the tensors of the
  /// first. Keep other tensors in saved_data.
  void save_for_backward(variable_list to_save);
  /// The saved tensors, without history. ValueError if one was written in place since, or if backward() has released
  /// them.
  [[nodiscard]] variable_list get_saved_variables() const;
  /// Values of any other kind, by name; backward() does not release them.
  std::map<std::string, IValue> saved_data;  // NOLINT(misc-non-private-member-variables-in-classes): as in LibTorch

  /// Names inputs that forward() has written in place. apply() throws ValueError unless forward() returns them, for a
  /// leaf that requires gradients, and for a view.
  void mark_dirty(const variable_list& inputs);
  /// Names results without a gradient. Results that are not floating point have none anyway.
  void mark_non_differentiable(const variable_list& outputs);
  /// Whether backward() gets zeros for an undefined gradient of a result; true by default.
  void set_materialize_grads(bool value);
  /// Whether the gradient of a tensor argument is needed, counted from 0 among the arguments of forward() that are
  /// tensors. IndexError if there are fewer.
  [[nodiscard]] bool needs_input_grad(std::size_t output_edge_index) const;

 private:
  struct State;
  AutogradContext();
  std::unique_ptr<State> state_;
  friend class detail::FunctionCall;
};

}  // namespace autograd

namespace detail {

template <class T>
inline constexpr bool is_tensor_argument =
    std::is_base_of_v<Tensor, std::remove_cvref_t<T>> || std::same_as<std::remove_cvref_t<T>, std::optional<Tensor>>;

/// The part of Function::apply() that is the same for all functions.
class FunctionCall {
 public:
  using Backward = autograd::variable_list (*)(autograd::AutogradContext*, autograd::variable_list);
  /// "SoftmaxBackward" for a class Softmax of any namespace.
  static std::string name_of(const std::type_info& type);

  FunctionCall(const char* name, Backward backward) noexcept;
  FunctionCall(const FunctionCall&) = delete;
  FunctionCall& operator=(const FunctionCall&) = delete;
  ~FunctionCall();

  void add_argument(const Tensor& argument);
  void add_argument(const std::optional<Tensor>& argument);
  void add_other_argument() { is_tensor_.push_back(false); }
  /// Begins the record, if one is needed, and returns the context of forward() and backward().
  autograd::AutogradContext* begin();
  /// Makes the call the history of what forward() returned.
  void finish(autograd::variable_list& outputs);

 private:
  struct Applied;
  Tensor with_history(const Tensor& output, std::size_t index, bool is_only_one);
  [[nodiscard]] bool is_input(const Tensor& output) const;
  void save_tensors(const autograd::variable_list& outputs);

  const char* name_;
  Backward backward_;
  autograd::variable_list inputs_;
  std::vector<bool> is_tensor_;
  std::unique_ptr<Applied> unrecorded_;
  std::shared_ptr<RecordedOperation> operation_;
  Applied* applied_ = nullptr;
};

}  // namespace detail

namespace autograd {

/// An operation with a gradient of its own. Derive `struct Square : Function<Square>` with two static functions, and
/// call `Square::apply(x)`:
///
/// - `Tensor forward(AutogradContext* ctx, …)` computes the result, or a tensor_list of results, from any
///   arguments. Its operations are not recorded.
/// - `variable_list backward(AutogradContext* ctx, variable_list grad_outputs)` gets a gradient for each result, and
///   returns one for each argument after `ctx`: undefined, which counts as zero, where the argument is not a tensor or
///   needs none. What it computes is not recorded, so there are no second derivatives.
///
/// Only arguments of type Tensor or std::optional<Tensor> get gradients, not those in a std::vector<Tensor>.
template <class Derived>
struct Function {
  /// Calls forward() with a new context, and records the call if an argument requires gradients. backward() of the
  /// library throws ValueError for another number of gradients, ShapeError for a gradient that cannot be summed to the
  /// shape of its argument, and DeviceError for one on another device.
  template <class X = Derived, class... Args>
  static auto apply(Args&&... args) {
    static const std::string name = detail::FunctionCall::name_of(typeid(X));
    detail::FunctionCall call(name.c_str(), [](AutogradContext* context, variable_list grad_outputs) -> variable_list {
      return X::backward(context, std::move(grad_outputs));
    });
    (add_argument(call, args), ...);
    AutogradContext* const context = call.begin();
    auto result = [&] {
      const NoGradGuard unrecorded;
      return X::forward(context, std::forward<Args>(args)...);
    }();
    if constexpr (std::same_as<decltype(result), Tensor>) {
      variable_list outputs{std::move(result)};
      call.finish(outputs);
      return std::move(outputs[0]);
    } else {
      static_assert(std::same_as<decltype(result), tensor_list>, "forward() returns a Tensor or a tensor_list");
      call.finish(result);
      return result;
    }
  }

 private:
  template <class Arg>
  static void add_argument(detail::FunctionCall& call, const Arg& argument) {
    if constexpr (detail::is_tensor_argument<Arg>) {
      call.add_argument(argument);
    } else {
      call.add_other_argument();
    }
  }
};

}  // namespace autograd

}  // namespace d2l
