// SPDX-License-Identifier: MIT
// Kernels that launch kernels: quicksort, a quadtree whose nodes a kernel allocates, and Bezier curves whose number of
// points a kernel decides.
#include <algorithm>
#include <cmath>
#include <vector>

#include "verify.h"

constexpr int deepest = 16;

__device__ void sort_by_selection(int* values, int left, int right) {
  for (int i = left; i < right; ++i) {
    int smallest = i;
    for (int k = i + 1; k <= right; ++k) {
      if (values[k] < values[smallest]) smallest = k;
    }
    const int value = values[i];
    values[i] = values[smallest];
    values[smallest] = value;
  }
}

__global__ void quicksort(int* values, int left, int right, int depth) {
  if (depth >= deepest || right - left < 16) return sort_by_selection(values, left, right);
  const int pivot = values[(left + right) / 2];
  int low = left;
  int high = right;
  while (low <= high) {
    while (values[low] < pivot) ++low;
    while (values[high] > pivot) --high;
    if (low > high) break;
    const int value = values[low];
    values[low++] = values[high];
    values[high--] = value;
  }
  cudaStream_t part;
  if (left < high) {
    cudaStreamCreateWithFlags(&part, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, part>>>(values, left, high, depth + 1);
    cudaStreamDestroy(part);
  }
  if (low < right) {
    cudaStreamCreateWithFlags(&part, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, part>>>(values, low, right, depth + 1);
    cudaStreamDestroy(part);
  }
}

void sorts() {
  constexpr int n = 2000;
  int* values;
  CHECK(cudaMallocManaged(&values, n * sizeof(int)));
  unsigned state = 7;
  for (int i = 0; i < n; ++i) values[i] = static_cast<int>((state = state * 1664525u + 1013904223u) >> 16);
  std::vector<int> expected(values, values + n);
  std::sort(expected.begin(), expected.end());
  quicksort<<<1, 1>>>(values, 0, n - 1, 0);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  verify(std::equal(expected.begin(), expected.end(), values), "quicksort");
  CHECK(cudaFree(values));
}

struct Point {
  float x, y;
};
/// A square and the points in it, which are those from `begin` to `end` of an array.
struct Node {
  float x, y, side;
  int begin, end;
  Node* children;  // four, or null
};

__device__ int leaves, points_in_leaves;

__device__ int quarter_of(const Node& node, const Point& point) {
  const float half = node.side / 2;
  return (point.x >= node.x + half ? 1 : 0) + (point.y >= node.y + half ? 2 : 0);
}

// A block for each node. Its points are put in the order of the quarters, by way of `other`.
__global__ void divide(Node* nodes, Point* points, Point* other, int depth) {
  Node& node = nodes[blockIdx.x];
  __shared__ int begins[5];
  const int count = node.end - node.begin;
  if (count <= 4 || depth == 0) {
    if (threadIdx.x == 0) {
      node.children = nullptr;
      atomicAdd(&leaves, 1);
      atomicAdd(&points_in_leaves, count);
    }
    return;
  }
  if (threadIdx.x == 0) {
    begins[0] = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      int at = begins[quarter];
      for (int i = node.begin; i < node.end; ++i) {
        if (quarter_of(node, points[i]) == quarter) other[node.begin + at++] = points[i];
      }
      begins[quarter + 1] = at;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) points[node.begin + i] = other[node.begin + i];
  __syncthreads();
  if (threadIdx.x == 0) {
    node.children = static_cast<Node*>(malloc(4 * sizeof(Node)));
    for (int quarter = 0; quarter < 4; ++quarter) {
      const float half = node.side / 2;
      node.children[quarter] = {node.x + (quarter % 2) * half, node.y + (quarter / 2) * half,    half,
                                node.begin + begins[quarter],  node.begin + begins[quarter + 1], nullptr};
    }
    divide<<<4, blockDim.x>>>(node.children, points, other, depth - 1);
  }
}

__global__ void free_array(Node* nodes) { free(nodes); }
__global__ void free_nodes(Node* nodes) {
  Node* const children = nodes[threadIdx.x].children;
  if (children == nullptr) return;
  // The array is freed when the kernels that use it have ended.
  free_nodes<<<1, 4>>>(children);
  free_array<<<1, 1, 0, cudaStreamTailLaunch>>>(children);
}

void divides() {
  constexpr int n = 500;
  Point *points, *other;
  Node* root;
  CHECK(cudaMallocManaged(&points, n * sizeof(Point)));
  CHECK(cudaMallocManaged(&root, sizeof(Node)));
  CHECK(cudaMalloc(&other, n * sizeof(Point)));
  unsigned state = 3;
  const auto next = [&] { return static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24); };
  for (int i = 0; i < n; ++i) points[i] = {next(), next()};
  *root = {0, 0, 1, 0, n, nullptr};
  const int zero = 0;
  CHECK(cudaMemcpyToSymbol(leaves, &zero, sizeof zero));
  CHECK(cudaMemcpyToSymbol(points_in_leaves, &zero, sizeof zero));
  divide<<<1, 32>>>(root, points, other, 20);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  int counts[2];
  CHECK(cudaMemcpyFromSymbol(&counts[0], leaves, sizeof(int)));
  CHECK(cudaMemcpyFromSymbol(&counts[1], points_in_leaves, sizeof(int)));
  verify(counts[1] == n && counts[0] > n / 4 && root->children != nullptr, "the points of the quadtree");
  free_nodes<<<1, 1>>>(root);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(points));
  CHECK(cudaFree(other));
  CHECK(cudaFree(root));
}

struct Curve {
  Point control[3];
  Point* points;
  int count;
};

__global__ void compute_points(Curve* curve) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= curve->count) return;
  const float t = static_cast<float>(i) / static_cast<float>(curve->count - 1);
  const float weights[3] = {(1 - t) * (1 - t), 2 * t * (1 - t), t * t};
  Point sum = {0, 0};
  for (int k = 0; k < 3; ++k) {
    sum.x += weights[k] * curve->control[k].x;
    sum.y += weights[k] * curve->control[k].y;
  }
  curve->points[i] = sum;
}

__global__ void tessellate(Curve* curves, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Curve& curve = curves[i];
  const float dx = curve.control[0].x - 2 * curve.control[1].x + curve.control[2].x;
  const float dy = curve.control[0].y - 2 * curve.control[1].y + curve.control[2].y;
  curve.count = min(max(static_cast<int>(sqrtf(dx * dx + dy * dy) * 16), 4), 200);
  if (cudaMalloc(&curve.points, curve.count * sizeof(Point)) != cudaSuccess) return;
  compute_points<<<(curve.count + 31) / 32, 32>>>(&curve);
}

__global__ void check_curves(const Curve* curves, int n, int* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Curve& curve = curves[i];
  for (int k : {0, curve.count - 1}) {
    const Point& end = curve.control[k == 0 ? 0 : 2];
    if (curve.points[k].x != end.x || curve.points[k].y != end.y) atomicAdd(wrong, 1);
  }
  cudaFree(curve.points);
}

void draws() {
  constexpr int n = 100;
  Curve* curves;
  int* wrong;
  CHECK(cudaMallocManaged(&curves, n * sizeof(Curve)));
  CHECK(cudaMallocManaged(&wrong, sizeof(int)));
  *wrong = 0;
  unsigned state = 5;
  for (int i = 0; i < n; ++i) {
    for (Point& point : curves[i].control) {
      point.x = static_cast<float>((state = state * 1664525u + 1013904223u) >> 28);
      point.y = static_cast<float>((state = state * 1664525u + 1013904223u) >> 28);
    }
  }
  tessellate<<<2, 64>>>(curves, n);
  check_curves<<<2, 64>>>(curves, n, wrong);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  verify(*wrong == 0, "the ends of the curves");
  bool different = false;
  for (int i = 1; i < n; ++i) different = different || curves[i].count != curves[0].count;
  verify(different, "the numbers of points");
  CHECK(cudaFree(curves));
  CHECK(cudaFree(wrong));
}

int main() {
  sorts();
  divides();
  draws();
  return passed();
}
