// SPDX-License-Identifier: MIT
// The GPU backend of a build without CUDA: it has no devices, and its diagnosis says how to use a visible card.
#include "backend/backend.h"
#include "backend/card_collectives.h"
#include "backend/nvidia_machine.h"
#include "backend/tool_ranges.h"
#include "d2l/error.h"

namespace d2l::backend {
namespace {

[[noreturn]] void refuse() {
  throw DeviceError(
      "[gpu] asked for a physical GPU, but this library was built without CUDA and has none; build with CUDA (./learn "
      "run --cuda, or cmake --preset cuda), or use virtual GPUs (D2L_VIRTUAL_GPUS=2)");
}

class NoCuda final : public Backend {
 public:
  [[nodiscard]] int device_count() const noexcept override { return 0; }
  [[nodiscard]] Processor processor() const noexcept override { return Processor::cuda; }
  [[nodiscard]] DeviceProperties properties(int) const override { refuse(); }
  [[nodiscard]] MemoryInfo memory(int) const override { refuse(); }
  void* allocate(int, std::size_t) override { refuse(); }
  void release(int, void*, std::size_t) noexcept override {}
  void* allocate_pinned(std::size_t) override { refuse(); }
  void release_pinned(void*, std::size_t) noexcept override {}
  void launch(int, NamedKernel, const KernelArguments&, std::shared_ptr<Span>) override { refuse(); }
  std::shared_ptr<Graph> make_graph(int, std::vector<GraphLaunch>) override { refuse(); }
  void replay(int, const std::shared_ptr<Graph>&, GraphSpans) override { refuse(); }
  void copy_to_device(int, void*, const void*, std::size_t, HostMemory, std::shared_ptr<Span>) override { refuse(); }
  void copy_to_host(int, void*, const void*, std::size_t, HostMemory, std::shared_ptr<Span>) override { refuse(); }
  void copy_to_peer(int, int, void*, const void*, std::size_t, std::shared_ptr<Span>) override { refuse(); }
  [[nodiscard]] bool can_access_peer(int, int) override { refuse(); }
  [[nodiscard]] std::shared_ptr<Mark> record(int) override { refuse(); }
  void wait(int, const std::shared_ptr<Mark>&) override { refuse(); }
  void synchronize(int) override { refuse(); }
  [[nodiscard]] std::optional<int> owner(const void*) const override { return std::nullopt; }
};

std::string diagnose(const std::string& driver) {
  const std::string card = visible_nvidia_card();
  if (card.empty() && driver.empty()) return no_card_diagnosis;
  return (card.empty() ? "An NVIDIA driver is loaded (" + driver : "An NVIDIA card is visible (PCI " + card) +
         "), but this build has no CUDA. Build with CUDA: ./learn run --cuda, or cmake --preset cuda.";
}

}  // namespace

Backend& cuda_backend() {
  static NoCuda backend;
  return backend;
}

std::unique_ptr<Backend> make_card_slices(int, std::int64_t) { return nullptr; }

void push_tool_range(const char*) noexcept {}
void pop_tool_range() noexcept {}

bool has_card_collectives() noexcept { return false; }
std::string card_collectives_obstacle(int) { return "this library was built without CUDA"; }
bool prefers_card_collectives() noexcept { return false; }
CardGroupId make_card_group_id() { refuse(); }
std::shared_ptr<CardGroup> join_card_group(Backend&, const CardGroupId&, const std::vector<int>&, int, int,
                                           std::chrono::milliseconds) {
  refuse();
}

DriverInfo cuda_driver_info() {
  DriverInfo info;
  info.driver = loaded_nvidia_driver();
  info.diagnosis = diagnose(info.driver);
  return info;
}

}  // namespace d2l::backend
