// SPDX-License-Identifier: MIT
// The engine of backward() and grad(): it visits the records from the latest to the earliest.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_set>
#include <utility>

#include "autocast/casts.h"
#include "autograd/gradient_hooks.h"
#include "autograd/recording.h"
#include "core/construct.h"
#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/ops.h"

namespace d2l {

namespace detail {

namespace {

/// Sums a gradient over the dimensions along which the input was broadcast.
Tensor sum_to(const Tensor& grad, const Dimensions& sizes) {
  const auto& own = grad.impl()->sizes;
  if (same(own, sizes)) return grad;
  const int missing = own.count - sizes.count;
  Dimensions summed;
  for (int i = 0; i < own.count; ++i) {
    if (i < missing || (sizes[i - missing] == 1 && own[i] != 1)) summed[summed.count++] = i;
  }
  const Tensor result = summed.count == 0 ? grad : grad.sum(summed.ref(), true);
  return missing == 0 ? result : result.reshape(sizes.ref());
}

/// A gradient with the shape, dtype and device of its receiver.
Tensor fitted(const Tensor& grad, const Edge& edge) {
  Tensor result = sum_to(grad, edge.sizes);
  const TensorImpl& impl = *result.impl();
  if (impl.dtype != edge.dtype || !(impl.device() == edge.device)) {
    result = result.to(edge.device, edge.dtype);
  }
  return result;
}

bool is_only_handle(const Tensor& tensor) {
  return tensor.impl().use_count() == 1 && tensor.impl()->storage.use_count() == 1;
}

/// to = to + grad, in place if no other handle to the elements exists.
void add(Tensor& to, Tensor grad) {
  if (!to.defined()) {
    to = std::move(grad);
  } else if (is_only_handle(to) && to.impl()->contiguous) {
    to.add_(grad);
  } else {
    to = to + grad;
  }
}

/// Adds to a leaf's grad(), which never shares its elements with another tensor.
void accumulate(TensorImpl& leaf, Tensor grad) {
  if (leaf.grad.defined()) {
    leaf.grad.add_(grad);
  } else if (is_only_handle(grad) && grad.impl()->contiguous) {
    leaf.grad = std::move(grad);
  } else {
    leaf.grad = grad.clone();
  }
}

/// The walks of this thread, each inside the one before, and what happens after the outermost.
thread_local int walks = 0;
thread_local std::vector<std::function<void()>> after_backward;

/// Collects the gradients of chosen tensors; the leaves get none then.
class Captures {
 public:
  explicit Captures(const std::vector<Tensor>& inputs) : grads(inputs.size()) {
    for (const Tensor& input : inputs) {
      const Edge edge = edge_of(input);
      if (!edge.wanted) {
        fail<ValueError>("grad", "One of the differentiated Tensors does not require grad",
                         operands({{"it", input.impl().get()}}), "call requires_grad_() on it before it is used");
      }
      keys_.push_back(edge.key());
      needed.insert(edge.key());
    }
  }
  void note(const void* key, const Tensor& grad) {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == key) add(grads[i], grad);
    }
  }
  /// Notes which operations lead from `start` to the chosen tensors: only they are differentiated.
  void search(const RecordedOperation* start) {
    std::map<std::uint64_t, const RecordedOperation*> found;  // by sequence: inputs come first
    std::vector<const RecordedOperation*> next{start};
    while (!next.empty()) {
      const RecordedOperation* const operation = next.back();
      next.pop_back();
      if (operation == nullptr || !found.emplace(operation->sequence, operation).second) continue;
      for (const Edge& edge : operation->inputs) next.push_back(edge.operation.get());
    }
    for (const auto& [sequence, operation] : found) {
      if (!leads_to_chosen(*operation)) continue;
      needed.insert(operation);
      // A write into a view: the gradient of the view's former elements is a part of that of the base.
      const Edge* const former = operation->written == nullptr ? nullptr : &operation->written->inputs[0];
      if (former != nullptr && former->key() != nullptr) needed.insert(former->key());
    }
  }
  [[nodiscard]] bool leads_to_chosen(const RecordedOperation& operation) const {
    return std::ranges::any_of(operation.inputs, [&](const Edge& edge) { return needed.contains(edge.key()); });
  }
  std::vector<Tensor> grads;
  Receivers needed;  ///< the keys of the chosen tensors and of the operations that lead to them

 private:
  std::vector<const void*> keys_;
};

struct Pending {
  /// The gradient of a result.
  Tensor& grad_of(std::size_t output) {
    if (output == 0) return grad;
    if (further.size() < output) further.resize(output);
    return further[output - 1];
  }

  Record operation;
  Tensor grad;
  std::vector<Tensor> further;  ///< of an operation with several results: the gradients of all but the first
};

/// The leaves with hooks that a walk can reach, and how many gradients each may still get.
class HookedLeaves {
 public:
  void search(const RecordedOperation* start) {
    std::vector<const RecordedOperation*> next{start};
    while (!next.empty()) {
      const RecordedOperation* const operation = next.back();
      next.pop_back();
      if (operation == nullptr || !found_.insert(operation).second) continue;
      for (const Edge& edge : operation->inputs) {
        next.push_back(edge.operation.get());
        if (edge.operation == nullptr) expect(edge);
      }
    }
  }
  void expect(const Edge& edge) {
    const auto leaf = edge.leaf.lock();
    if (leaf != nullptr && !leaf->gradient_hooks.empty()) ++leaves_[leaf].expected;
  }
  /// One of the gradients has arrived, or will not come.
  void settle(const Edge& edge, bool arrived) {
    if (leaves_.empty()) return;
    const auto leaf = leaves_.find(edge.leaf.lock());
    if (leaf == leaves_.end()) return;
    leaf->second.arrived = leaf->second.arrived || arrived;
    if (--leaf->second.expected == 0) call(leaf);
  }
  /// No more gradients come.
  void finish() {
    while (!leaves_.empty()) call(leaves_.begin());
  }

 private:
  struct Leaf {
    int expected = 0;
    bool arrived = false;
  };
  using Leaves = std::map<std::shared_ptr<TensorImpl>, Leaf>;
  void call(Leaves::iterator place) {
    const auto leaf = place->first;
    const bool arrived = place->second.arrived;
    leaves_.erase(place);
    if (!arrived) return;
    const auto hooks = leaf->gradient_hooks;  // a hook may remove itself
    for (const auto& hook : hooks) (*hook)(*leaf);
  }

  std::unordered_set<const RecordedOperation*> found_;
  Leaves leaves_;
};

class Walk : NonCopyable {
 public:
  Walk(bool keeps_graph, Captures* captures)
      : keeps_graph_(keeps_graph),
        captures_(captures),
        outer_(std::exchange(needed_receivers, captures == nullptr ? nullptr : &captures->needed)) {
    ++walks;
  }
  ~Walk() {
    needed_receivers = outer_;
    if (--walks == 0) after_backward.clear();
  }

  void receive(const Edge& edge, Tensor grad) {
    if (edge.operation != nullptr) {
      Pending& pending = pending_[edge.operation->sequence];
      if (pending.operation == nullptr) pending.operation = edge.operation;
      add(pending.grad_of(edge.output), std::move(grad));
      return;
    }
    const auto leaf = edge.leaf.lock();
    if (leaf == nullptr) return;
    if (captures_ != nullptr) {
      captures_->note(leaf.get(), grad);
    } else {
      accumulate(*leaf, std::move(grad));
      hooked_.settle(edge, true);
    }
  }
  /// Notes the hooks of the leaves that an edge leads to.
  void look_for_hooks(const Edge& edge) {
    if (captures_ != nullptr || gradient_hook_count.load(std::memory_order_relaxed) == 0) return;
    edge.operation == nullptr ? hooked_.expect(edge) : hooked_.search(edge.operation.get());
  }

  void run() {
    while (!pending_.empty()) {
      auto latest = std::prev(pending_.end());
      Pending next = std::move(latest->second);
      pending_.erase(latest);
      if (captures_ != nullptr) captures_->note(next.operation.get(), next.grad);
      if (captures_ == nullptr || captures_->leads_to_chosen(*next.operation)) {
        differentiate(*next.operation, next);
      }
      release(std::move(next.operation));
    }
    hooked_.finish();
    if (walks > 1) return;
    for (const auto& act : std::exchange(after_backward, {})) act();
  }

 private:
  void differentiate(RecordedOperation& operation, Pending& pending) {
    operation.check_not_released();
    results_.assign(operation.inputs.size(), Tensor());
    if (operation.custom != nullptr) {
      std::vector<Tensor> grads = std::move(pending.further);
      grads.insert(grads.begin(), std::exchange(pending.grad, Tensor()));
      operation.custom->differentiate(std::move(grads), results_);
    } else {
      derivative_table[static_cast<std::size_t>(operation.kind)].apply(operation, pending.grad, results_);
      pending.grad = Tensor();
    }
    if (!keeps_graph_) operation.release_saved();
    for (std::size_t i = 0; i < operation.inputs.size(); ++i) {
      const Edge& edge = operation.inputs[i];
      if (!operation.wants(i) || !results_[i].defined()) {
        if (edge.operation == nullptr) hooked_.settle(edge, false);
        continue;
      }
      Tensor fit = fitted(results_[i], edge);
      results_[i] = Tensor();
      receive(edge, std::move(fit));
    }
  }

  AutocastOff autocast_off_;  // gradients have the dtypes of the forward pass
  bool keeps_graph_;
  Captures* captures_;
  HookedLeaves hooked_;
  const Receivers* outer_;                    ///< those of a walk that this one is a part of
  std::map<std::uint64_t, Pending> pending_;  // by sequence: the latest operation is visited first
  Gradients results_;
};

[[noreturn]] void fail_gradient_shape(std::size_t index, const TensorImpl& root, const TensorImpl& grad) {
  fail<ShapeError>("backward",
                   fmt::format("Mismatch in shape: grad_output[{}] has a shape of torch.Size({}) and output[{}] has a "
                               "shape of torch.Size({}).",
                               index, text(grad.sizes.ref()), index, text(root.sizes.ref())),
                   operands({{"output", &root}, {"gradient", &grad}}), "give one gradient for each element");
}

Tensor root_gradient(std::size_t index, const Tensor& root, const Tensor& given) {
  const TensorImpl& impl = *root.impl();
  if (!given.defined()) {
    if (impl.numel == 1) return ones_like(root);
    fail<ValueError>("backward", "grad can be implicitly created only for scalar outputs",
                     operands({{"output", &impl}}), "sum() it first, or give a gradient of its shape");
  }
  const TensorImpl& grad = *given.impl();
  if (!same(impl.sizes, grad.sizes)) fail_gradient_shape(index, impl, grad);
  if (!(impl.device() == grad.device())) {
    fail<DeviceError>(
        "backward",
        fmt::format("Function {} returned an invalid gradient at index {} - expected device {} but got {}",
                    impl.grad_fn != nullptr ? impl.grad_fn->name() : "AccumulateGrad", index, impl.device().str(),
                    grad.device().str()),
        operands({{"output", &impl}, {"gradient", &grad}}), "move the gradient to the output's device");
  }
  if (!isFloatingType(grad.dtype)) {
    fail<TypeError>("backward", fmt::format("a gradient is floating point, but got {}", toString(grad.dtype)),
                    operands({{"output", &impl}, {"gradient", &grad}}), "convert it with to(dtype)");
  }
  return given;
}

void walk_back(const std::vector<Tensor>& roots, const std::vector<Tensor>& gradients, bool keeps_graph,
               Captures* captures) {
  if (!gradients.empty() && gradients.size() != roots.size()) {
    fail<ValueError>("backward", fmt::format("got {} tensors and {} gradients", roots.size(), gradients.size()), {},
                     "give one gradient for each tensor, or none at all");
  }
  const NoGradGuard unrecorded;
  Walk walk(keeps_graph, captures);
  std::vector<std::pair<Edge, Tensor>> starts;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const TensorImpl& impl = impl_of(roots[i], "backward");
    Edge edge = edge_of(roots[i]);
    if (!edge.wanted) {
      fail<ValueError>(
          "backward", fmt::format("element {} of tensors does not require grad and does not have a grad_fn", i),
          operands({{"it", &impl}}), "call requires_grad_() on a leaf before computing, outside any NoGradGuard");
    }
    starts.emplace_back(std::move(edge), root_gradient(i, roots[i], gradients.empty() ? Tensor() : gradients[i]));
  }
  for (const auto& [edge, grad] : starts) walk.look_for_hooks(edge);
  for (auto& [edge, grad] : starts) {
    if (captures != nullptr) captures->search(edge.operation.get());
    walk.receive(edge, fitted(grad, edge));
  }
  starts.clear();
  walk.run();
}

}  // namespace

bool is_going_backward() noexcept { return walks > 0; }
void call_after_backward(std::function<void()> act) { after_backward.push_back(std::move(act)); }

}  // namespace detail

namespace autograd {

void backward(const std::vector<Tensor>& tensors, const std::vector<Tensor>& grad_tensors,
              std::optional<bool> retain_graph) {
  detail::walk_back(tensors, grad_tensors, retain_graph.value_or(false), nullptr);
}

std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const std::vector<Tensor>& grad_outputs, std::optional<bool> retain_graph, bool allow_unused) {
  for (const Tensor& input : inputs) detail::impl_of(input, "grad");
  detail::Captures captures(inputs);
  detail::walk_back(outputs, grad_outputs, retain_graph.value_or(false), &captures);
  for (const Tensor& gradient : captures.grads) {
    if (gradient.defined() || allow_unused) continue;
    detail::fail<ValueError>("grad",
                             "One of the differentiated Tensors appears to not have been used in the graph. Set "
                             "allow_unused=True if this is the desired behavior.",
                             {}, "leave the unused input out, or allow it");
  }
  return std::move(captures.grads);
}

}  // namespace autograd

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph) const {
  detail::walk_back({*this}, {gradient}, retain_graph.value_or(false), nullptr);
}

}  // namespace d2l
