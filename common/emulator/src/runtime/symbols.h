// SPDX-License-Identifier: MIT
// Variables of the device (`__device__`, `__constant__`): each device has its own copy.
#pragma once

#include <cstddef>

namespace d2l::emulator {

/// A kernel finds the variables at the addresses that the compiler gave them, so the copies of one device at a time are
/// in place. While it is in scope, those of `device` are. Work of another device waits for its end.
class SymbolsInPlace {
 public:
  explicit SymbolsInPlace(int device);
  ~SymbolsInPlace();
  SymbolsInPlace(const SymbolsInPlace&) = delete;
  SymbolsInPlace& operator=(const SymbolsInPlace&) = delete;

 private:
  bool held_ = false;
};

/// Makes a variable known. Its contents are those that every device begins with.
void add_symbol(void* address, std::size_t bytes);

}  // namespace d2l::emulator
