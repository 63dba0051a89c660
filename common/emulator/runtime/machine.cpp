// SPDX-License-Identifier: MIT
#include "runtime/machine.h"

#include <atomic>
#include <cstdlib>
#include <memory>

#include "backend/backend.h"
#include "execution/host_crash.h"
#include "ledger/ledger.h"
#include "runtime/runtime.h"
#include "runtime/virtual_gpu_specification.h"

namespace d2l::emulator {
namespace {

#ifdef D2L_BACKEND_IS_EMULATED
/// The cards of D2L_EMULATED_CARDS=COUNT[:MEMORY], on which the CUDA backend runs. They are not the virtual GPUs of the
/// process, which may be slices of them.
class OwnMachine : public Machine {
 public:
  OwnMachine() {
    const char* const text = std::getenv("D2L_EMULATED_CARDS");
    if (text == nullptr || *text == '\0') return;
    const auto wanted = detail::parse_virtual_gpus(text);
    // Never destroyed: tensors with static lifetime release memory late.
    cards_ = backend::make_virtual_gpus(wanted.count, wanted.memory, wanted.delay_seed).release();
  }
  [[nodiscard]] const backend::VirtualGpu::All& gpus() override {
    static const backend::VirtualGpu::All none;
    return cards_ == nullptr ? none : dynamic_cast<const backend::VirtualGpuOwner&>(*cards_).virtual_gpus();
  }
  [[nodiscard]] std::string name(int /*device*/) override { return "Emulated card"; }
  [[nodiscard]] bool peer_access(int device, int peer) override { return cards_->can_access_peer(device, peer); }
  [[nodiscard]] bool records_work() const override { return false; }

 private:
  backend::Backend* cards_ = nullptr;
};
#else
class OwnMachine : public Machine {
 public:
  [[nodiscard]] const backend::VirtualGpu::All& gpus() override {
    static const backend::VirtualGpu::All none;
    const auto* const owner = dynamic_cast<const backend::VirtualGpuOwner*>(&detail::gpu_backend());
    return owner == nullptr ? none : owner->virtual_gpus();
  }
  [[nodiscard]] bool peer_access(int device, int peer) override {
    return detail::gpu_backend().can_access_peer(device, peer);
  }
};
#endif

std::atomic<Machine*> chosen{nullptr};

}  // namespace

Machine& machine() {
  static Machine* const process = [] {
    report_host_crashes();
    return new OwnMachine;  // never destroyed: queues use it until the process has ended
  }();
  Machine* const other = chosen.load();
  return other != nullptr ? *other : *process;
}

void set_machine(Machine& other) { chosen = &other; }

bool ledger_is_open() { return machine().records_work() && detail::ledger_is_open(); }

}  // namespace d2l::emulator
