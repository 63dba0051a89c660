// SPDX-License-Identifier: MIT
// The host reads what it must not: through a null pointer, or in a function of the C library.
#include <cstdio>
#include <cstring>

__attribute__((noinline)) int first_of(const int* numbers) { return *numbers + 1; }

int main(int arguments, char**) {
  int* device = nullptr;
  cudaMalloc(&device, 400);
  if (arguments == 1) {
    std::printf("%d\n", first_of(nullptr));
  } else {
    char* const nothing = arguments > 100 ? new char[100000] : nullptr;
    std::memset(nothing, 1, static_cast<size_t>(arguments) * 1000);
    std::printf("%d\n", nothing[5]);
  }
}
