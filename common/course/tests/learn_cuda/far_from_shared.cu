// SPDX-License-Identifier: MIT
// Wrong indices of an array in the device's memory and of one in shared memory. With an argument, that of the shared
// array.
__global__ void copy(float* out, int n, int further) {
  __shared__ float part[256];
  const int i = threadIdx.x;
  part[i] = i;
  __syncthreads();
  if (i < n) out[i] = part[i + further];
}

int main(int arguments, char**) {
  float* out;
  cudaMalloc(&out, 200 * sizeof(float));
  const int further = arguments > 1 ? 1500 : 0;
  copy<<<1, 256>>>(out, further > 0 ? 1 : 201, further);
  const bool right = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(out);
  return right ? 0 : 1;
}
