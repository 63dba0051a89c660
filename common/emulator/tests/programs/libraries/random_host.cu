// Random numbers made by calls of the host.
#include <cuComplex.h>
#include <curand.h>

#include <cmath>
#include <vector>

#include "verify.h"

int main() {
  constexpr int n = 1 << 16;
  float* numbers;
  double* wide;
  cudaMalloc(&numbers, n * sizeof(float));
  cudaMalloc(&wide, n * sizeof(double));
  curandGenerator_t generator;
  verify(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS, "a generator");
  curandSetPseudoRandomGeneratorSeed(generator, 1234ULL);
  curandGenerateUniform(generator, numbers, n);
  std::vector<float> host(n), again(n);
  cudaMemcpy(host.data(), numbers, n * sizeof(float), cudaMemcpyDeviceToHost);
  int inside = 0;
  bool within = true;
  for (int i = 0; i + 1 < n; i += 2) {
    inside += host[i] * host[i] + host[i + 1] * host[i + 1] <= 1;
    within = within && host[i] > 0 && host[i] <= 1;
  }
  verify(within && std::fabs(4.0 * inside / (n / 2) - 3.14159) < 0.05, "uniform numbers");
  curandSetPseudoRandomGeneratorSeed(generator, 1234ULL);
  curandGenerateUniform(generator, numbers, n);
  cudaMemcpy(again.data(), numbers, n * sizeof(float), cudaMemcpyDeviceToHost);
  verify(host == again, "a seed gives the same numbers");
  curandGenerateNormalDouble(generator, wide, n, 5.0, 2.0);
  std::vector<double> normal(n);
  cudaMemcpy(normal.data(), wide, n * sizeof(double), cudaMemcpyDeviceToHost);
  double mean = 0, square = 0;
  for (double x : normal) mean += x / n;
  for (double x : normal) square += (x - mean) * (x - mean) / n;
  verify(std::fabs(mean - 5) < 0.05 && std::fabs(square - 4) < 0.1, "normal numbers");
  curandDestroyGenerator(generator);

  const cuComplex product = cuCmulf(make_cuComplex(1, 2), make_cuComplex(3, -1));
  verify(cuCrealf(product) == 5 && cuCimagf(product) == 5 && cuCabsf(make_cuComplex(3, 4)) == 5, "complex numbers");
  return passed();
}
