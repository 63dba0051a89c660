// SPDX-License-Identifier: MIT
// NCCL, loaded when it is first needed: a program runs without it, and is built without it, but for its header.
#pragma once

#include <nccl.h>

#include <string>

namespace d2l::backend::cuda {

/// The functions of the library that are used here.
struct NcclLibrary {
  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRankConfig) comm_init = nullptr;
  decltype(&ncclCommFinalize) comm_finalize = nullptr;
  decltype(&ncclCommDestroy) comm_destroy = nullptr;
  decltype(&ncclCommAbort) comm_abort = nullptr;
  decltype(&ncclCommGetAsyncError) comm_error = nullptr;
  decltype(&ncclGetErrorString) error_text = nullptr;
  decltype(&ncclGroupStart) group_start = nullptr;
  decltype(&ncclGroupEnd) group_end = nullptr;
  decltype(&ncclAllReduce) all_reduce = nullptr;
  decltype(&ncclBroadcast) broadcast = nullptr;
  decltype(&ncclReduce) reduce = nullptr;
  decltype(&ncclAllGather) all_gather = nullptr;
  decltype(&ncclReduceScatter) reduce_scatter = nullptr;
  std::string obstacle;  ///< why the functions are not there; empty if they are
};

/// The library, which stays loaded.
const NcclLibrary& nccl();

}  // namespace d2l::backend::cuda
