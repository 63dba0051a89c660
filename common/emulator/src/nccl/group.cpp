// SPDX-License-Identifier: MIT
#include "nccl/group.h"

#include <fmt/format.h>

#include <cstdio>

#include "hip/program.h"
#include "runtime/device.h"
#include "runtime/errors.h"

namespace d2l::emulator::nccl {

Cliques& cliques() {
  static auto* const all = new Cliques;
  return *all;
}

ncclResult_t refuse(ncclResult_t result, const std::string& why) {
  const std::string text = in_names_of_program(fmt::format("{}: {}", current_call().text(), why));
  fmt::print(stderr, "{}\n", text);
  const std::lock_guard lock(cliques().mutex);
  cliques().last_error = text;
  return result;
}

Group& group_of_this_thread() {
  thread_local Group group;
  return group;
}

namespace {

/// While it is in scope, the device of a rank is the current one.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    cudaGetDevice(&before_);
    cudaSetDevice(device);
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

/// Tells the others when the stream drops the work, because its device has failed.
class Arrival {
 public:
  explicit Arrival(Clique::Part part) : part_(std::move(part)) {}
  ~Arrival() { Clique::leave(part_); }
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  void happen() const { Clique::arrive(part_); }

 private:
  Clique::Part part_;
};

/// Adds the calls of a group to their streams. All streams come to their calls before one waits, so that a group does
/// not wait for itself.
ncclResult_t add_to_streams(const std::vector<Issued>& all) {
  cudaError_t error = cudaSuccess;
  const auto push = [&](const Issued& one, std::vector<LibraryMemory> memory, LibraryWork work) {
    const OnDevice scope(one.device);
    const cudaError_t result = push_library_work(one.stream, std::move(memory), std::move(work), one.call.site);
    if (error == cudaSuccess) error = result;
  };
  for (const Issued& one : all) {
    auto arrival = std::make_shared<Arrival>(one.part);
    push(one, memory_of(one.call, one.part.rank, one.part.clique->size()), [arrival = std::move(arrival)] {
      arrival->happen();
      return std::vector<LibraryMemory>();
    });
  }
  for (const Issued& one : all) {
    push(one, {}, [part = one.part] {
      Clique::wait(part);
      return std::vector<LibraryMemory>();
    });
  }
  return error == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

/// What a call is refused for before it becomes one.
ncclResult_t check(const ncclComm* communicator, const Call& call, cudaStream_t stream, bool uses_in, bool uses_out) {
  if (communicator == nullptr) return refuse(ncclInvalidArgument, "the communicator is null");
  const int ranks = communicator->clique->size();
  if (call.type < 0 || call.type >= ncclNumTypes) return refuse(ncclInvalidArgument, "the type is not supported");
  if (call.root < 0 || call.root >= ranks) {
    return refuse(ncclInvalidArgument, fmt::format("there is no rank {}: there are {}", call.root, ranks));
  }
  if (call.count > 0 && ((uses_in && call.in == nullptr) || (uses_out && call.out == nullptr))) {
    return refuse(ncclInvalidArgument, "a buffer is null");
  }
  const OnDevice scope(communicator->device);
  int of_stream = communicator->device;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(stream, &capture);
  if (capture != cudaStreamCaptureStatusNone) {
    return refuse(ncclInvalidUsage, "the emulator does not have graphs with NCCL: call it outside of a capture");
  }
  const cudaError_t error = plain_call([&] { of_stream = stream_of(stream)->device().number(); });
  if (error != cudaSuccess) return refuse(ncclInvalidArgument, "the stream is not valid");
  if (of_stream != communicator->device) {
    return refuse(ncclInvalidUsage, fmt::format("the stream belongs to device {}, and rank {} to device {}", of_stream,
                                                communicator->rank, communicator->device));
  }
  return ncclSuccess;
}

/// The reduction of a number: of those that NCCL has, or of those that the program has made.
bool find_reduction(ncclComm* communicator, ncclRedOp_t op, Reduction& reduction) {
  reduction.op = op;
  if (op >= ncclSum && op < ncclNumOps) return true;
  if (communicator == nullptr) return false;
  const std::lock_guard lock(communicator->mutex);
  const auto found = communicator->reductions.find(op);
  if (found != communicator->reductions.end()) reduction = found->second;
  return found != communicator->reductions.end();
}

ncclResult_t add_to_group(ncclComm_t communicator, Call call, ncclRedOp_t op, cudaStream_t stream) {
  const bool root_only = call.kind == Kind::broadcast || call.kind == Kind::reduce;
  const bool is_root = communicator != nullptr && communicator->rank == call.root;
  const bool uses_in = call.kind != Kind::receive && (call.kind != Kind::broadcast || is_root);
  const bool uses_out = call.kind != Kind::send && (!root_only || is_root || call.kind == Kind::broadcast);
  if (!find_reduction(communicator, op, call.reduction)) {
    return refuse(ncclInvalidArgument, "the reduction is not one of NCCL or of this communicator");
  }
  call.site = current_call();
  if (const auto result = check(communicator, call, stream, uses_in, uses_out); result != ncclSuccess) return result;
  if (!communicator->blocking) group_of_this_thread().blocking = false;
  auto part = Clique::issue(communicator->clique, communicator->rank, call);
  group_of_this_thread().calls.push_back({std::move(part), call, communicator->device, stream});
  return ncclSuccess;
}

}  // namespace

ncclResult_t end_group() {
  Group& group = group_of_this_thread();
  const auto calls = std::exchange(group.calls, {});
  const auto joining = std::exchange(group.joining, {});
  const bool blocking = std::exchange(group.blocking, true);
  for (const auto& [clique, rank] : joining) {
    if (const std::string text = clique->wait_for_ranks(current_call(), rank); !text.empty()) {
      return refuse(ncclSystemError, text);
    }
  }
  const ncclResult_t result = add_to_streams(calls);
  if (result != ncclSuccess) return result;
  for (const Issued& one : calls) {
    if (const std::string text = one.part.clique->failure(); !text.empty())
      return refuse(ncclInvalidUsage, "the call " + text);
  }
  return blocking ? ncclSuccess : ncclInProgress;
}

ncclResult_t issue(ncclComm_t communicator, Call call, ncclRedOp_t op, cudaStream_t stream) {
  const ncclResult_t result = add_to_group(communicator, call, op, stream);
  if (result != ncclSuccess || group_of_this_thread().depth > 0) return result;
  return end_group();
}

}  // namespace d2l::emulator::nccl
