// SPDX-License-Identifier: MIT
// Gradient clipping; the norm stays on its device.
#include "d2l/nn/clip_grad.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "d2l/repr.h"
#include "ops/elementwise_launch.h"

namespace d2l::nn::utils {

namespace {

/// The norm of all gradients together, on the device of the first.
Tensor norm_of_all(const std::vector<Tensor>& gradients, double norm_type) {
  const Device device = gradients.front().device();
  std::vector<Tensor> norms;
  norms.reserve(gradients.size());
  for (const Tensor& gradient : gradients) {
    auto norm = gradient.norm(norm_type);
    norms.push_back(gradient.device() == device ? std::move(norm) : norm.copy_to(device, true));
  }
  if (norms.size() == 1 && norm_type != 0) return norms.front();
  const bool alike = std::all_of(norms.begin(), norms.end(),
                                 [&](const Tensor& norm) { return norm.dtype() == norms.front().dtype(); });
  if (norm_type != 2 || !alike) return stack(norms).norm(norm_type);
  Tensor squares = norms.front().mul(norms.front());
  for (std::size_t i = 1; i < norms.size(); ++i) squares.add_(norms[i].mul_(norms[i]));
  squares.sqrt_();
  return squares;
}

void check_finite(const Tensor& norm, double norm_type) {
  if (std::isfinite(norm.item<double>())) return;
  detail::fail<ValueError>(
      "clip_grad_norm_",
      fmt::format("The total norm of order {} for gradients from `parameters` is non-finite, so it cannot be clipped. "
                  "To disable this error and scale the gradients by the non-finite norm anyway, set "
                  "`error_if_nonfinite=False`",
                  d2l::repr(norm_type)));
}

/// The factor of the gradients: min(1, max_norm / (norm + 1e-6)).
Tensor factor_of(const Tensor& norm, double max_norm) {
  const Tensor factor = max_norm / norm.add(1e-6);
  return elementwise(detail::Operation::minimum, *factor.impl(), Scalar(1.0), factor.dtype(), factor.dtype());
}

TotalNorm clip(const std::vector<Tensor>& gradients, double max_norm, double norm_type, bool error_if_nonfinite) {
  if (gradients.empty()) return TotalNorm(zeros({}));
  auto norm = norm_of_all(gradients, norm_type);
  if (error_if_nonfinite) check_finite(norm, norm_type);
  Tensor factor = factor_of(norm, max_norm);
  for (Tensor gradient : gradients) {
    if (factor.device() != gradient.device()) factor = factor.copy_to(gradient.device(), true);
    gradient.mul_(factor);
  }
  return TotalNorm(std::move(norm));
}

void take_gradient(const Tensor& parameter, std::vector<Tensor>& gradients) {
  const auto& gradient = detail::impl_of(parameter, "clip_grad_norm_").grad;
  if (gradient.defined()) gradients.push_back(gradient.requires_grad() ? gradient.detach() : gradient);
}

}  // namespace

TotalNorm clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type,
                          bool error_if_nonfinite) {
  const NoGradGuard unrecorded;
  std::vector<Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const Tensor& parameter : parameters) take_gradient(parameter, gradients);
  return clip(gradients, max_norm, norm_type, error_if_nonfinite);
}

TotalNorm clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type, bool error_if_nonfinite) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type, error_if_nonfinite);
}

std::string repr(const TotalNorm& norm) { return d2l::repr(norm.tensor()); }
std::ostream& operator<<(std::ostream& out, const TotalNorm& norm) { return out << norm.tensor(); }

}  // namespace d2l::nn::utils
