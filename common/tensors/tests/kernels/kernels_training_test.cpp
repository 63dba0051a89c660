// SPDX-License-Identifier: MIT
// The kernels of training against plain references: scaled sums, the logarithm of softmax, and classes by index.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/kernel_arrays.h"
#include "messages.h"

namespace d2l::testing {
namespace {

using tests::message_of;

constexpr std::int64_t ignored = -100;

/// {outer, n, inner}
const std::vector<Sizes> trained_shapes = {{1, 1, 1},    {1, 10, 1},  {256, 10, 1}, {3, 7, 5},       {2, 1, 9},
                                           {0, 3, 2},    {2, 0, 3},   {2, 3, 0},    {1, 100'003, 1}, {5, 17, 131},
                                           {9, 1001, 1}, {2, 33, 64}, {4000, 9, 1}};

/// Calls use(o, i, offsets of the n elements) for every row of the shape.
template <class Use>
void for_each_row(const Sizes& shape, const Use& use) {
  for (std::int64_t o = 0; o < shape[0]; ++o) {
    for (std::int64_t i = 0; i < shape[2]; ++i) {
      std::vector<std::size_t> offsets;
      for (std::int64_t c = 0; c < shape[1]; ++c) {
        offsets.push_back(static_cast<std::size_t>((o * shape[1] + c) * shape[2] + i));
      }
      use(o, i, offsets);
    }
  }
}

TEST(TrainingKernels, AScaledSumIsRoundedOnce) {
  for (const Engine& engine : engines()) {
    for (const std::int64_t n : {0, 1, 7, 1000, 70'001}) {
      for_each_real([&](auto type) {
        using T = typename decltype(type)::Element;
        auto a = samples<decltype(type)::value>({n}, 3);
        auto b = samples<decltype(type)::value>({n}, 77);
        StridedArray<T> out({n}, Layout::contiguous, T{9});
        auto arguments = arguments_of({n}, {out.operand(type), a.operand(type), b.operand(type)});
        arguments.parameters[0].real = -0.1;
        engine.run(Operation::add_scaled, arguments);
        for (std::size_t i = 0; i < out.memory.size(); ++i) {
          ASSERT_EQ(out.memory[i], std::fma(b.memory[i], static_cast<T>(-0.1), a.memory[i])) << engine.name;
        }
        arguments.operands[0].data = a.memory.data();
        engine.run(Operation::add_scaled, arguments);
        EXPECT_EQ(a.memory, out.memory) << "in place on " << engine.name;
      });
    }
  }
}

TEST(TrainingKernels, AScaledSumOfIntegersWraps) {
  for (const Engine& engine : engines()) {
    auto a = samples<kInt>({1003}, 3);
    auto b = samples<kInt>({1003}, 5);
    StridedArray<std::int32_t> out({1003}, Layout::contiguous, 0);
    auto arguments = arguments_of({1003}, {out.operand(kInt), a.operand(kInt), b.operand(kInt)});
    arguments.parameters[0].integer = 1'000'003;
    engine.run(Operation::add_scaled, arguments);
    for (std::size_t i = 0; i < out.memory.size(); ++i) {
      const auto sum = static_cast<std::uint64_t>(a.memory[i]) + 1'000'003 * static_cast<std::uint64_t>(b.memory[i]);
      ASSERT_EQ(out.memory[i], static_cast<std::int32_t>(sum));
    }
  }
}

TEST(TrainingKernels, LogSoftmaxAndItsGradient) {
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : trained_shapes) {
      for_each_real([&](auto type) {
        using T = typename decltype(type)::Element;
        SCOPED_TRACE(engine.name + ", " + toString(type) + ", n = " + std::to_string(shape[1]));
        const double tolerance = 8 * static_cast<double>(std::numeric_limits<T>::epsilon());
        auto in = samples<decltype(type)::value>(shape, 3);
        auto grad = samples<decltype(type)::value>(shape, 12345);
        StridedArray<T> out(shape, Layout::contiguous, T{9});
        StridedArray<T> back(shape, Layout::contiguous, T{9});
        engine.run(Operation::log_softmax, arguments_of(shape, {out.operand(type), in.operand(type)}));
        engine.run(Operation::log_softmax_backward,
                   arguments_of(shape, {back.operand(type), grad.operand(type), out.operand(type)}));
        for_each_row(shape, [&](std::int64_t, std::int64_t, const std::vector<std::size_t>& offsets) {
          long double sum = 0;
          long double gradients = 0;
          long double magnitude = 0;
          for (const std::size_t offset : offsets) {
            sum += std::exp(static_cast<long double>(in.memory[offset]));
            gradients += grad.memory[offset];
            magnitude += std::abs(grad.memory[offset]);
          }
          for (const std::size_t offset : offsets) {
            const auto expected = static_cast<long double>(in.memory[offset]) - std::log(sum);
            const auto size = static_cast<double>(std::abs(expected)) + 16;
            ASSERT_NEAR(out.memory[offset], static_cast<double>(expected), tolerance * size);
            const auto gradient = static_cast<long double>(grad.memory[offset]) - std::exp(expected) * gradients;
            const auto spread = 10 + static_cast<double>(magnitude * std::exp(expected)) * size;
            ASSERT_NEAR(back.memory[offset], static_cast<double>(gradient), tolerance * spread);
          }
        });
        const auto apart = out.memory;
        engine.run(Operation::log_softmax, arguments_of(shape, {in.operand(type), in.operand(type)}));
        EXPECT_EQ(in.memory, apart) << "in place";
        engine.run(Operation::log_softmax_backward,
                   arguments_of(shape, {grad.operand(type), grad.operand(type), out.operand(type)}));
        EXPECT_EQ(grad.memory, back.memory) << "in place";
      });
    }
  }
  EXPECT_EQ(scratch_blocks, 0);
}

TEST(TrainingKernels, LogSoftmaxOfInfinitiesAndNan) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  const std::vector<std::pair<std::vector<float>, std::vector<float>>> cases{
      {{-infinity, -infinity}, {nan, nan}},
      {{-infinity, 0}, {-infinity, 0}},
      {{infinity, 0}, {nan, nan}},
      {{nan, 1}, {nan, nan}},
      {{-infinity, nan}, {nan, nan}},
      {{infinity, infinity}, {nan, nan}},
      {{3e38F, -3e38F}, {0, -infinity}},
      {{-1e30F, -1e30F}, {-std::log(2.0F), -std::log(2.0F)}},
      {{1000, 0}, {0, -1000}}};
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : {Sizes{1, 2, 1}, Sizes{1, 2, 3}}) {
      for (const auto& [row, expected] : cases) {
        StridedArray<float> in(shape, Layout::contiguous, 0);
        for (std::size_t i = 0; i < in.memory.size(); ++i) in.memory[i] = row[i * 2 / in.memory.size()];
        StridedArray<float> out(shape, Layout::contiguous, 0);
        engine.run(Operation::log_softmax, arguments_of(shape, {out.operand(kFloat), in.operand(kFloat)}));
        for (std::size_t i = 0; i < out.memory.size(); ++i) {
          const float value = expected[i * 2 / out.memory.size()];
          EXPECT_TRUE(same(out.memory[i], value)) << row[0] << ", " << row[1] << ": " << out.memory[i];
        }
      }
    }
  }
}

TEST(TrainingKernels, GradientFunctionsOfSpecialValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  struct Case {
    Operation operation;
    float a;
    float b;
    float expected;
  };
  const std::vector<Case> cases{{Operation::relu_backward, 2, nan, 2},
                                {Operation::relu_backward, 2, 0, 0},
                                {Operation::relu_backward, nan, 1, nan},
                                {Operation::div_or_zero, nan, 0, 0},
                                {Operation::div_or_zero, 1, infinity, 0},
                                {Operation::power_log, 0, 0, 0},
                                {Operation::power_log, infinity, 0, -infinity},
                                {Operation::power_log, nan, 0, nan},
                                {Operation::power_log, 1, 0, 0},
                                {Operation::power_log, 1, nan, nan},
                                {Operation::minimum, nan, 1, nan},
                                {Operation::minimum, 1, nan, nan},
                                {Operation::minimum, -infinity, 1, -infinity}};
  for (const Engine& engine : engines()) {
    for (const auto& [operation, a, b, expected] : cases) {
      for (const std::int64_t n : {1, 40}) {
        StridedArray<float> x({n}, Layout::contiguous, a);
        StridedArray<float> y({n}, Layout::contiguous, b);
        StridedArray<float> out({n}, Layout::contiguous, 9);
        engine.run(operation, arguments_of({n}, {out.operand(kFloat), x.operand(kFloat), y.operand(kFloat)}));
        for (const float value : out.memory) {
          EXPECT_TRUE(same(value, expected))
              << backend::info(operation).name << "(" << a << ", " << b << ") = " << value;
        }
      }
    }
    StridedArray<float> x({1}, Layout::contiguous, nan);
    engine.run(Operation::sign, arguments_of({1}, {x.operand(kFloat), x.operand(kFloat)}));
    EXPECT_EQ(x.memory[0], 0) << "as PyTorch's gradient of abs";
  }
}

/// Classes for the rows of a shape, some of them ignored.
StridedArray<std::int64_t> targets(const Sizes& shape) {
  StridedArray<std::int64_t> index({shape[0], shape[2]}, Layout::contiguous, 0);
  for (std::size_t i = 0; i < index.memory.size(); ++i) {
    index.memory[i] = i % 5 == 3 || shape[1] == 0 ? ignored : static_cast<std::int64_t>(i * 7) % shape[1];
  }
  return index;
}

KernelArguments indexed(const Sizes& shape, const std::vector<Operand>& operands) {
  auto arguments = arguments_of(shape, operands);
  arguments.parameters[0].integer = ignored;
  return arguments;
}

TEST(TrainingKernels, ClassesAreGatheredAndScattered) {
  for (const Engine& engine : engines()) {
    for (const Sizes& shape : trained_shapes) {
      for_each_real([&](auto type) {
        using T = typename decltype(type)::Element;
        auto a = samples<decltype(type)::value>(shape, 3);
        auto index = targets(shape);
        StridedArray<T> gathered({shape[0], shape[2]}, Layout::contiguous, T{9});
        engine.run(Operation::gather, indexed(shape, {gathered.operand(type), a.operand(type), index.operand(kLong)}));
        StridedArray<T> scattered(shape, Layout::contiguous, T{9});
        if (!index.memory.empty()) index.memory[0] = shape[1];  // not a class: scatter ignores it
        engine.run(Operation::scatter,
                   indexed(shape, {scattered.operand(type), gathered.operand(type), index.operand(kLong)}));
        if (!index.memory.empty()) index.memory[0] = targets(shape).memory[0];
        for_each_row(shape, [&](std::int64_t o, std::int64_t i, const std::vector<std::size_t>& offsets) {
          const auto row = static_cast<std::size_t>(o * shape[2] + i);
          const std::int64_t target = index.memory[row];
          const T expected = target == ignored ? T{0} : a.memory[offsets[static_cast<std::size_t>(target)]];
          ASSERT_EQ(gathered.memory[row], expected) << engine.name;
          for (std::size_t c = 0; c < offsets.size(); ++c) {
            const bool here = static_cast<std::int64_t>(c) == target && row != 0;
            ASSERT_EQ(scattered.memory[offsets[c]], here ? expected : T{0}) << engine.name;
          }
        });
      });
    }
  }
}

TEST(TrainingKernels, AnIndexOfNoClassIsRefusedBeforeAnythingIsWritten) {
  for (const Engine& engine : engines()) {
    for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
      auto a = samples<kFloat>({4, 3, 1}, 3);
      StridedArray<std::int64_t> index({4, 1}, Layout::contiguous, 1);
      index.memory[3] = bad;
      StridedArray<float> out({4, 1}, Layout::contiguous, 9);
      const auto arguments = indexed({4, 3, 1}, {out.operand(kFloat), a.operand(kFloat), index.operand(kLong)});
      EXPECT_TRUE(tests::contains(
          message_of<IndexError>([&] { engine.run(Operation::gather, arguments); }),
          "[cross_entropy] Target " + std::to_string(bad) + " is out of bounds. (there are 3 classes, from 0 to 2);"))
          << engine.name;
      EXPECT_EQ(out.memory, std::vector<float>(4, 9));
    }
  }
}

}  // namespace
}  // namespace d2l::testing
