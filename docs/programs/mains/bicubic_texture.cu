// SPDX-License-Identifier: MIT
// A main for Samples/5_Domain_Specific/bicubicTexture/bicubicTexture_cuda.cu: the image of a filter (its argument, 0 to
// 4), no window. The sample's own image file has lost its bytes from 128 on, and its main begins with another view than
// that of its references.
#include "bicubicTexture_cuda.cu"
#include "reference.h"

int main(int, char** arguments) {
  const char* const references[] = {"data/0_nearest.ppm", "data/1_bilinear.ppm", "data/2_bicubic.ppm",
                                    "data/3_fastbicubic.ppm", "data/4_catmull-rom.ppm"};
  const char* const image_file = "../../0_Introduction/simpleTexture/data/teapot512.pgm";
  const int filter = std::atoi(arguments[1]);
  unsigned width;
  unsigned height;
  const std::vector<unsigned char> source = bytes_of_image(image_file, width, height);
  uchar* const copy = static_cast<uchar*>(std::malloc(source.size()));  // initTexture frees it
  std::copy(source.begin(), source.end(), copy);
  initTexture(static_cast<int>(width), static_cast<int>(height), copy);
  uchar4* image;
  checkCudaErrors(cudaMalloc(&image, width * height * sizeof(uchar4)));
  render(static_cast<int>(width), static_cast<int>(height), -9.375f, -101.0f, 0.125f, width * 0.5f, height * 0.5f,
         dim3(16, 16), dim3(width / 16, height / 16), filter, image);
  const std::vector<unsigned char> drawn = without_alpha(bytes_of(image, width * height));
  const int code = compare(drawn, bytes_of_image(references[filter], width, height));
  checkCudaErrors(cudaFree(image));
  freeTexture();
  return code;
}
