// SPDX-License-Identifier: MIT
// Race: two accesses that nothing orders, for a picture of them. WrittenValues: whether such writes store the same
// value.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

namespace d2l::emulator {

struct Race {
  struct Side {
    std::string thread;  ///< "block (0, 0, 0), thread (3, 0, 0)"
    std::string access;  ///< "write", "read" or "atomic"
    std::string file;    ///< empty if the place is not known
    int line = 0;
  };
  std::string report;   ///< the line of the report
  std::string element;  ///< "shared values[3]"
  Side first;           ///< as it happened in this run
  Side second;
  bool same_block = true;
  std::string barrier;  ///< where the last barrier of the block was before them; empty if it had none
};

/// Compares what threads write to the same element: if it is the same value, the race does no harm.
class WrittenValues {
 public:
  /// A thread is about to write after a write by another thread that nothing orders before. The bytes are read again by
  /// compare(), after the write.
  void watch(const void* thread, const void* address, std::size_t bytes, const void* place);
  [[nodiscard]] bool pending() const noexcept { return bytes_ != 0; }
  /// To be called before the next access. With `written`, the write has taken place.
  void compare(bool written);
  [[nodiscard]] const void* thread() const noexcept { return thread_; }
  /// The report of the first such write at a place.
  void note_report(const void* place, std::string report) { places_[place].report = std::move(report); }
  /// Calls the function with each report of a place where all writes left the value as it was, and a text of the value.
  template <class Function>
  void for_each_same(const Function& function) const {
    for (const auto& [place, found] : places_) {
      if (!found.report.empty() && found.compared && !found.differs) function(found.report, text_of(found));
    }
  }
  void clear();

 private:
  static constexpr std::size_t most = 16;
  using Value = std::array<unsigned char, most>;
  struct Found {
    std::string report;
    bool compared = false;
    bool differs = false;
    bool several = false;  ///< values, of different elements
    std::size_t bytes = 0;
    Value value{};
  };
  static std::string text_of(const Found& found);

  std::unordered_map<const void*, Found> places_;
  const void* thread_ = nullptr;
  const void* address_ = nullptr;
  std::size_t bytes_ = 0;  ///< of the write that is watched; 0: none
  const void* place_ = nullptr;
  Value before_{};
};

}  // namespace d2l::emulator
