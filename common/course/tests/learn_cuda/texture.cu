// SPDX-License-Identifier: MIT
__global__ void read(cudaTextureObject_t texture, float* out) { out[threadIdx.x] = tex1Dfetch<float>(texture, 1); }

int main() { return 0; }
