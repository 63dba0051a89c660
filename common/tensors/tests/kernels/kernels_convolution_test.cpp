// SPDX-License-Identifier: MIT
// The kernels of convolutions against plain sums, on the host by blocks and, as a card computes them, by columns.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "kernels/column_convolution.h"
#include "kernels/kernel_arrays.h"

namespace d2l::testing::convolutions {
namespace {

using backend::Window;

/// The sizes of the arguments, the groups and the window.
struct ConvolutionCase {
  Sizes sizes;
  std::int64_t groups;
  Window window;
};

/// A case with as many rows and columns as the padding gives.
ConvolutionCase convolution_case(const Sizes& input, std::int64_t outputs, const Window& window,
                                 std::int64_t groups = 1, const std::array<std::int64_t, 2>& added = {}) {
  ConvolutionCase result{input, groups, window};
  result.sizes.push_back(outputs);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto padded = input[2 + i] + 2 * window.padding[i] + added[i];
    result.sizes.push_back((padded - window.dilation[i] * (window.size[i] - 1) - 1) / window.stride[i] + 1);
  }
  return result;
}

Window window_of(std::int64_t size, std::int64_t stride = 1, std::int64_t padding = 0, std::int64_t dilation = 1) {
  return {{size, size}, {stride, stride}, {padding, padding}, {dilation, dilation}};
}

std::vector<ConvolutionCase> convolution_cases() {
  const Window uneven{{3, 2}, {2, 3}, {1, 4}, {2, 1}};
  return {
      convolution_case({1, 1, 1, 1}, 1, window_of(1)),
      convolution_case({1, 1, 3, 3}, 1, window_of(3)),
      convolution_case({2, 3, 9, 7}, 4, window_of(3)),
      convolution_case({2, 3, 9, 7}, 4, window_of(3, 1, 1)),
      convolution_case({2, 3, 9, 7}, 5, window_of(3, 2, 1)),
      convolution_case({1, 2, 11, 5}, 3, window_of(3, 1, 2, 2)),
      convolution_case({3, 4, 8, 9}, 6, uneven, 2),
      convolution_case({2, 6, 5, 5}, 6, window_of(3, 1, 1), 6),
      convolution_case({2, 6, 5, 5}, 12, window_of(2, 2), 3),
      convolution_case({2, 5, 6, 7}, 3, window_of(1)),
      convolution_case({2, 4, 6, 7}, 6, window_of(1), 2),
      convolution_case({2, 5, 6, 7}, 3, window_of(1, 2)),
      convolution_case({2, 5, 6, 7}, 3, window_of(1, 1, 1)),
      convolution_case({2, 2, 6, 7}, 3, window_of(2), 1, {1, 1}),
      convolution_case({1, 2, 1, 40}, 3, {{1, 5}, {1, 1}, {0, 2}, {1, 1}}),
      convolution_case({1, 2, 2, 2}, 3, window_of(5, 1, 4)),
      convolution_case({1, 1, 2, 3}, 1, window_of(1, 3, 2)),
      // Several images in a block, the last of fewer.
      convolution_case({11, 32, 4, 4}, 5, window_of(3, 1, 1)),
      convolution_case({7, 70, 3, 3}, 4, window_of(1)),
      convolution_case({13, 24, 5, 3}, 4, window_of(3), 2),
      // Several blocks in an image.
      convolution_case({1, 3, 70, 90}, 8, window_of(3, 1, 1)),
      convolution_case({2, 12, 61, 67}, 4, window_of(3)),
      convolution_case({1, 16, 40, 40}, 8, window_of(1)),
      convolution_case({1, 1, 1, 9001}, 2, {{1, 9}, {1, 1}, {0, 0}, {1, 1}}),
  };
}

template <class T>
struct ConvolutionArrays {
  ConvolutionArrays(const ConvolutionCase& given, ScalarType type)
      : sizes(given.sizes),
        groups(given.groups),
        window(given.window),
        dtype(type),
        input({sizes[0], sizes[1], sizes[2], sizes[3]}, Layout::contiguous, T{}),
        weight({sizes[4], sizes[1] / groups, window.size[0], window.size[1]}, Layout::contiguous, T{}),
        bias({sizes[4]}, Layout::contiguous, T{}),
        result({sizes[0], sizes[4], sizes[5], sizes[6]}, Layout::contiguous, T{}) {
    int first = 1;
    for (auto* array : {&input, &weight, &bias, &result}) {
      // Small integers and halves, whose sums are exact.
      for (auto& element : array->memory) element = static_cast<T>((first++ * 7) % 17 - 8) / T{2};
    }
  }

  [[nodiscard]] KernelArguments arguments(const std::vector<Operand>& operands) const {
    auto made = arguments_of(sizes, operands);
    made.window = window;
    made.parameters[0].integer = groups;
    return made;
  }

  /// use(place in the result, in the input, in the weight) for each product of the convolution.
  template <class Use>
  void for_each_product(const Use& use) const {
    const auto channels = sizes[1] / groups;
    const auto outputs = sizes[4] / groups;
    std::size_t place = 0;
    for (std::int64_t n = 0; n < sizes[0]; ++n) {
      for (std::int64_t o = 0; o < sizes[4]; ++o) {
        for (std::int64_t row = 0; row < sizes[5]; ++row) {
          for (std::int64_t column = 0; column < sizes[6]; ++column, ++place) {
            for (std::int64_t c = 0; c < channels; ++c) {
              for (std::int64_t i = 0; i < window.size[0]; ++i) {
                for (std::int64_t j = 0; j < window.size[1]; ++j) {
                  const auto y = row * window.stride[0] - window.padding[0] + i * window.dilation[0];
                  const auto x = column * window.stride[1] - window.padding[1] + j * window.dilation[1];
                  if (y < 0 || y >= sizes[2] || x < 0 || x >= sizes[3]) continue;
                  const auto channel = o / outputs * channels + c;
                  use(place, static_cast<std::size_t>(((n * sizes[1] + channel) * sizes[2] + y) * sizes[3] + x),
                      static_cast<std::size_t>(((o * channels + c) * window.size[0] + i) * window.size[1] + j));
                }
              }
            }
          }
        }
      }
    }
  }

  Sizes sizes;
  std::int64_t groups;
  Window window;
  ScalarType dtype;
  StridedArray<T> input;
  StridedArray<T> weight;
  StridedArray<T> bias;
  StridedArray<T> result;
};

/// One way to compute convolutions.
struct Way {
  std::string name;
  KernelContext context;
  backend::Kernel forward;
  backend::Kernel backward_input;
  backend::Kernel backward_weight;
};

template <class T>
std::vector<Way> ways(ScalarType dtype) {
  std::vector<Way> all;
  for (const Engine& engine : engines()) {
    const auto kernel = [&](Operation operation) {
      return engine.table.kernels[static_cast<std::size_t>(operation)][static_cast<std::size_t>(dtype)];
    };
    all.push_back({engine.name, engine.context, kernel(Operation::conv2d), kernel(Operation::conv2d_backward_input),
                   kernel(Operation::conv2d_backward_weight)});
  }
  using Columns = backend::kernels::ColumnConvolution<T, backend::host_kernels>;
  all.push_back({"columns", host_context(2), Columns::conv2d, Columns::backward_input, Columns::backward_weight});
  return all;
}

/// Runs a kernel and compares its result, which begins as NaN, with the sums.
template <class T>
void expect_sums(const Way& way, backend::Kernel kernel, const ConvolutionArrays<T>& arrays, const char* what,
                 std::vector<Operand> operands, const std::vector<double>& sums) {
  std::vector<T> out(sums.size(), static_cast<T>(NAN));
  operands.insert(operands.begin(), operand_of(out, {}, arrays.dtype));
  kernel(way.context, arrays.arguments(operands));
  EXPECT_EQ(scratch_blocks, 0) << what;
  for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(static_cast<double>(out[i]), sums[i]) << what << ' ' << i;
}

TEST(ConvolutionKernels, AgreeWithSums) {
  for_each_real([](auto type) {
    using T = typename decltype(type)::Element;
    for (const auto& given : convolution_cases()) {
      ConvolutionArrays<T> arrays(given, type);
      std::vector<double> forward(arrays.result.memory.size());
      std::vector<double> biased(forward.size());
      std::vector<double> input(arrays.input.memory.size());
      std::vector<double> weight(arrays.weight.memory.size());
      arrays.for_each_product([&](std::size_t place, std::size_t x, std::size_t w) {
        const auto value = [](const StridedArray<T>& array, std::size_t i) {
          return static_cast<double>(array.memory[i]);
        };
        forward[place] += value(arrays.input, x) * value(arrays.weight, w);
        input[x] += value(arrays.result, place) * value(arrays.weight, w);
        weight[w] += value(arrays.result, place) * value(arrays.input, x);
      });
      const auto plane = static_cast<std::size_t>(given.sizes[5] * given.sizes[6]);
      for (std::size_t i = 0; i < biased.size(); ++i) {
        biased[i] = forward[i] + static_cast<double>(arrays.bias.memory[i / plane % arrays.bias.memory.size()]);
      }
      const auto x = arrays.input.operand(type);
      const auto w = arrays.weight.operand(type);
      const auto g = arrays.result.operand(type);
      for (const Way& way : ways<T>(type)) {
        SCOPED_TRACE(way.name + ", " + toString(type) + ", sizes " + ::testing::PrintToString(given.sizes));
        expect_sums(way, way.forward, arrays, "conv2d", {x, w}, forward);
        expect_sums(way, way.forward, arrays, "with bias", {x, w, arrays.bias.operand(type)}, biased);
        expect_sums(way, way.backward_input, arrays, "the input's gradient", {g, w}, input);
        expect_sums(way, way.backward_weight, arrays, "the weight's gradient", {g, x}, weight);
      }
    }
  });
}

TEST(ConvolutionKernels, ColumnsAndTheirSums) {
  for_each_real([](auto type) {
    using T = typename decltype(type)::Element;
    for (const auto& given : convolution_cases()) {
      if (given.groups != 1) continue;
      // One output makes the place of a product in the weight its row of the columns.
      auto one_output = given;
      one_output.sizes[4] = 1;
      ConvolutionArrays<T> arrays(one_output, type);
      const auto rows = static_cast<std::int64_t>(arrays.weight.memory.size());
      const auto positions = given.sizes[5] * given.sizes[6];
      const auto images = given.sizes[0];
      std::vector<double> columns(static_cast<std::size_t>(images * rows * positions));
      std::vector<double> sums(arrays.input.memory.size());
      for (const bool side_by_side : {false, true}) {
        const Sizes strides = side_by_side ? Sizes{positions, images * positions} : Sizes{rows * positions, positions};
        const auto column = [&](std::size_t place, std::size_t row) {
          const auto p = static_cast<std::int64_t>(place);
          return static_cast<std::size_t>(p / positions * strides[0] + static_cast<std::int64_t>(row) * strides[1] +
                                          p % positions);
        };
        std::fill(columns.begin(), columns.end(), 0);
        std::fill(sums.begin(), sums.end(), 0);
        arrays.for_each_product([&](std::size_t place, std::size_t x, std::size_t w) {
          columns[column(place, w)] = static_cast<double>(arrays.input.memory[x]);
        });
        arrays.for_each_product(
            [&](std::size_t place, std::size_t x, std::size_t w) { sums[x] += columns[column(place, w)]; });
        for (const Engine& engine : engines()) {
          SCOPED_TRACE(engine.name + ", " + toString(type) + ", sizes " + ::testing::PrintToString(given.sizes));
          std::vector<T> made(columns.size(), static_cast<T>(NAN));
          std::vector<T> added(sums.size(), static_cast<T>(NAN));
          engine.run(Operation::im2col, arrays.arguments({operand_of(made, strides), arrays.input.operand(type)}));
          engine.run(Operation::col2im, arrays.arguments({operand_of(added), operand_of(made, strides)}));
          ASSERT_EQ(std::vector<double>(made.begin(), made.end()), columns);
          ASSERT_EQ(std::vector<double>(added.begin(), added.end()), sums);
        }
      }
    }
  });
}

}  // namespace
}  // namespace d2l::testing::convolutions
