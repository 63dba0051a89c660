// SPDX-License-Identifier: MIT
#include "textures/call.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "checks/reports.h"
#include "execution/current.h"
#include "execution/worker.h"
#include "matrices/access.h"

namespace d2l::emulator {

void refuse_call(const TextureCall& call, FaultKind fault, const char* kind, std::string detail) {
  Worker* const worker = running_worker();
  if (worker == nullptr) {
    fmt::print(stderr, "{}: {} is a function of kernels, and the host calls it\n", place_text(call.place), call.name);
    std::abort();
  }
  if (is_checked()) {
    report_wrong_argument(fault, kind, detail.c_str(), call.caller);
    std::string().swap(detail);  // the stack is abandoned
    worker->stop_thread();
  }
  const OwnCode own;
  std::string text = fmt::format("{} at {}: {}\n", kind, place_text(call.place), detail);
  std::string().swap(detail);
  worker->fail(fault, std::move(text));
}

}  // namespace d2l::emulator
