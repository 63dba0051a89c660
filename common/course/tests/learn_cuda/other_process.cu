// SPDX-License-Identifier: MIT
int main() {
  cudaIpcMemHandle_t handle;
  return cudaIpcGetMemHandle(&handle, nullptr);
}
