// SPDX-License-Identifier: MIT
// The functions of device.h that ask the backends.
#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "d2l/accelerator.h"
#include "d2l/device.h"
#include "d2l/error.h"
#include "ledger/ledger.h"
#include "runtime/runtime.h"
#include "values/gpu_type.h"

namespace d2l {

Device cpu() { return {kCPU}; }

Device gpu(int index) { return detail::gpu_number(index); }

int num_gpus() { return detail::gpu_backend().device_count(); }

Device try_gpu(int index) {
  const Device wanted = index < 128 ? gpu(index) : cpu();
  return !wanted.is_cpu() && wanted.index() < num_gpus() ? wanted : cpu();
}

std::vector<Device> try_all_gpus() {
  const int count = num_gpus();
  return count == 0 ? std::vector{cpu()} : gpus(count);
}

std::vector<Device> gpus(int count) {
  if (count < 0) throw DeviceError(fmt::format("[gpus] asked for {} GPUs: the count cannot be negative", count));
  const int existing = num_gpus();
  if (count > existing) {
    throw DeviceError(fmt::format(
        "[gpus] asked for {0}, found {1}: this program needs {0} GPU{2}. Create virtual GPUs: set D2L_VIRTUAL_GPUS={3} "
        "before the program starts; or use the existing devices with try_all_gpus()",
        count, existing, count == 1 ? "" : "s", std::min(count, 64)));
  }
  std::vector<Device> devices;
  devices.reserve(static_cast<std::size_t>(count));
  for (int index = 0; index < count; ++index) devices.push_back(gpu(index));
  return devices;
}

DeviceProperties device_properties(Device device) {
  return detail::backend_of(device).properties(detail::number_of(device));
}

MemoryInfo memory_info(Device device) { return detail::backend_of(device).memory(detail::number_of(device)); }

void synchronize(Device device) {
  auto& backend = detail::backend_of(device);
  if (device.is_cpu()) return;  // CPU work is done when a call returns
  const detail::HostWait wait("synchronize", device);
  backend.synchronize(detail::number_of(device));
}

void synchronize() {
  std::exception_ptr first_error;
  for (int index = 0; index < num_gpus(); ++index) {
    try {
      synchronize(gpu(index));
    } catch (const Error&) {
      if (!first_error) first_error = std::current_exception();
    }
  }
  if (first_error) std::rethrow_exception(first_error);
}

namespace accelerator {

std::optional<DeviceType> current_accelerator(bool check_available) {
  if (check_available && !is_available()) return std::nullopt;
  return detail::gpu_type.load();
}
int device_count() { return num_gpus(); }
bool is_available() { return num_gpus() > 0; }

}  // namespace accelerator

DriverInfo driver_info() { return backend::cuda_driver_info(); }

}  // namespace d2l
