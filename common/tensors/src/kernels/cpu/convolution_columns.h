// SPDX-License-Identifier: MIT
// ImageColumns: the columns of a convolution on the host, in blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernels/convolution.h"

namespace d2l::backend::kernels {

/// Some positions of one image, or all positions of several.
struct ColumnBlock {
  std::int64_t image;
  std::int64_t images;
  std::int64_t begin;
  std::int64_t end;

  [[nodiscard]] std::int64_t width() const { return images * (end - begin); }
};

/// Copies a few elements, for which a call of memcpy would take longer than the copy.
template <class T>
inline void copy_line(T* to, const T* from, std::int64_t count) {
  constexpr std::int64_t pack = 16 / sizeof(T);
  if (count > 16 * pack) {
    std::copy_n(from, count, to);
    return;
  }
  if (count < pack) {
    if (count > 0) to[0] = from[0];
    if (count > 1) to[1] = from[1];
    if (count > 2) to[2] = from[2];
    return;
  }
  for (std::int64_t i = 0; i + pack < count; i += pack) std::memcpy(to + i, from + i, 16);
  std::memcpy(to + count - pack, from + count - pack, 16);  // which may overlap the one before
}

/// Likewise, writes zeros.
template <class T>
inline void clear_line(T* to, std::int64_t count) {
  constexpr std::int64_t pack = 16 / sizeof(T);
  constexpr T zeros[pack] = {};
  if (count > 16 * pack) {
    std::fill_n(to, count, T{0});
    return;
  }
  for (; count >= pack; count -= pack) {
    std::memcpy(to, zeros, 16);
    to += pack;
  }
  if (count > 0) to[0] = T{0};
  if (count > 1) to[1] = T{0};
  if (count > 2) to[2] = T{0};
}

template <class T>
class ImageColumns {
 public:
  explicit ImageColumns(const Convolution& sizes) : sizes_(sizes) {}

  /// Writes the columns of `channels` channels for the positions from `begin` to `end`; `leading` elements are from one
  /// row of the columns to the next.
  void write(T* columns, std::int64_t leading, const T* image, std::int64_t channels, std::int64_t begin,
             std::int64_t end) const {
    const std::int64_t stride = sizes_.window.stride[1];
    for_each_line(channels, begin, end, [=](const Line& line) {
      T* const to = columns + line.row * leading + line.position - begin;
      if (line.pixel < 0) {
        clear_line(to, line.count);
        return;
      }
      if (line.first > 0) clear_line(to, line.first);
      const T* const from = image + line.pixel;
      if (stride == 1) {
        copy_line(to + line.first, from, line.last - line.first);
      } else {
        for (std::int64_t i = line.first; i < line.last; ++i) to[i] = from[(i - line.first) * stride];
      }
      if (line.last < line.count) clear_line(to + line.last, line.count - line.last);
    });
  }

  /// Adds the columns to the elements of the image that they are of.
  void add(T* image, const T* columns, std::int64_t leading, std::int64_t channels, std::int64_t begin,
           std::int64_t end) const {
    const std::int64_t stride = sizes_.window.stride[1];
    for_each_line(channels, begin, end, [=](const Line& line) {
      if (line.pixel < 0) return;
      const T* const from = columns + line.row * leading + line.position - begin + line.first;
      T* const to = image + line.pixel;
      const std::int64_t count = line.last - line.first;
      if (stride == 1) {
        for (std::int64_t i = 0; i < count; ++i) to[i] += from[i];
      } else {
        for (std::int64_t i = 0; i < count; ++i) to[i * stride] += from[i];
      }
    });
  }

 private:
  /// Positions beside each other, for one element of the window.
  struct Line {
    std::int64_t row;       ///< of the columns
    std::int64_t position;  ///< the first
    std::int64_t count;     ///< of positions
    // Those whose element is within the image, and the pixel of the first; −1 if there is none.
    std::int64_t first;
    std::int64_t last;
    std::int64_t pixel;
  };

  template <class Use>
  void for_each_line(std::int64_t channels, std::int64_t begin, std::int64_t end, const Use& use) const {
    const Convolution sizes = sizes_;  // a copy, which a write of elements cannot change
    const Window& window = sizes.window;
    std::int64_t row = 0;
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      for (std::int64_t a = 0; a < window.size[0]; ++a) {
        for (std::int64_t b = 0; b < window.size[1]; ++b, ++row) {
          const std::int64_t left = b * window.dilation[1] - window.padding[1];  // the pixel of the first column
          const auto [from, to] = inside(left);
          const std::int64_t last_of_all = std::max(from, to);
          std::int64_t line = begin / sizes.columns;
          std::int64_t column = begin % sizes.columns;
          for (std::int64_t position = begin; position < end; ++line) {
            std::int64_t count = sizes.columns;
            std::int64_t first = from;
            std::int64_t last = last_of_all;
            if (column > 0 || end - position < count) {  // a part of a line
              count = std::min(sizes.columns - column, end - position);
              first = std::clamp<std::int64_t>(from - column, 0, count);
              last = std::clamp<std::int64_t>(to - column, first, count);
            }
            const std::int64_t y = line * window.stride[0] + a * window.dilation[0] - window.padding[0];
            const bool outside = y < 0 || y >= sizes.height || first == last;
            const std::int64_t x = left + (column + first) * window.stride[1];
            use(Line{row, position, count, first, last, outside ? -1 : channel * sizes.pixels() + y * sizes.width + x});
            position += count;
            column = 0;
          }
        }
      }
    }
  }

  /// The columns of the result, from the first to the end, whose pixel left + column × stride is within the image.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> inside(std::int64_t left) const {
    const std::int64_t stride = sizes_.window.stride[1];
    const std::int64_t from = left >= 0 ? 0 : (-left + stride - 1) / stride;
    const std::int64_t to = left >= sizes_.width ? 0 : (sizes_.width - 1 - left) / stride + 1;
    return {std::min(from, sizes_.columns), std::clamp<std::int64_t>(to, 0, sizes_.columns)};
  }

  const Convolution& sizes_;
};

}  // namespace d2l::backend::kernels
