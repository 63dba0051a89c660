// SPDX-License-Identifier: MIT
// The kernels of normalisation against plain formulas in long double: those of the host, and those of a GPU, by threads
// and by blocks of one thread.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/as_on_device.h"
#include "kernels/families/fill_batch_norm.h"
#include "kernels/families/fill_layer_norm.h"
#include "kernels/kernel_arrays.h"

namespace d2l::testing {
namespace {

using backend::Immediate;
namespace kernels = backend::kernels;

/// A block of one thread.
struct BlockOfOne {
  std::int64_t number;
  char* memory;

  [[nodiscard]] std::int64_t index() const { return number; }
  [[nodiscard]] static int thread() { return 0; }
  template <class T>
  [[nodiscard]] T* shared() const {
    return reinterpret_cast<T*>(memory);
  }
  void synchronise() const {}
};

struct BlocksOfDevice : AsOnDevice {
  static constexpr int block_threads = 1;
  template <class Body>
  static void for_each_block(const KernelContext& /*context*/, std::int64_t count, std::size_t shared_bytes,
                             const Body& body) {
    std::vector<double> memory(shared_bytes / sizeof(double) + 1);
    for (std::int64_t i = 0; i < count; ++i) body(BlockOfOne{i, reinterpret_cast<char*>(memory.data())});
  }
};

template <class Policy>
const KernelTable& table_of() {
  static const KernelTable filled = [] {
    KernelTable table;
    kernels::fill_batch_norm<Policy>(table);
    kernels::fill_layer_norm<Policy>(table);
    return table;
  }();
  return filled;
}

std::vector<Engine> all_engines() {
  auto all = engines();
  all.push_back({"threads of a GPU", table_of<AsOnDevice>(), host_context(1)});
  all.push_back({"blocks of a GPU", table_of<BlocksOfDevice>(), host_context(1)});
  return all;
}

using Numbers = std::vector<long double>;

template <class T>
Numbers wide(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

/// What the kernels must give for {outer, channels, inner}, and weights by channel or, if `by_place`, by inner place.
struct Expected {
  Numbers mean, factor, variance, out, input, dot, sum;

  Expected(const Sizes& shape, const Numbers& x, const Numbers& grad, const Numbers& weight, const Numbers& bias,
           bool by_place, double eps)
      : mean(count(shape[1])), factor(mean), variance(mean), out(x), input(x), dot(weight.size()), sum(dot) {
    const auto each = static_cast<long double>(shape[0] * shape[2]);
    const auto visit = [&](std::size_t c, const auto& use) {
      for (std::size_t o = 0; o < count(shape[0]); ++o) {
        for (std::size_t i = 0; i < count(shape[2]); ++i) {
          use((o * count(shape[1]) + c) * count(shape[2]) + i, by_place ? i : c);
        }
      }
    };
    for (std::size_t c = 0; c < mean.size(); ++c) {
      visit(c, [&](std::size_t at, std::size_t) { mean[c] += x[at] / each; });
      visit(c, [&](std::size_t at, std::size_t) { variance[c] += (x[at] - mean[c]) * (x[at] - mean[c]) / each; });
      factor[c] = 1 / std::sqrt(variance[c] + static_cast<long double>(eps));
      const auto hat = [&](std::size_t at) { return (x[at] - mean[c]) * factor[c]; };
      long double slope = 0;
      long double shift = 0;
      visit(c, [&](std::size_t at, std::size_t w) {
        out[at] = hat(at) * weight[w] + bias[w];
        dot[w] += grad[at] * hat(at);
        sum[w] += grad[at];
        slope += grad[at] * weight[w] * hat(at) / each;
        shift += grad[at] * weight[w] / each;
      });
      visit(c, [&](std::size_t at, std::size_t w) {
        input[at] = factor[c] * (grad[at] * weight[w] - shift - hat(at) * slope);
      });
    }
  }
  static std::size_t count(std::int64_t n) { return static_cast<std::size_t>(n); }
};

template <class T>
void expect_near(const std::vector<T>& found, const Numbers& expected, long double units, std::size_t from = 0) {
  // A double holds the mean, about 100, with an error that a float does not see.
  if (std::is_same_v<T, double>) units *= 200;
  long double largest = 1;
  for (const auto value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(found[from + i]), static_cast<double>(expected[i]),
                static_cast<double>(units * largest * static_cast<long double>(std::numeric_limits<T>::epsilon())))
        << "element " << i;
  }
}

/// The arrays of a test. The mean is far from 0, where sums of squares would lose their digits.
template <ScalarType dtype>
struct Normalised {
  using T = typename Held<dtype>::type;
  StridedArray<T> x, grad, weight, bias;

  Normalised(const Sizes& shape, std::int64_t parameters)
      : x(samples<dtype>(shape, 3)),
        grad(samples<dtype>(shape, 12345)),
        weight(samples<dtype>({parameters}, 77)),
        bias(samples<dtype>({parameters}, 991)) {
    for (T& value : x.memory) value += 100;
  }
  [[nodiscard]] Numbers weights(bool there) const {
    return there ? wide(weight.memory) : Numbers(weight.memory.size(), 1);
  }
  [[nodiscard]] Numbers biases(bool there) const { return there ? wide(bias.memory) : Numbers(bias.memory.size(), 0); }
};

TEST(NormalisationKernels, LayerNorm) {
  const std::vector<Sizes> shapes{{1, 1},    {5, 7},      {3, 16},     {9, 33}, {300, 256},
                                  {2, 5000}, {1100, 256}, {11'000, 3}, {0, 4},  {4, 0}};
  for (const Engine& engine : all_engines()) {
    for (const Sizes& shape : shapes) {
      for (const std::int64_t flags : {0, 1, 2, 3}) {
        for_each_real([&](auto type) {
          using T = typename decltype(type)::Element;
          SCOPED_TRACE(engine.name + ", " + toString(type) + ", n = " + std::to_string(shape[1]));
          Normalised<decltype(type)::value> a(shape, shape[1]);
          const Expected expected({1, shape[0], shape[1]}, wide(a.x.memory), wide(a.grad.memory),
                                  a.weights((flags & 1) != 0), a.biases((flags & 2) != 0), true, 0.5);
          StridedArray<T> out(shape, Layout::contiguous, T{9});
          StridedArray<double> statistics({2, shape[0]}, Layout::contiguous, 9);
          StridedArray<T> first({shape[1]}, Layout::contiguous, T{9});
          auto second = first;
          std::vector<Operand> operands{out.operand(type), a.x.operand(type), statistics.operand(kDouble)};
          if ((flags & 1) != 0) operands.push_back(a.weight.operand(type));
          if ((flags & 2) != 0) operands.push_back(a.bias.operand(type));
          auto forward = arguments_of(shape, operands);
          forward.parameters[0] = Immediate{0.5, flags};
          engine.run(Operation::layer_norm, forward);
          expect_near(out.memory, expected.out, 40);
          if (product_of(shape) == 0) return;
          expect_near(statistics.memory, expected.mean, 1000);
          expect_near(statistics.memory, expected.factor, 1e5, expected.mean.size());

          operands = {out.operand(type), a.grad.operand(type), a.x.operand(type), statistics.operand(kDouble)};
          if ((flags & 1) != 0) operands.push_back(a.weight.operand(type));
          auto backward = arguments_of(shape, operands);
          backward.parameters[0].integer = flags & 1;
          engine.run(Operation::layer_norm_backward, backward);
          expect_near(out.memory, expected.input, 100);

          const auto parameters = arguments_of(shape, {first.operand(type), a.grad.operand(type), a.x.operand(type),
                                                       statistics.operand(kDouble), second.operand(type)});
          engine.run(Operation::layer_norm_parameters, parameters);
          expect_near(first.memory, expected.dot, 100);
          expect_near(second.memory, expected.sum, 100);

          out.memory.assign(out.memory.size(), T{9});
          first.memory.assign(first.memory.size(), T{9});
          second.memory = first.memory;
          operands = {out.operand(type),           a.grad.operand(type), a.x.operand(type),
                      statistics.operand(kDouble), first.operand(type),  second.operand(type)};
          if ((flags & 1) != 0) operands.push_back(a.weight.operand(type));
          auto all = arguments_of(shape, operands);
          all.parameters[0].integer = flags & 1;
          engine.run(Operation::layer_norm_gradients, all);
          expect_near(out.memory, expected.input, 100);
          expect_near(first.memory, expected.dot, 100);
          expect_near(second.memory, expected.sum, 100);
        });
      }
    }
  }
  EXPECT_EQ(scratch_blocks, 0);
}

TEST(NormalisationKernels, BatchNorm) {
  const std::vector<Sizes> shapes{{2, 1, 1}, {7, 5, 1},    {3, 2, 33},  {5, 3, 4},    {2, 70, 64},
                                  {1, 3, 9}, {300, 11, 1}, {4, 300, 1}, {5, 2, 4000}, {11'000, 3, 1}};
  for (const Engine& engine : all_engines()) {
    for (const Sizes& shape : shapes) {
      for (const std::int64_t flags : {0, 1, 2, 3, 15}) {
        for_each_real([&](auto type) {
          using T = typename decltype(type)::Element;
          SCOPED_TRACE(engine.name + ", " + toString(type) + ", inner = " + std::to_string(shape[2]));
          const std::int64_t channels = shape[1];
          Normalised<decltype(type)::value> a(shape, channels);
          const auto weights = a.weights((flags & 1) != 0);
          const Expected expected(shape, wide(a.x.memory), wide(a.grad.memory), weights, a.biases((flags & 2) != 0),
                                  false, 0.5);
          StridedArray<T> out(shape, Layout::contiguous, T{9});
          StridedArray<double> statistics({2, channels}, Layout::contiguous, 9);
          StridedArray<T> mean({channels}, Layout::contiguous, T{8});
          StridedArray<T> var({channels}, Layout::contiguous, T{4});
          std::vector<Operand> operands{statistics.operand(kDouble), a.x.operand(type)};
          if ((flags & 4) != 0) operands.push_back(mean.operand(type));
          if ((flags & 8) != 0) operands.push_back(var.operand(type));
          auto first = arguments_of(shape, operands);
          first.parameters = {Immediate{0.5, flags & 12}, Immediate{0.25, 0}};
          engine.run(Operation::batch_norm_statistics, first);
          expect_near(statistics.memory, expected.mean, 1000);
          expect_near(statistics.memory, expected.factor, 1e5, expected.mean.size());
          if ((flags & 12) != 0) {
            const auto count = static_cast<long double>(shape[0] * shape[2]);
            auto moved_mean = expected.mean;
            auto moved_var = expected.variance;
            for (auto& value : moved_mean) value = 0.25L * value + 0.75L * 8;
            for (auto& value : moved_var) value = 0.25L * value * count / (count - 1) + 0.75L * 4;
            expect_near(mean.memory, moved_mean, 10);
            expect_near(var.memory, moved_var, 10);
          }
          operands = {out.operand(type), a.x.operand(type), statistics.operand(kDouble)};
          if ((flags & 1) != 0) operands.push_back(a.weight.operand(type));
          if ((flags & 2) != 0) operands.push_back(a.bias.operand(type));
          auto forward = arguments_of(shape, operands);
          forward.parameters[0].integer = flags & 3;
          engine.run(Operation::batch_norm, forward);
          expect_near(out.memory, expected.out, 40);

          StridedArray<double> sums({5, channels}, Layout::contiguous, 9);
          operands = {sums.operand(kDouble), a.grad.operand(type), a.x.operand(type), statistics.operand(kDouble)};
          if ((flags & 1) != 0) operands.push_back(a.weight.operand(type));
          auto reduced = arguments_of(shape, operands);
          reduced.parameters[0].integer = flags & 1;
          engine.run(Operation::batch_norm_sums, reduced);
          std::vector<T> dot(sums.memory.begin(), sums.memory.begin() + channels);
          std::vector<T> sum(sums.memory.begin() + channels, sums.memory.begin() + 2 * channels);
          expect_near(dot, expected.dot, 100);
          expect_near(sum, expected.sum, 100);

          auto backward =
              arguments_of(shape, {out.operand(type), a.grad.operand(type), a.x.operand(type), sums.operand(kDouble)});
          backward.parameters[0].integer = 1;
          engine.run(Operation::batch_norm_backward, backward);
          expect_near(out.memory, expected.input, 100);
          backward.parameters[0].integer = 0;
          engine.run(Operation::batch_norm_backward, backward);
          for (std::size_t at = 0; at < out.memory.size(); ++at) {
            const std::size_t c = at / static_cast<std::size_t>(shape[2]) % static_cast<std::size_t>(channels);
            const auto slope = static_cast<long double>(a.grad.memory[at]) * expected.factor[c] * weights[c];
            ASSERT_NEAR(static_cast<double>(out.memory[at]), static_cast<double>(slope),
                        1e3 * static_cast<double>(std::numeric_limits<T>::epsilon()));
          }
          StridedArray<double> running({2, channels}, Layout::contiguous, 9);
          auto fixed = arguments_of({channels}, {running.operand(kDouble), mean.operand(type), var.operand(type)});
          fixed.parameters[0].real = 0.5;
          engine.run(Operation::batch_norm_running, fixed);
          for (std::size_t c = 0; c < mean.memory.size(); ++c) {
            ASSERT_EQ(running.memory[c], static_cast<double>(mean.memory[c]));
            ASSERT_DOUBLE_EQ(running.memory[mean.memory.size() + c],
                             1 / std::sqrt(static_cast<double>(var.memory[c]) + 0.5));
          }
        });
      }
    }
  }
  EXPECT_EQ(scratch_blocks, 0);
}

TEST(NormalisationKernels, ThreadsDoNotChangeTheResult) {
  const Sizes shape{1000, 300, 1};
  auto x = samples<kFloat>(shape, 5);
  std::vector<std::vector<double>> found;
  for (const Engine& engine : engines()) {
    StridedArray<double> statistics({2, 300}, Layout::contiguous, 0);
    engine.run(Operation::batch_norm_statistics, arguments_of(shape, {statistics.operand(kDouble), x.operand(kFloat)}));
    found.push_back(statistics.memory);
  }
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
}  // namespace d2l::testing
