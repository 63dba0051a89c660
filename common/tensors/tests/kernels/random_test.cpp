// SPDX-License-Identifier: MIT
// Random numbers: the published vectors of Philox, equal bits for any division of the work and on any device, moments.
#include "kernels/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "every_device.h"
#include "kernels/kernel_arrays.h"

namespace d2l::testing {
namespace {

template <class T>
std::vector<T> draw(const Engine& engine, Operation operation, std::int64_t count, std::uint64_t seed,
                    std::uint64_t offset) {
  StridedArray<T> out({count}, Layout::contiguous, T{-1});
  auto arguments = arguments_of({count}, {out.operand(CppTypeToScalarType<T>::value)});
  arguments.parameters[0].integer = static_cast<std::int64_t>(seed);
  arguments.parameters[1].integer = static_cast<std::int64_t>(offset);
  engine.run(operation, arguments);
  return out.memory;
}

TEST(Random, PhiloxGivesThePublishedVectors) {
  // From the known-answer file of Random123: philox4x32, 10 rounds.
  const r123::Philox4x32 generator;
  const r123::Philox4x32::ctr_type zeros = {{0, 0, 0, 0}};
  const r123::Philox4x32::key_type zero_key = {{0, 0}};
  const r123::Philox4x32::ctr_type first = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}};
  EXPECT_EQ(generator(zeros, zero_key), first);
  const r123::Philox4x32::ctr_type pi = {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
  const r123::Philox4x32::key_type pi_key = {{0xa4093822, 0x299f31d0}};
  const r123::Philox4x32::ctr_type second = {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  EXPECT_EQ(generator(pi, pi_key), second);
}

TEST(Random, UniformFloatsAreTheUpperBitsOfThatVector) {
  const std::vector<std::uint32_t> bits = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  for (const Engine& engine : engines()) {
    const auto numbers = draw<float>(engine, Operation::rand, 4, 0, 0);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(numbers[i], std::ldexp(static_cast<float>(bits[i] >> 8), -24));
  }
}

template <class T>
void check_cuts(Operation operation) {
  constexpr std::int64_t count = 100'003;
  constexpr std::uint64_t seed = 0x1234'5678'9ABC'DEF0;
  const auto all = draw<T>(engines()[0], operation, count + 9, seed, 0);
  for (const Engine& engine : engines()) {
    for (std::size_t offset = 0; offset < 9; ++offset) {
      const auto part = draw<T>(engine, operation, count, seed, offset);
      EXPECT_EQ(std::memcmp(part.data(), all.data() + offset, part.size() * sizeof(T)), 0)
          << engine.name << " from element " << offset;
    }
    const auto one = draw<T>(engine, operation, 1, seed, 70'001);
    EXPECT_EQ(one[0], all[70'001]);
  }
}

TEST(Random, AnElementDoesNotDependOnTheDivisionOfTheWork) {
  check_cuts<float>(Operation::rand);
  check_cuts<double>(Operation::rand);
  check_cuts<float>(Operation::randn);
  check_cuts<double>(Operation::randn);
}

TEST(Random, EmptyDrawsWriteNothing) { EXPECT_TRUE(draw<float>(engines()[0], Operation::rand, 0, 1, 5).empty()); }

template <class T>
void check_moments() {
  constexpr std::int64_t count = 400'000;
  const auto uniforms = draw<T>(engines()[0], Operation::rand, count, 7, 3);
  const auto normals = draw<T>(engines()[0], Operation::randn, count, 7, 3);
  double mean = 0;
  double square = 0;
  for (const T value : uniforms) {
    ASSERT_GE(value, T{0});
    ASSERT_LT(value, T{1});
    mean += static_cast<double>(value) / count;
    square += static_cast<double>(value) * static_cast<double>(value) / count;
  }
  EXPECT_NEAR(mean, 0.5, 0.002);
  EXPECT_NEAR(square, 1.0 / 3, 0.002);
  mean = square = 0;
  double fourth = 0;
  double neighbours = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const auto value = static_cast<double>(normals[i]);
    ASSERT_TRUE(std::isfinite(value));
    mean += value / count;
    square += value * value / count;
    fourth += value * value * value * value / count;
    if (i > 0) neighbours += value * static_cast<double>(normals[i - 1]) / count;
  }
  EXPECT_NEAR(mean, 0, 0.008);
  EXPECT_NEAR(square, 1, 0.012);
  EXPECT_NEAR(fourth, 3, 0.1);
  EXPECT_NEAR(neighbours, 0, 0.008);
}

TEST(Random, Moments) {
  check_moments<float>();
  check_moments<double>();
}

TEST(Ranges, AreComputedFromTheStart) {
  for (const Engine& engine : engines()) {
    StridedArray<float> reals({100'000}, Layout::contiguous, 0);
    auto arguments = arguments_of({100'000}, {reals.operand(kFloat)});
    arguments.parameters[0].real = 1;
    arguments.parameters[1].real = 0.1;
    engine.run(Operation::arange, arguments);
    for (std::size_t i = 0; i < reals.memory.size(); ++i) {
      ASSERT_EQ(reals.memory[i], static_cast<float>(1 + static_cast<double>(i) * 0.1));
    }
    StridedArray<std::int64_t> integers({5}, Layout::contiguous, 0);
    arguments = arguments_of({5}, {integers.operand(kLong)});
    arguments.parameters[0].integer = 10;
    arguments.parameters[1].integer = -3;
    engine.run(Operation::arange, arguments);
    EXPECT_EQ(integers.memory, (std::vector<std::int64_t>{10, 7, 4, 1, -2}));
  }
}

}  // namespace
}  // namespace d2l::testing
