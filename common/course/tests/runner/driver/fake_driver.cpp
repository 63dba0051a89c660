// SPDX-License-Identifier: MIT
// A libcuda.so.1 for tests: FAKE_GPUS=2 GPUs, of a driver for CUDA FAKE_CUDA=12040. As with the real one, there is none
// if CUDA_VISIBLE_DEVICES is empty.
#include <cstdlib>

namespace {

int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

extern "C" {

int cuInit(unsigned /*flags*/);
int cuDeviceGetCount(int* count);
int cuDriverGetVersion(int* version);

int cuInit(unsigned /*flags*/) {
  constexpr int no_device = 100;
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const bool hidden = visible != nullptr && *visible == '\0';
  return hidden || number_in("FAKE_GPUS") == 0 ? no_device : 0;
}
int cuDeviceGetCount(int* count) {
  *count = number_in("FAKE_GPUS");
  return 0;
}
int cuDriverGetVersion(int* version) {
  *version = number_in("FAKE_CUDA");
  return 0;
}

}  // extern "C"
