// SPDX-License-Identifier: MIT
#include "arguments/parameter_names.h"

#include <functional>
#include <map>
#include <mutex>

namespace d2l::emulator {
namespace {

struct Known {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> names;  // of each kernel: "out,in,"; "" if there are several kernels
};
Known& known() {
  static auto* const made = new Known;
  return *made;
}

/// "add" for "mine::add<float>" and "mine::add(float*)".
std::string own_name(const std::string& kernel) {
  const std::string name = kernel.substr(0, kernel.find_first_of("<("));
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace

ParameterNames::ParameterNames(const char* kernel, const char* names) {
  const std::lock_guard lock(known().mutex);
  const auto [found, is_new] = known().names.emplace(kernel, names);
  if (!is_new && found->second != names) found->second.clear();
}

std::string parameter_name(const std::string& kernel, std::size_t number) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().names.find(own_name(kernel));
  if (found == known().names.end()) return "";
  const std::string& names = found->second;
  std::size_t begin = 0;
  for (; number > 0; --number) {
    begin = names.find(',', begin);
    if (begin == std::string::npos) return "";
    ++begin;
  }
  return names.substr(begin, names.find(',', begin) - begin);
}

bool is_kernel(const std::string& name) {
  const std::lock_guard lock(known().mutex);
  return known().names.contains(own_name(name));
}

}  // namespace d2l::emulator
