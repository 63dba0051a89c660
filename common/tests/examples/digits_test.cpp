// SPDX-License-Identifier: MIT
// The images and sequences that the examples draw.
#include "examples/digits.h"

#include <algorithm>
#include <cmath>

#include "every_device.h"
#include "examples/sequences.h"

namespace d2l::testing {
namespace {

using examples::DigitOptions;
using examples::draw_digits;
using examples::draw_sequences;

DigitOptions coloured() {
  DigitOptions options;
  options.size = 32;
  options.channels = 3;
  return options;
}

TEST(Digits, HaveShapesLabelsAndARange) {
  for (const auto& options : {DigitOptions(), coloured()}) {
    const auto digits = draw_digits(25, 1, options).tensors();
    EXPECT_EQ(digits[0].sizes().vec(), list(25, options.channels, options.size, options.size));
    EXPECT_EQ(digits[0].dtype(), kFloat);
    EXPECT_EQ(digits[1].dtype(), kLong);
    for (std::int64_t i = 0; i < 25; ++i) EXPECT_EQ(digits[1][i].item<std::int64_t>(), i % 10);
    EXPECT_GE(digits[0].min().item<float>(), 0);
    EXPECT_LE(digits[0].max().item<float>(), 1);
  }
  EXPECT_EQ(draw_digits(0, 1).size(), 0);
}

TEST(Digits, DependOnTheSeedAndTheirNumberAlone) {
  for (const auto& options : {DigitOptions(), coloured()}) {
    const Tensor images = draw_digits(12, 7, options).tensors()[0];
    EXPECT_TRUE(images.equal(draw_digits(12, 7, options).tensors()[0]));
    EXPECT_TRUE(images.slice(0, 0, 3).equal(draw_digits(3, 7, options).tensors()[0]));
    const Tensor others = draw_digits(12, 8, options).tensors()[0];
    // Two images of one digit, and the same image of another seed.
    EXPECT_GT(images[0].sub(images[10]).abs().mean().item<double>(), 0.02);
    EXPECT_GT(images[0].sub(others[0]).abs().mean().item<double>(), 0.02);
  }
}

TEST(Digits, AreDrawnWithoutNoise) {
  DigitOptions options;
  options.noise = 0;
  const Tensor images = draw_digits(10, 1, options).tensors()[0];
  // The pen covers a part of each image, and no pixel at its border.
  const auto covered = images.gt(0.5).to(kFloat).mean({1, 2, 3}).to_vector<double>();
  for (const double part : covered) {
    EXPECT_GT(part, 0.03);
    EXPECT_LT(part, 0.3);
  }
  EXPECT_EQ(images.select(2, 0).max().item<float>(), 0);
  EXPECT_EQ(images.select(3, 27).max().item<float>(), 0);
}

/// The part of images that are nearest to the mean of their digit, which shows that digits can be told apart.
double accuracy_of_means(const Tensor& images, const Tensor& unseen) {
  const Tensor means = images.flatten(1).view({-1, 10, 784}).mean(0);
  const Tensor distances = unseen.flatten(1).unsqueeze(1).sub(means).square().sum(2);
  const Tensor labels = arange(unseen.size(0)).remainder(10);
  return distances.argmin(1).eq(labels).to(kDouble).mean().item<double>();
}

TEST(Digits, CanBeToldApart) {
  const double accuracy = accuracy_of_means(draw_digits(300, 1).tensors()[0], draw_digits(100, 2).tensors()[0]);
  EXPECT_GT(accuracy, 0.5);
  EXPECT_LT(accuracy, 0.95);  // else a network has nothing to learn
}

TEST(Sequences, AreReversedAndDependOnTheSeed) {
  const auto sequences = draw_sequences(50, 8, 10, 3).tensors();
  EXPECT_EQ(sequences[0].sizes().vec(), list(50, 8));
  EXPECT_EQ(sequences[0].dtype(), kLong);
  EXPECT_EQ(sequences[0].min().item<std::int64_t>(), 0);
  EXPECT_EQ(sequences[0].max().item<std::int64_t>(), 9);
  for (std::int64_t place = 0; place < 8; ++place) {
    EXPECT_TRUE(sequences[0].select(1, place).equal(sequences[1].select(1, 7 - place)));
  }
  EXPECT_TRUE(sequences[0].equal(draw_sequences(50, 8, 10, 3).tensors()[0]));
  EXPECT_FALSE(sequences[0].equal(draw_sequences(50, 8, 10, 4).tensors()[0]));
}

}  // namespace
}  // namespace d2l::testing
