// SPDX-License-Identifier: MIT
// Communicators, and groups of calls: what a thread calls between ncclGroupStart() and ncclGroupEnd().
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "nccl/clique.h"

struct ncclComm {
  std::shared_ptr<d2l::emulator::nccl::Clique> clique;
  int rank = 0;
  int device = 0;
  bool blocking = true;
  std::mutex mutex;
  std::map<int, d2l::emulator::nccl::Reduction> reductions;  ///< that the program has made
};

namespace d2l::emulator::nccl {

struct Cliques {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<Clique>> known;
  int ids = 0;
  std::string last_error;
};
Cliques& cliques();

/// Says why the running call has failed. Returns the result.
ncclResult_t refuse(ncclResult_t result, const std::string& why);

/// A call that its stream has not got yet.
struct Issued {
  Clique::Part part;
  Call call;
  int device;
  cudaStream_t stream;
};
struct Group {
  int depth = 0;
  std::vector<Issued> calls;
  std::vector<std::pair<std::shared_ptr<Clique>, int>> joining;  ///< communicators and ranks that wait for the others
  bool blocking = true;
};
Group& group_of_this_thread();
/// The end of a group, or of a call that is one.
ncclResult_t end_group();

/// Adds a call to the group of this thread, or makes it a group of one.
ncclResult_t issue(ncclComm_t communicator, Call call, ncclRedOp_t op, cudaStream_t stream);

}  // namespace d2l::emulator::nccl
