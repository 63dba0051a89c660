// SPDX-License-Identifier: MIT
// A main for Samples/2_Concepts_and_Techniques/boxFilter/boxFilter_kernel.cu: a box of a radius (its argument: 14 or
// 22), no window.
#include <helper_functions.h>

#include "boxFilter_kernel.cu"
#include "reference.h"

int main(int, char** arguments) {
  unsigned width = 0;
  unsigned height = 0;
  unsigned char* source = nullptr;
  if (!sdkLoadPPM4("data/teapot1024.ppm", &source, &width, &height)) return EXIT_FAILURE;
  initTexture(static_cast<int>(width), static_cast<int>(height), source, true);
  std::free(source);
  unsigned* rows;
  unsigned* image;
  checkCudaErrors(cudaMalloc(&rows, width * height * sizeof(unsigned)));
  checkCudaErrors(cudaMalloc(&image, width * height * sizeof(unsigned)));
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  boxFilterRGBA(nullptr, rows, image, static_cast<int>(width), static_cast<int>(height), std::atoi(arguments[1]), 1, 64,
                timer);
  const std::string reference = std::string("data/ref_") + arguments[1] + ".ppm";
  const std::vector<unsigned char> drawn = without_alpha(bytes_of(image, width * height));
  const int code = compare(drawn, bytes_of_image(reference.c_str(), width, height));
  checkCudaErrors(cudaFree(rows));
  checkCudaErrors(cudaFree(image));
  freeTextures();
  sdkDeleteTimer(&timer);
  return code;
}
