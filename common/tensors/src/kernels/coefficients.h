// SPDX-License-Identifier: MIT
// The places of the coefficients of the optimisers' steps in KernelArguments::coefficients.
#pragma once

#include <cstddef>

namespace d2l::backend::coefficients {

/// m ← beta1 × m + (1 − beta1) × g, v ← beta2 × v + (1 − beta2) × g², with g = gradient + decay × p;
/// p ← shrink × p − step_size × m / (√v / correction + eps).
namespace adam {
enum Place : std::size_t { step_size, beta1, beta2, eps, decay, shrink, correction };
}  // namespace adam

/// v ← alpha × v + (1 − alpha) × g², and if centred m ← alpha × m + (1 − alpha) × g;
/// b ← momentum × b + g / (√(v − m²) + eps), p ← p − lr × b.
namespace rmsprop {
enum Place : std::size_t { lr, alpha, eps, decay, momentum };
}  // namespace rmsprop

/// s ← s + g², p ← p − lr × g / (√s + eps).
namespace adagrad {
enum Place : std::size_t { lr, eps, decay };
}  // namespace adagrad

}  // namespace d2l::backend::coefficients
