// SPDX-License-Identifier: MIT
// Device: parses and prints names in PyTorch's grammar.
#include "d2l/device.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <ostream>
#include <string_view>

#include "d2l/error.h"

namespace d2l {
namespace {

constexpr int largest_index = std::numeric_limits<std::int8_t>::max();

/// PyTorch's device types, in the order of its error message.
constexpr std::array<std::string_view, 20> types_of_pytorch{
    "cpu",  "cuda", "ipu", "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip",  "ve",
    "fpga", "maia", "xla", "lazy", "vulkan", "mps",    "meta",   "hpu",   "mtia", "privateuseone"};

const char* name_of(DeviceType type) { return type == kCPU ? "cpu" : "cuda"; }

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

DeviceType parse_type(std::string_view name, std::string_view text) {
  if (name == "cpu") return kCPU;
  if (name == "cuda") return kCUDA;
  if (std::find(types_of_pytorch.begin(), types_of_pytorch.end(), name) != types_of_pytorch.end()) {
    refuse_name(text, "PyTorch has devices of type " + quoted(name) + ", but this library supports only cpu and cuda");
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

void Device::refuse(DeviceType type, int index) {
  refuse_index(std::string(name_of(type)) + ":" + std::to_string(index));
}

Device::Device(const std::string& text) : Device(parse(text)) {}

std::string Device::str() const {
  return index_ < 0 ? name_of(type_) : std::string(name_of(type_)) + ":" + std::to_string(index());
}

std::ostream& operator<<(std::ostream& out, const Device& device) { return out << device.str(); }

std::string repr(const Device& device) {
  const std::string type = "device(type='" + std::string(name_of(device.type())) + "'";
  return type + (device.index() < 0 ? ")" : ", index=" + std::to_string(device.index()) + ")");
}

}  // namespace d2l
