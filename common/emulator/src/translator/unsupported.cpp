// SPDX-License-Identifier: MIT
#include "unsupported.h"

#include <algorithm>
#include <array>
#include <regex>
#include <utility>

#include "tokens.h"

namespace d2l::emulator::translator {
namespace {

struct Family {
  std::regex names;
  std::string_view what;
};

/// The first family whose names match is taken. A family without `what` is supported.
const std::vector<Family>& families() {
  static const std::vector<Family> all = [] {
    const std::array<std::pair<const char*, std::string_view>, 23> table = {{
        {"cuC(add|sub|mul|div|abs|real|imag|fma|onj)f?|cu(Float|Double)?Complex\\w*", ""},
        {"cu(Init|PointerGetAttribute|DriverGetVersion|DeviceGet(Count|Name|Attribute|Uuid|PCIBusId)?|DeviceTotalMem)|"
         "cu(DeviceComputeCapability|DeviceCanAccessPeer|DevicePrimaryCtx(Retain|Release|GetState|SetFlags))|"
         "cuGetError(String|Name)|cuLaunchHostFunc|cuFunc(GetAttribute|SetAttribute|SetCacheConfig)|"
         "cuCtx(Create|Destroy|Synchronize|GetDevice|(Set|Get|Push|Pop)Current|(Get|Set)Limit|GetStreamPriorityRange)|"
         "cuMem((Alloc|Free)(Async|Host)?|Alloc(Pitch|Managed)|GetInfo|GetAddressRange)|"
         "cuMem(Host(Alloc|Register|Unregister|GetDevicePointer)|(cpy(HtoD|DtoH|DtoD)?|setD(8|16|32))(Async)?)|"
         "cuStream(Create(WithPriority)?|Destroy|Synchronize|Query|WaitEvent)|"
         "cuEvent(Create|Record|Query|Synchronize|ElapsedTime|Destroy)|"
         "cuOccupancyMax(ActiveBlocksPerMultiprocessor|PotentialBlockSize)|"
         "CUresult|CUdevice(_attribute|ptr)?|CUcontext|CUstream(_flags)?|CUevent(_flags)?|CUlimit|CUuuid|CUmemorytype|"
         "CU(pointer|function)_attribute|CUfunc_cache|CUhostFn|CUmemoryPool|CUoccupancyB2DSize|CUctx(_flags|"
         "CreateParams)|"
         "CU_(DEVICE|POINTER|FUNC)_ATTRIBUTE_\\w+|CU_(CTX|STREAM|EVENT|MEM_ATTACH|MEMORYTYPE|MEMHOST|LIMIT|FUNC_CACHE)"
         "\\w*",
         ""},
        {"(cuda|hip)Graphics\\w*|(cuda|hip)GL\\w*|cudaEGL\\w*", "buffers of graphics libraries"},
        {"cudaGraph\\w*Semaphores\\w*", "semaphores in graphs"},
        {"cudaGetCurrentGraphExec|cudaGraphDeviceNode_t|cudaGraphKernelNode(Update\\w*|SetEnabled|SetGridDim|SetParam)|"
         "cudaGraphInstantiateFlagDeviceLaunch|cudaStreamGraph\\w*",
         "launches of graphs from kernels"},
        {"(cuda|hip)Ipc\\w*", "handles for other processes"},
        {"(cuda|hip)\\w*External(Memory|Semaphore)\\w*", "memory and semaphores of other programs"},
        {"hipMem(AddressReserve|AddressFree|Create|Map|Unmap|Release|SetAccess|ExportTo\\w+|ImportFrom\\w+)|"
         "hipMemGenericAllocationHandle_t",
         "addresses without memory, and memory without an address,"},
        {"hipTexRef\\w*|hipModuleGetTexRef", "references to textures of modules"},
        {"(roc(blas|fft|prim|rand|solver|sparse|wmma|thrust)|miopen|hip(blaslt|tensor|dnn|sparselt))\\w*",
         "libraries of ROCm beyond hipBLAS, hipFFT, hipRAND, hipCUB, hipSPARSE, hipSOLVER and RCCL"},
        {"cluster_group|this_cluster|__cluster\\w*", "clusters of blocks"},
        {"cudaLibrary\\w*|cudaKernel_t|cudaGetKernel", "libraries of compiled kernels"},
        {"nvrtc(Get(LTOIR|OptiXIR|NVVM|TileIR)\\w*|\\w*PCH\\w*|SetFlowCallback)", "other results of nvrtc than PTX"},
        {"nvrtc\\w*|NVRTC_\\w+", ""},
        {"cuModule(Load|LoadData|LoadDataEx|Unload|GetFunction|GetGlobal)|cuLaunchKernel|CUmodule|CUfunction|CUjit_"
         "option|"
         "CU_(JIT|LAUNCH_PARAM)_\\w+",
         ""},
        {"cusparse\\w*([Bb]sr|Ell|prune|Prune|gtsv|gpsv|color|Color|gemvi|csru|compress|geam|sort|StridedBatch|MMOp|"
         "GEMMreuse|estimateMemory|NumProducts|Logger|Permutation|nnz)\\w*",
         "functions of cuSPARSE for blocks, batches, bands and sorting"},
        {"nccl(Comm(Split|Shrink|Revoke|Register|Deregister|Window|InitRankScalable)|AlltoAll|Gather|Scatter|GroupSim|"
         "Sim|"
         "Float8|Window)\\w*",
         "newer functions of NCCL"},
        {"cusparse\\w*|CUSPARSE_\\w+|csr(ilu|ic)02Info_t|nccl\\w*|NCCL_\\w+", ""},
        {"cu(solver(Sp|Rf|Mg)|fftXt|dnn|tensor|File)\\w*|npp\\w*|nvml\\w*|nvshmem\\w*",
         "libraries beyond cuBLAS, cuRAND, cuFFT, cuSPARSE, NCCL and the dense part of cuSOLVER"},
        {"__nv_fp[468]\\w*|__nv_cvt_\\w*fp[468]\\w*", "floating point numbers of 8 and fewer bits"},
        {"cudaMemcpy3DPeer\\w*|cudaMem\\w*Batch\\w*", "copies in batches"},
        {"cudaLogs\\w*|cudaDevice(Un)?[Rr]egisterAsync\\w*", "logs and notifications of the driver"},
        {"cu[A-Z]\\w*|CU[a-z]\\w*|CU_\\w+", "functions and types of the driver's API"},
    }};
    std::vector<Family> families;
    for (const auto& [names, what] : table) families.push_back({std::regex(names), what});
    return families;
  }();
  return all;
}

}  // namespace

std::vector<UnsupportedName> unsupported_names(std::string_view source) {
  std::vector<UnsupportedName> found;
  std::vector<std::string_view> seen;
  std::size_t at = 0;
  int line = 1;
  for (const Token& token : tokens_of(source)) {
    if (token.kind != Token::Kind::identifier) continue;
    const std::string_view word = source.substr(token.begin, token.end - token.begin);
    if (std::ranges::find(seen, word) != seen.end()) continue;
    seen.push_back(word);
    line += static_cast<int>(std::count(source.begin() + static_cast<std::ptrdiff_t>(at),
                                        source.begin() + static_cast<std::ptrdiff_t>(token.begin), '\n'));
    at = token.begin;
    for (const Family& family : families()) {
      if (!std::regex_match(word.begin(), word.end(), family.names)) continue;
      if (!family.what.empty()) found.push_back({std::string(word), family.what, line});
      break;
    }
  }
  return found;
}

}  // namespace d2l::emulator::translator
