// SPDX-License-Identifier: MIT
// A main for Samples/5_Domain_Specific/bilateralFilter/bilateral_kernel.cu: the filter of a radius (its argument, 5 to
// 8), no window.
#include <helper_functions.h>

#include "bilateral_kernel.cu"
#include "reference.h"

extern "C" void LoadBMPFile(uchar4** image, unsigned* width, unsigned* height, const char* name);

int main(int, char** arguments) {
  const int radius = std::atoi(arguments[1]);
  uchar4* source = nullptr;
  unsigned width = 0;
  unsigned height = 0;
  LoadBMPFile(&source, &width, &height, "data/nature_monte.bmp");
  initTexture(static_cast<int>(width), static_cast<int>(height), reinterpret_cast<uint*>(source));
  updateGaussian(4, radius);
  uint* image;
  checkCudaErrors(cudaMalloc(&image, width * height * sizeof(uint)));
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  bilateralFilterRGBA(image, static_cast<int>(width), static_cast<int>(height), 0.1f, radius, 1, timer);
  const std::string reference = std::string("data/ref_0") + arguments[1] + ".ppm";
  const std::vector<unsigned char> drawn = without_alpha(bytes_of(image, width * height));
  const int code = compare(drawn, bytes_of_image(reference.c_str(), width, height));
  checkCudaErrors(cudaFree(image));
  freeTextures();
  std::free(source);
  sdkDeleteTimer(&timer);
  return code;
}
