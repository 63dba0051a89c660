// SPDX-License-Identifier: MIT
// The kernels of poolings and of their gradients against their definition, on the host and in the form for GPUs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/as_on_device.h"
#include "kernels/families/fill_pooling.h"
#include "kernels/kernel_arrays.h"

namespace d2l::testing {
namespace {

using backend::Window;

std::vector<Engine> pooling_engines() {
  static const KernelTable as_on_device = [] {
    KernelTable table;
    backend::kernels::fill_pooling<AsOnDevice>(table);
    return table;
  }();
  auto all = engines();
  all.push_back({"as on a device", as_on_device, host_context(1)});
  return all;
}

struct PoolingCase {
  Sizes image;    ///< planes, height, width
  Sizes windows;  ///< rows, columns
  Window window;
  bool counts_padding = true;
  std::int64_t divisor = 0;

  [[nodiscard]] Sizes pooled() const { return {image[0], windows[0], windows[1]}; }
  [[nodiscard]] bool adaptive() const { return window.size[0] == 0; }
  /// The places along a dimension that a window covers, with those in the padding.
  [[nodiscard]] Sizes covered(std::size_t d, std::int64_t o) const {
    const std::int64_t size = image[d + 1];
    Sizes places;
    if (adaptive()) {
      const double share = static_cast<double>(size) / static_cast<double>(windows[d]);
      for (std::int64_t i = 0; i < size; ++i) {
        const auto at = static_cast<double>(i);
        if (at > share * static_cast<double>(o) - 1 + 1e-9 && at < share * static_cast<double>(o + 1) - 1e-9) {
          places.push_back(i);
        }
      }
      return places;
    }
    for (std::int64_t k = 0; k < window.size[d]; ++k) {
      const std::int64_t place = o * window.stride[d] + k * window.dilation[d] - window.padding[d];
      if (place < size + window.padding[d]) places.push_back(place);
    }
    return places;
  }
  [[nodiscard]] KernelArguments arguments(const std::vector<Operand>& operands) const {
    auto result = arguments_of({image[0], image[1], image[2], windows[0], windows[1]}, operands);
    result.window = window;
    result.parameters[0].integer = counts_padding ? 1 : 0;
    result.parameters[1].integer = divisor;
    return result;
  }
};

/// What a pooling gives, by its definition, and the gradients for `grad`.
struct PoolingReference {
  std::vector<double> largest, averages;
  Sizes places;
  std::vector<long double> largest_gradient, average_gradient;

  template <class T>
  PoolingReference(const PoolingCase& given, const std::vector<T>& in, const std::vector<T>& grad)
      : largest_gradient(in.size()), average_gradient(in.size()) {
    const std::int64_t height = given.image[1];
    const std::int64_t width = given.image[2];
    std::size_t o = 0;
    for (std::int64_t plane = 0; plane < given.image[0]; ++plane) {
      for (std::int64_t row = 0; row < given.windows[0]; ++row) {
        for (std::int64_t column = 0; column < given.windows[1]; ++column, ++o) {
          std::vector<std::size_t> inside;
          std::int64_t count = 0;
          std::int64_t place = -1;
          long double sum = 0;
          for (const auto y : given.covered(0, row)) {
            for (const auto x : given.covered(1, column)) {
              ++count;
              if (y < 0 || y >= height || x < 0 || x >= width) continue;
              inside.push_back(static_cast<std::size_t>((plane * height + y) * width + x));
              const T value = in[inside.back()];
              sum += static_cast<long double>(value);
              const bool first = place < 0;
              if (first || value > in[static_cast<std::size_t>(plane * height * width + place)]) place = y * width + x;
            }
          }
          if (!given.counts_padding) count = static_cast<std::int64_t>(inside.size());
          if (given.divisor != 0) count = given.divisor;
          averages.push_back(static_cast<double>(sum / static_cast<long double>(count)));
          for (const auto at : inside) {
            average_gradient[at] += static_cast<long double>(grad[o]) / static_cast<long double>(count);
          }
          places.push_back(place);
          largest.push_back(-std::numeric_limits<double>::infinity());
          if (place < 0) continue;
          const auto at = static_cast<std::size_t>(plane * height * width + place);
          largest.back() = static_cast<double>(in[at]);
          largest_gradient[at] += static_cast<long double>(grad[o]);
        }
      }
    }
  }
};

template <class T, class Expected>
void expect_near(const std::vector<T>& found, const std::vector<Expected>& expected, const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  const double tolerance = 50 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto value = static_cast<double>(expected[i]);
    if (static_cast<double>(found[i]) == value) continue;
    ASSERT_NEAR(static_cast<double>(found[i]), value, tolerance * (8 + std::abs(value))) << what << ", element " << i;
  }
}

const std::vector<PoolingCase> maximum_cases = {
    {{6, 8, 8}, {4, 4}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}}},
    {{3, 7, 9}, {3, 4}, {{3, 2}, {2, 2}, {0, 0}, {1, 1}}},
    {{2, 5, 301}, {5, 151}, {{3, 3}, {1, 2}, {1, 1}, {1, 1}}},
    {{2, 6, 200}, {4, 198}, {{3, 3}, {1, 1}, {0, 0}, {1, 1}}},
    {{1, 9, 70}, {3, 24}, {{3, 3}, {3, 3}, {0, 1}, {1, 1}}},
    {{2, 9, 11}, {3, 6}, {{3, 2}, {2, 1}, {1, 1}, {2, 7}}},
    {{2, 9, 9}, {5, 5}, {{3, 3}, {1, 1}, {0, 0}, {2, 2}}},
    {{2, 7, 7}, {4, 4}, {{2, 3}, {2, 2}, {0, 1}, {1, 1}}},  // in ceil mode
    {{1, 1, 1}, {1, 1}, {{2, 2}, {1, 1}, {2, 2}, {4, 4}}},  // its one window has no element
    {{1, 1, 1}, {1, 1}, {{1, 1}, {5, 5}, {0, 0}, {1, 1}}},
    {{40, 30, 31}, {15, 15}, {{2, 3}, {2, 2}, {0, 0}, {1, 1}}},  // several threads
    {{0, 4, 4}, {2, 2}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}}},
};

std::vector<PoolingCase> average_cases() {
  std::vector<PoolingCase> all;
  for (auto one : maximum_cases) {
    if (one.window.dilation[0] != 1) continue;
    for (const std::int64_t divisor : {0, 0, -3}) {
      one.divisor = divisor;
      one.counts_padding = !one.counts_padding;
      all.push_back(one);
    }
  }
  return all;
}

const std::vector<PoolingCase> adaptive_cases = {{{3, 7, 9}, {3, 4}, {}, false},     {{2, 5, 5}, {5, 5}, {}, false},
                                                 {{2, 3, 4}, {7, 9}, {}, false},     {{1, 10, 7}, {1, 3}, {}, false},
                                                 {{50, 32, 33}, {6, 7}, {}, false},  {{0, 3, 3}, {2, 2}, {}, false},
                                                 {{2, 224, 100}, {7, 7}, {}, false}, {{4, 1, 1}, {2, 3}, {}, false}};

TEST(PoolingKernels, FollowTheirDefinition) {
  for (const Engine& engine : pooling_engines()) {
    for_each_real([&](auto type) {
      using T = typename decltype(type)::Element;
      const auto check = [&](const PoolingCase& one, Operation average, Operation average_backward) {
        SCOPED_TRACE(engine.name + ", " + toString(type) + ", " + ::testing::PrintToString(one.image) + " in " +
                     ::testing::PrintToString(one.windows) + ", divisor " + std::to_string(one.divisor));
        auto in = samples<decltype(type)::value>(one.image, 3);
        auto grad = samples<decltype(type)::value>(one.pooled(), 12345);
        const PoolingReference expected(one, in.memory, grad.memory);
        StridedArray<T> out(one.pooled(), Layout::contiguous, T{9});
        StridedArray<T> back(one.image, Layout::contiguous, T{9});
        StridedArray<std::int64_t> places(one.pooled(), Layout::contiguous, 9);
        engine.run(average, one.arguments({out.operand(type), in.operand(type)}));
        engine.run(average_backward, one.arguments({back.operand(type), grad.operand(type)}));
        if (one.window.dilation[0] <= 1) {
          expect_near(out.memory, expected.averages, "averages");
          expect_near(back.memory, expected.average_gradient, "gradient of the averages");
        }
        if (one.adaptive()) return;
        back.memory.assign(back.memory.size(), T{9});
        engine.run(Operation::max_pool2d, one.arguments({out.operand(type), in.operand(type), places.operand(kLong)}));
        engine.run(Operation::max_pool2d_backward,
                   one.arguments({back.operand(type), grad.operand(type), places.operand(kLong)}));
        ASSERT_EQ(std::vector<double>(out.memory.begin(), out.memory.end()), expected.largest);
        for (std::size_t i = 0; i < places.memory.size(); ++i) {
          if (expected.places[i] < 0) continue;
          ASSERT_EQ(places.memory[i], expected.places[i]) << "window " << i;
        }
        expect_near(back.memory, expected.largest_gradient, "gradient of the largest");
      };
      for (const auto& one : maximum_cases) check(one, Operation::avg_pool2d, Operation::avg_pool2d_backward);
      for (const auto& one : average_cases()) check(one, Operation::avg_pool2d, Operation::avg_pool2d_backward);
      for (const auto& one : adaptive_cases) {
        check(one, Operation::adaptive_avg_pool2d, Operation::adaptive_avg_pool2d_backward);
      }
    });
  }
  EXPECT_EQ(scratch_blocks, 0);
}

TEST(PoolingKernels, IntegersHaveALargestElementAndAnAverage) {
  const PoolingCase one{{2, 5, 70}, {3, 36}, {{3, 2}, {2, 2}, {1, 1}, {1, 1}}};
  for (const Engine& engine : pooling_engines()) {
    for_each_dtype([&](auto type) {
      using T = typename decltype(type)::Element;
      if constexpr (decltype(type)::value != kBool && !std::is_floating_point_v<T>) {
        SCOPED_TRACE(engine.name + ", " + toString(type));
        auto in = samples<decltype(type)::value>(one.image, 3);
        in.memory[0] = std::numeric_limits<T>::min();
        StridedArray<T> out(one.pooled(), Layout::contiguous, T{9});
        StridedArray<std::int64_t> places(one.pooled(), Layout::contiguous, 9);
        engine.run(Operation::max_pool2d, one.arguments({out.operand(type), in.operand(type), places.operand(kLong)}));
        std::size_t o = 0;
        for (std::int64_t plane = 0; plane < 2; ++plane) {
          for (std::int64_t row = 0; row < 3; ++row) {
            for (std::int64_t column = 0; column < 36; ++column, ++o) {
              T largest = std::numeric_limits<T>::min();
              for (const auto y : one.covered(0, row)) {
                for (const auto x : one.covered(1, column)) {
                  if (y < 0 || y >= 5 || x < 0 || x >= 70) continue;
                  largest = std::max(largest, in.memory[static_cast<std::size_t>((plane * 5 + y) * 70 + x)]);
                }
              }
              ASSERT_EQ(out.memory[o], largest) << o;
              const auto place = static_cast<std::size_t>(plane * 5 * 70 + places.memory[o]);
              ASSERT_EQ(in.memory[place], largest) << o;
            }
          }
        }
      }
    });
    // A quotient loses its fraction, and a sum wraps.
    std::vector<std::int64_t> in{-7, 0, 0, 0, 7, 0, 0, 0, std::numeric_limits<std::int64_t>::max(), 1, 0, 0};
    std::vector<std::int64_t> out(3);
    PoolingCase quarters{{3, 2, 2}, {1, 1}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}}};
    engine.run(Operation::avg_pool2d, quarters.arguments({operand_of(out), operand_of(in)}));
    EXPECT_EQ(out, (Sizes{-1, 1, std::numeric_limits<std::int64_t>::min() / 4})) << engine.name;
    quarters.divisor = -1;
    engine.run(Operation::avg_pool2d, quarters.arguments({operand_of(out), operand_of(in)}));
    EXPECT_EQ(out, (Sizes{7, -7, std::numeric_limits<std::int64_t>::min()})) << engine.name;
  }
}

TEST(PoolingKernels, TheLastNanIsTakenAndElseTheFirstLargest) {
  const float nan = std::nanf("");
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::pair<std::vector<float>, std::int64_t>> cases{
      {{1, 2, 2, 0}, 1},
      {{nan, 1, 2, 3}, 0},
      {{1, nan, 5, nan}, 3},
      {{-infinity, -infinity, -infinity, -infinity}, 0},
      {{0, -0.0F, 0, 0}, 0},
      {{infinity, nan, infinity, 1}, 1},
      {{-1, infinity, infinity, 2}, 1}};
  for (const Engine& engine : pooling_engines()) {
    for (const auto& [four, place] : cases) {
      // In the middle of a tile, and alone.
      for (const std::int64_t columns : {1, 20}) {
        const PoolingCase one{{1, 2, 2 * columns}, {1, columns}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}}};
        std::vector<float> in(static_cast<std::size_t>(4 * columns));
        for (std::size_t i = 0; i < in.size(); ++i) {
          in[i] = four[i / static_cast<std::size_t>(2 * columns) * 2 + i % 2];
        }
        std::vector<float> out(static_cast<std::size_t>(columns));
        std::vector<std::int64_t> places(out.size());
        engine.run(Operation::max_pool2d, one.arguments({operand_of(out), operand_of(in), operand_of(places)}));
        for (std::int64_t i = 0; i < columns; ++i) {
          const auto at = static_cast<std::size_t>(i);
          EXPECT_EQ(places[at], place / 2 * 2 * columns + 2 * i + place % 2) << engine.name << ", window " << i;
          EXPECT_TRUE(same(out[at], four[static_cast<std::size_t>(place)])) << out[at];
        }
      }
    }
  }
}

TEST(PoolingKernels, AGradientIgnoresAPlaceThatIsInNoImage) {
  const PoolingCase one{{1, 2, 2}, {1, 2}, {{2, 1}, {2, 1}, {0, 0}, {1, 1}}};
  for (const Engine& engine : pooling_engines()) {
    std::vector<float> grad{1, 2};
    std::vector<std::int64_t> places{-5, 400};
    std::vector<float> out(4, 9);
    engine.run(Operation::max_pool2d_backward, one.arguments({operand_of(out), operand_of(grad), operand_of(places)}));
    EXPECT_EQ(out, std::vector<float>(4)) << engine.name;
  }
}

}  // namespace
}  // namespace d2l::testing
