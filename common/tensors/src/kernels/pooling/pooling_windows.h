// SPDX-License-Identifier: MIT
// The windows of a pooling, and what is computed for one window, or for one element of the image in a gradient.
#pragma once

#include <cstdint>
#include <limits>

#include "kernels/element.h"
#include "kernels/functions.h"

namespace d2l::backend::kernels {

/// The windows along the height or the width of an image.
struct PoolingLine {
  std::int64_t size;     ///< of the image
  std::int64_t windows;  ///< their number
  std::int64_t window;   ///< elements of a window; 0 if the windows divide the image as evenly as they can
  std::int64_t stride;
  std::int64_t padding;
  std::int64_t dilation;

  /// The place of a window's first element, which may be in the padding.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t start(std::int64_t o) const { return o * stride - padding; }
  /// The first element of a window in the image.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t begin(std::int64_t o) const {
    if (window == 0) return o * size / windows;
    const std::int64_t first = start(o);
    return first >= 0 ? first : first + (dilation - 1 - first) / dilation * dilation;
  }
  /// The end of a window's elements in the image.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t end(std::int64_t o) const {
    if (window == 0) return ((o + 1) * size + windows - 1) / windows;
    const std::int64_t last = start(o) + (window - 1) * dilation + 1;
    return last < size ? last : size;
  }
  /// The elements of a window, with those in the padding.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t padded_count(std::int64_t o) const {
    const std::int64_t last = start(o) + window;
    return (last < size + padding ? last : size + padding) - start(o);
  }
  /// The first window that may contain element i.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t first_window(std::int64_t i) const {
    if (window == 0) return i * windows / size;
    const std::int64_t least = i + padding - (window - 1) * dilation;
    return least <= 0 ? 0 : (least + stride - 1) / stride;
  }
  /// The end of the windows that may contain element i.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t end_window(std::int64_t i) const {
    if (window == 0) return ((i + 1) * windows + size - 1) / size;
    const std::int64_t end = (i + padding) / stride + 1;
    return end < windows ? end : windows;
  }
  /// The windows from inside_begin() to inside_end() have no element outside the image.
  [[nodiscard]] std::int64_t inside_begin() const {
    const std::int64_t first = (padding + stride - 1) / stride;
    return first < windows ? first : windows;
  }
  [[nodiscard]] std::int64_t inside_end() const {
    const std::int64_t room = size - 1 - (window - 1) * dilation + padding;
    const std::int64_t end = room < 0 ? 0 : room / stride + 1;
    return end < windows ? end : windows;
  }
  /// Whether a window may have no element in the image: dilation can step over all of them.
  [[nodiscard]] bool may_miss() const { return dilation > 1 && padding > 0; }
};

/// A pooling of images (planes, height, width).
struct Pooling {
  std::int64_t planes;
  PoolingLine rows;
  PoolingLine columns;
  bool counts_padding;   ///< an average is divided by the count of elements, with those in the padding
  std::int64_t divisor;  ///< an average is divided by this, unless it is 0

  [[nodiscard]] D2L_HOST_DEVICE std::int64_t elements() const { return planes * rows.size * columns.size; }
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t windows() const { return planes * rows.windows * columns.windows; }
  /// What the sum of a window is divided by.
  [[nodiscard]] D2L_HOST_DEVICE std::int64_t divisor_of(std::int64_t row, std::int64_t column) const {
    if (divisor != 0) return divisor;
    if (counts_padding) return rows.padded_count(row) * columns.padded_count(column);
    return (rows.end(row) - rows.begin(row)) * (columns.end(column) - columns.begin(column));
  }
};

inline Pooling pooling_of(const KernelArguments& arguments) {
  const Window& window = arguments.window;
  const auto line = [&](std::size_t d) {
    return PoolingLine{arguments.sizes[1 + d], arguments.sizes[3 + d], window.size[d],
                       window.stride[d],       window.padding[d],      window.dilation[d]};
  };
  return {arguments.sizes[0], line(0), line(1), arguments.parameters[0].integer != 0, arguments.parameters[1].integer};
}

/// What the largest element of a window is compared with first.
template <class T>
D2L_HOST_DEVICE constexpr T lowest_element() {
  if constexpr (is_floating<T>) {
    return -std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::min();
  }
}

/// Whether an element takes the place of the largest so far. NaN always does, so that the last one is found.
template <class T>
D2L_HOST_DEVICE inline bool takes_place(T value, T largest) {
  if constexpr (is_floating<T>) {
    return (value > largest) | (value != value);
  } else {
    return value > largest;
  }
}

/// A sum of a window; of integers it wraps.
template <class T>
struct WindowSum {
  T total = 0;
  D2L_HOST_DEVICE void add(T value) {
    if constexpr (is_floating<T>) {
      total += value;
    } else {
      total = static_cast<T>(static_cast<Wrapping<T>>(total) + static_cast<Wrapping<T>>(value));
    }
  }
  /// The quotient; of integers it loses its fraction.
  [[nodiscard]] D2L_HOST_DEVICE T divided_by(std::int64_t divisor) const {
    if constexpr (is_floating<T>) {
      return total / static_cast<T>(divisor);
    } else {
      // The processor refuses the lowest integer / −1.
      if (divisor == -1) return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(total));
      return static_cast<T>(static_cast<std::int64_t>(total) / divisor);
    }
  }
};

/// The largest element of one window, and its place in its plane.
template <class T>
struct MaxPoolWork {
  T* out;
  std::int64_t* places;
  const T* in;
  Pooling pooling;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const auto& rows = pooling.rows;
    const auto& columns = pooling.columns;
    const std::int64_t column = i % columns.windows;
    const std::int64_t row = i / columns.windows % rows.windows;
    const T* plane = in + i / columns.windows / rows.windows * rows.size * columns.size;
    const std::int64_t left = columns.begin(column);
    const std::int64_t right = columns.end(column);
    T largest = lowest_element<T>();
    std::int64_t place = rows.begin(row) * columns.size + left;
    for (std::int64_t y = rows.begin(row); y < rows.end(row); y += rows.dilation) {
      for (std::int64_t x = left; x < right; x += columns.dilation) {
        const T value = plane[y * columns.size + x];
        if (!takes_place(value, largest)) continue;
        largest = value;
        place = y * columns.size + x;
      }
    }
    out[i] = largest;
    places[i] = place;
  }
};

/// The gradient of one element of the image: the sum over the windows whose largest element it is.
template <class T>
struct MaxPoolBackwardWork {
  T* out;
  const T* grad;
  const std::int64_t* places;
  Pooling pooling;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const auto& rows = pooling.rows;
    const auto& columns = pooling.columns;
    const std::int64_t x = i % columns.size;
    const std::int64_t y = i / columns.size % rows.size;
    const std::int64_t first = i / columns.size / rows.size * rows.windows * columns.windows;
    const std::int64_t place = y * columns.size + x;
    T sum = 0;
    for (std::int64_t row = rows.first_window(y); row < rows.end_window(y); ++row) {
      for (std::int64_t column = columns.first_window(x); column < columns.end_window(x); ++column) {
        const std::int64_t at = first + row * columns.windows + column;
        if (places[at] == place) sum += grad[at];
      }
    }
    out[i] = sum;
  }
};

/// The average of one window.
template <class T>
struct AveragePoolWork {
  T* out;
  const T* in;
  Pooling pooling;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const auto& rows = pooling.rows;
    const auto& columns = pooling.columns;
    const std::int64_t column = i % columns.windows;
    const std::int64_t row = i / columns.windows % rows.windows;
    const T* plane = in + i / columns.windows / rows.windows * rows.size * columns.size;
    const std::int64_t left = columns.begin(column);
    const std::int64_t right = columns.end(column);
    WindowSum<T> sum;
    for (std::int64_t y = rows.begin(row); y < rows.end(row); ++y) {
      for (std::int64_t x = left; x < right; ++x) sum.add(plane[y * columns.size + x]);
    }
    out[i] = sum.divided_by(pooling.divisor_of(row, column));
  }
};

/// The gradient of one element of the image: the sum of its parts of the gradients of the windows that contain it.
template <class T>
struct AveragePoolBackwardWork {
  T* out;
  const T* grad;
  Pooling pooling;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    const auto& rows = pooling.rows;
    const auto& columns = pooling.columns;
    const std::int64_t x = i % columns.size;
    const std::int64_t y = i / columns.size % rows.size;
    const T* gradients = grad + i / columns.size / rows.size * rows.windows * columns.windows;
    T sum = 0;
    for (std::int64_t row = rows.first_window(y); row < rows.end_window(y); ++row) {
      for (std::int64_t column = columns.first_window(x); column < columns.end_window(x); ++column) {
        sum += gradients[row * columns.windows + column] / static_cast<T>(pooling.divisor_of(row, column));
      }
    }
    out[i] = sum;
  }
};

}  // namespace d2l::backend::kernels
