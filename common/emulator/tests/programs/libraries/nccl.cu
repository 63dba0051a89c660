// SPDX-License-Identifier: MIT
// NCCL: all operations between the devices of one process, by one thread with groups and by a thread for each device.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <nccl.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "verify.h"

#define NCCL(call)                                                                                     \
  do {                                                                                                 \
    const ncclResult_t result_ = (call);                                                               \
    if (result_ != ncclSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, ncclGetErrorString(result_)); \
      std::exit(EXIT_FAILURE);                                                                         \
    }                                                                                                  \
  } while (0)

constexpr int n = 1000;

template <class T>
struct Type;
#define TYPE(T, nccl)                             \
  template <>                                     \
  struct Type<T> {                                \
    static constexpr ncclDataType_t value = nccl; \
  };
TYPE(std::int8_t, ncclInt8)
TYPE(std::uint8_t, ncclUint8)
TYPE(int, ncclInt)
TYPE(unsigned, ncclUint32)
TYPE(long long, ncclInt64)
TYPE(float, ncclFloat)
TYPE(double, ncclDouble)
TYPE(__half, ncclHalf)
TYPE(__nv_bfloat16, ncclBfloat16)

__global__ void fill(float* out, int count, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = value + i % 7;
}

/// The ranks of one process: a device, a stream and a communicator each.
struct Ranks {
  explicit Ranks(int count) : communicators(count), streams(count) {
    for (int rank = 0; rank < count; ++rank) {
      CHECK(cudaSetDevice(rank));
      CHECK(cudaStreamCreate(&streams[rank]));
    }
    NCCL(ncclCommInitAll(communicators.data(), count, nullptr));
  }
  ~Ranks() {
    for (std::size_t rank = 0; rank < streams.size(); ++rank) {
      cudaSetDevice(int(rank));
      cudaStreamDestroy(streams[rank]);
      ncclCommDestroy(communicators[rank]);
    }
  }
  int size() const { return int(streams.size()); }
  /// One call for each rank, as one group; then all streams are awaited.
  template <class Call>
  void all(const Call& call) const {
    NCCL(ncclGroupStart());
    for (int rank = 0; rank < size(); ++rank) NCCL(call(rank, communicators[rank], streams[rank]));
    NCCL(ncclGroupEnd());
    for (int rank = 0; rank < size(); ++rank) {
      CHECK(cudaSetDevice(rank));
      CHECK(cudaStreamSynchronize(streams[rank]));
    }
  }
  std::vector<ncclComm_t> communicators;
  std::vector<cudaStream_t> streams;
};

/// Memory on each rank's device; its elements on the host.
template <class T>
struct Buffers {
  Buffers(const Ranks& ranks, int size, int count, bool filled = true) : host(size), device(size), count(count) {
    (void)ranks;
    for (int rank = 0; rank < size; ++rank) {
      for (int i = 0; i < count; ++i) host[rank].push_back(T(float((i * 3 + rank * 5) % 11 + 1)));
      CHECK(cudaSetDevice(rank));
      CHECK(cudaMalloc(&device[rank], count * sizeof(T)));
      if (filled) CHECK(cudaMemcpy(device[rank], host[rank].data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
  }
  ~Buffers() {
    for (T* each : device) cudaFree(each);
  }
  std::vector<T> get(int rank) const {
    std::vector<T> result(count);
    CHECK(cudaSetDevice(rank));
    CHECK(cudaMemcpy(result.data(), device[rank], count * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }
  std::vector<std::vector<T>> host;
  std::vector<T*> device;
  int count;
};

double reduced(double a, double b, ncclRedOp_t op) {
  if (op == ncclProd) return a * b;
  if (op == ncclMax) return std::max(a, b);
  return op == ncclMin ? std::min(a, b) : a + b;
}

/// The reduction of element i of all ranks.
template <class T>
double reduction(const Buffers<T>& in, int i, ncclRedOp_t op) {
  double result = double(float(in.host[0][i]));
  for (std::size_t rank = 1; rank < in.host.size(); ++rank) {
    result = reduced(result, double(float(in.host[rank][i])), op);
  }
  return op == ncclAvg ? result / double(in.host.size()) : result;
}

template <class T>
void verify_type(const Ranks& ranks) {
  const int size = ranks.size();
  for (const ncclRedOp_t op : {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg}) {
    const Buffers<T> in(ranks, size, n), out(ranks, size, n, false);
    ranks.all([&](int rank, ncclComm_t communicator, cudaStream_t stream) {
      return ncclAllReduce(in.device[rank], out.device[rank], n, Type<T>::value, op, communicator, stream);
    });
    for (int rank = 0; rank < size; ++rank) {
      const std::vector<T> result = out.get(rank);
      for (int i = 0; i < n; ++i) REQUIRE(float(result[i]) == float(T(float(reduction(in, i, op)))));
    }
  }
}

void verify_operations(const Ranks& ranks) {
  const int size = ranks.size(), root = size - 1, part = n / size;
  const Buffers<float> in(ranks, size, n);
  {
    const Buffers<float> out(ranks, size, n, false);
    ranks.all([&](int rank, ncclComm_t communicator, cudaStream_t stream) {
      return ncclBroadcast(in.device[rank], out.device[rank], n, ncclFloat, root, communicator, stream);
    });
    for (int rank = 0; rank < size; ++rank) REQUIRE(out.get(rank) == in.host[root]);
  }
  {
    const Buffers<float> buffer(ranks, size, n);
    ranks.all([&](int rank, ncclComm_t communicator, cudaStream_t stream) {
      return ncclBcast(buffer.device[rank], n, ncclFloat, 0, communicator, stream);
    });
    for (int rank = 0; rank < size; ++rank) REQUIRE(buffer.get(rank) == in.host[0]);
  }
  {
    const Buffers<float> out(ranks, size, n);
    ranks.all([&](int rank, ncclComm_t communicator, cudaStream_t stream) {
      float* const to = rank == root ? out.device[rank] : nullptr;
      return ncclReduce(in.device[rank], to, n, ncclFloat, ncclSum, root, communicator, stream);
    });
    const std::vector<float> result = out.get(root);
    for (int i = 0; i < n; ++i) REQUIRE(result[i] == float(reduction(in, i, ncclSum)));
    if (size > 1) REQUIRE(out.get(0) == out.host[0]);  // it stays
  }
  {
    const Buffers<float> out(ranks, size, n * size, false);
    ranks.all([&](int rank, ncclComm_t communicator, cudaStream_t stream) {
      return ncclAllGather(in.device[rank], out.device[rank], n, ncclFloat, communicator, stream);
    });
    for (int rank = 0; rank < size; ++rank) {
      const std::vector<float> result = out.get(rank);
      for (int i = 0; i < n * size; ++i) REQUIRE(result[i] == in.host[i / n][i % n]);
    }
  }
  {  // in place: each rank's part of its own buffer
    const Buffers<float> buffer(ranks, size, part * size);
    ranks.all([&](int rank, ncclComm_t communicator, cudaStream_t stream) {
      float* const own = buffer.device[rank];
      return ncclReduceScatter(own, own + rank * part, part, ncclFloat, ncclSum, communicator, stream);
    });
    for (int rank = 0; rank < size; ++rank) {
      const std::vector<float> result = buffer.get(rank);
      for (int i = 0; i < part; ++i) {
        REQUIRE(result[rank * part + i] == float(reduction(buffer, rank * part + i, ncclSum)));
      }
    }
  }
  {  // each rank sends to the next one
    const Buffers<float> out(ranks, size, n, false);
    ranks.all([&](int rank, ncclComm_t communicator, cudaStream_t stream) {
      NCCL(ncclSend(in.device[rank], n, ncclFloat, (rank + 1) % size, communicator, stream));
      return ncclRecv(out.device[rank], n, ncclFloat, (rank + size - 1) % size, communicator, stream);
    });
    for (int rank = 0; rank < size; ++rank) REQUIRE(out.get(rank) == in.host[(rank + size - 1) % size]);
  }
  {  // a sum with a factor of each rank
    const Buffers<float> out(ranks, size, n, false);
    std::vector<ncclRedOp_t> ops(size);
    for (int rank = 0; rank < size; ++rank) {
      float factor = float(rank) + 0.5f;
      NCCL(
          ncclRedOpCreatePreMulSum(&ops[rank], &factor, ncclFloat, ncclScalarHostImmediate, ranks.communicators[rank]));
    }
    ranks.all([&](int rank, ncclComm_t communicator, cudaStream_t stream) {
      return ncclAllReduce(in.device[rank], out.device[rank], n, ncclFloat, ops[rank], communicator, stream);
    });
    const std::vector<float> result = out.get(0);
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int rank = 0; rank < size; ++rank) sum += double(in.host[rank][i]) * (rank + 0.5);
      REQUIRE(result[i] == float(sum));
    }
    for (int rank = 0; rank < size; ++rank) NCCL(ncclRedOpDestroy(ops[rank], ranks.communicators[rank]));
  }
}

/// The results come in the order of the streams: after kernels before, and before kernels after.
void verify_order(const Ranks& ranks) {
  const int size = ranks.size();
  const Buffers<float> buffer(ranks, size, n, false);
  for (int round = 0; round < 3; ++round) {
    for (int rank = 0; rank < size; ++rank) {
      CHECK(cudaSetDevice(rank));
      fill<<<(n + 255) / 256, 256, 0, ranks.streams[rank]>>>(buffer.device[rank], n, float(rank + round));
    }
    NCCL(ncclGroupStart());
    for (int rank = 0; rank < size; ++rank) {
      NCCL(ncclAllReduce(buffer.device[rank], buffer.device[rank], n, ncclFloat, ncclSum, ranks.communicators[rank],
                         ranks.streams[rank]));
    }
    NCCL(ncclGroupEnd());
  }
  for (int rank = 0; rank < size; ++rank) {
    CHECK(cudaSetDevice(rank));
    CHECK(cudaStreamSynchronize(ranks.streams[rank]));
    const std::vector<float> result = buffer.get(rank);
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int other = 0; other < size; ++other) sum += float(other + 2) + float(i % 7);
      REQUIRE(result[i] == sum);
    }
  }
}

/// A thread for each device, as with a process for each device.
void verify_threads(int size) {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  std::vector<float> results(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      CHECK(cudaSetDevice(rank));
      ncclComm_t communicator;
      NCCL(ncclCommInitRank(&communicator, size, id, rank));
      int count = 0, own = -1, device = -1;
      NCCL(ncclCommCount(communicator, &count));
      NCCL(ncclCommUserRank(communicator, &own));
      NCCL(ncclCommCuDevice(communicator, &device));
      REQUIRE(count == size && own == rank && device == rank);
      float* memory;
      CHECK(cudaMalloc(&memory, sizeof(float)));
      const float mine = float(rank + 1);
      CHECK(cudaMemcpy(memory, &mine, sizeof mine, cudaMemcpyHostToDevice));
      for (int i = 0; i < 10; ++i) {  // without a group, in the default stream
        NCCL(ncclAllReduce(memory, memory, 1, ncclFloat, i % 2 == 0 ? ncclSum : ncclAvg, communicator, nullptr));
      }
      CHECK(cudaDeviceSynchronize());
      ncclResult_t state;
      NCCL(ncclCommGetAsyncError(communicator, &state));
      REQUIRE(state == ncclSuccess);
      CHECK(cudaMemcpy(&results[rank], memory, sizeof(float), cudaMemcpyDeviceToHost));
      CHECK(cudaFree(memory));
      NCCL(ncclCommFinalize(communicator));
      NCCL(ncclCommDestroy(communicator));
    });
  }
  for (std::thread& each : threads) each.join();
  float expected = float(size * (size + 1)) / 2;  // the sum, then the mean of equal numbers, and so on
  for (int i = 1; i < 5; ++i) expected *= float(size);
  for (const float result : results) REQUIRE(result == expected);
}

/// Ranks that one thread makes in a group.
void verify_group_of_ranks(int size) {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  std::vector<ncclComm_t> communicators(size);
  NCCL(ncclGroupStart());
  for (int rank = 0; rank < size; ++rank) {
    CHECK(cudaSetDevice(rank));
    NCCL(ncclCommInitRank(&communicators[rank], size, id, rank));
  }
  NCCL(ncclGroupEnd());
  for (ncclComm_t each : communicators) NCCL(ncclCommDestroy(each));
}

void verify_arguments(const Ranks& ranks) {
  CHECK(cudaSetDevice(0));
  float* memory;
  CHECK(cudaMalloc(&memory, sizeof(float)));
  const ncclComm_t own = ranks.communicators[0];
  const cudaStream_t stream = ranks.streams[0];
  REQUIRE(ncclAllReduce(memory, memory, 1, ncclFloat, ncclSum, nullptr, stream) == ncclInvalidArgument);
  REQUIRE(ncclAllReduce(nullptr, memory, 1, ncclFloat, ncclSum, own, stream) == ncclInvalidArgument);
  REQUIRE(ncclBcast(memory, 1, ncclFloat, ranks.size(), own, stream) == ncclInvalidArgument);
  REQUIRE(ncclGroupEnd() == ncclInvalidUsage);
  int version = 0;
  NCCL(ncclGetVersion(&version));
  REQUIRE(version == NCCL_VERSION_CODE && ncclGetErrorString(ncclSuccess) != nullptr);
  CHECK(cudaFree(memory));
}

int main() {
  int size = 0;
  CHECK(cudaGetDeviceCount(&size));
  {
    const Ranks ranks(size);
    verify_type<std::int8_t>(ranks);
    verify_type<std::uint8_t>(ranks);
    verify_type<int>(ranks);
    verify_type<unsigned>(ranks);
    verify_type<long long>(ranks);
    verify_type<float>(ranks);
    verify_type<double>(ranks);
    verify_type<__half>(ranks);
    verify_type<__nv_bfloat16>(ranks);
    verify_operations(ranks);
    verify_order(ranks);
    verify_arguments(ranks);
  }
  verify_threads(size);
  verify_group_of_ranks(size);
  return passed();
}
