// SPDX-License-Identifier: MIT
// Devices and their properties.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <unordered_map>

#include "calls/call_site.h"
#include "d2l_emulator/awkward.h"
#include "execution/lanes.h"
#include "execution/run_kernel.h"
#include "graphs/capture.h"
#include "ledger/ledger.h"
#include "nested/in_kernel.h"
#include "runtime/attributes.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/limits.h"
#include "runtime/machine.h"
#include "runtime/recorded_wait.h"

namespace d2l::emulator {
namespace {

struct Attribute {
  cudaDeviceAttr attribute;
  int value;
};
constexpr Attribute attributes[] = {
#define D2L_ATTRIBUTE(name, number, value) {name, value},
#include "d2l_emulator/attributes.def"
#undef D2L_ATTRIBUTE
};

bool peer_access(int device, int peer) { return !awkward().no_peer_access && machine().peer_access(device, peer); }

std::string bus_id(int device) { return fmt::format("0000:{:02x}:00.0", device + 1); }

/// The fields that are equal to an attribute.
void fill_from_attributes(cudaDeviceProp& to) {
  to.sharedMemPerBlock = static_cast<size_t>(attribute_of(cudaDevAttrMaxSharedMemoryPerBlock));
  to.regsPerBlock = attribute_of(cudaDevAttrMaxRegistersPerBlock);
  to.warpSize = attribute_of(cudaDevAttrWarpSize);
  to.memPitch = static_cast<size_t>(attribute_of(cudaDevAttrMaxPitch));
  to.maxThreadsPerBlock = attribute_of(cudaDevAttrMaxThreadsPerBlock);
  to.maxThreadsDim[0] = attribute_of(cudaDevAttrMaxBlockDimX);
  to.maxThreadsDim[1] = attribute_of(cudaDevAttrMaxBlockDimY);
  to.maxThreadsDim[2] = attribute_of(cudaDevAttrMaxBlockDimZ);
  to.maxGridSize[0] = attribute_of(cudaDevAttrMaxGridDimX);
  to.maxGridSize[1] = attribute_of(cudaDevAttrMaxGridDimY);
  to.maxGridSize[2] = attribute_of(cudaDevAttrMaxGridDimZ);
  to.totalConstMem = static_cast<size_t>(attribute_of(cudaDevAttrTotalConstantMemory));
  to.major = attribute_of(cudaDevAttrComputeCapabilityMajor);
  to.minor = attribute_of(cudaDevAttrComputeCapabilityMinor);
  to.multiProcessorCount = attribute_of(cudaDevAttrMultiProcessorCount);
  to.canMapHostMemory = attribute_of(cudaDevAttrCanMapHostMemory);
  to.concurrentKernels = attribute_of(cudaDevAttrConcurrentKernels);
  to.asyncEngineCount = attribute_of(cudaDevAttrAsyncEngineCount);
  to.unifiedAddressing = attribute_of(cudaDevAttrUnifiedAddressing);
  to.memoryBusWidth = attribute_of(cudaDevAttrGlobalMemoryBusWidth);
  to.l2CacheSize = attribute_of(cudaDevAttrL2CacheSize);
  to.maxThreadsPerMultiProcessor = attribute_of(cudaDevAttrMaxThreadsPerMultiProcessor);
  to.streamPrioritiesSupported = attribute_of(cudaDevAttrStreamPrioritiesSupported);
  to.globalL1CacheSupported = attribute_of(cudaDevAttrGlobalL1CacheSupported);
  to.localL1CacheSupported = attribute_of(cudaDevAttrLocalL1CacheSupported);
  to.sharedMemPerMultiprocessor = static_cast<size_t>(attribute_of(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  to.regsPerMultiprocessor = attribute_of(cudaDevAttrMaxRegistersPerMultiprocessor);
  to.managedMemory = attribute_of(cudaDevAttrManagedMemory);
  to.hostNativeAtomicSupported = attribute_of(cudaDevAttrHostNativeAtomicSupported);
  to.concurrentManagedAccess = attribute_of(cudaDevAttrConcurrentManagedAccess);
  to.computePreemptionSupported = attribute_of(cudaDevAttrComputePreemptionSupported);
  to.canUseHostPointerForRegisteredMem = attribute_of(cudaDevAttrCanUseHostPointerForRegisteredMem);
  to.cooperativeLaunch = attribute_of(cudaDevAttrCooperativeLaunch);
  to.sharedMemPerBlockOptin = static_cast<size_t>(attribute_of(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  to.directManagedMemAccessFromHost = attribute_of(cudaDevAttrDirectManagedMemAccessFromHost);
  to.maxBlocksPerMultiProcessor = attribute_of(cudaDevAttrMaxBlocksPerMultiprocessor);
  to.reservedSharedMemPerBlock = static_cast<size_t>(attribute_of(cudaDevAttrReservedSharedMemoryPerBlock));
  to.hostRegisterSupported = attribute_of(cudaDevAttrHostRegisterSupported);
  to.memoryPoolsSupported = attribute_of(cudaDevAttrMemoryPoolsSupported);
  to.clockRate = attribute_of(cudaDevAttrClockRate);
  to.memoryClockRate = attribute_of(cudaDevAttrMemoryClockRate);
  to.deviceOverlap = attribute_of(cudaDevAttrGpuOverlap);
  to.singleToDoublePrecisionPerfRatio = attribute_of(cudaDevAttrSingleToDoublePrecisionPerfRatio);
}

/// The limits that programs may set. Only those of the heap of kernels and of their launches have an effect.
std::array<size_t, 7>& limits() {
  static std::array<size_t, 7> values = {1024, size_t{1} << 20, size_t{8} << 20, 2, 2048, 64, 0};
  return values;
}

}  // namespace

int attribute_of(cudaDeviceAttr attribute) {
  const auto* const found = std::ranges::find(attributes, attribute, &Attribute::attribute);
  require(found != std::end(attributes));
  if (attribute == cudaDevAttrWarpSize) return static_cast<int>(warp_size());
  if (attribute == cudaDevAttrPageableMemoryAccess) return awkward().uses_pageable_memory ? 1 : 0;
  return found->value;
}

std::size_t device_limit(cudaLimit limit) { return limits().at(static_cast<std::size_t>(limit)); }

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaGetDeviceCount(int* count) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(count != nullptr);
    *count = 0;
    *count = device_count();
    require(*count > 0, cudaErrorNoDevice);
  });
}
cudaError_t cudaSetDevice(int device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { set_current_device(device); });
}
cudaError_t cudaInitDevice(int device, unsigned /*device_flags*/, unsigned /*flags*/) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { device_at(device); });
}
cudaError_t cudaGetDevice(int* device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(device != nullptr), *device = in_kernel() ? in_kernel_calls::device() : current_device().number();
  });
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(device != nullptr && properties != nullptr), *device = device_at(0).number(); });
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    for (int i = 0; i < count; ++i) device_at(devices[i]);
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(properties != nullptr);
    const auto known = device_at(device).gpu().properties();
    *properties = {};
    fill_from_attributes(*properties);
    fill_texture_limits(*properties);
    machine().name(device).copy(properties->name, sizeof properties->name - 1);
    properties->totalGlobalMem = static_cast<size_t>(known.total_memory);
    properties->pciBusID = device + 1;
    properties->uuid.bytes[0] = static_cast<char>(device + 1);
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(value != nullptr);
    device_at(device);
    *value = attribute == cudaDevAttrPciBusId ? device + 1 : attribute_of(attribute);
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    device_at(device);
    const std::string text = bus_id(device);
    require(id != nullptr && length > static_cast<int>(text.size()));
    std::memcpy(id, text.c_str(), text.size() + 1);
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(device != nullptr && id != nullptr);
    int found = 0;
    while (found < device_count() && bus_id(found) != id) ++found;
    require(found < device_count());
    *device = found;
  });
}

cudaError_t cudaDeviceSynchronize() {
  if (in_kernel()) return in_kernel_calls::synchronize();
  const ApiCall call(__builtin_return_address(0));
  return device_call([] {
    Device& device = current_device();
    forbid_device_wait(device);
    const RecordedWait waiting("cudaDeviceSynchronize", d2l::gpu(device.number()));
    note_blocking_call();
    device.synchronize();
  });
}
cudaError_t cudaThreadSynchronize() {
  const ApiCall call(__builtin_return_address(0));
  return cudaDeviceSynchronize();
}
cudaError_t cudaDeviceReset() {
  const ApiCall call(__builtin_return_address(0));
  return cudaDeviceSynchronize();
}
cudaError_t cudaThreadExit() {
  const ApiCall call(__builtin_return_address(0));
  return cudaDeviceReset();
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { current_device().schedule_flags = flags; });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(flags != nullptr), *flags = current_device().schedule_flags | cudaDeviceMapHost; });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(value != nullptr && limit >= 0), *value = limits().at(static_cast<size_t>(limit)); });
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { limits().at(static_cast<size_t>(limit)) = value; });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(config != nullptr), *config = cudaFuncCachePreferNone; });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache /*config*/) {
  const ApiCall call(__builtin_return_address(0));
  return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(config != nullptr), *config = cudaSharedMemBankSizeFourByte; });
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig /*config*/) {
  const ApiCall call(__builtin_return_address(0));
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(can != nullptr);
    device_at(device);
    device_at(peer);
    *can = device != peer && peer_access(device, peer) ? 1 : 0;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    Device& device = current_device();
    require(flags == 0);
    require(device_at(peer).number() != device.number(), cudaErrorInvalidDevice);
    require(peer_access(device.number(), peer), cudaErrorPeerAccessUnsupported);
    const std::lock_guard lock(device.peers_mutex());
    require(device.peers().insert(peer).second, cudaErrorPeerAccessAlreadyEnabled);
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  const ApiCall call(__builtin_return_address(0));
  return device_call([&] {
    device_at(peer);
    Device& device = current_device();
    const std::lock_guard lock(device.peers_mutex());
    require(device.peers().erase(peer) == 1, cudaErrorPeerAccessNotEnabled);
  });
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] {
    require(value != nullptr && device != peer);
    device_at(device);
    device_at(peer);
    *value = attribute == cudaDevP2PAttrPerformanceRank || !peer_access(device, peer) ? 0 : 1;
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(version != nullptr), *version = CUDART_VERSION; });
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  const ApiCall call(__builtin_return_address(0));
  return plain_call([&] { require(version != nullptr), *version = CUDART_VERSION; });
}
cudaError_t cudaProfilerStart() {
  const ApiCall call(__builtin_return_address(0));
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  const ApiCall call(__builtin_return_address(0));
  return cudaSuccess;
}
