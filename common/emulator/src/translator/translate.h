// SPDX-License-Identifier: MIT
// The translation of a CUDA source file into C++: what a macro or a header cannot do. Line numbers stay the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace d2l::emulator::translator {

/// An #include of the translated file.
struct Include {
  std::string name;
  bool quoted = false;  ///< "name", not <name>
};

struct Translation {
  std::string text;
  std::vector<Include> includes;
  bool uses_volatile = false;    ///< threads may rely on the order of accesses to volatile variables
  bool has_kernels = false;      ///< it defines or launches one
  bool has_device_code = false;  ///< it declares something with __device__
};

/// Translates launches (`kernel<<<grid, block>>>(x)`), shared memory, variables of the device, casts of kernels for
/// cudaLaunchKernel and inline PTX. `path` is the file that messages name.
Translation translate(std::string_view source, std::string_view path);

}  // namespace d2l::emulator::translator
