// SPDX-License-Identifier: MIT
// NCCL for the devices of one process. As with NCCL, a call outside of a group of calls is a group of one.
#include "nccl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "nccl/group.h"

using namespace d2l::emulator;
using namespace d2l::emulator::nccl;

namespace {

ncclResult_t join(ncclComm_t* communicator, std::shared_ptr<Clique> clique, int rank, int device, bool blocking) {
  const std::string text = clique->join(rank, device, blocking);
  if (!text.empty()) return refuse(ncclInvalidUsage, text);
  auto made = std::make_unique<ncclComm>();
  made->clique = std::move(clique);
  made->rank = rank;
  made->device = device;
  made->blocking = blocking;
  *communicator = made.release();
  return ncclSuccess;
}

/// Copies a value of a communicator to where the program wants it.
ncclResult_t tell(const ncclComm* communicator, int value, int* to) {
  if (communicator == nullptr || to == nullptr) return ncclInvalidArgument;
  *to = value;
  return ncclSuccess;
}

}  // namespace

ncclResult_t ncclGetVersion(int* version) {
  if (version == nullptr) return ncclInvalidArgument;
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
  constexpr const char* texts[] = {"no error",
                                   "unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
                                   "unhandled system error (run with NCCL_DEBUG=INFO for details)",
                                   "internal error - please report this issue to the NCCL developers",
                                   "invalid argument (run with NCCL_DEBUG=WARN for details)",
                                   "invalid usage (run with NCCL_DEBUG=WARN for details)",
                                   "remote process exited or there was a network error",
                                   "NCCL operation in progress"};
  return result >= ncclSuccess && result < ncclNumResults ? texts[result] : "unknown result code";
}
const char* ncclGetLastError(ncclComm_t /*communicator*/) {
  thread_local std::string text;
  const std::lock_guard lock(cliques().mutex);
  text = cliques().last_error;
  return text.c_str();
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (id == nullptr) return ncclInvalidArgument;
  const std::lock_guard lock(cliques().mutex);
  const std::string text = "emulated " + std::to_string(cliques().ids++);
  *id = {};
  std::ranges::copy(text, id->internal);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* communicator, int count, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  const ApiCall call(__builtin_return_address(0));
  if (communicator == nullptr || count < 1 || rank < 0 || rank >= count) {
    return refuse(ncclInvalidArgument, fmt::format("rank {} of {} is not possible", rank, count));
  }
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return ncclUnhandledCudaError;
  std::shared_ptr<Clique> clique;
  {
    const std::lock_guard lock(cliques().mutex);
    std::erase_if(cliques().known, [](const auto& one) { return one.second.expired(); });
    auto& known = cliques().known[std::string(id.internal, sizeof id.internal)];
    clique = known.lock();
    if (clique == nullptr) known = clique = std::make_shared<Clique>(count);
  }
  if (clique->size() != count) {
    return refuse(ncclInvalidArgument, fmt::format("there are {} ranks here, and {} elsewhere", count, clique->size()));
  }
  const bool blocking = config == nullptr || config->blocking != 0;
  const ncclResult_t result = join(communicator, clique, rank, device, blocking);
  if (result != ncclSuccess || !blocking) return result == ncclSuccess ? ncclInProgress : result;
  group_of_this_thread().joining.emplace_back(std::move(clique), rank);
  return group_of_this_thread().depth > 0 ? ncclSuccess : end_group();
}
ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int count, ncclUniqueId id, int rank) {
  const ApiCall call(__builtin_return_address(0));
  return ncclCommInitRankConfig(communicator, count, id, rank, nullptr);
}
ncclResult_t ncclCommInitAll(ncclComm_t* communicators, int count, const int* devices) {
  const ApiCall call(__builtin_return_address(0));
  int available = 0;
  if (cudaGetDeviceCount(&available) != cudaSuccess) return ncclUnhandledCudaError;
  if (communicators == nullptr || count < 1) return refuse(ncclInvalidArgument, "there must be a device");
  const auto clique = std::make_shared<Clique>(count);
  for (int rank = 0; rank < count; ++rank) {
    const int device = devices == nullptr ? rank : devices[rank];
    ncclResult_t result = ncclInvalidUsage;
    if (device < 0 || device >= available) {
      refuse(result, fmt::format("there is no device {}: there are {}. D2L_VIRTUAL_GPUS={}@host makes as many", device,
                                 available, count));
    } else {
      result = join(&communicators[rank], clique, rank, device, true);
    }
    if (result == ncclSuccess) continue;
    for (int made = 0; made < rank; ++made) ncclCommDestroy(communicators[made]);
    return result;
  }
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t communicator) {
  return communicator == nullptr ? ncclInvalidArgument : ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  const std::unique_ptr<ncclComm> owner(communicator);
  return owner == nullptr ? ncclInvalidArgument : ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t communicator) {
  if (communicator != nullptr) communicator->clique->abort(communicator->rank);
  return ncclCommDestroy(communicator);
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* state) {
  if (communicator == nullptr || state == nullptr) return ncclInvalidArgument;
  const bool waits = !communicator->blocking && communicator->clique->is_waiting(communicator->rank);
  *state = !communicator->clique->failure().empty() ? ncclInvalidUsage : (waits ? ncclInProgress : ncclSuccess);
  return ncclSuccess;
}
ncclResult_t ncclCommCount(ncclComm_t communicator, int* count) {
  return tell(communicator, communicator == nullptr ? 0 : communicator->clique->size(), count);
}
ncclResult_t ncclCommUserRank(ncclComm_t communicator, int* rank) {
  return tell(communicator, communicator == nullptr ? 0 : communicator->rank, rank);
}
ncclResult_t ncclCommCuDevice(ncclComm_t communicator, int* device) {
  return tell(communicator, communicator == nullptr ? 0 : communicator->device, device);
}
ncclResult_t ncclMemAlloc(void** memory, size_t bytes) {
  const ApiCall call(__builtin_return_address(0));
  return cudaMalloc(memory, bytes) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}
ncclResult_t ncclMemFree(void* memory) {
  const ApiCall call(__builtin_return_address(0));
  return cudaFree(memory) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t ncclGroupStart() {
  ++group_of_this_thread().depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  const ApiCall call(__builtin_return_address(0));
  Group& group = group_of_this_thread();
  if (group.depth == 0) return refuse(ncclInvalidUsage, "there is no ncclGroupStart before");
  if (--group.depth > 0) return ncclSuccess;
  return end_group();
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* op, void* scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t communicator) {
  if (op == nullptr || scalar == nullptr || communicator == nullptr || type < 0 || type >= ncclNumTypes) {
    return ncclInvalidArgument;
  }
  Reduction made;
  made.multiplies = true;
  if (residence == ncclScalarDevice) {
    made.on_device = scalar;
  } else {
    std::memcpy(made.value.data(), scalar, nccl::size_of(type));
  }
  const std::lock_guard lock(communicator->mutex);
  const auto& known = communicator->reductions;
  const int number = known.empty() ? ncclNumOps : known.rbegin()->first + 1;
  communicator->reductions.emplace(number, made);
  *op = static_cast<ncclRedOp_t>(number);
  return ncclSuccess;
}
ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t communicator) {
  if (communicator == nullptr) return ncclInvalidArgument;
  const std::lock_guard lock(communicator->mutex);
  return communicator->reductions.erase(op) == 1 ? ncclSuccess : ncclInvalidArgument;
}

ncclResult_t ncclAllReduce(const void* in, void* out, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t communicator, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return issue(communicator, {Kind::all_reduce, in, out, count, type, {}, 0, {}}, op, stream);
}
ncclResult_t ncclBroadcast(const void* in, void* out, size_t count, ncclDataType_t type, int root,
                           ncclComm_t communicator, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return issue(communicator, {Kind::broadcast, in, out, count, type, {}, root, {}}, ncclSum, stream);
}
ncclResult_t ncclBcast(void* buffer, size_t count, ncclDataType_t type, int root, ncclComm_t communicator,
                       cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return issue(communicator, {Kind::broadcast, buffer, buffer, count, type, {}, root, {}}, ncclSum, stream);
}
ncclResult_t ncclReduce(const void* in, void* out, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t communicator, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return issue(communicator, {Kind::reduce, in, out, count, type, {}, root, {}}, op, stream);
}
ncclResult_t ncclAllGather(const void* in, void* out, size_t count, ncclDataType_t type, ncclComm_t communicator,
                           cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return issue(communicator, {Kind::all_gather, in, out, count, type, {}, 0, {}}, ncclSum, stream);
}
ncclResult_t ncclReduceScatter(const void* in, void* out, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t communicator, cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return issue(communicator, {Kind::reduce_scatter, in, out, count, type, {}, 0, {}}, op, stream);
}
ncclResult_t ncclSend(const void* in, size_t count, ncclDataType_t type, int peer, ncclComm_t communicator,
                      cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return issue(communicator, {Kind::send, in, nullptr, count, type, {}, peer, {}}, ncclSum, stream);
}
ncclResult_t ncclRecv(void* out, size_t count, ncclDataType_t type, int peer, ncclComm_t communicator,
                      cudaStream_t stream) {
  const ApiCall call(__builtin_return_address(0));
  return issue(communicator, {Kind::receive, nullptr, out, count, type, {}, peer, {}}, ncclSum, stream);
}
