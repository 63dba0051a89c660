// SPDX-License-Identifier: MIT
// A main for Samples/5_Domain_Specific/volumeRender/volumeRender_kernel.cu: the image that its option -file draws,
// without a window. Like the sample, it allows 30 % of the bytes to differ by more than 5 of 255.
#include "reference.h"
#include "volumeRender_kernel.cu"

int main() {
  std::vector<unsigned char> volume = bytes_of_file("data/Bucky.raw");
  if (volume.size() != 32 * 32 * 32) return EXIT_FAILURE;
  initCuda(volume.data(), make_cudaExtent(32, 32, 32));
  float view[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 4};
  copyInvViewMatrix(view, sizeof view);
  uint* image;
  checkCudaErrors(cudaMalloc(&image, 512 * 512 * sizeof(uint)));
  checkCudaErrors(cudaMemset(image, 0, 512 * 512 * sizeof(uint)));
  render_kernel(dim3(32, 32), dim3(16, 16), image, 512, 512, 0.05f, 1, 0, 1);
  unsigned width;
  unsigned height;
  const int code =
      compare(without_alpha(bytes_of(image, 512 * 512)), bytes_of_image("data/ref_volume.ppm", width, height), 0.3);
  checkCudaErrors(cudaFree(image));
  return code;
}
