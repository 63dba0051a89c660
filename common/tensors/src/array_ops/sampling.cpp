// SPDX-License-Identifier: MIT
// Random samples: bernoulli, multinomial, normal, and the writes in place of random numbers.
#include <fmt/format.h>

#include <cmath>

#include "autograd/recording.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/ops.h"
#include "d2l/repr.h"
#include "ops/operands.h"
#include "tensor/copies.h"

namespace d2l {

using detail::fail;
using detail::impl_of;
using detail::Recorded;
using detail::TensorImpl;
using detail::unrecorded;

namespace {

std::string of_self(const TensorImpl& impl) { return detail::operands({{"self", &impl}}); }

void check_floating(const TensorImpl& impl, const char* operation, const char* kernel) {
  if (isFloatingType(impl.dtype)) return;
  fail<TypeError>(operation, fmt::format("\"{}\" not implemented for '{}'", kernel, toString(impl.dtype)),
                  of_self(impl), "convert it with to(kFloat)");
}

void check_probability(double p) {
  if (p >= 0 && p <= 1) return;
  fail<ValueError>("bernoulli", fmt::format("bernoulli_ expects p to be in [0, 1], but got p={:g}", p), {},
                   "give a probability");
}

void check_deviation(double std) {
  if (std >= 0) return;
  fail<ValueError>("normal", fmt::format("normal expects std >= 0.0, but found std {:g}", std), {},
                   "give a standard deviation that is not negative");
}

/// Whether an operand holds for all elements, of which a GPU's are read.
bool all_of(const Tensor& truths, const char* operation) {
  return truths.numel() == 0 || detail::single_value(truths.all(), operation).toBool();
}

/// A result of an operation whose gradient is 0.
Tensor without_gradient(Tensor result, const Tensor& x) {
  if (detail::is_recorded(x)) detail::attach(result, detail::record(Recorded::BernoulliBackward0, {&x}));
  return result;
}

/// Numbers from 0 to before 1, of the shape and on the device of `like`.
Tensor uniform(IntArrayRef sizes, const Tensor& like, ScalarType dtype) {
  return rand(sizes, TensorOptions(dtype).device(like.device()));
}

}  // namespace

Tensor TensorMembers::bernoulli() const {
  const TensorImpl& impl = impl_of(self(), "bernoulli");
  check_floating(impl, "bernoulli", "bernoulli_tensor_cpu_p_");
  Tensor result = unrecorded([&] {
    const Tensor p = self().detach();
    if (p.device().is_cpu() && !all_of(p.ge(0).logical_and(p.le(1)), "bernoulli")) {
      fail<ValueError>("bernoulli", "Expected p_in >= 0 && p_in <= 1 to be true, but got false.", of_self(impl),
                       "give probabilities");
    }
    return uniform(p.sizes(), p, impl.dtype).lt(p).to(impl.dtype);
  });
  return without_gradient(std::move(result), self());
}

Tensor TensorMembers::bernoulli(double p) const {
  const TensorImpl& impl = impl_of(self(), "bernoulli");
  check_probability(p);
  Tensor result = unrecorded([&] { return uniform(self().sizes(), self(), kFloat).lt(p).to(impl.dtype); });
  return without_gradient(std::move(result), self());
}

Tensor& TensorMembers::bernoulli_(double p) {
  impl_of(self(), "bernoulli_");
  check_probability(p);
  return self().copy_(uniform(self().sizes(), self(), kFloat).lt(p));
}

Tensor& TensorMembers::normal_(double mean, double std) {
  check_deviation(std);
  check_floating(impl_of(self(), "normal_"), "normal_", "normal_kernel_cpu");
  return self().copy_(randn(self().sizes(), TensorOptions(self().dtype()).device(self().device())) * std + mean);
}

Tensor& TensorMembers::uniform_(double from, double to) {
  check_floating(impl_of(self(), "uniform_"), "uniform_", "check_uniform_bounds");
  if (from > to) {
    fail<ValueError>(
        "uniform_",
        fmt::format("uniform_ expects to return a [from, to) range, but found from={:g} > to={:g}", from, to), {},
        "exchange the bounds");
  }
  return self().copy_(uniform(self().sizes(), self(), self().dtype()) * (to - from) + from);
}

// normal

Tensor normal(double mean, double std, IntArrayRef sizes, const TensorOptions& options) {
  check_deviation(std);
  return unrecorded([&] { return randn(sizes, options) * std + mean; }).set_requires_grad(options.requires_grad());
}

namespace {

/// mean + std × normal numbers of the shape that both broadcast to.
Tensor normal_of(const Tensor& mean, const Tensor& std, const Tensor& shaped) {
  check_floating(*shaped.impl(), "normal", "normal_kernel_cpu");
  return unrecorded([&] { return randn_like(shaped).mul(std.detach()).add(mean.detach()); });
}

void check_deviations(const Tensor& std) {
  impl_of(std, "normal");
  if (std.device().is_cpu() && !all_of(std.detach().ge(0), "normal")) {
    fail<ValueError>("normal", "normal expects all elements of std >= 0.0", of_self(*std.impl()),
                     "give standard deviations that are not negative");
  }
}

}  // namespace

Tensor normal(const Tensor& mean, double std) {
  impl_of(mean, "normal");
  check_deviation(std);
  check_floating(*mean.impl(), "normal", "normal_kernel_cpu");
  return unrecorded([&] { return randn_like(mean).mul(std).add(mean.detach()); });
}

Tensor normal(double mean, const Tensor& std) {
  check_deviations(std);
  check_floating(*std.impl(), "normal", "normal_kernel_cpu");
  return unrecorded([&] { return randn_like(std).mul(std.detach()).add(mean); });
}

Tensor normal(const Tensor& mean, const Tensor& std) {
  impl_of(mean, "normal");
  check_deviations(std);
  return normal_of(mean, std, unrecorded([&] { return mean.detach() + std.detach().mul(0); }));
}

// multinomial

namespace {

void check_multinomial(const TensorImpl& impl, std::int64_t count, bool replacement) {
  const auto self = of_self(impl);
  if (impl.sizes.count != 1 && impl.sizes.count != 2) {
    fail<ShapeError>("multinomial", "prob_dist must be 1 or 2 dim", self, "give one row, or several of one length");
  }
  if (!isFloatingType(impl.dtype)) {
    fail<TypeError>(
        "multinomial",
        fmt::format("multinomial only supports floating-point dtypes for input, got: {}", toString(impl.dtype)), self,
        "convert it with to(kFloat)");
  }
  if (count <= 0) {
    fail<ValueError>("multinomial", "cannot sample n_sample <= 0 samples", self, "ask for one sample or more");
  }
  if (!replacement && count > impl.sizes[impl.sizes.count - 1]) {
    fail<ValueError>("multinomial", "cannot sample n_sample > prob_dist.size(-1) samples without replacement", self,
                     "ask for fewer, or allow replacement");
  }
}

/// PyTorch has other sentences for several samples with replacement.
void check_rows(const Tensor& p, bool counts_entries) {
  const auto self = of_self(*p.impl());
  const auto check = [&](const Tensor& truths, const char* sentence, const char* advice) {
    if (!all_of(truths, "multinomial")) fail<ValueError>("multinomial", sentence, self, advice);
  };
  constexpr const char* advice = "give probabilities";
  if (counts_entries) {
    check(p.lt(0).logical_not(), "invalid multinomial distribution (encountering probability entry < 0)", advice);
    check(p.isfinite(), "invalid multinomial distribution (encountering probability entry = infinity or NaN)", advice);
  } else {
    check(p.isfinite().logical_and(p.ge(0)), "probability tensor contains either `inf`, `nan` or element < 0", advice);
  }
  check(p.sum({-1}).gt(0), "invalid multinomial distribution (sum of probabilities <= 0)",
        "give each row a probability above 0");
}

/// The numbers of sorted `limits` that are not above each of `values`, row by row: both are sorted together.
Tensor ranks(const Tensor& limits, const Tensor& values) {
  const std::int64_t count = limits.size(-1);
  const Tensor place = cat({limits, values}, -1).argsort(-1).argsort(-1);  // equal elements keep their order
  return place.slice(-1, count) - values.argsort(-1).argsort(-1);
}

/// The number of the interval between cumulative sums that each of `count` uniform numbers is in.
Tensor drawn_with_replacement(const Tensor& p, std::int64_t count) {
  const Tensor sums = p.to(kDouble).cumsum(-1);
  const Tensor total = sums.slice(-1, -1);
  const Tensor numbers = uniform({p.size(0), count}, p, kDouble) * total;
  // Rounding may reach the total: the last interval that is not empty gets it.
  const Tensor last = sums.lt(total).sum({-1}, true);
  return ranks(sums, numbers).minimum(last);
}

}  // namespace

Tensor TensorMembers::multinomial(std::int64_t num_samples, bool replacement) const {
  const TensorImpl& impl = impl_of(self(), "multinomial");
  check_multinomial(impl, num_samples, replacement);
  return unrecorded([&]() -> Tensor {
    const Tensor rows = self().detach().reshape({impl.sizes.count == 2 ? impl.sizes[0] : 1, -1});
    if (impl.numel == 0 && impl.sizes.count == 2 && impl.sizes[0] == 0) {
      return empty({0, num_samples}, rows.options().dtype(kLong));
    }
    check_rows(rows, replacement && num_samples > 1);
    Tensor drawn;
    if (replacement) {
      drawn = drawn_with_replacement(rows, num_samples);
    } else {
      // The first of exponential waiting times with these rates is drawn in proportion to them (Efraimidis and
      // Spirakis, 2006); 1 − u is not 0.
      const Tensor waits = -(1 - uniform(rows.sizes(), rows, kDouble)).log();
      drawn = std::get<1>((rows.to(kDouble) / waits.clamp_min(0x1p-60)).topk(num_samples, -1));
    }
    return impl.sizes.count == 2 ? drawn : drawn.view({num_samples});
  });
}

}  // namespace d2l

namespace d2l::detail::derivatives {

D2L_DERIVATIVE(BernoulliBackward0, zeros_like(g))

}  // namespace d2l::detail::derivatives
