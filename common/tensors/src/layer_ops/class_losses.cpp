// SPDX-License-Identifier: MIT
// Losses whose target holds classes or their probabilities: nll_loss and cross_entropy_loss.
#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "d2l/layer_ops.h"
#include "layer_ops/losses.h"
#include "ops/arithmetic_rules.h"
#include "ops/gather_scatter.h"
#include "ops/operands.h"

namespace d2l {

using detail::CastRule;
using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::TensorImpl;

namespace {

/// The dimension of the classes: the first of (C), the second of (N, C, …).
int class_dimension(const TensorImpl& input) { return input.sizes.count == 1 ? 0 : 1; }

/// PyTorch's sentence for an input and a target that do not fit, which depends on their dimensions; empty if they fit.
std::string target_problem(const TensorImpl& input, const TensorImpl& target) {
  const auto& own = input.sizes;
  const auto& given = target.sizes;
  const auto mismatch = [&](const char* between) {
    return fmt::format("size mismatch (got input: {}{}target: {}", detail::text(own.ref()), between,
                       detail::text(given.ref()));
  };
  if (own.count > 1 && (given.count == 0 || own[0] != given[0])) {
    return fmt::format("Expected input batch_size ({}) to match target batch_size ({}).", own[0],
                       given.count == 0 ? 0 : given[0]);
  }
  if (own.count <= 2) {
    if (given.count > 1) return "0D or 1D target tensor expected, multi-target not supported";
    return own.count == 1 && given.count == 1 ? mismatch(", ") + ")" : "";
  }
  if (own.count == 4 && given.count != 3) {
    return fmt::format("only batches of spatial targets supported (3D tensors) but got targets of dimension: {}",
                       given.count);
  }
  Dimensions wanted;
  for (int i = 0; i < own.count; ++i) {
    if (i != 1) wanted[wanted.count++] = own[i];
  }
  if (detail::same(wanted, given)) return "";
  if (own.count == 4) return mismatch(" , ");
  return fmt::format("Expected target size {}, got {}", detail::text(wanted.ref()), detail::text(given.ref()));
}

/// The problem of a target of classes, in PyTorch's words; `operation` is the caller's.
void check_classes(const char* operation, const TensorImpl& input, const TensorImpl& target) {
  const auto both = detail::operands({{"input", &input}, {"target", &target}});
  constexpr const char* shape_advice = "the target has the input's shape without its classes";
  if (input.sizes.count == 0) {
    fail<ShapeError>(operation, "Expected 1 or more dimensions (got 0)", both,
                     "the input needs a dimension of classes: (C) or (N, C)");
  }
  const auto problem = target_problem(input, target);
  if (!problem.empty()) fail<ShapeError>(operation, problem, both, shape_advice);
  if (target.dtype != kLong) {
    fail<TypeError>(operation, fmt::format("expected scalar type Long but found {}", toString(target.dtype)), both,
                    "the target holds one class index for each element: convert it with to(kLong)");
  }
}

/// `who` is the beginning of PyTorch's sentence.
void check_class_weight(const char* operation, const char* who, const TensorImpl& input, const Tensor& weight) {
  if (!weight.defined()) return;
  const TensorImpl& given = impl_of(weight, operation);
  const auto classes = input.sizes[class_dimension(input)];
  const auto both = detail::operands({{"input", &input}, {"weight", &given}});
  if (given.sizes.count != 1 || given.sizes[0] != classes) {
    fail<ShapeError>(operation,
                     fmt::format("{}weight tensor should be defined either for all {} classes or no classes but got "
                                 "weight tensor of shape: {}",
                                 who, classes, detail::text(given.sizes.ref())),
                     both, "give one weight for each class");
  }
  if (given.dtype != input.dtype) {
    fail<TypeError>(operation,
                    fmt::format("expected scalar type {} but found {}", toString(input.dtype), toString(given.dtype)),
                    both, "convert the weight to the input's dtype");
  }
}

/// The weight of each target, and 0 for those that are ignored. The targets are in range.
Tensor weights_of(const Tensor& target, const Tensor& weight, std::int64_t ignored) {
  const Tensor is_ignored = target.eq(ignored);
  const Tensor classes = target.masked_fill(is_ignored, 0).reshape({-1});
  return weight.index_select(0, classes).reshape(target.sizes()).masked_fill_(is_ignored, 0);
}

struct NllState {
  std::int64_t reduction;
  std::int64_t ignored;
  int dim;  ///< of the classes
};

/// −weight × x at the class of each target: the mean over those that are not ignored, the sum, or each. The arguments
/// are checked.
Tensor loss_of_classes(const Tensor& x, const Tensor& target, const Tensor& weight, std::int64_t reduction,
                       std::int64_t ignored) {
  const int classes = class_dimension(*x.impl());
  Tensor result;
  Tensor count;
  Tensor weights;
  Tensor gathered = detail::gather(x, target, classes, ignored);  // without a record
  if (weight.defined() && gathered.numel() > 0) {
    weights = detail::unrecorded([&] { return weights_of(target, weight, ignored); });
    gathered.mul_(weights);
  }
  // PyTorch subtracts from 0, and negates each of a batch: so −0 is returned for certainty only there.
  if (reduction == Reduction::None) {
    result = x.dim() == 1 ? 0 - gathered : -gathered;
  } else {
    result = 0 - gathered.sum();
  }
  if (reduction == Reduction::Mean) {
    count = weights.defined() ? weights.sum() : target.ne(ignored).sum().to(x.dtype());
    result = result / count;
  }
  if (!detail::is_recorded(x)) return result;
  using detail::Recorded;
  auto record = detail::record(x.dim() > 2 ? Recorded::NllLoss2DBackward0 : Recorded::NllLossBackward0, {&x});
  detail::save(*record, 0, target);
  if (count.defined()) detail::save(*record, 1, count);
  if (weights.defined()) detail::save(*record, 2, weights);
  record->state = NllState{reduction, ignored, classes};
  detail::attach(result, std::move(record));
  return result;
}

/// The checks of a target of classes and a weight, and the loss of x, which is the input or computed of it.
Tensor nll(const char* operation, const Tensor& x, const Tensor& target, const Tensor& weight, std::int64_t reduction,
           std::int64_t ignored) {
  const TensorImpl& impl = *x.impl();
  check_class_weight(operation, "", impl, weight);
  detail::check_not_differentiable(weight, x.dim() > 2 ? "nll_loss2d_forward" : "nll_loss_forward", "weight");
  const TensorImpl& classes = *target.impl();
  const TensorImpl& weights = weight.defined() ? *weight.impl() : classes;
  detail::same_device(operation, {&impl, &classes, &weights}, {"input", "target", "weight"});
  return loss_of_classes(x, target, weight, reduction, ignored);
}

/// `weight` in a shape that broadcasts to the input's.
Tensor along_classes(const Tensor& weight, const TensorImpl& input) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(input.sizes.count), 1);
  sizes[static_cast<std::size_t>(class_dimension(input))] = -1;
  return weight.view(sizes);
}

void check_smoothing(double label_smoothing) {
  if (!(label_smoothing > 1)) return;
  fail<ValueError>("cross_entropy",
                   fmt::format("label_smoothing must be between 0.0 and 1.0. Got: {}", label_smoothing), {},
                   "it is the part of each probability that all classes share");
}

/// The cross entropy with the probabilities of all classes.
Tensor loss_of_probabilities(const Tensor& input, const Tensor& given, const Tensor& weight, std::int64_t reduction,
                             double label_smoothing) {
  const TensorImpl& impl = *input.impl();
  check_class_weight("cross_entropy", "cross_entropy: ", impl, weight);
  const int dim = class_dimension(impl);
  const auto classes = static_cast<double>(impl.sizes[dim]);
  const Tensor logarithms = input.log_softmax(dim);
  check_smoothing(label_smoothing);
  const Tensor target = label_smoothing > 0 ? given * (1 - label_smoothing) + label_smoothing / classes : given;
  Tensor terms = logarithms * target;
  if (weight.defined()) terms = terms * along_classes(weight, impl);
  if (reduction == Reduction::None) return -terms.sum({dim});
  Tensor sum = -terms.sum();
  if (reduction == Reduction::Sum) return sum;
  if (impl.numel == 0) return sum * std::numeric_limits<double>::quiet_NaN();
  return sum / (static_cast<double>(impl.numel) / classes);
}

/// The cross entropy with classes of which a part of the probability is spread over all.
Tensor smoothed(const Tensor& input, const Tensor& target, const Tensor& weight, std::int64_t reduction,
                std::int64_t ignored, double label_smoothing) {
  check_smoothing(label_smoothing);
  const TensorImpl& impl = *input.impl();
  const int dim = class_dimension(impl);
  const Tensor logarithms = input.log_softmax(dim);
  const Tensor loss = nll("cross_entropy", logarithms, target, weight, reduction, ignored);
  const Tensor is_ignored = target.eq(ignored);
  const Tensor terms = weight.defined() ? logarithms * along_classes(weight, impl) : logarithms;
  Tensor even = (-terms.sum({dim})).masked_fill(is_ignored, 0);
  if (reduction != Reduction::None) even = even.sum();
  if (reduction == Reduction::Mean) {
    const Tensor count = weight.defined() && target.numel() > 0 ? weights_of(target, weight, ignored).sum()
                                                                : is_ignored.logical_not().sum().to(input.dtype());
    even = even / count;
  }
  return (1 - label_smoothing) * loss + even * (label_smoothing / static_cast<double>(impl.sizes[dim]));
}

}  // namespace

Tensor nll_loss(const Tensor& input, const Tensor& target, const Tensor& weight, std::int64_t reduction,
                std::int64_t ignore_index) {
  if (detail::autocasts(CastRule::full, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& y, const Tensor& w) {
      return nll_loss(x, y, w, reduction, ignore_index);
    };
    return detail::with_casts(CastRule::full, converted, input, target, weight);
  }
  constexpr const char* name = "nll_loss";
  const TensorImpl& x = impl_of(input, name);
  const TensorImpl& y = impl_of(target, name);
  detail::check_reduction(reduction, name);
  check_classes(name, x, y);
  detail::check_floating(x, name, x.sizes.count > 2 ? "nll_loss2d_forward_out_frame" : "nll_loss_out_frame");
  return nll(name, input, target, weight, reduction, ignore_index);
}

Tensor cross_entropy_loss(const Tensor& input, const Tensor& target, const Tensor& weight, std::int64_t reduction,
                          std::int64_t ignore_index, double label_smoothing) {
  if (detail::autocasts(CastRule::full, input)) {
    const auto converted = [&](const Tensor& x, const Tensor& y, const Tensor& w) {
      return cross_entropy_loss(x, y, w, reduction, ignore_index, label_smoothing);
    };
    return detail::with_casts(CastRule::full, converted, input, target, weight);
  }
  constexpr const char* name = "cross_entropy";
  const TensorImpl& x = impl_of(input, name);
  const TensorImpl& y = impl_of(target, name);
  detail::check_reduction(reduction, name);
  const bool of_probabilities = same(x.sizes, y.sizes);
  const auto both = detail::operands({{"input", &x}, {"target", &y}});
  if (of_probabilities && !isFloatingType(y.dtype)) {
    fail<TypeError>(
        name,
        fmt::format("Expected floating point type for target with class probabilities, got {}", toString(y.dtype)),
        both, "a target of classes has the input's shape without its classes");
  }
  if (of_probabilities && ignore_index >= 0) {
    fail<ValueError>(name, "ignore_index is not supported for floating point target", both,
                     "give the target's probabilities as 0 where they are to be ignored");
  }
  if (x.sizes.count == 0) {
    fail<IndexError>(name, "Dimension out of range (expected to be in range of [-1, 0], but got 1)", both,
                     "the input needs a dimension of classes: (C) or (N, C)");
  }
  if (!of_probabilities) check_classes(name, x, y);
  detail::same_device(name, {&x, &y}, {"input", "target"});
  detail::check_floating(x, name, "log_softmax_lastdim_kernel_impl");
  if (of_probabilities) return loss_of_probabilities(input, target, weight, reduction, label_smoothing);
  if (label_smoothing > 0) return smoothed(input, target, weight, reduction, ignore_index, label_smoothing);
  return nll(name, input.log_softmax(class_dimension(x)), target, weight, reduction, ignore_index);
}

}  // namespace d2l

namespace d2l::detail::derivatives {

void NllLossBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  const Tensor& target = operation.saved(0);
  const auto& [reduction, ignored, dim] = state_of<NllState>(operation);
  const bool mean = reduction == Reduction::Mean;
  Tensor slope = mean ? g / operation.saved(1).neg() : -g;
  if (operation.saved_tensors[2].tensor.defined()) slope = slope * operation.saved(2);
  results[0] = scatter(slope.expand(target.sizes()), target, operation.inputs[0].sizes, dim, ignored);
}

void NllLoss2DBackward0(const RecordedOperation& operation, const Tensor& g, Gradients& results) {
  NllLossBackward0(operation, g, results);
}

}  // namespace d2l::detail::derivatives
