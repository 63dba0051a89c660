// SPDX-License-Identifier: MIT
// Testing helpers, which call the backends.
#include "d2l/testing.h"

#include <utility>

#include "backend/test_switches.h"
#include "core/tensor_impl.h"
#include "d2l/error.h"
#include "ledger/launch_notes.h"
#include "ledger/ledger.h"
#include "ops/launch.h"
#include "runtime/runtime.h"

namespace d2l::testing {
namespace {

const detail::TensorImpl& impl_of(const char* helper, const Tensor& tensor) {
  if (!tensor.defined()) throw ValueError(std::string("[") + helper + "] the tensor is undefined or was moved from");
  return *tensor.impl();
}

backend::TestSwitches& switches_of(Device device) {
  auto* const switches = dynamic_cast<backend::TestSwitches*>(&detail::backend_of(device));
  if (switches == nullptr) {
    throw DeviceError("[testing] " + device.str() + " has no queue to hold or to add a fault to; use a virtual GPU");
  }
  return *switches;
}

}  // namespace

Device owner(const void* address) {
  const auto device = detail::gpu_backend().owner(address);
  return device ? gpu(*device) : cpu();
}

Device owner(const Tensor& tensor) {
  const auto& impl = impl_of("owner", tensor);
  const void* const memory = impl.storage->data();
  return memory == nullptr ? impl.device() : owner(memory);  // without memory, the device of the tensor
}

bool placed(const Tensor& tensor) { return owner(tensor) == tensor.device(); }

Tensor relabel(const Tensor& tensor, Device device) {
  auto impl = std::make_shared<detail::TensorImpl>(static_cast<const detail::StridedView&>(impl_of("relabel", tensor)));
  impl->storage = std::make_shared<detail::Storage>(impl->storage, device);
  return Tensor(std::move(impl));
}

const void* data_without_waiting(const Tensor& tensor) { return impl_of("data_without_waiting", tensor).data(); }

HeldQueue::HeldQueue(Device device) : device_(device) { switches_of(device).hold_queue(device.index()); }

HeldQueue::~HeldQueue() {
  try {
    release();
  } catch (const Error&) {  // the queue of a lost device cannot be released
  }
}

void HeldQueue::release() {
  if (!held_) return;
  held_ = false;
  switches_of(device_).release_queue(device_.index());
}

Watch::Watch(Function function) : function_(std::make_shared<const Function>(std::move(function))) {
  detail::add_watcher(function_);
}

Watch::~Watch() { detail::remove_watcher(function_); }

void set_delays(std::optional<std::uint64_t> seed) { backend::set_virtual_delays(seed); }

void set_peer_access(bool enabled) {
  if (auto* const switches = dynamic_cast<backend::TestSwitches*>(&detail::gpu_backend())) {
    switches->set_peer_access(enabled);
  }
}

void inject_fault(Device device, const std::string& what) { switches_of(device).inject_fault(device.index(), what); }

void touch_address(Device device, void* address) {
  auto arguments = detail::one_dimension(1);
  arguments.operand_count = 2;
  arguments.operands[0].data = address;
  arguments.operands[0].extent = 1;
  arguments.operands[0].dtype = kByte;
  arguments.operands[0].strides[0] = 1;
  arguments.operands[1].dtype = kByte;
  arguments.operands[1].immediate = {1, 1};
  auto& backend = detail::backend_of(device);
  const auto fill = find_kernel(backend, backend::Operation::fill, arguments);
  backend.launch(detail::number_of(device), fill, arguments, nullptr);
}

LiveMemory live_memory(Device device) {
  const auto info = memory_info(device);
  return {info.requested, info.blocks};
}

std::int64_t open_streams() { return detail::open_streams(); }

}  // namespace d2l::testing
