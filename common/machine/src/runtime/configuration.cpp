// SPDX-License-Identifier: MIT
// The name of a configuration is made from its GPUs.
#include "runtime/configuration.h"

#include <cctype>

#include "backend/backend.h"
#include "d2l/device.h"

namespace d2l::detail {

std::string slug_of_card(const std::string& name) {
  std::string slug;
  for (const char character : name) {
    const auto byte = static_cast<unsigned char>(character);
    if (std::isalnum(byte) != 0) {
      slug += static_cast<char>(std::tolower(byte));
    } else if (!slug.empty() && slug.back() != '_') {
      slug += '_';
    }
  }
  while (!slug.empty() && slug.back() == '_') slug.pop_back();
  const std::string maker = "nvidia_";
  return slug.starts_with(maker) ? slug.substr(maker.size()) : slug;
}

std::string configuration_name() {
  const int count = num_gpus();
  if (count == 0) return "none";
  switch (device_properties(gpu(0)).kind) {
    case DeviceKind::virtual_gpu_on_host:
      return "virtual" + std::to_string(count);
    case DeviceKind::virtual_gpu_on_card:
      return slug_of_card(backend::cuda_backend().properties(0).name) + "_virtual" + std::to_string(count);
    default:
      return slug_of_card(device_properties(gpu(0)).name) + (count > 1 ? "_x" + std::to_string(count) : "");
  }
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (int i = 0; i < num_gpus(); ++i) names.push_back(device_properties(gpu(i)).name);
  return names;
}

}  // namespace d2l::detail
