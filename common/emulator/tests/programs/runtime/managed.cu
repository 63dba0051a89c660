// SPDX-License-Identifier: MIT
// Managed memory, used by host and kernel in turn, also by pointers in a structure.
#include "verify.h"

struct List {
  int* items;
  int count;
};

__global__ void square(List* list) {
  for (int i = threadIdx.x; i < list->count; i += blockDim.x) list->items[i] *= list->items[i];
}

int main() {
  List* list;
  CHECK(cudaMallocManaged(&list, sizeof *list));
  list->count = 100;
  CHECK(cudaMallocManaged(&list->items, 100 * sizeof(int)));
  for (int i = 0; i < 100; ++i) list->items[i] = i;
  square<<<1, 32>>>(list);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) REQUIRE(list->items[i] == i * i);
  CHECK(cudaFree(list->items));
  CHECK(cudaFree(list));
  return passed();
}
