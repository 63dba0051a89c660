// SPDX-License-Identifier: MIT
// NCCL between emulated cards. As NCCL does, a card's collective begins when all cards have called it, a call outside
// of a group of calls is a group of one, and the streams wait for each other: none waits for the host.
#include "nccl/nccl.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/memory.h"

namespace d2l::emulator::nccl {

enum class Kind { all_reduce, broadcast, reduce, all_gather, reduce_scatter };

/// What a card calls.
struct Operation {
  Kind kind;
  const void* in;
  void* out;
  std::size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  int root;
  cudaStream_t stream;
  int device;
};

bool alike(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.count == b.count && a.type == b.type && a.op == b.op && a.root == b.root;
}

template <class T>
T join(T a, T b, ncclRedOp_t op) {
  switch (op) {
    case ncclProd:
      return static_cast<T>(a * b);
    case ncclMax:
      return a != a || a > b ? a : b;
    case ncclMin:
      return a != a || a < b ? a : b;
    case ncclSum:
    case ncclAvg:
      break;
  }
  return static_cast<T>(a + b);
}

/// The join of `count` elements, from element `first` on, of all cards.
template <class T>
std::vector<T> joined(const std::vector<Operation>& all, std::size_t first, std::size_t count) {
  const auto* in = static_cast<const T*>(all[0].in) + first;
  std::vector<T> result(in, in + count);
  for (std::size_t card = 1; card < all.size(); ++card) {
    const auto* const other = static_cast<const T*>(all[card].in) + first;
    for (std::size_t i = 0; i < count; ++i) result[i] = join(result[i], other[i], all[0].op);
  }
  if (all[0].op == ncclAvg) {
    for (T& element : result) element = static_cast<T>(element / static_cast<T>(all.size()));
  }
  return result;
}

template <class T>
void compute(const std::vector<Operation>& all) {
  const std::size_t count = all[0].count;
  const std::size_t bytes = count * sizeof(T);
  if (bytes == 0) return;
  const auto root = static_cast<std::size_t>(all[0].root);
  switch (all[0].kind) {
    case Kind::all_reduce:
    case Kind::reduce: {
      const auto result = joined<T>(all, 0, count);
      for (std::size_t card = 0; card < all.size(); ++card) {
        if (all[0].kind == Kind::all_reduce || card == root) std::memcpy(all[card].out, result.data(), bytes);
      }
      return;
    }
    case Kind::broadcast: {
      const auto* const in = static_cast<const T*>(all[root].in);
      const std::vector<T> sent(in, in + count);
      for (const Operation& one : all) std::memcpy(one.out, sent.data(), bytes);
      return;
    }
    case Kind::all_gather:
      for (const Operation& to : all) {
        for (std::size_t card = 0; card < all.size(); ++card) {
          std::memcpy(static_cast<T*>(to.out) + card * count, all[card].in, bytes);
        }
      }
      return;
    case Kind::reduce_scatter:
      for (std::size_t card = 0; card < all.size(); ++card) {
        std::memcpy(all[card].out, joined<T>(all, card * count, count).data(), bytes);
      }
      return;
  }
}

void compute_any(const std::vector<Operation>& all) {
  switch (all[0].type) {
    case ncclUint8:
      return compute<std::uint8_t>(all);
    case ncclInt32:
      return compute<std::int32_t>(all);
    case ncclInt64:
      return compute<std::int64_t>(all);
    case ncclFloat32:
      return compute<float>(all);
    case ncclFloat64:
      return compute<double>(all);
  }
}

/// Puts the computation into the stream of the first card, between all streams.
bool start(const std::vector<Operation>& all) {
  bool well = true;
  int before = 0;
  const auto call = [&](cudaError_t status) { well = well && status == cudaSuccess; };
  call(cudaGetDevice(&before));
  const auto mark = [&](const Operation& one) {
    cudaEvent_t event = nullptr;
    call(cudaSetDevice(one.device));
    call(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    call(cudaEventRecord(event, one.stream));
    return event;
  };
  for (const Operation& one : all) {
    const cudaEvent_t event = mark(one);
    call(cudaSetDevice(all[0].device));
    call(cudaStreamWaitEvent(all[0].stream, event, 0));
    call(cudaEventDestroy(event));
  }
  const auto run = [](void* data) {
    const std::unique_ptr<std::vector<Operation>> owned(static_cast<std::vector<Operation>*>(data));
    for (Operation& one : *owned) {
      one.in = contents_of(one.in);
      one.out = contents_of(one.out);
    }
    compute_any(*owned);
  };
  call(cudaLaunchHostFunc(all[0].stream, run, std::make_unique<std::vector<Operation>>(all).release()));
  const cudaEvent_t done = mark(all[0]);
  for (const Operation& one : all) {
    call(cudaSetDevice(one.device));
    call(cudaStreamWaitEvent(one.stream, done, 0));
  }
  call(cudaEventDestroy(done));
  call(cudaSetDevice(before));
  return well;
}

/// The cards of a communicator.
struct Clique {
  explicit Clique(int size) : calls(static_cast<std::size_t>(size)) {}
  std::mutex mutex;
  std::vector<std::deque<Operation>> calls;  ///< that wait for those of other cards, by card
  std::size_t joined = 0;
  ncclResult_t failure = ncclSuccess;

  void add(int rank, const Operation& operation) {
    const std::lock_guard lock(mutex);
    calls[static_cast<std::size_t>(rank)].push_back(operation);
    if (std::ranges::any_of(calls, [](const auto& waiting) { return waiting.empty(); })) return;
    std::vector<Operation> all;
    for (auto& waiting : calls) {
      all.push_back(waiting.front());
      waiting.pop_front();
    }
    const bool same = std::ranges::all_of(all, [&](const Operation& one) { return alike(one, all[0]); });
    if (!same || !start(all)) failure = ncclInternalError;
  }
};

struct Cliques {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<Clique>> known;
  int ids = 0;
};
Cliques& cliques() {
  static auto* const all = new Cliques;
  return *all;
}

}  // namespace d2l::emulator::nccl

using namespace d2l::emulator::nccl;

struct ncclComm {
  std::shared_ptr<Clique> clique;
  int rank = 0;
  int device = 0;
};

namespace {

/// The calls of this thread since ncclGroupStart().
thread_local int depth = 0;
thread_local std::vector<std::pair<ncclComm_t, Operation>> grouped;

ncclResult_t call(ncclComm_t communicator, Operation operation) {
  if (communicator == nullptr) return ncclInvalidArgument;
  operation.device = communicator->device;
  if (depth > 0) {
    grouped.emplace_back(communicator, operation);
  } else {
    communicator->clique->add(communicator->rank, operation);
  }
  return ncclInProgress;
}

}  // namespace

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclInternalError:
      return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
    case ncclInProgress:
      return "NCCL operation in progress";
  }
  return "unknown result code";
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  const std::lock_guard lock(cliques().mutex);
  const std::string text = "emulated " + std::to_string(cliques().ids++);
  *id = {};
  std::ranges::copy(text, id->internal);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* communicator, int count, ncclUniqueId id, int rank,
                                    ncclConfig_t* /*config*/) {
  if (communicator == nullptr || count < 1 || rank < 0 || rank >= count) return ncclInvalidArgument;
  auto made = std::make_unique<ncclComm>();
  if (cudaGetDevice(&made->device) != cudaSuccess) return ncclInternalError;
  const std::lock_guard lock(cliques().mutex);
  auto& known = cliques().known[std::string(id.internal, sizeof id.internal)];
  made->clique = known.lock();
  if (made->clique == nullptr) known = made->clique = std::make_shared<Clique>(count);
  made->rank = rank;
  const std::lock_guard clique_lock(made->clique->mutex);
  ++made->clique->joined;
  *communicator = made.release();
  return ncclInProgress;
}

ncclResult_t ncclCommFinalize(ncclComm_t communicator) {
  return communicator == nullptr ? ncclInvalidArgument : ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  const std::unique_ptr<ncclComm> owner(communicator);
  return owner == nullptr ? ncclInvalidArgument : ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t communicator) { return ncclCommDestroy(communicator); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* state) {
  if (communicator == nullptr || state == nullptr) return ncclInvalidArgument;
  Clique& clique = *communicator->clique;
  const std::lock_guard lock(clique.mutex);
  const bool waits = !clique.calls[static_cast<std::size_t>(communicator->rank)].empty();
  const bool complete = clique.joined == clique.calls.size();
  *state = clique.failure != ncclSuccess ? clique.failure : waits || !complete ? ncclInProgress : ncclSuccess;
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (depth == 0) return ncclInvalidUsage;
  if (--depth > 0) return ncclSuccess;
  for (const auto& [communicator, operation] : std::exchange(grouped, {})) {
    communicator->clique->add(communicator->rank, operation);
  }
  return ncclInProgress;
}

ncclResult_t ncclAllReduce(const void* in, void* out, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t communicator, cudaStream_t stream) {
  return call(communicator, {Kind::all_reduce, in, out, count, type, op, 0, stream, 0});
}
ncclResult_t ncclBroadcast(const void* in, void* out, std::size_t count, ncclDataType_t type, int root,
                           ncclComm_t communicator, cudaStream_t stream) {
  return call(communicator, {Kind::broadcast, in, out, count, type, ncclSum, root, stream, 0});
}
ncclResult_t ncclReduce(const void* in, void* out, std::size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t communicator, cudaStream_t stream) {
  return call(communicator, {Kind::reduce, in, out, count, type, op, root, stream, 0});
}
ncclResult_t ncclAllGather(const void* in, void* out, std::size_t count, ncclDataType_t type, ncclComm_t communicator,
                           cudaStream_t stream) {
  return call(communicator, {Kind::all_gather, in, out, count, type, ncclSum, 0, stream, 0});
}
ncclResult_t ncclReduceScatter(const void* in, void* out, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t communicator, cudaStream_t stream) {
  return call(communicator, {Kind::reduce_scatter, in, out, count, type, op, 0, stream, 0});
}
