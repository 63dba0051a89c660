// SPDX-License-Identifier: MIT
// CallSite: a call of the runtime, and where the program makes it.
#pragma once

#include <string>

#include "d2l_emulator/language.h"

namespace d2l::emulator {

struct CallSite {
  const char* name = "";
  Place place{nullptr, 0};        ///< file null: not known
  const void* address = nullptr;  ///< where the call returns to; used if there is no place

  /// "main.cu:12"; empty if it is not known.
  [[nodiscard]] std::string where() const;
  /// "cudaMemcpy at main.cu:12", or "cudaMemcpy".
  [[nodiscard]] std::string text() const;
};

/// The call of the runtime that this thread is in.
CallSite current_call();

/// While it is in scope, this thread does the work of an earlier call: a crash names that.
class WorkOfCall {
 public:
  explicit WorkOfCall(CallSite site) noexcept;
  ~WorkOfCall();
  WorkOfCall(const WorkOfCall&) = delete;
  WorkOfCall& operator=(const WorkOfCall&) = delete;
};
/// The call whose work this thread does; its name is empty if there is none.
CallSite call_of_work() noexcept;

/// Stands at the beginning of a function of the runtime; `address` is where the function returns to. Of nested calls
/// the outermost counts.
class ApiCall {
 public:
  explicit ApiCall(const void* address, const char* name = __builtin_FUNCTION());
  ~ApiCall();
  ApiCall(const ApiCall&) = delete;
  ApiCall& operator=(const ApiCall&) = delete;

 private:
  bool first_;
  bool sets_address_;
  bool own_code_;
};

}  // namespace d2l::emulator
