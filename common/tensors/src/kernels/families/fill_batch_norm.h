// SPDX-License-Identifier: MIT
// fill_batch_norm: the kernels of batch normalisation and of its gradients, on the channels of {outer, channels,
// inner}.
#pragma once

#include <cmath>

#include "kernels/fill_table.h"
#include "kernels/two_sums.h"

namespace d2l::backend::kernels {

template <class T>
T* batch_norm_array(const KernelArguments& arguments, std::size_t place) {
  return static_cast<T*>(arguments.operands[place].data);
}

inline ChannelSizes channel_sizes(const KernelArguments& arguments) {
  return {arguments.sizes[0], arguments.sizes[1], arguments.sizes[2]};
}

/// The differences from an element of the channel, and their squares.
template <class T>
struct ChannelMoments {
  const T* in;
  std::int64_t inner;

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE TwoSums at(std::int64_t at, std::int64_t /*o*/, std::int64_t c) const {
    const double difference = static_cast<double>(in[at]) - shift_of(in[c * inner]);
    return {difference, difference * difference};
  }
};

/// Writes the statistics of a channel, and moves the running ones, if there are any, towards them.
template <class T>
struct FinishStatistics {
  double* statistics;  ///< (2, channels)
  const T* in;
  T* running_mean;
  T* running_var;
  ChannelSizes sizes;
  double eps;
  double momentum;

  D2L_HOST_DEVICE void operator()(std::int64_t c, TwoSums sums) const {
    const auto count = static_cast<double>(sizes.each());
    const auto [mean, variance] = statistics_of(sums, shift_of(in[c * sizes.inner]), count);
    statistics[c] = mean;
    statistics[sizes.channels + c] = 1 / std::sqrt(variance + eps);
    if (running_mean != nullptr) running_mean[c] = moved(running_mean[c], mean);
    if (running_var != nullptr) running_var[c] = moved(running_var[c], variance * count / (count - 1));
  }

 private:
  D2L_HOST_DEVICE T moved(T from, double to) const {
    return static_cast<T>(momentum * to + (1 - momentum) * static_cast<double>(from));
  }
};

template <class Policy, class T>
void batch_norm_statistics(const KernelContext& context, const KernelArguments& arguments) {
  const ChannelSizes sizes = channel_sizes(arguments);
  const auto* in = batch_norm_array<const T>(arguments, 1);
  const auto flags = arguments.parameters[0].integer;
  T* const mean = (flags & has_running_mean) != 0 ? batch_norm_array<T>(arguments, 2) : nullptr;
  T* const var = (flags & has_running_var) != 0 ? batch_norm_array<T>(arguments, mean != nullptr ? 3 : 2) : nullptr;
  sum_channels<Policy>(context, sizes, ChannelMoments<T>{in, sizes.inner},
                       FinishStatistics<T>{batch_norm_array<double>(arguments, 0), in, mean, var, sizes,
                                           arguments.parameters[0].real, arguments.parameters[1].real});
}

/// The running statistics as statistics.
template <class T>
struct RunningStatistics {
  double* statistics;
  const T* mean;
  const T* var;
  std::int64_t channels;
  double eps;

  D2L_HOST_DEVICE void operator()(std::int64_t c) const {
    statistics[c] = static_cast<double>(mean[c]);
    statistics[channels + c] = 1 / std::sqrt(static_cast<double>(var[c]) + eps);
  }
};

template <class Policy, class T>
void batch_norm_running(const KernelContext& context, const KernelArguments& arguments) {
  run_indexed<Policy>(
      context, arguments.sizes[0],
      RunningStatistics<T>{batch_norm_array<double>(arguments, 0), batch_norm_array<const T>(arguments, 1),
                           batch_norm_array<const T>(arguments, 2), arguments.sizes[0], arguments.parameters[0].real});
}

// A kind of work on channels has channel(c), the numbers of a channel, and write(at, numbers).

template <class T>
struct BatchNormWork {
  T* out;
  const T* in;
  const double* statistics;  ///< (2, channels)
  const T* weight;
  const T* bias;
  std::int64_t channels;

  struct Numbers {
    Standardised<T> scaled;
    T shift;
  };

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE Numbers channel(std::int64_t c) const {
    const double scale = weight == nullptr ? 1 : static_cast<double>(weight[c]);
    return {{statistics[c], statistics[channels + c] * scale}, bias == nullptr ? T(0) : bias[c]};
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void write(std::int64_t at, const Numbers& numbers) const {
    out[at] = numbers.scaled.of(in[at]) + numbers.shift;
  }
};

/// out = factor × weight × (grad − mean(grad) − x̂ × mean(grad × x̂)), or factor × weight × grad for running statistics.
template <class T, bool trains>
struct BatchNormBackwardWork {
  T* out;
  const T* grad;
  const T* in;
  const double* sums;  ///< (5, channels)
  std::int64_t channels;
  double count;

  struct Numbers {
    Standardised<T> standardised;
    T scale;
    T slope;
    T shift;
  };

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE Numbers channel(std::int64_t c) const {
    return {{sums[2 * channels + c], sums[3 * channels + c]},
            static_cast<T>(sums[4 * channels + c]),
            static_cast<T>(sums[c] / count),
            static_cast<T>(sums[channels + c] / count)};
  }
  D2L_HOST_DEVICE D2L_ALWAYS_INLINE void write(std::int64_t at, const Numbers& numbers) const {
    if constexpr (trains) {
      const T x = numbers.standardised.of(in[at]);
      out[at] = numbers.scale * (grad[at] - numbers.shift - x * numbers.slope);
    } else {
      out[at] = numbers.scale * grad[at];
    }
  }
};

/// The loops of a host over rows: of one channel, or of one element of each channel.
template <class Work>
struct ChannelLoops {
  static D2L_ALWAYS_INLINE void loops(const Work& given, const ChannelSizes& sizes, std::int64_t begin,
                                      std::int64_t end) {
    const Work work = given;
    const std::int64_t channels = sizes.channels;
    const std::int64_t inner = sizes.inner;
    for (std::int64_t row = begin; row < end; ++row) {
      if (inner == 1) {
        D2L_VECTORISE
        for (std::int64_t c = 0; c < channels; ++c) work.write(row * channels + c, work.channel(c));
      } else {
        const auto numbers = work.channel(row % channels);
        D2L_VECTORISE
        for (std::int64_t i = 0; i < inner; ++i) work.write(row * inner + i, numbers);
      }
    }
  }
  D2L_NEVER_INLINE static void baseline(const Work& work, const ChannelSizes& sizes, std::int64_t begin,
                                        std::int64_t end) {
    loops(work, sizes, begin, end);
  }
  D2L_WIDE static void wide(const Work& work, const ChannelSizes& sizes, std::int64_t begin, std::int64_t end) {
    loops(work, sizes, begin, end);
  }
  static void rows(const Work& work, const ChannelSizes& sizes, std::int64_t begin, std::int64_t end) {
    wide_vectors() ? wide(work, sizes, begin, end) : baseline(work, sizes, begin, end);
  }
};

/// An element by one thread of a GPU.
template <class Work>
struct ChannelElement {
  Work work;
  ChannelSizes sizes;

  D2L_HOST_DEVICE void operator()(std::int64_t at) const {
    work.write(at, work.channel(at / sizes.inner % sizes.channels));
  }
};

template <class Policy, class Work>
void write_channels(const KernelContext& context, const ChannelSizes& sizes, const Work& work) {
  if (sizes.all() == 0) return;
  if constexpr (Policy::on_device) {
    Policy::for_each(context, sizes.all(), ChannelElement<Work>{work, sizes});
  } else {
    const std::int64_t rows = sizes.inner == 1 ? sizes.outer : sizes.outer * sizes.channels;
    const std::int64_t chunk = std::max<std::int64_t>(chunk_elements * rows / sizes.all(), 1);
    Policy::for_each(sizes.all() < parallel_threshold ? on_one_thread(context) : context, (rows + chunk - 1) / chunk,
                     [&work, &sizes, rows, chunk](std::int64_t index) {
                       ChannelLoops<Work>::rows(work, sizes, index * chunk, std::min(rows, (index + 1) * chunk));
                     });
  }
}

template <class Policy, class T>
void batch_norm(const KernelContext& context, const KernelArguments& arguments) {
  const ChannelSizes sizes = channel_sizes(arguments);
  const auto flags = arguments.parameters[0].integer;
  const T* const weight = (flags & has_weight) != 0 ? batch_norm_array<const T>(arguments, 3) : nullptr;
  const T* const bias =
      (flags & has_bias) != 0 ? batch_norm_array<const T>(arguments, weight != nullptr ? 4 : 3) : nullptr;
  write_channels<Policy>(context, sizes,
                         BatchNormWork<T>{batch_norm_array<T>(arguments, 0), batch_norm_array<const T>(arguments, 1),
                                          batch_norm_array<const double>(arguments, 2), weight, bias, sizes.channels});
}

/// grad × x̂ and grad.
template <class T>
struct BatchNormGradientTerms {
  const T* grad;
  const T* in;
  const double* statistics;
  std::int64_t channels;

  D2L_HOST_DEVICE D2L_ALWAYS_INLINE TwoSums at(std::int64_t at, std::int64_t /*o*/, std::int64_t c) const {
    const Standardised<T> standardised(statistics[c], statistics[channels + c]);
    const auto g = static_cast<double>(grad[at]);
    return {g * static_cast<double>(standardised.of(in[at])), g};
  }
};

/// Writes the sums of a channel, and beside them what the gradient of the input needs.
template <class T>
struct FinishGradientSums {
  double* sums;  ///< (5, channels)
  const double* statistics;
  const T* weight;
  std::int64_t channels;

  D2L_HOST_DEVICE void operator()(std::int64_t c, TwoSums values) const {
    const double factor = statistics[channels + c];
    sums[c] = values.first;
    sums[channels + c] = values.second;
    sums[2 * channels + c] = statistics[c];
    sums[3 * channels + c] = factor;
    sums[4 * channels + c] = weight == nullptr ? factor : factor * static_cast<double>(weight[c]);
  }
};

template <class Policy, class T>
void batch_norm_sums(const KernelContext& context, const KernelArguments& arguments) {
  const ChannelSizes sizes = channel_sizes(arguments);
  const auto* statistics = batch_norm_array<const double>(arguments, 3);
  const bool weighted = (arguments.parameters[0].integer & has_weight) != 0;
  sum_channels<Policy>(
      context, sizes,
      BatchNormGradientTerms<T>{batch_norm_array<const T>(arguments, 1), batch_norm_array<const T>(arguments, 2),
                                statistics, sizes.channels},
      FinishGradientSums<T>{batch_norm_array<double>(arguments, 0), statistics,
                            weighted ? batch_norm_array<const T>(arguments, 4) : nullptr, sizes.channels});
}

template <class Policy, class T, bool trains>
void batch_norm_backward_of(const KernelContext& context, const KernelArguments& arguments) {
  const ChannelSizes sizes = channel_sizes(arguments);
  write_channels<Policy>(context, sizes,
                         BatchNormBackwardWork<T, trains>{
                             batch_norm_array<T>(arguments, 0), batch_norm_array<const T>(arguments, 1),
                             batch_norm_array<const T>(arguments, 2), batch_norm_array<const double>(arguments, 3),
                             sizes.channels, static_cast<double>(sizes.each())});
}

template <class Policy, class T>
void batch_norm_backward(const KernelContext& context, const KernelArguments& arguments) {
  arguments.parameters[0].integer != 0 ? batch_norm_backward_of<Policy, T, true>(context, arguments)
                                       : batch_norm_backward_of<Policy, T, false>(context, arguments);
}

template <class Policy>
void fill_batch_norm(KernelTable& table) {
  add_kernels<Operation::batch_norm_statistics>(
      table, []<class T>(Type<T>) -> Kernel { return batch_norm_statistics<Policy, T>; });
  add_kernels<Operation::batch_norm_running>(table,
                                             []<class T>(Type<T>) -> Kernel { return batch_norm_running<Policy, T>; });
  add_kernels<Operation::batch_norm>(table, []<class T>(Type<T>) -> Kernel { return batch_norm<Policy, T>; });
  add_kernels<Operation::batch_norm_sums>(table, []<class T>(Type<T>) -> Kernel { return batch_norm_sums<Policy, T>; });
  add_kernels<Operation::batch_norm_backward>(
      table, []<class T>(Type<T>) -> Kernel { return batch_norm_backward<Policy, T>; });
}

}  // namespace d2l::backend::kernels
