// SPDX-License-Identifier: MIT
// ./learn cuda
#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/root.h"
#include "base/run_limited.h"
#include "build/build.h"
#include "build/choice.h"
#include "build/cuda_request.h"
#include "commands/subcommand.h"

namespace d2l::runner {
namespace {

int run_on_card(const CudaRequest& request, const Build& build, Command before) {
  fmt::print(stderr, "Kernels are compiled by nvcc and run on the card.\n");
  if (request.report || !request.page.empty()) {
    fmt::print(stderr, "--report works in the emulator only: D2L_VIRTUAL_GPUS=1@host ./learn cuda … --report\n");
  }
  if (request.program.warp_size != 32) {
    throw Stop(wrong_usage,
               "learn cuda: the card has warps of 32 lanes. --warp 64 works in the emulator: "
               "D2L_VIRTUAL_GPUS=1@host ./learn cuda … --warp 64");
  }
  if (request.debug && request.check) {
    throw Stop(wrong_usage,
               "learn cuda: on a card, give --check (compute-sanitizer) or --debug (cuda-gdb), not both. "
               "The emulator takes both: D2L_VIRTUAL_GPUS=1@host ./learn cuda … --check --debug");
  }
  const std::string program = build_with_nvcc(request.program, build.folder()).string();
  if (!request.check) {
    before.push_back(program);
    return run_cuda_program(request, std::move(before));
  }
  if (find_program("compute-sanitizer").empty()) {
    throw Stop(wrong_usage,
               "learn cuda: --check on a card needs compute-sanitizer, and it is not in PATH. It belongs to the CUDA "
               "toolkit. To check in the emulator: D2L_VIRTUAL_GPUS=1@host ./learn cuda … --check");
  }
  return run_cuda_program(request, {"compute-sanitizer", "--error-exitcode", "1", program});
}

int run_cuda(const Options& options) {
  const CudaRequest request = read_cuda_request(options.rest, "learn cuda");
  if (request.help) {
    fmt::print("{}", cuda_usage("learn cuda"));
    return 0;
  }
  const Choice choice = choose(false);
  const bool hip = has_hip(request.program);
  const bool card = uses_card(choice) && !hip;
  if (uses_card(choice) && hip) {
    fmt::print(stderr, "This is a HIP program: nvcc does not compile it, so it does not run on the card.\n");
  }
  Command before = debugger(request, card);
  const Build build(card ? choice.preset : "cpu");
  if (card) return run_on_card(request, build, std::move(before));
  build.make({"d2l_cuda_emulator"}, "Building the emulator");
  auto headers = public_headers(root());
  headers.push_back(root() / "common" / "emulator" / "include");
  return run_emulated(
      request, {build.folder() / "common" / "emulator", "", build.folder() / "cuda_programs", std::move(headers)},
      std::move(before));
}

}  // namespace

Subcommand cuda_subcommand() {
  return {"cuda",
          "compile and run a CUDA or HIP program, on virtual GPUs without a card",
          run_cuda,
          {},
          Subcommand::Rest::all};
}

}  // namespace d2l::runner
