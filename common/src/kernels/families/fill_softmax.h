// SPDX-License-Identifier: MIT
// fill_softmax: the kernels of the logarithm of softmax along the middle of {outer, n, inner}, and of its gradient.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/kernel_table.h"
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

template <class T>
struct LogSoftmaxWork {
  T* out;
  const T* in;
  const Normaliser<T>* normalisers;  ///< (outer, inner)
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

template <class T>
struct ShortLogSoftmaxWork {
  using R = LogSumExpReduction<T>;
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

template <class Policy, class T>
void log_softmax(const KernelContext& context, const KernelArguments& arguments) {
  const auto [outer, n, inner] = std::array{arguments.sizes[0], arguments.sizes[1], arguments.sizes[2]};
  auto* out = static_cast<T*>(arguments.operands[0].data);
  const auto* in = static_cast<const T*>(arguments.operands[1].data);
  if (outer * n * inner == 0) return;
  if constexpr (Policy::on_device) {
    if (n <= short_row) {
      Policy::for_each(context, outer * inner, ShortLogSoftmaxWork<T>{out, in, n, inner});
      return;
    }
    const Scratch<Normaliser<T>> normalisers(context, outer * inner);
    reduce_rows<Policy, LogSumExpReduction<T>>(context, arguments, in, normalisers.data());
    Policy::for_each(context, outer * n * inner, LogSoftmaxWork<T>{out, in, normalisers.data(), n, inner});
  } else {
    run_softmax_rows<Policy>(context, outer, LogSoftmaxRows<T>{out, in, n, inner});
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

template <class Policy>
void fill_softmax(KernelTable& table) {
  add_kernels<Operation::log_softmax>(table, []<class T>(Type<T>) -> Kernel { return log_softmax<Policy, T>; });
  add_kernels<Operation::log_softmax_backward>(
      table, []<class T>(Type<T>) -> Kernel { return log_softmax_backward<Policy, T>; });
}

}  // namespace d2l::backend::kernels
