// SPDX-License-Identifier: MIT
// NVIDIA cards and their driver as the operating system reports them, without CUDA.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace d2l::backend {

/// The first line of a file without the newline; empty if it cannot be read.
inline std::string first_line_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// The PCI address of an NVIDIA display controller, such as "0000:01:00.0"; empty if none is visible.
inline std::string visible_nvidia_card(const std::filesystem::path& pci_devices = "/sys/bus/pci/devices") {
  std::error_code unreadable;
  for (const auto& device : std::filesystem::directory_iterator(pci_devices, unreadable)) {
    const bool by_nvidia = first_line_of(device.path() / "vendor") == "0x10de";
    const bool is_display = first_line_of(device.path() / "class").rfind("0x03", 0) == 0;
    if (by_nvidia && is_display) return device.path().filename().string();
  }
  return {};
}

/// The version in the text of /proc/driver/nvidia/version, such as "570.86.10"; empty if there is none.
inline std::string version_in(const std::string& text) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto dots = std::count(word.begin(), word.end(), '.');
    const bool plain =
        word.find_first_not_of("0123456789.") == std::string::npos && word.find("..") == std::string::npos;
    if (plain && (dots == 1 || dots == 2) && word.front() != '.' && word.back() != '.') return word;
  }
  return {};
}

/// The version of the loaded NVIDIA driver; empty if none is loaded.
inline std::string loaded_nvidia_driver() { return version_in(first_line_of("/proc/driver/nvidia/version")); }

/// The diagnosis for a machine without a visible card: the same sentence with and without CUDA.
inline constexpr const char* no_card_diagnosis =
    "No NVIDIA card is visible on this machine. That is fine: virtual GPUs stand in, for example with "
    "D2L_VIRTUAL_GPUS=2.";

}  // namespace d2l::backend
