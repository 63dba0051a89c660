// Code for the host or for the device in one function, by nv/target.
#include <nv/target>

#include "verify.h"

enum Place { on_host = 1, on_device = 2 };

__host__ __device__ int where() { NV_IF_ELSE_TARGET(NV_IS_DEVICE, (return on_device;), (return on_host;)) }

__host__ __device__ int which() {
  int result = 0;
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_120, (result = 120;),                     //
                     NV_PROVIDES_SM_80, (result = 80; result += 0;),          //
                     NV_PROVIDES_SM_70, (result = 70;),                       //
                     NV_IS_DEVICE, (result = on_device; return result + 0;),  //
                     NV_ANY_TARGET, (result = on_host;))
  return result;
}

__device__ int counted(int x) {
  NV_IF_TARGET(NV_IS_HOST, (x = -1;))
  NV_IF_TARGET(NV_PROVIDES_SM_35, (int added = 1; x += added;), (x = -2;))
  return x;
}

template <class F>
__global__ void call(F function, int* out) {
  out[0] = function();
  out[1] = where();
  out[2] = which();
  out[3] = counted(7);
}

int main() {
  int* out;
  CHECK(cudaMallocManaged(&out, 4 * sizeof(int)));
  call<<<1, 1>>>([] __device__() { return where(); }, out);
  CHECK(cudaDeviceSynchronize());
  verify(out[0] == on_device && out[1] == on_device, "code of the device");
  verify(out[2] == 80 || out[2] == 70 || out[2] == 120, "an architecture");
  verify(out[3] == 8, "no code of the host");
  verify(where() == on_host && which() == on_host, "code of the host");
  CHECK(cudaFree(out));
  return passed();
}
