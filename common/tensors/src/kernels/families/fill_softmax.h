// SPDX-License-Identifier: MIT
// fill_softmax: the kernels of softmax and of its logarithm along the middle of {outer, n, inner}, and of their
// gradients.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/fill_table.h"
#include "kernels/reduce.h"
#include "kernels/scratch.h"
#include "kernels/softmax_rows.h"

namespace d2l::backend::kernels {

// On a GPU, one thread computes a short row. Longer rows are reduced to one number each; then one thread computes an
// element.

inline constexpr std::int64_t short_row = 64;

/// The logarithm of the sum of exponentials, in one pass; the sum is relative to the largest element so far.
template <class T>
struct LogSumExpReduction {
  using Input = T;
  using Output = Normaliser<T>;
  struct Accumulator {
    T largest;
    double sum;
  };
  static constexpr bool has_index = false;

  D2L_HOST_DEVICE static Accumulator start() { return {-std::numeric_limits<T>::infinity(), 0}; }
  D2L_HOST_DEVICE static void add(Accumulator& total, T value, std::int64_t) {
    if (value != -std::numeric_limits<T>::infinity()) join(total, {value, 1});
  }
  D2L_HOST_DEVICE static void join(Accumulator& total, Accumulator other) {
    if (other.sum == 0) return;
    const bool grows = other.largest > total.largest;
    const T largest = grows ? other.largest : total.largest;
    total.sum = scaled(total, largest) + scaled(other, largest);
    total.largest = largest;
  }
  D2L_HOST_DEVICE static Output finish(Accumulator total, std::int64_t) { return {total.largest, std::log(total.sum)}; }

 private:
  /// Infinities and NaNs give NaN, as in PyTorch.
  D2L_HOST_DEVICE static double scaled(const Accumulator& part, T largest) {
    return part.sum == 0 ? 0 : part.sum * static_cast<double>(std::exp(part.largest - largest));
  }
};

/// The largest element of a row, and 1 / the sum of the exponentials relative to it.
template <class T>
struct Scale {
  T largest;
  T factor;

  [[nodiscard]] D2L_HOST_DEVICE T of(T element) const { return std::exp(element - largest) * factor; }
};

/// The sum of exponentials, likewise.
template <class T>
struct ScaleReduction : LogSumExpReduction<T> {
  using Output = Scale<T>;
  D2L_HOST_DEVICE static Output finish(typename LogSumExpReduction<T>::Accumulator total, std::int64_t) {
    return {total.largest, static_cast<T>(1 / total.sum)};
  }
};

/// The same for safe_softmax: what is −∞ everywhere gives 0.
template <class T>
struct SafeScaleReduction : ScaleReduction<T> {
  D2L_HOST_DEVICE static Scale<T> finish(typename LogSumExpReduction<T>::Accumulator total, std::int64_t n) {
    return total.sum == 0 ? Scale<T>{0, 0} : ScaleReduction<T>::finish(total, n);
  }
};

/// Computes an element of the result from its row's number, which the reduction R gives.
template <class R>
struct NormaliseWork {
  using T = typename R::Input;
  T* out;
  const T* in;
  const typename R::Output* normalisers;  ///< (outer, inner)
  std::int64_t n;
  std::int64_t inner;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    out[i] = normalisers[i / inner / n * inner + i % inner].of(in[i]);
  }
};

template <class T>
struct LogSoftmaxBackwardWork {
  T* out;
  const T* grad;
  const T* result;
  const double* sums;  ///< (outer, inner)
  std::int64_t n;
  std::int64_t inner;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    out[i] = grad[i] - std::exp(result[i]) * static_cast<T>(sums[i / inner / n * inner + i % inner]);
  }
};

template <class R>
struct ShortNormaliseWork {
  using T = typename R::Input;
  T* out;
  const T* in;
  std::int64_t n;
  std::int64_t inner;

  D2L_HOST_DEVICE void operator()(std::int64_t row) const {
    const std::int64_t first = row / inner * n * inner + row % inner;
    auto total = R::start();
    for (std::int64_t c = 0; c < n; ++c) R::add(total, in[first + c * inner], c);
    const auto normaliser = R::finish(total, n);
    for (std::int64_t c = 0; c < n; ++c) out[first + c * inner] = normaliser.of(in[first + c * inner]);
  }
};

template <class T>
struct ShortLogSoftmaxBackwardWork {
  T* out;
  const T* grad;
  const T* result;
  std::int64_t n;
  std::int64_t inner;

  D2L_HOST_DEVICE void operator()(std::int64_t row) const {
    const std::int64_t first = row / inner * n * inner + row % inner;
    double sum = 0;
    for (std::int64_t c = 0; c < n; ++c) sum += static_cast<double>(grad[first + c * inner]);
    const T total = static_cast<T>(sum);
    for (std::int64_t c = 0; c < n; ++c) {
      const std::int64_t at = first + c * inner;
      out[at] = grad[at] - std::exp(result[at]) * total;
    }
  }
};

template <class T>
struct ProductsWork {
  T* out;
  const T* a;
  const T* b;
  D2L_HOST_DEVICE void operator()(std::int64_t i) const { out[i] = a[i] * b[i]; }
};

template <class T>
struct SoftmaxBackwardWork {
  T* out;
  const T* grad;
  const T* result;
  const double* sums;  ///< (outer, inner)
  std::int64_t n;
  std::int64_t inner;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    out[i] = result[i] * (grad[i] - static_cast<T>(sums[i / inner / n * inner + i % inner]));
  }
};

template <class T>
struct ShortSoftmaxBackwardWork {
  T* out;
  const T* grad;
  const T* result;
  std::int64_t n;
  std::int64_t inner;

  D2L_HOST_DEVICE void operator()(std::int64_t row) const {
    const std::int64_t first = row / inner * n * inner + row % inner;
    double sum = 0;
    for (std::int64_t c = 0; c < n; ++c) {
      const std::int64_t at = first + c * inner;
      sum += static_cast<double>(grad[at]) * static_cast<double>(result[at]);
    }
    const T total = static_cast<T>(sum);
    for (std::int64_t c = 0; c < n; ++c) {
      const std::int64_t at = first + c * inner;
      out[at] = result[at] * (grad[at] - total);
    }
  }
};

/// Reduces `in` by R into `numbers`, (outer, inner).
template <class Policy, class R>
void reduce_rows(const KernelContext& context, const KernelArguments& arguments, const typename R::Input* in,
                 typename R::Output* numbers) {
  reduce_on_device<Policy, R>(context,
                              {in, numbers, nullptr, arguments.sizes[0], arguments.sizes[1], arguments.sizes[2]});
}

/// Computes the rows on a host, in parallel if there are many.
template <class Policy, class Rows>
void run_softmax_rows(const KernelContext& context, std::int64_t outer, const Rows& rows) {
  constexpr std::int64_t exponentials_threshold = parallel_threshold / 8;  // an exponential costs several additions
  const std::int64_t tiles = (rows.inner + softmax_tile - 1) / softmax_tile;
  const auto tile = [&rows](std::int64_t index) { SoftmaxLoops<Rows>::tile(rows, index); };
  if (outer * rows.n * rows.inner < exponentials_threshold) {
    Policy::for_each(on_one_thread(context), outer * tiles, tile);
  } else {
    Policy::for_each(context, outer * tiles, tile);
  }
}

/// Softmax or its logarithm: R on a GPU, Rows on a host.
template <class Policy, class R, class Rows>
void normalise(const KernelContext& context, const KernelArguments& arguments) {
  using T = typename R::Input;
  const auto [outer, n, inner] = std::array{arguments.sizes[0], arguments.sizes[1], arguments.sizes[2]};
  auto* out = static_cast<T*>(arguments.operands[0].data);
  const auto* in = static_cast<const T*>(arguments.operands[1].data);
  if (outer * n * inner == 0) return;
  if constexpr (Policy::on_device) {
    if (n <= short_row) {
      Policy::for_each(context, outer * inner, ShortNormaliseWork<R>{out, in, n, inner});
      return;
    }
    const Scratch<typename R::Output> normalisers(context, outer * inner);
    reduce_rows<Policy, R>(context, arguments, in, normalisers.data());
    Policy::for_each(context, outer * n * inner, NormaliseWork<R>{out, in, normalisers.data(), n, inner});
  } else {
    run_softmax_rows<Policy>(context, outer, Rows{out, in, n, inner});
  }
}

template <class Policy, class T>
void log_softmax_backward(const KernelContext& context, const KernelArguments& arguments) {
  const auto [outer, n, inner] = std::array{arguments.sizes[0], arguments.sizes[1], arguments.sizes[2]};
  auto* out = static_cast<T*>(arguments.operands[0].data);
  const auto* grad = static_cast<const T*>(arguments.operands[1].data);
  const auto* result = static_cast<const T*>(arguments.operands[2].data);
  if (outer * n * inner == 0) return;
  if constexpr (Policy::on_device) {
    if (n <= short_row) {
      Policy::for_each(context, outer * inner, ShortLogSoftmaxBackwardWork<T>{out, grad, result, n, inner});
      return;
    }
    const Scratch<double> sums(context, outer * inner);
    reduce_rows<Policy, SumReduction<T, double>>(context, arguments, grad, sums.data());
    Policy::for_each(context, outer * n * inner, LogSoftmaxBackwardWork<T>{out, grad, result, sums.data(), n, inner});
  } else {
    run_softmax_rows<Policy>(context, outer, LogSoftmaxBackwardRows<T>{out, grad, result, n, inner});
  }
}

template <class Policy, class T>
void softmax_backward(const KernelContext& context, const KernelArguments& arguments) {
  const auto [outer, n, inner] = std::array{arguments.sizes[0], arguments.sizes[1], arguments.sizes[2]};
  auto* out = static_cast<T*>(arguments.operands[0].data);
  const auto* grad = static_cast<const T*>(arguments.operands[1].data);
  const auto* result = static_cast<const T*>(arguments.operands[2].data);
  if (outer * n * inner == 0) return;
  if constexpr (Policy::on_device) {
    if (n <= short_row) {
      Policy::for_each(context, outer * inner, ShortSoftmaxBackwardWork<T>{out, grad, result, n, inner});
      return;
    }
    const Scratch<T> products(context, outer * n * inner);
    const Scratch<double> sums(context, outer * inner);
    Policy::for_each(context, outer * n * inner, ProductsWork<T>{products.data(), grad, result});
    reduce_rows<Policy, SumReduction<T, double>>(context, arguments, products.data(), sums.data());
    Policy::for_each(context, outer * n * inner, SoftmaxBackwardWork<T>{out, grad, result, sums.data(), n, inner});
  } else {
    run_softmax_rows<Policy>(context, outer, SoftmaxBackwardRows<T>{out, grad, result, n, inner});
  }
}

template <class Policy>
void fill_softmax(KernelTable& table) {
  add_kernels<Operation::log_softmax>(
      table, []<class T>(Type<T>) -> Kernel { return normalise<Policy, LogSumExpReduction<T>, LogSoftmaxRows<T>>; });
  add_kernels<Operation::softmax>(
      table, []<class T>(Type<T>) -> Kernel { return normalise<Policy, ScaleReduction<T>, SoftmaxRows<T>>; });
  add_kernels<Operation::safe_softmax>(
      table, []<class T>(Type<T>) -> Kernel { return normalise<Policy, SafeScaleReduction<T>, SafeSoftmaxRows<T>>; });
  add_kernels<Operation::softmax_backward>(table,
                                           []<class T>(Type<T>) -> Kernel { return softmax_backward<Policy, T>; });
  add_kernels<Operation::log_softmax_backward>(
      table, []<class T>(Type<T>) -> Kernel { return log_softmax_backward<Policy, T>; });
}

}  // namespace d2l::backend::kernels
