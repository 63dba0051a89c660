// SPDX-License-Identifier: MIT
#include "hip/program.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

#include "translator/runtime_functions.h"

namespace d2l::emulator {
namespace {

std::atomic<bool>& of_hip() {
  static std::atomic<bool> is{false};
  return is;
}

struct HipError {
  int number;
  const char* name;
  const char* text;
};
constexpr HipError hip_errors[] = {
#define D2L_HIP_ERROR(name, number, text) {number, #name, text},
#include "d2l_emulator/hip/errors.def"
#undef D2L_HIP_ERROR
};
const HipError* find(cudaError_t error) {
  const auto* const found = std::ranges::find(hip_errors, static_cast<int>(error), &HipError::number);
  return found == std::end(hip_errors) ? nullptr : found;
}

using Names = std::pair<std::string_view, std::string_view>;
// Names whose rest differs, too. Other names begin with one of the prefixes below.
constexpr std::array<Names, 18> other_names{{{"cudaHostAlloc", "hipHostMalloc"},
                                             {"cudaFreeHost", "hipHostFree"},
                                             {"cudaMallocHost", "hipHostMalloc"},
                                             {"cudaDeviceProp", "hipDeviceProp_t"},
                                             {"cudaErrorMemoryAllocation", "hipErrorOutOfMemory"},
                                             {"cudaErrorInitializationError", "hipErrorNotInitialized"},
                                             {"cudaErrorInvalidResourceHandle", "hipErrorInvalidHandle"},
                                             {"cudaErrorLaunchTimeout", "hipErrorLaunchTimeOut"},
                                             {"cudaErrorSymbolNotFound", "hipErrorNotFound"},
                                             {"cuLaunchKernel", "hipModuleLaunchKernel"},
                                             {"cuMemHostAlloc", "hipHostMalloc"},
                                             {"cuMemFreeHost", "hipHostFree"},
                                             {"cuMemAlloc", "hipMalloc"},
                                             {"cuMemFree", "hipFree"},
                                             {"cuMemcpy", "hipMemcpy"},
                                             {"cuBLAS", "hipBLAS"},
                                             {"cuSPARSE", "hipSPARSE"},
                                             {"cuSOLVER", "hipSOLVER"}}};
constexpr std::array<Names, 9> prefixes{{{"cublas", "hipblas"},
                                         {"cufft", "hipfft"},
                                         {"curand", "hiprand"},
                                         {"cusolver", "hipsolver"},
                                         {"cusparse", "hipsparse"},
                                         {"nvrtc", "hiprtc"},
                                         {"CUDA", "HIP"},
                                         {"cuda", "hip"},
                                         {"cu", "hip"}}};

// A program's own names may begin with cuda or cu, too: these are the runtime's beside its functions.
constexpr std::array<std::string_view, 26> families{
    "cudaError",   "cudaMem",     "cudaStream",  "cudaFuncAttribute", "cudaGraph",   "cudaArray", "cudaReadMode",
    "cudaFilter",  "cudaAddress", "cudaTexture", "cudaResource",      "cudaChannel", "cudaEvent", "cudaLaunch",
    "cudaSurface", "cudaCreate",  "cudaHost",    "cudaUserObject",    "cuModule",    "cuMem",     "cuCtx",
    "cuDevice",    "cuStream",    "cuEvent",     "cudaGet",           "cudaPeek"};

bool is_known(std::string_view name) {
  return translator::is_runtime_function(name) ||
         std::ranges::any_of(families, [&](std::string_view family) { return name.starts_with(family); });
}

bool is_part_of_name(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }
bool is_upper(char letter) { return std::isupper(static_cast<unsigned char>(letter)) != 0; }

std::string translated(std::string_view name) {
  if (const auto* const found = std::ranges::find(other_names, name, &Names::first); found != other_names.end()) {
    return std::string(found->second);
  }
  for (const auto& [of_cuda, of_hip] : prefixes) {
    if (!name.starts_with(of_cuda)) continue;
    const std::string_view rest = name.substr(of_cuda.size());
    const bool whole =
        of_cuda == "CUDA" ? rest.empty() || rest.front() == '_' : !rest.empty() && is_upper(rest.front());
    if (whole && (!of_cuda.starts_with("cu") || of_cuda.size() > 4 || is_known(name)))
      return std::string(of_hip) + std::string(rest);
  }
  return std::string(name);
}

}  // namespace

void become_hip_program() noexcept { of_hip() = true; }

bool is_hip_program() noexcept { return of_hip().load(); }

std::string in_names_of_program(std::string text) {
  if (!is_hip_program()) return text;
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part_of_name(text[end])) ++end;
    if (end == at) {
      result += text[at++];
      continue;
    }
    // The name of a file, such as cudaMalloc.hip, is no name of the runtime.
    const bool file =
        end < text.size() && text[end] == '.' && end + 1 < text.size() && std::islower(text[end + 1]) != 0;
    const std::string_view name = std::string_view(text).substr(at, end - at);
    result += file ? std::string(name) : translated(name);
    at = end;
  }
  return result;
}

const char* hip_error_name(cudaError_t error) noexcept {
  const HipError* const found = find(error);
  return found == nullptr ? nullptr : found->name;
}
const char* hip_error_text(cudaError_t error) noexcept {
  const HipError* const found = find(error);
  return found == nullptr ? nullptr : found->text;
}

}  // namespace d2l::emulator
