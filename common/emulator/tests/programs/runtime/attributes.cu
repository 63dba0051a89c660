// Attributes of streams and launches.
#include <cooperative_groups.h>

#include "verify.h"

__global__ void sum_of_blocks(int* values, int* sum) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  cudaGridDependencySynchronize();
  values[blockIdx.x] = blockIdx.x + 1;
  grid.sync();
  if (grid.thread_rank() == 0) {
    *sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) *sum += values[i];
  }
  cudaTriggerProgrammaticLaunchCompletion();
}

int main() {
  int *values, *sum;
  cudaMallocManaged(&values, 8 * sizeof(int));
  cudaMallocManaged(&sum, sizeof(int));
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -1);

  cudaStreamAttrValue window = {};
  window.accessPolicyWindow.base_ptr = values;
  window.accessPolicyWindow.num_bytes = 8 * sizeof(int);
  window.accessPolicyWindow.hitRatio = 0.5F;
  window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  verify(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window) == cudaSuccess, "a window");
  cudaStreamAttrValue found = {};
  verify(cudaStreamCopyAttributes(other, stream) == cudaSuccess, "attributes of another stream");
  verify(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &found) == cudaSuccess &&
             found.accessPolicyWindow.base_ptr == values && found.accessPolicyWindow.hitRatio == 0.5F,
         "the copied window");
  verify(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &window) == cudaErrorInvalidValue,
         "an attribute of launches only");
  cudaGetLastError();

  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = 1;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 2;
  verify(cudaLaunchKernelEx(&config, sum_of_blocks, values, sum) == cudaSuccess, "a launch with attributes");
  verify(cudaStreamSynchronize(stream) == cudaSuccess && *sum == 36, "a cooperative launch");
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  return passed();
}
