// SPDX-License-Identifier: MIT
// In place of the engine gloo, in a build without Gloo.
#include "base/message.h"
#include "distributed/engine/engine.h"

namespace d2l::distributed::detail {

namespace {

[[noreturn]] void refuse(const char* operation) {
  d2l::detail::fail<ConfigurationError>(operation, "this build has no Gloo, and so no groups of several processes", {},
                                        "install libgloo-dev and build again, or use local, the GPUs of one process");
}

}  // namespace

bool has_gloo() { return false; }

std::unique_ptr<Engine> make_gloo_engine(const EngineOptions& /*options*/) { refuse("init_process_group"); }

std::vector<std::unique_ptr<Engine>> make_thread_engines(int /*size*/, std::chrono::milliseconds /*timeout*/) {
  refuse("run_ranks");
}

}  // namespace d2l::distributed::detail
