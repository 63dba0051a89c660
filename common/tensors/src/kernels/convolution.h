// SPDX-License-Identifier: MIT
// Convolution: the sizes of a convolution, from the arguments of its kernels.
#pragma once

#include <cstdint>

#include "backend/kernel.h"
#include "kernels/element.h"

namespace d2l::backend::kernels {

struct Convolution {
  explicit Convolution(const KernelArguments& arguments)
      : images(arguments.sizes[0]),
        channels(arguments.sizes[1]),
        height(arguments.sizes[2]),
        width(arguments.sizes[3]),
        outputs(arguments.sizes[4]),
        rows(arguments.sizes[5]),
        columns(arguments.sizes[6]),
        groups(arguments.parameters[0].integer),
        window(arguments.window) {}

  [[nodiscard]] std::int64_t group_channels() const { return channels / groups; }
  [[nodiscard]] std::int64_t group_outputs() const { return outputs / groups; }
  /// The elements of a window in one channel.
  [[nodiscard]] std::int64_t area() const { return window.size[0] * window.size[1]; }
  /// The products that an element of the result is the sum of.
  [[nodiscard]] std::int64_t terms() const { return group_channels() * area(); }
  /// The elements of one channel of the input, and of one of the result.
  [[nodiscard]] std::int64_t pixels() const { return height * width; }
  [[nodiscard]] std::int64_t positions() const { return rows * columns; }
  [[nodiscard]] bool is_empty() const { return images * outputs * positions() * terms() == 0; }
  /// Whether the columns are the input itself.
  [[nodiscard]] bool is_plain() const {
    return area() == 1 && window.stride[0] == 1 && window.stride[1] == 1 && window.padding[0] == 0 &&
           window.padding[1] == 0 && rows == height && columns == width;
  }

  std::int64_t images;
  std::int64_t channels;
  std::int64_t height;
  std::int64_t width;
  std::int64_t outputs;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t groups;
  Window window;
};

}  // namespace d2l::backend::kernels
