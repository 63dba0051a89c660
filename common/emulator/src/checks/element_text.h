// SPDX-License-Identifier: MIT
// element_text(): how reports name a byte of an allocation.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "execution/allocation_table.h"

namespace d2l::emulator {

/// How the elements of an allocation are named.
struct ArrayName {
  std::string name;          ///< of a variable or a parameter; empty if there is none, or several
  bool parameter = false;    ///< the elements count from where it points to
  std::ptrdiff_t begin = 0;  ///< the byte of the allocation where element 0 is
  std::size_t element = 0;   ///< bytes; 0: not known
};
ArrayName name_of_array(const Allocation& array, const std::string& kernel,
                        const std::vector<PointerArgument>& pointers);

/// "x" for a variable that is no array, "x[3]", "x[3] of allocation #1" for the parameter x of the kernel, or "element
/// 3 of allocation #1" if several parameters point to the allocation, or none. The size of its elements is that of the
/// first such parameter, or `bytes`, the size of the access.
std::string element_text(const Allocation& array, std::ptrdiff_t offset, std::size_t bytes, const std::string& kernel,
                         const std::vector<PointerArgument>& pointers);

}  // namespace d2l::emulator
