// SPDX-License-Identifier: MIT
#include "libraries/fourier.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace d2l::emulator {
namespace {

using Number = FourierTransform::Number;

/// The product without the treatment of infinities that std::complex has.
Number times(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(-2πi·k/n), exact on the axes.
Number root(std::size_t k, std::size_t n) {
  constexpr std::array<Number, 4> quarters{Number{1, 0}, Number{0, -1}, Number{-1, 0}, Number{0, 1}};
  if (4 * k % n == 0) return quarters[4 * k / n % 4];
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

std::vector<std::size_t> prime_factors(std::size_t n) {
  std::vector<std::size_t> factors;
  for (std::size_t factor = 2; factor * factor <= n; ++factor) {
    for (; n % factor == 0; n /= factor) factors.push_back(factor);
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

}  // namespace

FourierTransform::FourierTransform(std::size_t length) : length_(length), factors_(prime_factors(length)) {
  if (factors_.empty() || factors_.back() <= largest_factor) {
    for (std::size_t k = 0; k < length; ++k) roots_.push_back(root(k, length));
    return;
  }
  // Bluestein's algorithm: jk = (j² + k² - (j - k)²) / 2 makes the transform a convolution.
  const std::size_t size = std::bit_ceil(2 * length - 1);
  convolution_ = std::make_unique<FourierTransform>(size);
  spectrum_.resize(size);
  for (std::size_t k = 0; k < length; ++k) {
    chirp_.push_back(root(k * k % (2 * length), 2 * length));
    spectrum_[k] = spectrum_[(size - k) % size] = std::conj(chirp_[k]);
  }
  convolution_->apply(spectrum_.data(), false);
}

void FourierTransform::apply(Number* data, bool inverse) const {
  const auto conjugate = [&] {
    if (inverse) std::transform(data, data + length_, data, [](Number x) { return std::conj(x); });
  };
  conjugate();
  forward(data);
  conjugate();
}

void FourierTransform::forward(Number* data) const {
  if (convolution_) return by_convolution(data);
  const std::vector<Number> in(data, data + length_);
  by_factors(in.data(), 1, data, length_, factors_.data());
}

/// Cooley and Tukey: transforms of every factor-th number, which are then combined. stride · length is length_.
void FourierTransform::by_factors(const Number* in, std::size_t stride, Number* out, std::size_t length,
                                  const std::size_t* factor) const {
  if (length == 1) {
    *out = *in;
    return;
  }
  const std::size_t parts = *factor;
  const std::size_t part = length / parts;
  for (std::size_t q = 0; q < parts; ++q) by_factors(in + q * stride, stride * parts, out + q * part, part, factor + 1);
  std::array<Number, largest_factor> terms;
  for (std::size_t k = 0; k < part; ++k) {
    for (std::size_t q = 0; q < parts; ++q) terms[q] = times(out[q * part + k], roots_[q * k * stride]);
    for (std::size_t j = 0; j < parts; ++j) {
      Number sum = terms[0];
      for (std::size_t q = 1; q < parts; ++q) sum += times(terms[q], roots_[j * q % parts * (length_ / parts)]);
      out[j * part + k] = sum;
    }
  }
}

void FourierTransform::by_convolution(Number* data) const {
  std::vector<Number> padded(spectrum_.size());
  for (std::size_t k = 0; k < length_; ++k) padded[k] = times(data[k], chirp_[k]);
  convolution_->apply(padded.data(), false);
  for (std::size_t k = 0; k < padded.size(); ++k) padded[k] = times(padded[k], spectrum_[k]);
  convolution_->apply(padded.data(), true);
  const double scale = 1 / static_cast<double>(padded.size());
  for (std::size_t k = 0; k < length_; ++k) data[k] = times(padded[k], chirp_[k]) * scale;
}

}  // namespace d2l::emulator
