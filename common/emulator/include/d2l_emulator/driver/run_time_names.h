// SPDX-License-Identifier: MIT
// RunTimeNames: the kernels and variables of a program that is compiled at run time, for the driver's functions that
// find them by their names. The source that is compiled has a function at its end that fills it.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "d2l_emulator/launch.h"

namespace d2l::emulator {

struct RunTimeName {
  std::string text;     ///< "scale<float>", or the name of a kernel that is no template
  const void* address;  ///< of the kernel or the variable
  /// The kernel with copies of its arguments; null for a variable.
  BoundKernel (*bind)(const RunTimeName& name, Place place, void** arguments) = nullptr;
  std::vector<std::size_t> sizes = {};       ///< of the kernel's parameters
  std::vector<std::size_t> alignments = {};  ///< of the same
};

class RunTimeNames {
 public:
  template <class... P>
  void add(const char* text, void (*kernel)(P...)) {
    const auto bind = [](const RunTimeName& name, Place place, void** arguments) {
      auto* const function = reinterpret_cast<void (*)(P...)>(const_cast<void*>(name.address));
      return bind_with(name, place, function, arguments, std::index_sequence_for<P...>());
    };
    all.push_back({text, reinterpret_cast<const void*>(kernel), bind, {sizeof(Slot<P>)...}, {alignof(Slot<P>)...}});
  }
  template <class T>
  void add(const char* text, T* variable) {
    all.push_back({text, const_cast<const void*>(static_cast<const volatile void*>(variable))});
  }

  std::vector<RunTimeName> all;

 private:
  template <class... P, std::size_t... index>
  static BoundKernel bind_with(const RunTimeName& name, Place place, void (*kernel)(P...),
                               [[maybe_unused]] void** arguments, std::index_sequence<index...>) {
    return bind_kernel<kernels_are_loops, decltype(by_address(kernel)), Slot<P>...>(
        name.text, place.file, place.line, false, by_address(kernel), *static_cast<Slot<P>*>(arguments[index])...);
  }
};

}  // namespace d2l::emulator
