// SPDX-License-Identifier: MIT
// Device: parses and prints names in PyTorch's grammar.
#include "d2l/device.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <limits>
#include <ostream>
#include <string_view>

#include "d2l/accelerator.h"
#include "d2l/error.h"
#include "values/gpu_type.h"

namespace d2l {
namespace {

constexpr int largest_index = std::numeric_limits<std::int8_t>::max();

/// PyTorch's device types, in the order of its error message.
constexpr std::array<std::string_view, 20> types_of_pytorch{
    "cpu",  "cuda", "ipu", "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip",  "ve",
    "fpga", "maia", "xla", "lazy", "vulkan", "mps",    "meta",   "hpu",   "mtia", "privateuseone"};

std::string quoted(std::string_view text) { return std::string(1, '\'').append(text).append(1, '\''); }

/// The common part of all errors about a name.
[[noreturn]] void refuse_name(std::string_view text, const std::string& why) {
  throw DeviceError("[Device] cannot read " + quoted(text) + " as a device: " + why +
                    ". Write 'cpu', 'cuda', or 'cuda:1' for the second GPU.");
}

[[noreturn]] void refuse_index(const std::string& device) {
  throw DeviceError("[Device] there is no device " + device + ": an index counts GPUs from 0 and is at most " +
                    std::to_string(largest_index) + ". Use gpu(0) for the first GPU, or cpu().");
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits without a leading zero.
bool is_index(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit) && (text.size() == 1 || text.front() != '0');
}

/// The other name of PrivateUse1; null if it has none.
std::atomic<const std::string*> other_name{nullptr};

/// PyTorch's name; PrivateUse1 may have another one, too.
std::string_view first_name(DeviceType type) {
  switch (type) {
    case DeviceType::CPU:
      return "cpu";
    case DeviceType::CUDA:
      return "cuda";
    case DeviceType::XPU:
      return "xpu";
    case DeviceType::MPS:
      return "mps";
    case DeviceType::PrivateUse1:
      return "privateuseone";
  }
  return "unknown";
}

DeviceType parse_type(std::string_view name, std::string_view text) {
  for (const DeviceType type : {kCPU, kCUDA, kXPU, kMPS, kPrivateUse1}) {
    if (name == first_name(type)) return type;
  }
  if (const std::string* const other = other_name.load(); other != nullptr && name == *other) return kPrivateUse1;
  if (detail::is_type_of_pytorch(name)) {
    refuse_name(text, "PyTorch has devices of type " + quoted(name) + ", but this library does not support them");
  }
  refuse_name(text, fmt::format("Expected one of {} device type at start of device string: {}",
                                fmt::join(types_of_pytorch, ", "), name));
}

/// The number after the colon; DeviceError if it is too large.
int parse_index(std::string_view digits, std::string_view text) {
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc()) {
    refuse_name(text, "Could not parse device index " + quoted(digits) + " in device string " + quoted(text));
  }
  if (index > largest_index) refuse_index(std::string(text));
  return index;
}

Device parse(std::string_view text) {
  if (text.empty()) refuse_name(text, "Device string must not be empty");
  const auto colon = std::find_if_not(text.begin(), text.end(), is_letter);
  const auto name = text.substr(0, static_cast<std::size_t>(colon - text.begin()));
  const bool has_index = colon != text.end();
  const auto digits = has_index ? text.substr(name.size() + 1) : std::string_view();
  if (name.empty() || (has_index && (*colon != ':' || !is_index(digits)))) {
    refuse_name(text, "Invalid device string: " + quoted(text));
  }
  const DeviceType type = parse_type(name, text);
  if (!has_index) return {type};
  return {type, parse_index(digits, text)};
}

}  // namespace

bool detail::is_type_of_pytorch(std::string_view name) {
  return std::find(types_of_pytorch.begin(), types_of_pytorch.end(), name) != types_of_pytorch.end();
}

std::string DeviceTypeName(DeviceType type) {
  const std::string* const other = type == kPrivateUse1 ? other_name.load() : nullptr;
  return other != nullptr ? *other : std::string(first_name(type));
}

void rename_privateuse1_backend(const std::string& name) {
  const auto refuse = [](const std::string& problem) {
    throw ValueError("[rename_privateuse1_backend] " + problem +
                     ". Choose a name of letters and underscores, such as npu");
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_letter)) {
    refuse(quoted(name) + " cannot be the name of a type of device");
  }
  if (name != "privateuseone" && detail::is_type_of_pytorch(name)) {
    refuse(quoted(name) + " is the name of another type of device");
  }
  // Never destroyed: names are also printed by destructors of static objects.
  const auto* const added = new std::string(name);
  const std::string* before = nullptr;
  if (other_name.compare_exchange_strong(before, added)) return;
  delete added;
  if (*before != name) {
    throw Error("[rename_privateuse1_backend] devices of type PrivateUse1 are called " + quoted(*before) +
                " already, and cannot be called " + quoted(name) + ", too. Rename them once, before the first use");
  }
}

void Device::refuse(DeviceType type, int index) { refuse_index(DeviceTypeName(type) + ":" + std::to_string(index)); }

Device::Device(const std::string& text) : Device(parse(text)) {}

std::string Device::str() const {
  return index_ < 0 ? DeviceTypeName(type_) : DeviceTypeName(type_) + ":" + std::to_string(index());
}

std::ostream& operator<<(std::ostream& out, const Device& device) { return out << device.str(); }

std::string repr(const Device& device) {
  const std::string type = "device(type='" + DeviceTypeName(device.type()) + "'";
  return type + (device.index() < 0 ? ")" : ", index=" + std::to_string(device.index()) + ")");
}

}  // namespace d2l
