// SPDX-License-Identifier: MIT
// Compares what a kernel of a sample drew with the sample's reference image, which a card drew.
#pragma once

#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// An exit code: 0 if at most this share of the bytes differs by more than 5 of 255. The samples themselves allow 0.15
/// or more.
inline int compare(const std::vector<unsigned char>& image, const std::vector<unsigned char>& reference,
                   double share = 0.001) {
  std::size_t more_than_1 = 0;
  std::size_t more_than_5 = image.size() == reference.size() && !image.empty() ? 0 : 1 + image.size();
  for (std::size_t i = 0; i < image.size() && i < reference.size(); ++i) {
    const int difference = std::abs(int{image[i]} - int{reference[i]});
    more_than_1 += difference > 1;
    more_than_5 += difference > 5;
  }
  const bool right = static_cast<double>(more_than_5) <= share * static_cast<double>(image.size());
  std::printf("%zu bytes: %zu differ by more than 1, %zu by more than 5: %s\n", image.size(), more_than_1, more_than_5,
              right ? "as the reference" : "NOT as the reference");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// `count` elements of the device's memory, as bytes.
template <class Element>
std::vector<unsigned char> bytes_of(const Element* device, std::size_t count) {
  std::vector<unsigned char> bytes(count * sizeof(Element));
  checkCudaErrors(cudaDeviceSynchronize());
  checkCudaErrors(cudaMemcpy(bytes.data(), device, bytes.size(), cudaMemcpyDeviceToHost));
  return bytes;
}

/// The bytes of a file; none if it cannot be read.
inline std::vector<unsigned char> bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The bytes of a .pgm or .ppm image: 1 or 3 each pixel. Sets its size; ends the program if it cannot be read.
inline std::vector<unsigned char> bytes_of_image(const char* path, unsigned& width, unsigned& height) {
  unsigned char* data = nullptr;
  unsigned channels = 0;
  if (!__loadPPM(path, &data, &width, &height, &channels)) std::exit(EXIT_FAILURE);
  const std::vector<unsigned char> bytes(data, data + std::size_t{width} * height * channels);
  std::free(data);
  return bytes;
}

/// Without the fourth byte of each pixel, which an image in a file does not have.
inline std::vector<unsigned char> without_alpha(const std::vector<unsigned char>& rgba) {
  std::vector<unsigned char> rgb;
  for (std::size_t i = 0; i < rgba.size(); ++i) {
    if (i % 4 != 3) rgb.push_back(rgba[i]);
  }
  return rgb;
}
