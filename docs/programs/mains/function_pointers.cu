// SPDX-License-Identifier: MIT
// A main for Samples/2_Concepts_and_Techniques/FunctionPointers/FunctionPointers_kernels.cu: a mode (its argument, 0 to
// 2), no window.
#include <helper_functions.h>

#include "FunctionPointers_kernels.cu"
#include "reference.h"

int main(int, char** arguments) {
  const char* const references[] = {"data/ref_orig.pgm", "data/ref_tex.pgm", "data/ref_shared.pgm"};
  const int mode = std::atoi(arguments[1]);
  unsigned width;
  unsigned height;
  std::vector<unsigned char> source = bytes_of_image("data/teapot512.pgm", width, height);
  setupTexture(static_cast<int>(width), static_cast<int>(height), source.data(), 1);
  setupFunctionTables();
  Pixel* image;
  checkCudaErrors(cudaMalloc(&image, width * height));
  sobelFilter(image, static_cast<int>(width), static_cast<int>(height), static_cast<SobelDisplayMode>(mode), 1, 0, 1);
  const std::vector<unsigned char> drawn = bytes_of(image, width * height);
  const int code = compare(drawn, bytes_of_image(references[mode], width, height));
  checkCudaErrors(cudaFree(image));
  deleteTexture();
  return code;
}
