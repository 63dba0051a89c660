// SPDX-License-Identifier: MIT
#include "backend/cuda/nccl/nccl_library.h"

#include <dlfcn.h>

#include <type_traits>

namespace d2l::backend::cuda {

namespace {

NcclLibrary load_library() {
  NcclLibrary library;
#ifdef D2L_EMULATED
#define D2L_FIND(member, function) library.member = &function
#else
  void* const handle = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = dlerror();
    library.obstacle = "NCCL is not installed (" + std::string(reason == nullptr ? "libnccl.so.2" : reason) + ")";
    return library;
  }
  const auto find = [&](const char* name, auto& member) {
    member = reinterpret_cast<std::remove_reference_t<decltype(member)> >(dlsym(handle, name));
    if (member == nullptr) library.obstacle = "NCCL is too old: it has no " + std::string(name) + " (2.14 has it)";
  };
#define D2L_FIND(member, function) find(#function, library.member)
#endif
  D2L_FIND(get_unique_id, ncclGetUniqueId);
  D2L_FIND(comm_init, ncclCommInitRankConfig);
  D2L_FIND(comm_finalize, ncclCommFinalize);
  D2L_FIND(comm_destroy, ncclCommDestroy);
  D2L_FIND(comm_abort, ncclCommAbort);
  D2L_FIND(comm_error, ncclCommGetAsyncError);
  D2L_FIND(error_text, ncclGetErrorString);
  D2L_FIND(group_start, ncclGroupStart);
  D2L_FIND(group_end, ncclGroupEnd);
  D2L_FIND(all_reduce, ncclAllReduce);
  D2L_FIND(broadcast, ncclBroadcast);
  D2L_FIND(reduce, ncclReduce);
  D2L_FIND(all_gather, ncclAllGather);
  D2L_FIND(reduce_scatter, ncclReduceScatter);
#undef D2L_FIND
  return library;
}

}  // namespace

const NcclLibrary& nccl() {
  static const NcclLibrary library = load_library();
  return library;
}

}  // namespace d2l::backend::cuda
