// SPDX-License-Identifier: MIT
// NVML through dlopen: each function is looked up once; a missing function gives an unknown value.
#include <dlfcn.h>

#include <array>

#include "backend/cuda/discovery/discovery.h"
#include "backend/cuda/errors/check.h"
#include "d2l/error.h"

namespace d2l::backend::cuda {
namespace {

using nvml::Result;

/// A function of the library; calling a missing one returns an error.
template <class... Arguments>
class Function {
 public:
  Function(void* library, const char* name)
      : function_(library == nullptr ? nullptr : reinterpret_cast<Pointer>(dlsym(library, name))) {}
  Result operator()(Arguments... arguments) const { return function_ == nullptr ? missing : function_(arguments...); }

 private:
  using Pointer = Result (*)(Arguments...);
  static constexpr Result missing{13};  // NVML_ERROR_FUNCTION_NOT_FOUND
  Pointer function_;
};

struct Library {
  void* handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  Function<> initialise{handle, "nvmlInit_v2"};
  Function<char*, unsigned int> driver_version{handle, "nvmlSystemGetDriverVersion"};
  Function<const char*, nvml::Device*> device_by_bus_id{handle, "nvmlDeviceGetHandleByPciBusId_v2"};
  Function<nvml::Device, nvml::Utilization*> utilization{handle, "nvmlDeviceGetUtilizationRates"};
  Function<nvml::Device, nvml::TemperatureSensor, unsigned int*> temperature{handle, "nvmlDeviceGetTemperature"};
  Function<nvml::Device, unsigned int*> power{handle, "nvmlDeviceGetPowerUsage"};
  Function<nvml::Device, unsigned int*> power_limit{handle, "nvmlDeviceGetEnforcedPowerLimit"};

  Library() { D2L_CUDA_CHECK(initialise()); }
};

/// The initialised library, which stays loaded; Error if it is missing.
const Library& library() {
  static const Library* loaded = new Library;
  return *loaded;
}

/// Calls `ask`; without NVML, or if the card does not know the value, nothing happens.
template <class Ask>
void if_known(const Ask& ask) noexcept {
  try {
    ask();
  } catch (...) {
    static_cast<void>(0);
  }
}

void read_power(const Function<nvml::Device, unsigned int*>& function, nvml::Device card, double& watts) noexcept {
  if_known([&] {
    unsigned int milliwatts = 0;
    D2L_CUDA_CHECK(function(card, &milliwatts));
    watts = static_cast<double>(milliwatts) / 1000;
  });
}

}  // namespace

void read_telemetry(DeviceProperties& properties) noexcept {
  if_known([&] {
    const Library& nvml = library();
    nvml::Device card = nullptr;
    D2L_CUDA_CHECK(nvml.device_by_bus_id(properties.bus_id.c_str(), &card));
    if_known([&] {
      nvml::Utilization rates{};
      D2L_CUDA_CHECK(nvml.utilization(card, &rates));
      properties.utilisation = static_cast<int>(rates.gpu);
    });
    if_known([&] {
      unsigned int degrees = 0;
      D2L_CUDA_CHECK(nvml.temperature(card, nvml::TemperatureSensor::gpu, &degrees));
      properties.temperature = static_cast<int>(degrees);
    });
    read_power(nvml.power, card, properties.power);
    read_power(nvml.power_limit, card, properties.power_limit);
  });
}

std::string nvml_driver_version() noexcept {
  std::array<char, 96> version{};
  if_known(
      [&] { D2L_CUDA_CHECK(library().driver_version(version.data(), static_cast<unsigned int>(version.size()))); });
  return version.data();
}

}  // namespace d2l::backend::cuda
