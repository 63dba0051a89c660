// SPDX-License-Identifier: MIT
// Says where the student's code crashed.
#pragma once

#include <string>

namespace d2l::check {

/// From now on a crash prints the name of the call that runs and the addresses of its frames, for ./learn to translate:
/// "crash: CALL" and "crash at: +0x1234", relative to the beginning of the program.
void report_crashes();
/// The call that runs, while the object lives.
class RunningCall {
 public:
  explicit RunningCall(const std::string& name);
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
};

}  // namespace d2l::check
