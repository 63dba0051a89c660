// SPDX-License-Identifier: MIT
// autograd::Function: records a call, keeps its context, and checks the gradients that its backward() returns.
#include "d2l/custom_function.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "autograd/recording.h"
#include "core/construct.h"
#include "core/messages.h"
#include "d2l/error.h"
#include "d2l/factories.h"

namespace d2l {

namespace {

constexpr const char* type_names[] = {"None", "Bool", "Int", "Double", "String", "Tensor", "IntList"};

bool contains(const autograd::variable_list& list, const Tensor& tensor) {
  return std::ranges::any_of(list, [&](const Tensor& other) { return other.defined() && other.is_same(tensor); });
}

}  // namespace

template <class T>
const T& IValue::get(const char* operation, const char* type) const {
  const T* const value = std::get_if<T>(&value_);
  if (value == nullptr) {
    detail::fail<TypeError>(operation, fmt::format("Expected {} but got {}", type, type_names[value_.index()]), {},
                            "store the value under this name in forward(), and read it as the same type");
  }
  return *value;
}

IValue::IValue(std::string value) : value_(std::move(value)) {}
IValue::IValue(const char* value) : value_(std::string(value)) {}
IValue::IValue(Tensor value) : value_(std::move(value)) {}
IValue::IValue(std::vector<std::int64_t> value) : value_(std::move(value)) {}

bool IValue::isBool() const noexcept { return std::holds_alternative<bool>(value_); }
bool IValue::isInt() const noexcept { return std::holds_alternative<std::int64_t>(value_); }
bool IValue::isDouble() const noexcept { return std::holds_alternative<double>(value_); }
bool IValue::isString() const noexcept { return std::holds_alternative<std::string>(value_); }
bool IValue::isTensor() const noexcept { return std::holds_alternative<Tensor>(value_); }
bool IValue::isIntList() const noexcept { return std::holds_alternative<std::vector<std::int64_t>>(value_); }

bool IValue::toBool() const { return get<bool>("toBool", "Bool"); }
std::int64_t IValue::toInt() const { return get<std::int64_t>("toInt", "Int"); }
double IValue::toDouble() const { return get<double>("toDouble", "Double"); }
const std::string& IValue::toStringRef() const { return get<std::string>("toStringRef", "String"); }
const Tensor& IValue::toTensor() const { return get<Tensor>("toTensor", "Tensor"); }
const std::vector<std::int64_t>& IValue::toIntVector() const {
  return get<std::vector<std::int64_t>>("toIntVector", "IntList");
}

namespace autograd {

struct AutogradContext::State {
  const detail::RecordedOperation* operation = nullptr;  ///< null if the call is not recorded
  std::size_t inputs = 0;
  variable_list to_save;
  std::vector<detail::SavedTensor> saved;
  variable_list dirty;
  variable_list non_differentiable;
  bool materialize_grads = true;
  bool released = false;
};

AutogradContext::AutogradContext() : state_(std::make_unique<State>()) {}
AutogradContext::~AutogradContext() = default;

void AutogradContext::save_for_backward(variable_list to_save) { state_->to_save = std::move(to_save); }

variable_list AutogradContext::get_saved_variables() const {
  if (state_->released) detail::fail_released();
  variable_list tensors;
  tensors.reserve(state_->saved.size());
  for (const detail::SavedTensor& saved : state_->saved) {
    tensors.push_back(saved.tensor.defined() ? detail::checked(saved) : Tensor());
  }
  return tensors;
}

void AutogradContext::mark_dirty(const variable_list& inputs) { state_->dirty = inputs; }
void AutogradContext::mark_non_differentiable(const variable_list& outputs) { state_->non_differentiable = outputs; }
void AutogradContext::set_materialize_grads(bool value) { state_->materialize_grads = value; }

bool AutogradContext::needs_input_grad(std::size_t output_edge_index) const {
  if (output_edge_index >= state_->inputs) {
    detail::fail<IndexError>(
        "needs_input_grad",
        fmt::format("index {} is out of range for {} tensor arguments", output_edge_index, state_->inputs), {},
        "count only the arguments that are defined tensors");
  }
  return state_->operation != nullptr && state_->operation->wants(output_edge_index);
}

}  // namespace autograd

namespace detail {

namespace derivatives {

// The engine calls CustomOperation::differentiate() instead; writes through a view, which would need this, are refused.
void CustomFunction(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  operation.custom->differentiate({g}, results);
}
D2L_DERIVATIVE(CustomOutput, g)

}  // namespace derivatives

namespace {

/// True if a gradient of the shape `from` can be summed to the shape `to`.
bool can_be_summed(const Dimensions& from, const Dimensions& to) {
  const int missing = from.count - to.count;
  if (missing < 0) return false;
  for (int i = 0; i < to.count; ++i) {
    if (to[i] != 1 && to[i] != from[i + missing]) return false;
  }
  return true;
}

void check_gradient(const char* name, std::size_t index, const Tensor& grad, const Edge& edge) {
  const TensorImpl& impl = impl_of(grad, "backward");
  const auto invalid = [&](const std::string& what) {
    return fmt::format("Function {} returned an invalid gradient at index {} - {}", name, index, what);
  };
  if (!can_be_summed(impl.sizes, edge.sizes)) {
    fail<ShapeError>("backward",
                     invalid(fmt::format("got {} but expected shape compatible with {}", text(impl.sizes.ref()),
                                         text(edge.sizes.ref()))),
                     operands({{"gradient", &impl}}), "the gradient of an argument has the shape of the argument");
  }
  if (!(impl.device() == edge.device) && impl.sizes.count != 0) {
    fail<DeviceError>("backward",
                      invalid(fmt::format("expected device {} but got {}", edge.device.str(), impl.device().str())),
                      operands({{"gradient", &impl}}), "compute the gradient on the device of its argument");
  }
}

}  // namespace

/// A call: the context, the shapes of the results, and the function that differentiates.
struct FunctionCall::Applied final : CustomOperation {
  struct Result {
    bool defined = false;
    Dimensions sizes;
    ScalarType dtype = kFloat;
    Device device{kCPU};
  };

  void differentiate(std::vector<Tensor> grads, Gradients& results) override {
    grads.resize(outputs.size());
    for (std::size_t i = 0; i < grads.size(); ++i) {
      const Result& output = outputs[i];
      if (grads[i].defined() || !output.defined || !context.state_->materialize_grads) continue;
      grads[i] = zeros(output.sizes.ref(), TensorOptions(output.device).dtype(output.dtype));
    }
    std::vector<Tensor> returned = backward(&context, std::move(grads));
    check_count(returned);
    std::size_t edge = 0;
    for (std::size_t i = 0; i < is_tensor.size(); ++i) {
      if (!is_tensor[i]) continue;
      if (returned[i].defined() && operation->inputs[edge].wanted) {
        check_gradient(name, edge, returned[i], operation->inputs[edge]);
        results[edge] = std::move(returned[i]);
      }
      ++edge;
    }
  }

  /// Further gradients than arguments are allowed if they are undefined.
  void check_count(std::vector<Tensor>& returned) const {
    const std::size_t expected = is_tensor.size();
    while (returned.size() > expected && !returned.back().defined()) returned.pop_back();
    if (returned.size() != expected) {
      fail<ValueError>("backward",
                       fmt::format("function {} returned an incorrect number of gradients (expected {}, got {})", name,
                                   expected, returned.size()),
                       {},
                       "return one for each argument of forward() after ctx, Tensor() for those that are not tensors");
    }
    for (std::size_t i = 0; i < expected; ++i) {
      if (is_tensor[i] || !returned[i].defined()) continue;
      fail<ValueError>("backward",
                       fmt::format("function {} returned a gradient different that is defined at position {}, std the "
                                   "corresponding forward input was not a Variable",
                                   name, i + 1),
                       {}, "return Tensor() for it");
    }
  }

  void release_saved() noexcept override {
    context.state_->saved.clear();
    context.state_->released = true;
  }

  autograd::AutogradContext context;
  const char* name = nullptr;
  Backward backward = nullptr;
  std::vector<bool> is_tensor;
  std::vector<Result> outputs;
  const RecordedOperation* operation = nullptr;
};

std::string FunctionCall::name_of(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  std::string name = readable == nullptr ? type.name() : readable.get();
  const auto scope = name.rfind("::", name.find('<'));
  if (scope != std::string::npos) name.erase(0, scope + 2);
  return name + "Backward";
}

FunctionCall::FunctionCall(const char* name, Backward backward) noexcept : name_(name), backward_(backward) {}
FunctionCall::~FunctionCall() { release(std::move(operation_)); }

void FunctionCall::add_argument(const Tensor& argument) {
  is_tensor_.push_back(argument.defined());
  if (argument.defined()) inputs_.push_back(argument);
}

void FunctionCall::add_argument(const std::optional<Tensor>& argument) { add_argument(argument.value_or(Tensor())); }

autograd::AutogradContext* FunctionCall::begin() {
  unrecorded_ = std::make_unique<Applied>();
  applied_ = unrecorded_.get();
  applied_->context.state_->inputs = inputs_.size();
  const bool recorded =
      grad_mode && std::ranges::any_of(inputs_, [](const Tensor& input) { return wants_gradient(*input.impl()); });
  if (recorded) {
    std::vector<Edge> edges;
    edges.reserve(inputs_.size());
    for (const Tensor& input : inputs_) edges.push_back(edge_of(input));
    operation_ = std::make_shared<RecordedOperation>(Recorded::CustomFunction);
    operation_->inputs = std::move(edges);
    operation_->own_name = name_;
    applied_->name = name_;
    applied_->backward = backward_;
    applied_->is_tensor = is_tensor_;
    applied_->operation = operation_.get();
    applied_->context.state_->operation = operation_.get();
    operation_->custom = std::move(unrecorded_);
  }
  return &applied_->context;
}

bool FunctionCall::is_input(const Tensor& output) const { return contains(inputs_, output); }

void FunctionCall::finish(autograd::variable_list& outputs) {
  autograd::AutogradContext::State& state = *applied_->context.state_;
  for (const Tensor& written : state.dirty) {
    if (!written.defined()) continue;
    if (!contains(outputs, written)) {
      fail<ValueError>(
          "apply",
          "Some elements marked as dirty during the forward method were not returned as output. The inputs "
          "that are modified inplace must all be outputs of the Function.",
          operands({{"it", written.impl().get()}}), "return the tensor that forward() has written");
    }
    count_write(written);
  }
  const autograd::variable_list returned = outputs;
  for (const Tensor& output : returned) {
    Applied::Result& result = applied_->outputs.emplace_back();
    if (!output.defined()) continue;
    const TensorImpl& impl = *output.impl();
    result = {true, impl.sizes, impl.dtype, impl.device()};
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].defined()) outputs[i] = with_history(outputs[i], i, outputs.size() == 1);
  }
  if (operation_ != nullptr) save_tensors(returned);
  state.to_save.clear();
  state.dirty.clear();
  state.non_differentiable.clear();
}

Tensor FunctionCall::with_history(const Tensor& output, std::size_t index, bool is_only_one) {
  const autograd::AutogradContext::State& state = *applied_->context.state_;
  const TensorImpl& impl = *output.impl();
  const bool dirty = contains(state.dirty, output) && is_input(output);
  const bool differentiable =
      operation_ != nullptr && isFloatingType(impl.dtype) && !contains(state.non_differentiable, output);
  if (!differentiable) return is_input(output) || wants_gradient(impl) ? alias_of(impl) : output;
  Record history = operation_;
  if (!is_only_one) {
    history = std::make_shared<RecordedOperation>(Recorded::CustomOutput);
    Edge edge(operation_, impl);
    edge.output = index;
    history->inputs.push_back(std::move(edge));
    history->own_name = name_;
  }
  if (dirty) {
    constexpr const char* fix = "return a new tensor in place of it";
    if (impl.requires_grad && impl.grad_fn == nullptr) {
      fail<ValueError>("apply", "a leaf Variable that requires grad has been used in an in-place operation.",
                       operands({{"it", &impl}}), fix);
    }
    if (impl.base != nullptr) {
      fail<ValueError>("apply", "a view cannot be marked as dirty", operands({{"it", &impl}}), fix);
    }
    attach_in_place(output, std::move(history));
    return output;
  }
  Tensor result = is_input(output) || wants_gradient(impl) ? alias_of(impl) : output;
  attach(result, std::move(history));
  return result;
}

void FunctionCall::save_tensors(const autograd::variable_list& outputs) {
  auto& state = *applied_->context.state_;
  for (const Tensor& tensor : state.to_save) {
    if (!tensor.defined()) {
      state.saved.emplace_back();
      continue;
    }
    SavedTensor& saved = state.saved.emplace_back(saved_tensor(tensor));
    if (!contains(outputs, tensor)) continue;
    saved.is_result = !is_input(tensor) || contains(state.dirty, tensor);
    if (saved.is_result) saved.made_by = name_;
  }
}

}  // namespace detail
}  // namespace d2l
