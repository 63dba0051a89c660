// SPDX-License-Identifier: MIT
// The driver's modules: shared objects that nvrtc has made.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cuda.h"
#include "d2l_emulator/driver/run_time_names.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/memory.h"

namespace d2l::emulator {

extern const std::string_view object_of_image;
const std::string_view object_of_image = "// object: ";

namespace {

struct Module {
  void* object = nullptr;
  RunTimeNames names;
};

struct Modules {
  std::mutex mutex;
  std::map<const void*, std::unique_ptr<Module>> loaded;
  std::set<std::string> objects;  ///< that were loaded once
  int copies = 0;
};
Modules& modules() {
  static auto* const made = new Modules;
  return *made;
}

CUresult refuse(CUresult error, const std::string& why) {
  fmt::print(stderr, "cuModuleLoadData: {}\n", why);
  return error;
}

/// Each module has its own variables, so it needs a file of its own.
std::string own_object(const std::string& object) {
  Modules& known = modules();
  if (known.objects.insert(object).second) return object;
  const std::string copy = fmt::format("{}.{}.so", object, ++known.copies);
  std::error_code problem;
  std::filesystem::copy_file(object, copy, problem);
  return problem ? "" : copy;
}

CUresult load(CUmodule* module, std::string_view image) {
  if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::size_t begin = image.find(object_of_image);
  if (begin == std::string_view::npos) {
    return refuse(CUDA_ERROR_INVALID_PTX,
                  "the emulator loads only what nvrtcCompileProgram() has made in this process");
  }
  const std::string_view rest = image.substr(begin + object_of_image.size());
  const std::string object(rest.substr(0, rest.find('\n')));
  if (!std::filesystem::exists(object)) {
    return refuse(CUDA_ERROR_INVALID_PTX, "this was compiled by a process that has ended. Compile it again");
  }
  const std::lock_guard lock(modules().mutex);
  auto made = std::make_unique<Module>();
  made->object = dlopen(own_object(object).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (made->object == nullptr) return refuse(CUDA_ERROR_INVALID_IMAGE, dlerror());
  using Fill = void (*)(RunTimeNames&);
  reinterpret_cast<Fill>(dlsym(made->object, "d2l_run_time_names"))(made->names);
  *module = reinterpret_cast<CUmodule>(made.get());
  modules().loaded.emplace(made.get(), std::move(made));
  return CUDA_SUCCESS;
}

/// Null if the program has no such module.
Module* find(CUmodule module) {
  const std::lock_guard lock(modules().mutex);
  const auto found = modules().loaded.find(module);
  return found == modules().loaded.end() ? nullptr : found->second.get();
}

RunTimeName* find(CUfunction function) {
  const std::lock_guard lock(modules().mutex);
  for (const auto& [handle, module] : modules().loaded) {
    for (RunTimeName& name : module->names.all) {
      if (reinterpret_cast<CUfunction>(&name) == function) return &name;
    }
  }
  return nullptr;
}

std::string lowered(const void* address) {
  Dl_info information{};
  const bool known = dladdr(address, &information) != 0 && information.dli_sname != nullptr;
  return known && information.dli_saddr == address ? information.dli_sname : "";
}

/// The arguments in a buffer, at the offsets of a structure with the kernel's parameters.
std::vector<void*> arguments_in(void* buffer, const RunTimeName& kernel) {
  std::vector<void*> arguments;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < kernel.sizes.size(); ++i) {
    offset = (offset + kernel.alignments[i] - 1) / kernel.alignments[i] * kernel.alignments[i];
    arguments.push_back(static_cast<std::byte*>(buffer) + offset);
    offset += kernel.sizes[i];
  }
  return arguments;
}

/// The buffer of the `extra` parameters; null if they have none.
void* buffer_of(void** extra) {
  void* buffer = nullptr;
  for (; extra != nullptr && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
  }
  return buffer;
}

}  // namespace

std::string lowered_name(const std::string& object, const std::string& expression, std::string& error) {
  void* const opened = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: its variables are known
  if (opened == nullptr) {
    error = dlerror();
    return "";
  }
  RunTimeNames names;
  reinterpret_cast<void (*)(RunTimeNames&)>(dlsym(opened, "d2l_run_time_names"))(names);
  for (const RunTimeName& name : names.all) {
    if (name.text == expression) return lowered(name.address);
  }
  return "";
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return load(module, static_cast<const char*>(image));
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned /*count*/, CUjit_option* /*options*/,
                            void** /*values*/) {
  return cuModuleLoadData(module, image);
}
CUresult cuModuleLoad(CUmodule* module, const char* file) {
  if (file == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream input(file, std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(input), {}};
  return input ? load(module, image) : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuModuleUnload(CUmodule module) {
  if (find(module) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  cudaDeviceSynchronize();  // its kernels may run
  // The object stays: the runtime knows its variables.
  const std::lock_guard lock(modules().mutex);
  modules().loaded.erase(module);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Module* const of = find(module);
  if (of == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  for (RunTimeName& one : of->names.all) {
    if (one.bind == nullptr || lowered(one.address) != name) continue;
    *function = reinterpret_cast<CUfunction>(&one);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal(CUdeviceptr* memory, std::size_t* bytes, CUmodule module, const char* name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Module* const of = find(module);
  if (of == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const void* const address = dlsym(of->object, name);
  const auto variable = address == nullptr ? nullptr : live_allocation(address);
  if (!variable || variable->kind != MemoryKind::symbol) return CUDA_ERROR_NOT_FOUND;
  if (memory != nullptr) *memory = reinterpret_cast<CUdeviceptr>(address);
  if (bytes != nullptr) *bytes = variable->bytes;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  const RunTimeName* const kernel = find(function);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  cudaFuncAttributes all;
  const auto error = CUresult(function_attributes(&all, kernel->address));
  if (error != CUDA_SUCCESS || value == nullptr) return value == nullptr ? CUDA_ERROR_INVALID_VALUE : error;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = all.maxThreadsPerBlock;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = static_cast<int>(all.constSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(all.localSizeBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = all.numRegs;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = all.ptxVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = all.binaryVersion;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = -1;  // the driver's choice
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  const RunTimeName* const kernel = find(function);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
      attribute != CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
    return CUDA_ERROR_INVALID_VALUE;  // the others are only told
  }
  return CUresult(set_function_attribute(kernel->address, cudaFuncAttribute(attribute), value));
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int block_size,
                                                     std::size_t dynamic_shared) {
  if (find(function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return CUresult(active_blocks(blocks, block_size, dynamic_shared));
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize /*dynamic_shared*/, std::size_t /*bytes*/, int limit) {
  if (find(function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return CUresult(best_block_size(grid, block, nullptr, limit));
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** parameters,
                        void** extra, Place place) {
  const RunTimeName* const kernel = find(function);
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  std::vector<void*> from_buffer;
  if (parameters == nullptr && !kernel->sizes.empty()) {
    void* const buffer = buffer_of(extra);
    if (buffer == nullptr) return CUDA_ERROR_INVALID_VALUE;
    from_buffer = arguments_in(buffer, *kernel);
    parameters = from_buffer.data();
  }
  const dim3 grid(grid_x, grid_y, grid_z);
  const dim3 block(block_x, block_y, block_z);
  const cudaError_t before = cudaGetLastError();
  submit({grid, block, shared, stream}, kernel->bind(*kernel, place, parameters));
  const cudaError_t error = cudaGetLastError();
  note(before);  // it belongs to another call
  return error == cudaErrorInvalidConfiguration ? CUDA_ERROR_INVALID_VALUE
                                                : CUresult(error);  // the driver has no other
}
