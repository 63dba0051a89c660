// SPDX-License-Identifier: MIT
// A main for Samples/5_Domain_Specific/SobelFilter/SobelFilter_kernels.cu: the image of a mode (its argument, 0 to 2),
// without a window.
#include <helper_functions.h>

#include "SobelFilter_kernels.cu"
#include "reference.h"

int main(int, char** arguments) {
  const char* const references[] = {"data/ref_orig.pgm", "data/ref_tex.pgm", "data/ref_shared.pgm"};
  const int mode = std::atoi(arguments[1]);
  unsigned width;
  unsigned height;
  std::vector<unsigned char> source = bytes_of_image("data/teapot.pgm", width, height);
  setupTexture(static_cast<int>(width), static_cast<int>(height), source.data(), 1);
  Pixel* image;
  checkCudaErrors(cudaMalloc(&image, width * height));
  sobelFilter(image, static_cast<int>(width), static_cast<int>(height), static_cast<SobelDisplayMode>(mode), 1);
  const std::vector<unsigned char> drawn = bytes_of(image, width * height);
  const int code = compare(drawn, bytes_of_image(references[mode], width, height));
  checkCudaErrors(cudaFree(image));
  deleteTexture();
  return code;
}
