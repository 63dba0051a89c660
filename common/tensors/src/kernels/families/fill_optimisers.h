// SPDX-License-Identifier: MIT
// fill_optimisers: the steps of optimisers. Each is one pass over the parameter, its gradient and its state, because
// the memory limits its speed.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/coefficients.h"
#include "kernels/fill_table.h"

namespace d2l::backend::kernels {

/// gradient + decay × parameter, and the gradient alone if decay is 0, even for an infinite parameter.
template <class T>
struct Decay {
  T factor;
  bool decays;

  explicit Decay(double decay) : factor(static_cast<T>(decay)), decays(decay != 0) {}
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE T operator()(T gradient, T parameter) const {
    const T decayed = gradient + factor * parameter;
    return decays ? decayed : gradient;
  }
};

/// The exponential average of numbers: kept × average + added × number.
template <class T>
struct Average {
  T kept;
  T added;

  explicit Average(double factor) : kept(static_cast<T>(factor)), added(static_cast<T>(1 - factor)) {}
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE T operator()(T average, T number) const { return kept * average + added * number; }
};

template <class T>
T* memory_of(const KernelArguments& arguments, int operand) {
  return static_cast<T*>(arguments.operands[static_cast<std::size_t>(operand)].data);
}

/// The larger of two numbers; NaN if one of them is.
template <class T>
D2L_HOST_DEVICE D2L_ALWAYS_INLINE T larger_or_nan(T a, T b) {
  return a > b || a != a ? a : b;
}

template <class T, bool amsgrad>
struct AdamStep {
  T* parameter;
  const T* gradient;
  T* average;
  T* square;
  T* largest;
  T step_size;
  T eps;
  T shrink;
  T correction;
  Average<T> first;
  Average<T> second;
  Decay<T> decay;

  explicit AdamStep(const KernelArguments& arguments)
      : parameter(memory_of<T>(arguments, 0)),
        gradient(memory_of<const T>(arguments, 1)),
        average(memory_of<T>(arguments, 2)),
        square(memory_of<T>(arguments, 3)),
        largest(memory_of<T>(arguments, 4)),
        step_size(static_cast<T>(arguments.coefficients[coefficients::adam::step_size])),
        eps(static_cast<T>(arguments.coefficients[coefficients::adam::eps])),
        shrink(static_cast<T>(arguments.coefficients[coefficients::adam::shrink])),
        correction(static_cast<T>(arguments.coefficients[coefficients::adam::correction])),
        first(arguments.coefficients[coefficients::adam::beta1]),
        second(arguments.coefficients[coefficients::adam::beta2]),
        decay(arguments.coefficients[coefficients::adam::decay]) {}

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void operator()(std::int64_t i) const {
    const T p = parameter[i];
    const T g = decay(gradient[i], p);
    const T m = first(average[i], g);
    T v = second(square[i], g * g);
    average[i] = m;
    square[i] = v;
    if constexpr (amsgrad) {
      v = larger_or_nan(largest[i], v);
      largest[i] = v;
    }
    parameter[i] = p * shrink - step_size * m / (std::sqrt(v) / correction + eps);
  }
};

template <class T, bool centered, bool moves>
struct RMSpropStep {
  T* parameter;
  const T* gradient;
  T* square;
  T* average;
  T* buffer;
  T lr;
  T eps;
  T momentum;
  Average<T> smooth;
  Decay<T> decay;

  explicit RMSpropStep(const KernelArguments& arguments)
      : parameter(memory_of<T>(arguments, 0)),
        gradient(memory_of<const T>(arguments, 1)),
        square(memory_of<T>(arguments, 2)),
        average(memory_of<T>(arguments, 3)),
        buffer(memory_of<T>(arguments, centered ? 4 : 3)),
        lr(static_cast<T>(arguments.coefficients[coefficients::rmsprop::lr])),
        eps(static_cast<T>(arguments.coefficients[coefficients::rmsprop::eps])),
        momentum(static_cast<T>(arguments.coefficients[coefficients::rmsprop::momentum])),
        smooth(arguments.coefficients[coefficients::rmsprop::alpha]),
        decay(arguments.coefficients[coefficients::rmsprop::decay]) {}

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void operator()(std::int64_t i) const {
    const T p = parameter[i];
    const T g = decay(gradient[i], p);
    T v = smooth(square[i], g * g);
    square[i] = v;
    if constexpr (centered) {
      const T m = smooth(average[i], g);
      average[i] = m;
      v = v - m * m;
    }
    const T denominator = std::sqrt(v) + eps;
    if constexpr (moves) {
      const T b = momentum * buffer[i] + g / denominator;
      buffer[i] = b;
      parameter[i] = p - lr * b;
    } else {
      parameter[i] = p - lr * g / denominator;
    }
  }
};

template <class T>
struct AdagradStep {
  T* parameter;
  const T* gradient;
  T* sum;
  T lr;
  T eps;
  Decay<T> decay;

  explicit AdagradStep(const KernelArguments& arguments)
      : parameter(memory_of<T>(arguments, 0)),
        gradient(memory_of<const T>(arguments, 1)),
        sum(memory_of<T>(arguments, 2)),
        lr(static_cast<T>(arguments.coefficients[coefficients::adagrad::lr])),
        eps(static_cast<T>(arguments.coefficients[coefficients::adagrad::eps])),
        decay(arguments.coefficients[coefficients::adagrad::decay]) {}

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void operator()(std::int64_t i) const {
    const T p = parameter[i];
    const T g = decay(gradient[i], p);
    const T s = sum[i] + g * g;
    sum[i] = s;
    parameter[i] = p - lr * g / (std::sqrt(s) + eps);
  }
};

/// The loops of a host. They copy the step, so that no array can overlap its coefficients.
template <class Step>
struct StepLoops {
  static D2L_ALWAYS_INLINE void loop(const Step& given, std::int64_t begin, std::int64_t end) {
    const Step step = given;
    D2L_VECTORISE
    for (std::int64_t i = begin; i < end; ++i) step(i);
  }
  D2L_NEVER_INLINE static void baseline(const Step& step, std::int64_t begin, std::int64_t end) {
    loop(step, begin, end);
  }
  D2L_WIDE static void wide(const Step& step, std::int64_t begin, std::int64_t end) { loop(step, begin, end); }
  static void elements(const Step& step, std::int64_t begin, std::int64_t end) {
    wide_vectors() ? wide(step, begin, end) : baseline(step, begin, end);
  }
};

template <class Policy, class Step>
void step_kernel(const KernelContext& context, const KernelArguments& arguments) {
  const Step step(arguments);
  const std::int64_t count = arguments.sizes[0];
  if constexpr (Policy::on_device) {
    Policy::for_each(context, count, step);
  } else {
    if (count < parallel_threshold || context.threads == 1) {
      StepLoops<Step>::elements(step, 0, count);
      return;
    }
    Policy::for_each(context, (count + chunk_elements - 1) / chunk_elements, [&step, count](std::int64_t chunk) {
      StepLoops<Step>::elements(step, chunk * chunk_elements, std::min(count, (chunk + 1) * chunk_elements));
    });
  }
}

template <class Policy, class T>
void adam_kernel(const KernelContext& context, const KernelArguments& arguments) {
  if (arguments.operand_count > 4) {
    step_kernel<Policy, AdamStep<T, true>>(context, arguments);
  } else {
    step_kernel<Policy, AdamStep<T, false>>(context, arguments);
  }
}

template <class Policy, class T, bool centered>
void rmsprop_kernel(const KernelContext& context, const KernelArguments& arguments) {
  if (arguments.parameters[1].integer != 0) {
    step_kernel<Policy, RMSpropStep<T, centered, true>>(context, arguments);
  } else {
    step_kernel<Policy, RMSpropStep<T, centered, false>>(context, arguments);
  }
}

template <class Policy, class T>
void rmsprop_kernel(const KernelContext& context, const KernelArguments& arguments) {
  if (arguments.parameters[0].integer != 0) {
    rmsprop_kernel<Policy, T, true>(context, arguments);
  } else {
    rmsprop_kernel<Policy, T, false>(context, arguments);
  }
}

template <class Policy>
void fill_optimisers(KernelTable& table) {
  add_kernels<Operation::adam_step>(table, []<class T>(Type<T>) -> Kernel { return adam_kernel<Policy, T>; });
  add_kernels<Operation::rmsprop_step>(table, []<class T>(Type<T>) -> Kernel { return rmsprop_kernel<Policy, T>; });
  add_kernels<Operation::adagrad_step>(table,
                                       []<class T>(Type<T>) -> Kernel { return step_kernel<Policy, AdagradStep<T>>; });
}

}  // namespace d2l::backend::kernels
