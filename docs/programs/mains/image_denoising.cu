// SPDX-License-Identifier: MIT
// A main for Samples/2_Concepts_and_Techniques/imageDenoising/imageDenoising.cu: a filter (its argument, 0 to 3),
// without a window.
#include <helper_functions.h>

#include "imageDenoising.cu"
#include "reference.h"

int main(int, char** arguments) {
  const char* const references[] = {"data/ref_passthru.ppm", "data/ref_knn.ppm", "data/ref_nlm.ppm",
                                    "data/ref_nlm2.ppm"};
  const int filter = std::atoi(arguments[1]);
  const float lerp = 0.2f;
  const float knn = 1.0f / (0.32f * 0.32f);
  const float nlm = 1.0f / (1.45f * 1.45f);
  uchar4* source = nullptr;
  int width = 0;
  int height = 0;
  LoadBMPFile(&source, &width, &height, "data/portrait_noise.bmp");
  checkCudaErrors(CUDA_MallocArray(&source, width, height));
  TColor* image;
  checkCudaErrors(cudaMalloc(&image, width * height * sizeof(TColor)));
  if (filter == 0) cuda_Copy(image, width, height, texImage);
  if (filter == 1) cuda_KNN(image, width, height, knn, lerp, texImage);
  if (filter == 2) cuda_NLM(image, width, height, nlm, lerp, texImage);
  if (filter == 3) cuda_NLM2(image, width, height, nlm, lerp, texImage);
  unsigned reference_width;
  unsigned reference_height;
  const std::vector<unsigned char> drawn = without_alpha(bytes_of(image, static_cast<std::size_t>(width) * height));
  const int code = compare(drawn, bytes_of_image(references[filter], reference_width, reference_height));
  checkCudaErrors(cudaFree(image));
  checkCudaErrors(CUDA_FreeArray());
  std::free(source);
  return code;
}
