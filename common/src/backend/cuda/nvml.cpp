// SPDX-License-Identifier: MIT
// NVML through dlopen: every function is looked up once, and a missing one is an unknown value.
#include "backend/cuda/nvml.h"

#include <dlfcn.h>

#include <array>

#include "backend/cuda/check.h"
#include "d2l/error.h"

namespace d2l::backend::cuda {
namespace {

using nvml::Result;

/// A function of the library; calling one that is not there is a failure like any other.
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

/// The library, initialised; Error when it is not there. It stays loaded.
const Library& library() {
  static const Library* loaded = new Library;
  return *loaded;
}

/// What `ask` answers; `unknown` when the card or the driver does not say.
template <class T, class Ask>
T known_or(T unknown, const Ask& ask) noexcept {
  try {
    return ask();
  } catch (...) {
    return unknown;
  }
}

double watts(unsigned int milliwatts) { return static_cast<double>(milliwatts) / 1000; }

}  // namespace

Telemetry telemetry(const std::string& bus_id) noexcept {
  return known_or(Telemetry{}, [&] {
    const Library& nvml = library();
    nvml::Device device = nullptr;
    D2L_CUDA_CHECK(nvml.device_by_bus_id(bus_id.c_str(), &device));
    Telemetry card;
    card.utilisation = known_or(-1, [&] {
      nvml::Utilization rates{};
      D2L_CUDA_CHECK(nvml.utilization(device, &rates));
      return static_cast<int>(rates.gpu);
    });
    card.temperature = known_or(-1, [&] {
      unsigned int degrees = 0;
      D2L_CUDA_CHECK(nvml.temperature(device, nvml::TemperatureSensor::gpu, &degrees));
      return static_cast<int>(degrees);
    });
    card.power = known_or(-1.0, [&] {
      unsigned int milliwatts = 0;
      D2L_CUDA_CHECK(nvml.power(device, &milliwatts));
      return watts(milliwatts);
    });
    card.power_limit = known_or(-1.0, [&] {
      unsigned int milliwatts = 0;
      D2L_CUDA_CHECK(nvml.power_limit(device, &milliwatts));
      return watts(milliwatts);
    });
    return card;
  });
}

std::string nvml_driver_version() noexcept {
  return known_or(std::string(), [] {
    std::array<char, 96> version{};
    D2L_CUDA_CHECK(library().driver_version(version.data(), static_cast<unsigned int>(version.size())));
    return std::string(version.data());
  });
}

}  // namespace d2l::backend::cuda
