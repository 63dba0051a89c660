// SPDX-License-Identifier: MIT
#include "runtime/symbols.h"

#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/device.h"

namespace d2l::emulator {
namespace {

struct Symbol {
  std::byte* address;
  std::size_t bytes;
};

/// All contents, one after the other.
using Contents = std::vector<std::byte>;

struct Symbols {
  std::mutex mutex;
  std::condition_variable free;
  std::vector<Symbol> all;
  Contents initial;                   ///< of every device; empty until the first use
  std::map<int, Contents> of_device;  ///< of the devices that are not in place
  int in_place = 0;
  int users = 0;

  [[nodiscard]] Contents saved() const {
    Contents contents;
    for (const Symbol& one : all) contents.insert(contents.end(), one.address, one.address + one.bytes);
    return contents;
  }
  void put_in_place(const Contents& contents) const {
    std::size_t at = 0;
    for (const Symbol& one : all) {
      std::memcpy(one.address, contents.data() + at, one.bytes);
      at += one.bytes;
    }
  }
};
Symbols& symbols() {
  static auto* const made = new Symbols;
  return *made;
}

}  // namespace

SymbolsInPlace::SymbolsInPlace(int device) {
  if (device_count() < 2) return;
  Symbols& known = symbols();
  std::unique_lock lock(known.mutex);
  if (known.all.empty()) return;
  if (known.initial.empty()) known.initial = known.saved();
  known.free.wait(lock, [&] { return known.users == 0 || known.in_place == device; });
  held_ = true;
  ++known.users;
  if (known.in_place == device) return;
  known.of_device[known.in_place] = known.saved();
  const auto found = known.of_device.find(device);
  known.put_in_place(found == known.of_device.end() ? known.initial : found->second);
  known.in_place = device;
}

SymbolsInPlace::~SymbolsInPlace() {
  if (!held_) return;
  Symbols& known = symbols();
  const std::lock_guard lock(known.mutex);
  if (--known.users == 0) known.free.notify_all();
}

void add_symbol(void* address, std::size_t bytes) {
  const std::lock_guard lock(symbols().mutex);
  symbols().all.push_back({static_cast<std::byte*>(address), bytes});
}

}  // namespace d2l::emulator
