// SPDX-License-Identifier: MIT
// ./learn devices
#include <fmt/format.h>

#include "base/process.h"
#include "build/build.h"
#include "build/choice.h"
#include "commands/subcommand.h"

namespace d2l::runner {
namespace {

int show_devices(const Options& options) {
  const Choice choice = choose(options.cuda);
  const Build build(choice.preset);
  build.make({"learn_devices"}, "Building");
  if (!choice.remark.empty()) fmt::print("{}\n", choice.remark);
  return run({(build.folder() / "common" / "course" / "runner" / "learn_devices").string()}, root());
}

}  // namespace

Subcommand devices_subcommand() { return {"devices", "what this machine has", show_devices, {cuda_option()}}; }

}  // namespace d2l::runner
