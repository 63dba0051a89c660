// SPDX-License-Identifier: MIT
// The CUDA runtime on the cards of D2L_EMULATED_CARDS=COUNT[:MEMORY], for the library's CUDA backend. They are not the
// virtual GPUs of the process, which may be slices of them.
#include <cstdlib>

#include "backend/backend.h"
#include "runtime/machine.h"
#include "runtime/virtual_gpu_specification.h"

namespace d2l::emulator {
namespace {

class EmulatedCards : public Machine {
 public:
  EmulatedCards() {
    const char* const text = std::getenv("D2L_EMULATED_CARDS");
    if (text == nullptr || *text == '\0') return;
    const auto wanted = detail::parse_virtual_gpus(text);
    cards_ = backend::make_virtual_gpus(wanted.count, wanted.memory, wanted.delay_seed, wanted.cores);
  }
  [[nodiscard]] const backend::VirtualGpu::All& gpus() override {
    static const backend::VirtualGpu::All none;
    return cards_ == nullptr ? none : dynamic_cast<const backend::VirtualGpuOwner&>(*cards_).virtual_gpus();
  }
  [[nodiscard]] std::string name(int /*device*/) override { return "Emulated card"; }
  [[nodiscard]] bool peer_access(int device, int peer) override { return cards_->can_access_peer(device, peer); }

 private:
  std::unique_ptr<backend::Backend> cards_;
};

}  // namespace

std::unique_ptr<Machine> make_machine() { return std::make_unique<EmulatedCards>(); }
bool serves_library() noexcept { return true; }

}  // namespace d2l::emulator
