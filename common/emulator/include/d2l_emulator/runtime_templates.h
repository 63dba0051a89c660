// SPDX-License-Identifier: MIT
// The functions of the CUDA runtime that depend on a type: typed pointers, symbols, kernels, default arguments.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "d2l_emulator/launch.h"
#include "d2l_emulator/launches/attributes.h"
#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {
cudaError_t copy_symbol(const void* symbol, const void* other, std::size_t bytes, std::size_t offset, bool to_symbol,
                        cudaMemcpyKind kind, cudaStream_t stream, bool wait);
cudaError_t symbol_address(void** address, const void* symbol);
cudaError_t symbol_size(std::size_t* bytes, const void* symbol);
cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value);
cudaError_t active_blocks(int* blocks, int block_size, std::size_t dynamic_shared);
cudaError_t best_block_size(int* grid, int* block, const std::size_t* shared_of, int limit);

template <class F>
const void* function_address(F function) {
  return reinterpret_cast<const void*>(function);
}
/// The pointer that an allocation sets: it may be one to const elements.
template <class T>
void** pointer_to_set(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(pointer));
}
}  // namespace d2l::emulator

namespace d2l::emulator {
/// Says where the program calls an allocation function, while this lives; of several, the first on its thread counts.
class CalledFrom {
 public:
  explicit CalledFrom(Place place);
  explicit CalledFrom(const void* return_address);
  ~CalledFrom();
  CalledFrom(const CalledFrom&) = delete;
  CalledFrom& operator=(const CalledFrom&) = delete;

 private:
  bool first_;
};
}  // namespace d2l::emulator

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaMalloc(d2l::emulator::pointer_to_set(memory), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** memory, std::size_t bytes, unsigned flags = 0,
                           d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaHostAlloc(d2l::emulator::pointer_to_set(memory), bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** memory, std::size_t bytes, unsigned flags,
                          d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaHostAlloc(d2l::emulator::pointer_to_set(memory), bytes, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags,
                                     d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaHostGetDevicePointer(d2l::emulator::pointer_to_set(device), host, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T** memory, std::size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaMallocManaged(d2l::emulator::pointer_to_set(memory), bytes, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T** memory, std::size_t* pitch, std::size_t width, std::size_t height,
                            d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaMallocPitch(d2l::emulator::pointer_to_set(memory), pitch, width, height);
}
template <class T>
cudaError_t cudaMallocAsync(T** memory, std::size_t bytes, cudaStream_t stream,
                            d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaMallocAsync(d2l::emulator::pointer_to_set(memory), bytes, stream);
}
template <class T>
cudaError_t cudaMallocAsync(T** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                            d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from(place);
  return cudaMallocFromPoolAsync(d2l::emulator::pointer_to_set(memory), bytes, pool, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream,
                                    d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaMallocFromPoolAsync(d2l::emulator::pointer_to_set(memory), bytes, pool, stream);
}
// The default arguments of functions that C cannot have.
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                       d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}
inline cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                     d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
inline cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes,
                                   d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaMemsetAsync(memory, value, bytes, nullptr);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaEventRecord(event, nullptr);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                       d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaStreamWaitEvent(stream, event, 0);
}
inline cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, int device,
                                        d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaMemPrefetchAsync(memory, bytes, device, nullptr);
}
inline cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, cudaMemLocation location, unsigned,
                                        cudaStream_t stream = nullptr,
                                        d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  const int device = location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
  return cudaMemPrefetchAsync(memory, bytes, device, stream);
}
inline cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation location, d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  const int device = location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
  return cudaMemAdvise(memory, bytes, advice, device);
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* memory, std::size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle,
                                     d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return cudaStreamAttachMemAsync(stream, static_cast<void*>(memory), bytes, flags);
}

// symbols
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                               d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return d2l::emulator::copy_symbol(&symbol, from, bytes, offset, true, kind, nullptr, true);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr,
                                    d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return d2l::emulator::copy_symbol(&symbol, from, bytes, offset, true, kind, stream, false);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return d2l::emulator::copy_symbol(&symbol, to, bytes, offset, false, kind, nullptr, true);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr,
                                      d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return d2l::emulator::copy_symbol(&symbol, to, bytes, offset, false, kind, stream, false);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol,
                                 d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return d2l::emulator::symbol_address(address, &symbol);
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** address, const T& symbol,
                                 d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return d2l::emulator::symbol_address(d2l::emulator::pointer_to_set(address), &symbol);
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol,
                              d2l::emulator::Place place = d2l::emulator::Place::here()) {
  const d2l::emulator::CalledFrom from_place(place);
  return d2l::emulator::symbol_size(bytes, &symbol);
}

// kernels
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, F* function) {
  return d2l::emulator::function_attributes(attributes, d2l::emulator::function_address(function));
}
template <class F>
cudaError_t cudaFuncSetAttribute(F* function, cudaFuncAttribute attribute, int value) {
  return d2l::emulator::set_function_attribute(d2l::emulator::function_address(function), attribute, value);
}
template <class F>
cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache) {
  return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetSharedMemConfig(F*, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F*, int block_size, std::size_t dynamic_shared) {
  return d2l::emulator::active_blocks(blocks, block_size, dynamic_shared);
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F*, int block_size,
                                                                   std::size_t dynamic_shared, unsigned) {
  return d2l::emulator::active_blocks(blocks, block_size, dynamic_shared);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F, std::size_t = 0, int limit = 0) {
  return d2l::emulator::best_block_size(grid, block, nullptr, limit);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, F, std::size_t, int limit, unsigned) {
  return d2l::emulator::best_block_size(grid, block, nullptr, limit);
}
template <class Shared, class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F, Shared, int limit = 0) {
  return d2l::emulator::best_block_size(grid, block, nullptr, limit);
}

namespace d2l::emulator {
/// The name of the kernel at `function`, or "add<float>" of the text "add<float>, grid, block" if it is not known.
std::string kernel_name(const void* function, const char* text);

template <bool loops, class... P, std::size_t... index>
cudaError_t launch_from_array(const char* text, Place place, bool cooperative, std::index_sequence<index...>,
                              void (*kernel)(P...), const Configuration& configuration, void** arguments) {
  launch_with<loops>(kernel_name(reinterpret_cast<const void*>(kernel), text), place.file, place.line, cooperative,
                     by_address(kernel), configuration, Slot<P>(*static_cast<Slot<P>*>(arguments[index]))...);
  return cudaPeekAtLastError();
}
template <bool loops = kernels_are_loops, class... P>
cudaError_t launch_kernel(const char* text, Place place, bool cooperative, void (*kernel)(P...), dim3 grid, dim3 block,
                          void** arguments, std::size_t shared = 0, cudaStream_t stream = nullptr) {
  return launch_from_array<loops>(text, place, cooperative, std::index_sequence_for<P...>(), kernel,
                                  {grid, block, shared, stream}, arguments);
}
template <class... Rest>
cudaError_t launch_kernel(const char*, Place, bool, const void*, Rest&&...) {
  static_assert(sizeof...(Rest) == 999,
                "launches of a kernel whose parameters are not known, from a void*, are not supported by the emulator: "
                "name the kernel, or use a pointer of its own type");
  return cudaErrorNotSupported;
}
}  // namespace d2l::emulator

// The text of the arguments names the kernel.
#define cudaLaunchKernel(...) \
  ::d2l::emulator::launch_kernel(#__VA_ARGS__, ::d2l::emulator::Place::here(), false, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) \
  ::d2l::emulator::launch_kernel(#__VA_ARGS__, ::d2l::emulator::Place::here(), true, __VA_ARGS__)

namespace d2l::emulator {
constexpr const char* second_argument(const char* text) {
  while (*text != '\0' && *text != ',') ++text;
  return *text == ',' ? text + 1 : text;
}
template <bool loops = kernels_are_loops, class... P, class... A>
cudaError_t launch_configured(const char* text, Place place, const cudaLaunchConfig_t* config, void (*kernel)(P...),
                              A&&... arguments) {
  bool cooperative = false;
  const cudaError_t error = read_launch_attributes(*config, cooperative);
  if (error != cudaSuccess) return error;
  const auto stub = [&](P... copies) {
    launch_with<loops>(kernel_name(reinterpret_cast<const void*>(kernel), second_argument(text)), place.file,
                       place.line, cooperative, by_address(kernel),
                       Configuration(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream),
                       slot_of<P>(copies)...);
  };
  stub(static_cast<P>(std::forward<A>(arguments))...);
  return cudaPeekAtLastError();
}
template <class Kernel>
cudaError_t launch_configured_from_array(const char* text, Place place, const cudaLaunchConfig_t* config, Kernel kernel,
                                         void** arguments) {
  return launch_kernel(second_argument(text), place, false, kernel, config->gridDim, config->blockDim, arguments,
                       config->dynamicSmemBytes, config->stream);
}
}  // namespace d2l::emulator
#define cudaLaunchKernelEx(...) \
  ::d2l::emulator::launch_configured(#__VA_ARGS__, ::d2l::emulator::Place::here(), __VA_ARGS__)
#define cudaLaunchKernelExC(...) \
  ::d2l::emulator::launch_configured_from_array(#__VA_ARGS__, ::d2l::emulator::Place::here(), __VA_ARGS__)
inline cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
  return cudaGetDeviceProperties(properties, device);
}
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
template <class F>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, F*, int, int) {
  *bytes = 49152;
  return cudaSuccess;
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                                     cudaStream_t stream = nullptr) {
  for (std::size_t i = 0; i < extent.depth; ++i) {
    void* const slice = static_cast<char*>(memory.ptr) + i * memory.pitch * memory.ysize;
    const cudaError_t error = cudaMemset2DAsync(slice, memory.pitch, value, extent.width, extent.height, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
