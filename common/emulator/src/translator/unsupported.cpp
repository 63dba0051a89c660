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
    const std::array<std::pair<const char*, std::string_view>, 17> table = {{
        {"cuC(add|sub|mul|div|abs|real|imag|fma|onj)f?|cu(Float|Double)?Complex\\w*", ""},
        {"cu(Init|PointerGetAttribute|DriverGetVersion|DeviceGet(Count|Name|Attribute)?|DeviceTotalMem)|"
         "cu(DeviceComputeCapability|GetError(String|Name)|Ctx(Create|Destroy|Synchronize|GetDevice))|"
         "cuMem(Alloc|Free|GetInfo|cpy(HtoD|DtoH)|setD8)|CUresult|CUdevice(_attribute|ptr)?|CUcontext|CUstream|CUevent|"
         "CU_DEVICE_ATTRIBUTE_(COMPUTE_CAP\\w*|MULTIPROC\\w*|\\w*CLOCK_RATE|MAX_THREADS\\w*|WARP_SIZE)",
         ""},
        {"cudaGraphics\\w*|cudaGL\\w*|cudaEGL\\w*", "buffers of graphics libraries"},
        {"cudaGraph\\w*Semaphores\\w*", "semaphores in graphs"},
        {"cudaGetCurrentGraphExec|cudaGraphDeviceNode_t|cudaGraphKernelNode(Update\\w*|SetEnabled|SetGridDim|SetParam)|"
         "cudaGraphInstantiateFlagDeviceLaunch|cudaStreamGraph\\w*",
         "launches of graphs from kernels"},
        {"cudaIpc\\w*", "handles for other processes"},
        {"cuda\\w*External(Memory|Semaphore)\\w*", "memory and semaphores of other programs"},
        {"cluster_group|this_cluster|__cluster\\w*", "clusters of blocks"},
        {"cudaLibrary\\w*|cudaKernel_t|cudaGetKernel", "libraries of compiled kernels"},
        {"nvrtc(Get(LTOIR|OptiXIR|NVVM|TileIR)\\w*|\\w*PCH\\w*|SetFlowCallback)", "other results of nvrtc than PTX"},
        {"nvrtc\\w*|NVRTC_\\w+", ""},
        {"cuModule(Load|LoadData|LoadDataEx|Unload|GetFunction|GetGlobal)|cuLaunchKernel|CUmodule|CUfunction|CUjit_"
         "option|"
         "CU_(JIT|LAUNCH_PARAM)_\\w+",
         ""},
        {"cu(sparse|solver(Sp|Rf|Mg)|fftXt|dnn|tensor|File)\\w*|npp\\w*|nccl\\w*|nvml\\w*|nvshmem\\w*",
         "libraries beyond cuBLAS, cuRAND, cuFFT and the dense part of cuSOLVER"},
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
