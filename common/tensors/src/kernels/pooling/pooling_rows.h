// SPDX-License-Identifier: MIT
// Poolings on a host: rows of windows, of which tiles of neighbouring ones are computed together; gradients by plane.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/pooling/pooling_windows.h"
#include "kernels/rows.h"

namespace d2l::backend::kernels {

inline constexpr std::int64_t pooling_tile = 64;

/// Where a tile of windows in one row begins. All of its elements are in the image along the width.
template <class T>
struct PoolingTile {
  const T* plane;
  std::int64_t row;
  std::int64_t column;
  std::int64_t width;
};

/// The largest elements of a tile. A place has the size of an element, so that one vector has as many of both.
template <class T>
struct MaxPoolTile {
  using Work = MaxPoolWork<T>;
  using Index = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

  static bool fits(const Pooling& pooling) {
    return pooling.rows.size * pooling.columns.size <= std::numeric_limits<Index>::max();
  }

  /// `stride` is that of the columns; 0 for one that is not known to the compiler.
  template <std::int64_t known_stride>
  static D2L_ALWAYS_INLINE void loops(const Work& work, const PoolingTile<T>& tile, std::int64_t first) {
    const auto& rows = work.pooling.rows;
    const auto& columns = work.pooling.columns;
    const std::int64_t stride = known_stride == 0 ? columns.stride : known_stride;
    const std::int64_t left = columns.start(tile.column);
    const std::int64_t top = rows.begin(tile.row);
    const auto width = static_cast<std::size_t>(tile.width);
    std::array<T, pooling_tile> largest;
    std::array<Index, pooling_tile> steps;
    std::array<Index, pooling_tile> places;
    largest.fill(lowest_element<T>());
    for (std::size_t i = 0; i < width; ++i) steps[i] = static_cast<Index>(static_cast<std::int64_t>(i) * stride);
    for (std::size_t i = 0; i < width; ++i) places[i] = static_cast<Index>(top * columns.size + left + steps[i]);
    for (std::int64_t y = top; y < rows.end(tile.row); y += rows.dilation) {
      for (std::int64_t k = 0; k < columns.window; ++k) {
        const std::int64_t at = y * columns.size + left + k * columns.dilation;
        const T* from = tile.plane + at;
        const auto place = static_cast<Index>(at);
        D2L_VECTORISE
        for (std::size_t i = 0; i < width; ++i) {
          const T value = from[static_cast<std::int64_t>(i) * stride];
          const bool takes = takes_place(value, largest[i]);
          largest[i] = takes ? value : largest[i];
          places[i] = takes ? static_cast<Index>(place + steps[i]) : places[i];
        }
      }
    }
    T* out = work.out + first;
    std::int64_t* out_places = work.places + first;
    D2L_VECTORISE
    for (std::size_t i = 0; i < width; ++i) out[i] = largest[i];
    D2L_VECTORISE
    for (std::size_t i = 0; i < width; ++i) out_places[i] = places[i];
  }
};

/// The averages of a tile.
template <class T>
struct AveragePoolTile {
  using Work = AveragePoolWork<T>;

  static bool fits(const Pooling& pooling) { return pooling.columns.window != 0; }

  template <std::int64_t known_stride>
  static D2L_ALWAYS_INLINE void loops(const Work& work, const PoolingTile<T>& tile, std::int64_t first) {
    const auto& rows = work.pooling.rows;
    const auto& columns = work.pooling.columns;
    const std::int64_t stride = known_stride == 0 ? columns.stride : known_stride;
    const std::int64_t left = columns.start(tile.column);
    const auto width = static_cast<std::size_t>(tile.width);
    std::array<WindowSum<T>, pooling_tile> sums{};
    for (std::int64_t y = rows.begin(tile.row); y < rows.end(tile.row); ++y) {
      const T* from = tile.plane + y * columns.size + left;
      std::int64_t k = 0;
      if constexpr (known_stride == 2) {
        // Neighbours together: their vectors have no element that is not needed.
        for (; k + 2 <= columns.window; k += 2) {
          D2L_VECTORISE
          for (std::size_t i = 0; i < width; ++i) {
            sums[i].add(from[static_cast<std::int64_t>(2 * i) + k]);
            sums[i].add(from[static_cast<std::int64_t>(2 * i) + k + 1]);
          }
        }
      }
      for (; k < columns.window; ++k) {
        D2L_VECTORISE
        for (std::size_t i = 0; i < width; ++i) sums[i].add(from[static_cast<std::int64_t>(i) * stride + k]);
      }
    }
    const std::int64_t divisor = work.pooling.divisor_of(tile.row, tile.column);
    T* out = work.out + first;
    D2L_VECTORISE
    for (std::size_t i = 0; i < width; ++i) out[i] = sums[i].divided_by(divisor);
  }
};

/// Computes rows of windows, compiled for the widest vectors of the processor.
template <class T, class Tile>
struct PoolingRows {
  using Work = typename Tile::Work;

  explicit PoolingRows(const Work& given) : work(given) {
    const auto& columns = work.pooling.columns;
    if (!Tile::fits(work.pooling)) return;
    inside_begin = columns.inside_begin();
    inside_end = std::max(inside_begin, columns.inside_end());
  }

  static D2L_ALWAYS_INLINE void loops(const Work& work, const PoolingTile<T>& tile, std::int64_t first) {
    switch (work.pooling.columns.stride) {
      case 1:
        return Tile::template loops<1>(work, tile, first);
      case 2:
        return Tile::template loops<2>(work, tile, first);
      default:
        return Tile::template loops<0>(work, tile, first);
    }
  }
  D2L_NEVER_INLINE static void baseline(const Work& work, const PoolingTile<T>& tile, std::int64_t first) {
    loops(work, tile, first);
  }
  D2L_WIDE static void wide(const Work& work, const PoolingTile<T>& tile, std::int64_t first) {
    loops(work, tile, first);
  }

  void operator()(std::int64_t index) const {
    const auto& rows = work.pooling.rows;
    const auto& columns = work.pooling.columns;
    const std::int64_t first = index * columns.windows;
    const T* plane = work.in + index / rows.windows * rows.size * columns.size;
    for (std::int64_t i = 0; i < inside_begin; ++i) work(first + i);
    for (std::int64_t i = inside_begin; i < inside_end; i += pooling_tile) {
      const PoolingTile<T> tile{plane, index % rows.windows, i, std::min(pooling_tile, inside_end - i)};
      wide_vectors() ? wide(work, tile, first + i) : baseline(work, tile, first + i);
    }
    for (std::int64_t i = inside_end; i < columns.windows; ++i) work(first + i);
  }

  Work work;
  std::int64_t inside_begin = 0;  ///< the windows that have no element outside the image along the width
  std::int64_t inside_end = 0;
};

// One thread adds the gradients of all windows of a plane in their order, so that a result does not depend on the
// number of threads, and is what a GPU computes by element.

template <class T>
struct MaxPoolBackwardPlane {
  MaxPoolBackwardWork<T> work;

  void operator()(std::int64_t plane) const {
    const std::int64_t elements = work.pooling.rows.size * work.pooling.columns.size;
    const std::int64_t windows = work.pooling.rows.windows * work.pooling.columns.windows;
    T* out = work.out + plane * elements;
    const T* grad = work.grad + plane * windows;
    const std::int64_t* places = work.places + plane * windows;
    std::fill(out, out + elements, T{0});
    for (std::int64_t i = 0; i < windows; ++i) {
      // A program may have written other numbers into the indices.
      if (places[i] >= 0 && places[i] < elements) out[places[i]] += grad[i];
    }
  }
};

template <class T>
struct AveragePoolBackwardPlane {
  AveragePoolBackwardWork<T> work;

  void operator()(std::int64_t plane) const {
    const auto& rows = work.pooling.rows;
    const auto& columns = work.pooling.columns;
    T* out = work.out + plane * rows.size * columns.size;
    const T* grad = work.grad + plane * rows.windows * columns.windows;
    std::fill(out, out + rows.size * columns.size, T{0});
    const std::int64_t inside_begin = columns.window == 0 ? columns.windows : columns.inside_begin();
    const std::int64_t inside_end = std::max(inside_begin, columns.window == 0 ? 0 : columns.inside_end());
    for (std::int64_t row = 0; row < rows.windows; ++row, grad += columns.windows) {
      add_windows(out, grad, row, 0, inside_begin);
      for (std::int64_t i = inside_begin; i < inside_end; i += pooling_tile) {
        add_tile(out, grad + i, row, i, std::min(pooling_tile, inside_end - i));
      }
      add_windows(out, grad, row, inside_end, columns.windows);
    }
  }

 private:
  /// The windows from `begin` to `end` of a row, one by one.
  void add_windows(T* out, const T* grad, std::int64_t row, std::int64_t begin, std::int64_t end) const {
    const auto& rows = work.pooling.rows;
    const auto& columns = work.pooling.columns;
    for (std::int64_t column = begin; column < end; ++column) {
      const T part = grad[column] / static_cast<T>(work.pooling.divisor_of(row, column));
      for (std::int64_t y = rows.begin(row); y < rows.end(row); ++y) {
        for (std::int64_t x = columns.begin(column); x < columns.end(column); ++x) out[y * columns.size + x] += part;
      }
    }
  }
  /// `width` windows of a row that are in the image.
  void add_tile(T* out, const T* grad, std::int64_t row, std::int64_t column, std::int64_t width) const {
    wide_vectors() ? wide(work.pooling, out, grad, row, column, width)
                   : baseline(work.pooling, out, grad, row, column, width);
  }
  /// The last element of a window comes first, because an element belongs to earlier windows by its later places.
  static D2L_ALWAYS_INLINE void loops(const Pooling& pooling, T* out, const T* grad, std::int64_t row,
                                      std::int64_t column, std::int64_t width) {
    const auto& rows = pooling.rows;
    const auto& columns = pooling.columns;
    const T divisor = static_cast<T>(pooling.divisor_of(row, column));
    std::array<T, pooling_tile> parts;
    for (std::int64_t i = 0; i < width; ++i) parts[static_cast<std::size_t>(i)] = grad[i] / divisor;
    const bool apart = columns.window == 2 && columns.stride == 2;
    for (std::int64_t y = rows.begin(row); y < rows.end(row); ++y) {
      T* const line = out + y * columns.size + columns.start(column);
      if (apart) {  // each element of a line once, in their order
        D2L_VECTORISE
        for (std::int64_t i = 0; i < width; ++i) {
          line[2 * i] += parts[static_cast<std::size_t>(i)];
          line[2 * i + 1] += parts[static_cast<std::size_t>(i)];
        }
        continue;
      }
      for (std::int64_t k = columns.window - 1; k >= 0; --k) {
        for (std::int64_t i = 0; i < width; ++i) {
          line[k + i * columns.stride] += parts[static_cast<std::size_t>(i)];
        }
      }
    }
  }
  D2L_NEVER_INLINE static void baseline(const Pooling& pooling, T* out, const T* grad, std::int64_t row,
                                        std::int64_t column, std::int64_t width) {
    loops(pooling, out, grad, row, column, width);
  }
  D2L_WIDE static void wide(const Pooling& pooling, T* out, const T* grad, std::int64_t row, std::int64_t column,
                            std::int64_t width) {
    loops(pooling, out, grad, row, column, width);
  }
};

}  // namespace d2l::backend::kernels
