// SPDX-License-Identifier: MIT
// FourierTransform: discrete Fourier transforms of one length, which may be any. It is this project's own, so that
// cuFFT needs no library that a student would have to install.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace d2l::emulator {

class FourierTransform {
 public:
  using Number = std::complex<double>;

  explicit FourierTransform(std::size_t length);
  [[nodiscard]] std::size_t length() const noexcept { return length_; }
  /// Replaces `length` numbers x[k] by the sums of x[k]·exp(±2πi·jk/length): + for the inverse. Nothing is divided.
  void apply(Number* data, bool inverse) const;

 private:
  void forward(Number* data) const;
  void by_factors(const Number* in, std::size_t stride, Number* out, std::size_t length,
                  const std::size_t* factor) const;
  void by_convolution(Number* data) const;

  static constexpr std::size_t largest_factor = 61;

  std::size_t length_;
  std::vector<std::size_t> factors_;  ///< its prime factors
  std::vector<Number> roots_;         ///< exp(-2πi·k/length)
  // Of a length with a large prime factor:
  std::vector<Number> chirp_;                      ///< exp(-πi·k²/length)
  std::vector<Number> spectrum_;                   ///< the transform of its conjugate
  std::unique_ptr<FourierTransform> convolution_;  ///< of a power of two
};

}  // namespace d2l::emulator
