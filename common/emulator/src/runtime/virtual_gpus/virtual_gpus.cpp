// SPDX-License-Identifier: MIT
// The CUDA runtime on the virtual GPUs of the library, whose tensors a program can use in its kernels.
#include "d2l/error.h"
#include "d2l/stream.h"
#include "runtime/capturing.h"
#include "runtime/device.h"
#include "runtime/machine.h"
#include "runtime/runtime.h"

namespace d2l {
namespace emulator {
namespace {

class VirtualGpus : public Machine {
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

}  // namespace

std::unique_ptr<Machine> make_machine() { return std::make_unique<VirtualGpus>(); }
bool serves_library() noexcept { return false; }

}  // namespace emulator

cudaStream_t stream(Device device) {
  if (device.is_cpu()) throw DeviceError("[stream] " + device.str() + " has no stream. Name a GPU: d2l::gpu(0)");
  detail::refuse_in_capture(device, "stream", "kernels of the program are no part of it");
  detail::backend_of(device);  // DeviceError if there is no such device
  emulator::set_current_device(device.index());
  return emulator::add_stream(emulator::device_at(device.index()).tensor_stream());
}

}  // namespace d2l
