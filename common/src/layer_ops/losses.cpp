// SPDX-License-Identifier: MIT
// softmax, log_softmax, mse_loss and cross_entropy_loss.
#include "layer_ops/losses.h"

#include <fmt/format.h>

#include "autograd/recording.h"
#include "d2l/layer_ops.h"
#include "ops/arithmetic_rules.h"
#include "ops/gather_scatter.h"
#include "ops/operands.h"
#include "ops/promotion.h"

namespace d2l {

using detail::check_floating;
using detail::Dimensions;
using detail::fail;
using detail::impl_of;
using detail::Operation;
using detail::TensorImpl;

namespace detail {

namespace {

/// Launches a kernel of the kind softmax along `dim`; `second` is null for softmax and log_softmax themselves.
Tensor along(Operation operation, const Tensor& first, const Tensor* second, int dim) {
  const Tensor a = row_major(first);
  const TensorImpl& impl = *a.impl();
  auto out = make_tensor(impl.sizes, impl.dtype, impl.device(), false, info(operation).name);
  if (impl.numel == 0) return out;
  auto arguments = lines_along(impl.sizes, dim);
  const TensorImpl* other = second == nullptr ? nullptr : second->impl().get();
  launch_whole(operation, arguments, {out.impl().get(), &impl, other}, impl.numel);
  return out;
}

}  // namespace

Tensor log_softmax_gradient(const Tensor& grad, const Tensor& result, int dim) {
  return along(Operation::log_softmax_backward, grad, &result, dim);
}

Tensor softmax_gradient(const Tensor& grad, const Tensor& result, int dim) {
  return along(Operation::softmax_backward, grad, &result, dim);
}

}  // namespace detail

namespace {

void check_reduction(std::int64_t reduction, const char* operation) {
  if (reduction >= Reduction::None && reduction <= Reduction::Sum) return;
  fail<ValueError>(operation, fmt::format("{} is not a valid value for reduction", reduction), {},
                   "it is Reduction::None, Reduction::Mean or Reduction::Sum");
}

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

void check_target(const TensorImpl& input, const TensorImpl& target) {
  constexpr const char* name = "cross_entropy";
  const auto both = detail::operands({{"input", &input}, {"target", &target}});
  if (same(input.sizes, target.sizes) && !isFloatingType(target.dtype)) {
    fail<TypeError>(
        name,
        fmt::format("Expected floating point type for target with class probabilities, got {}", toString(target.dtype)),
        both, "the target has the input's shape without its classes");
  }
  const auto problem = target_problem(input, target);
  if (!problem.empty() && !same(input.sizes, target.sizes)) {
    fail<ShapeError>(name, problem, both, "the target has the input's shape without its classes");
  }
  if (target.dtype != kLong) {
    fail<TypeError>(name, fmt::format("expected scalar type Long but found {}", toString(target.dtype)), both,
                    "the target holds one class index for each element: convert it with to(kLong)");
  }
}

/// -x at the class of each target: the mean over those that are not ignored, the sum, or each.
Tensor nll_loss(const Tensor& x, const Tensor& target, std::int64_t reduction, std::int64_t ignored) {
  const int classes = class_dimension(*x.impl());
  Tensor result;
  Tensor count;
  const Tensor gathered = detail::gather(x, target, classes, ignored);  // without a record
  // PyTorch subtracts from 0, and negates each of a batch: so −0 is returned for certainty only there.
  if (reduction == Reduction::None) {
    result = x.dim() == 1 ? 0 - gathered : -gathered;
  } else {
    result = 0 - gathered.sum();
  }
  if (reduction == Reduction::Mean) {
    count = target.ne(ignored).sum().to(x.dtype());
    result = result / count;
  }
  if (!detail::is_recorded(x)) return result;
  auto record = detail::record(detail::Recorded::NllLossBackward0, {&x});
  detail::save(*record, 0, target);
  if (count.defined()) detail::save(*record, 1, count);
  record->integers = {reduction, ignored};
  record->dims = {{classes}, 1};
  detail::attach(result, std::move(record));
  return result;
}

/// softmax or log_softmax, whose kernel has the name `kernel` in PyTorch if `dim` is the last dimension.
Tensor normalised(Operation operation, const Tensor& x, std::int64_t dim, const char* kernel, detail::Recorded kind) {
  const auto* name = info(operation).name;
  const TensorImpl& impl = impl_of(x, name);
  const int at = detail::wrap_dimension(dim, impl.sizes.count, name);
  check_floating(impl, name, at + 1 >= impl.sizes.count ? kernel : "softmax_kernel_impl");
  auto result = detail::along(operation, x, nullptr, at);
  if (!detail::is_recorded(x)) return result;
  auto record = detail::record(kind, {&x});
  detail::save_made(*record, 0, result);
  record->integers[0] = at;
  detail::attach(result, std::move(record));
  return result;
}

}  // namespace

Tensor Tensor::softmax(std::int64_t dim) const {
  return normalised(Operation::softmax, *this, dim, "softmax_lastdim_kernel_impl", detail::Recorded::SoftmaxBackward0);
}

Tensor Tensor::log_softmax(std::int64_t dim) const {
  return normalised(Operation::log_softmax, *this, dim, "log_softmax_lastdim_kernel_impl",
                    detail::Recorded::LogSoftmaxBackward0);
}

Tensor mse_loss(const Tensor& input, const Tensor& target, std::int64_t reduction) {
  const TensorImpl& x = impl_of(input, "mse_loss");
  const TensorImpl& y = impl_of(target, "mse_loss");
  check_reduction(reduction, "mse_loss");
  const auto type = x.dtype == y.dtype ? x.dtype : detail::result_type(input, target);
  if (!isFloatingType(type)) check_floating(x, "mse_loss", "mse_cpu");
  auto result =
      detail::elementwise(Operation::squared_difference, detail::Argument(x), detail::Argument(y), type, type);
  if (reduction == Reduction::Mean) result = result.mean();
  if (reduction == Reduction::Sum) result = result.sum();
  if (!detail::is_recorded(input, target)) return result;
  auto record = detail::record(detail::Recorded::MseLossBackward0, {&input, &target});
  detail::save(*record, 0, input);
  detail::save(*record, 1, target);
  record->integers[0] = reduction;
  detail::attach(result, std::move(record));
  return result;
}

Tensor cross_entropy_loss(const Tensor& input, const Tensor& target, std::int64_t reduction,
                          std::int64_t ignore_index) {
  const TensorImpl& x = impl_of(input, "cross_entropy");
  const TensorImpl& y = impl_of(target, "cross_entropy");
  check_reduction(reduction, "cross_entropy");
  check_target(x, y);
  if (x.sizes.count == 0) {
    fail<IndexError>("cross_entropy", "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
                     detail::operands({{"input", &x}}), "the input needs a dimension of classes: (C) or (N, C)");
  }
  detail::same_device("cross_entropy", {&x, &y});
  check_floating(x, "cross_entropy", "log_softmax_lastdim_kernel_impl");
  return nll_loss(input.log_softmax(class_dimension(x)), target, reduction, ignore_index);
}

}  // namespace d2l
