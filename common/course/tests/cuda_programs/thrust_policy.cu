// SPDX-License-Identifier: MIT
// Thrust's algorithms in the stream of the tensor operations, with raw pointers, device_ptr, iterators that compute,
// and functions of the device.
#include <d2l/d2l.h>
#include <d2l/thrust.h>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "verify.h"

constexpr int n = 1000;

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct IsOdd {
  __host__ __device__ bool operator()(float x) const { return static_cast<int>(x) % 2 == 1; }
};
struct ScaledSum {
  float a;
  __host__ __device__ float operator()(const thrust::tuple<float, float>& pair) const {
    return a * thrust::get<0>(pair) + thrust::get<1>(pair);
  }
};
struct Write {
  float* to;
  __device__ void operator()(int i) const { to[i] = 2.0f * i; }
};

__global__ void scale(float* x, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

float at(const d2l::Tensor& x, int i) { return x.cpu().data_ptr<float>()[i]; }

int main() {
  const int last = d2l::num_gpus() - 1;
  const d2l::Device gpu = d2l::gpu(last);
  auto policy = [&] { return d2l::thrust_policy(gpu); };
  const d2l::TransferLedger ledger;
  d2l::Tensor x = d2l::full({n}, 1.0, gpu);
  d2l::Tensor y = d2l::full({n}, 2.0, gpu);
  float* const px = x.data_ptr<float>();
  float* const py = y.data_ptr<float>();
  const thrust::device_ptr<float> dx(px);

  // In order with tensor operations and kernels.
  x.copy_(x + 1.0);                                                        // 2
  thrust::transform(policy(), px, px + n, px, Square());                   // 4
  scale<<<(n + 255) / 256, 256, 0, d2l::stream(gpu)>>>(px, 3);             // 12
  thrust::transform(policy(), px, px + n, py, py, thrust::plus<float>());  // y = 14
  REQUIRE((x + y).sum().item<float>() == 26.0f * n);

  const auto both = thrust::make_zip_iterator(thrust::make_tuple(px, py));
  thrust::transform(policy(), both, both + n, py, ScaledSum{2.0f});  // 38
  REQUIRE(at(y, 0) == 38 && at(y, n - 1) == 38);
  thrust::for_each(policy(), thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n), Write{px});
  REQUIRE(at(x, 0) == 0 && at(x, n - 1) == 2.0f * (n - 1));

  const auto squares = thrust::make_transform_iterator(dx, Square());
  thrust::sequence(policy(), dx, dx + n);
  REQUIRE(thrust::reduce(policy(), dx, dx + n) == n * (n - 1) / 2.0f);
  REQUIRE(thrust::reduce(policy(), px, px + n, -1.0f, thrust::maximum<float>()) == n - 1);
  REQUIRE(thrust::reduce(policy(), squares, squares + 3) == 5);
  REQUIRE(thrust::transform_reduce(policy(), px, px + 4, Square(), 1.0f, thrust::plus<float>()) == 15);
  REQUIRE(thrust::reduce(policy(), px, px, 7.0f) == 7);
  thrust::inclusive_scan(policy(), px, px + n, py);
  REQUIRE(at(y, n - 1) == n * (n - 1) / 2.0f && at(y, 600) == 600 * 601 / 2);
  const float* const end = thrust::copy_if(policy(), px, px + n, py, IsOdd());
  REQUIRE(end - py == n / 2 && at(y, 0) == 1 && at(y, n / 2 - 1) == n - 1);
  thrust::sort(policy(), dx, dx + n, thrust::greater<float>());
  REQUIRE(at(x, 0) == n - 1 && at(x, 1) == n - 2 && at(x, n - 1) == 0);
  thrust::sort(policy(), px, px + n);
  REQUIRE(at(x, 0) == 0 && at(x, 500) == 500);
  thrust::fill(policy(), px, px + n, 5.0f);
  REQUIRE(x.sum().item<float>() == 5.0f * n);

  // One entry an algorithm, one wait for each that returns a value; on a card, where Thrust is not ours, there is none.
  std::map<std::string, int> launches;
  std::map<std::string, int> waits;
  for (const d2l::LedgerEntry& entry : ledger.entries()) {
    if (entry.kernel) ++launches[entry.name];
    if (entry.kind == d2l::LedgerEntry::Kind::synchronisation) ++waits[entry.name];
  }
#ifdef D2L_EMULATED
  const std::map<std::string, int> expected = {
      {"copy_if", 1}, {"fill", 1},     {"for_each", 1}, {"inclusive_scan", 1}, {"reduce", 3},
      {"scale", 1},   {"sequence", 1}, {"sort", 2},     {"transform", 3},      {"transform_reduce", 1}};
  REQUIRE(launches == expected);
  REQUIRE(waits["reduce"] == 3 && waits["transform_reduce"] == 1 && waits["copy_if"] == 1);
  REQUIRE(waits.count("transform") == 0 && waits.count("inclusive_scan") == 0 && waits.count("sort") == 0);
#endif
  std::fputs(d2l::kernel_report(ledger).c_str(), stdout);
  return passed();
}
