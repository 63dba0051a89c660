// SPDX-License-Identifier: MIT
#include <hip/hip_runtime.h>

int main() {
  hipIpcMemHandle_t handle;
  return hipIpcGetMemHandle(&handle, nullptr) == hipSuccess ? 0 : 1;
}
