// SPDX-License-Identifier: MIT
// A main for Samples/5_Domain_Specific/marchingCubes/marchingCubes_kernel.cu: the surface that its option -dump writes,
// no window.
#include <helper_functions.h>

#include "marchingCubes_kernel.cu"
#include "reference.h"

constexpr unsigned edge = 32;
constexpr unsigned voxels = edge * edge * edge;
constexpr unsigned most_vertices = edge * edge * 100;

/// The elements of the reference file; the program ends if it has fewer than `count`.
template <class Element>
std::vector<Element> elements_of_file(const char* path, std::size_t count) {
  const std::vector<unsigned char> bytes = bytes_of_file(path);
  if (bytes.size() < count * sizeof(Element)) std::exit(EXIT_FAILURE);
  std::vector<Element> elements(count);
  std::memcpy(elements.data(), bytes.data(), count * sizeof(Element));
  return elements;
}
template <class Element>
std::vector<Element> elements_of(const Element* device, std::size_t count) {
  const std::vector<unsigned char> bytes = bytes_of(device, count);
  std::vector<Element> elements(count);
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}
/// What the last element and its exclusive scan add up to.
unsigned total(const unsigned* device, const unsigned* scan) {
  return elements_of(device, voxels).back() + elements_of(scan, voxels).back();
}

int main() {
  const std::vector<unsigned char> volume = bytes_of_file("data/Bucky.raw");
  if (volume.size() != voxels) return EXIT_FAILURE;
  uchar* field;
  checkCudaErrors(cudaMalloc(&field, voxels));
  checkCudaErrors(cudaMemcpy(field, volume.data(), voxels, cudaMemcpyHostToDevice));
  createVolumeTexture(field, voxels);
  unsigned* tables[3];
  allocateTextures(&tables[0], &tables[1], &tables[2]);
  unsigned *vertices, *vertex_scan, *occupied, *occupied_scan, *compact;
  for (unsigned** array : {&vertices, &vertex_scan, &occupied, &occupied_scan, &compact}) {
    checkCudaErrors(cudaMalloc(array, voxels * sizeof(unsigned)));
  }
  float4 *places, *normals;
  checkCudaErrors(cudaMalloc(&places, most_vertices * sizeof(float4)));
  checkCudaErrors(cudaMalloc(&normals, most_vertices * sizeof(float4)));

  const uint3 size = make_uint3(edge, edge, edge);
  const uint3 shift = make_uint3(0, 5, 10);
  const uint3 mask = make_uint3(edge - 1, edge - 1, edge - 1);
  const float3 voxel = make_float3(2.0f / edge, 2.0f / edge, 2.0f / edge);
  const float value = 0.2f;
  launch_classifyVoxel(voxels / 128, 128, vertices, occupied, field, size, shift, mask, voxels, voxel, value);
  ThrustScanWrapper(occupied_scan, occupied, voxels);
  const unsigned active = total(occupied, occupied_scan);
  launch_compactVoxels(voxels / 128, 128, compact, occupied, occupied_scan, voxels);
  ThrustScanWrapper(vertex_scan, vertices, voxels);
  const unsigned count = total(vertices, vertex_scan);
  launch_generateTriangles2((active + NTHREADS - 1) / NTHREADS, NTHREADS, places, normals, compact, vertex_scan, field,
                            size, shift, mask, voxel, value, active, most_vertices);

  const bool same_voxels =
      elements_of(compact, active) == elements_of_file<unsigned>("data/compVoxelArray.bin", active);
  float most = 0;
  const char* const files[] = {"data/posArray.bin", "data/normalArray.bin"};
  for (int i = 0; i < 2; ++i) {
    const std::vector<float4> made = elements_of(i == 0 ? places : normals, count);
    const std::vector<float4> reference = elements_of_file<float4>(files[i], count);
    for (unsigned k = 0; k < count; ++k) {
      most = std::max({most, std::fabs(made[k].x - reference[k].x), std::fabs(made[k].y - reference[k].y),
                       std::fabs(made[k].z - reference[k].z)});
    }
  }
  const bool right = same_voxels && count > 0 && most < 1e-4f;
  std::printf("%u voxels, %u vertices, which differ by at most %g: %s\n", active, count, static_cast<double>(most),
              right ? "as the reference" : "NOT as the reference");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
