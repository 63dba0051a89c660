// SPDX-License-Identifier: MIT
// A main for Samples/0_Introduction/simpleTexture3D/simpleTexture3D_kernel.cu: the slice that its option -file draws,
// without a window.
#include "reference.h"
#include "simpleTexture3D_kernel.cu"

int main() {
  const std::vector<unsigned char> volume = bytes_of_file("data/Bucky.raw");
  if (volume.size() != 32 * 32 * 32) return EXIT_FAILURE;
  initCuda(volume.data(), make_cudaExtent(32, 32, 32));
  uint* image;
  checkCudaErrors(cudaMalloc(&image, 512 * 512 * sizeof(uint)));
  render_kernel(dim3(32, 32), dim3(16, 16), image, 512, 512, 0.5f);
  const int code = compare(bytes_of(image, 512 * 512), bytes_of_file("data/ref_texture3D.bin"));
  checkCudaErrors(cudaFree(image));
  cleanupCuda();
  return code;
}
