// SPDX-License-Identifier: MIT
// Memory: the allocations of the CUDA runtime, and the addresses by which the host reaches them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "d2l_emulator/runtime_types.h"
#include "execution/allocation_table.h"

namespace d2l::emulator {

/// All allocations and variables of the process.
AllocationTable& allocations();
/// The live allocation or variable that contains an address; null for other memory of the host.
std::shared_ptr<Allocation> live_allocation(const void* address);
/// Where the host and the threads of queues find the contents of an address: the alias of device memory.
void* contents_of(const void* address);

/// Device memory; OutOfMemoryError if there is not enough.
void* allocate_device(int device, std::size_t bytes, const char* call);
/// The memory pool that an allocation came from; null if from none.
cudaMemPool_t pool_of(const Allocation& allocation);
/// Memory that may be from a pool returns to it.
void note_pool_release(const void* memory);
/// Marks an allocation as freed; its memory can be used again.
void free_device(const std::shared_ptr<Allocation>& allocation);
/// Makes the memory of the tensor that contains an address known: device memory, or pinned memory of the host.
void add_memory_of_tensor(const void* address);
/// The same for all tensors to which the arguments of a kernel point. Returns their device memory.
std::vector<std::shared_ptr<Allocation>> add_memory_of_tensors(const void* parameters, std::size_t bytes);
/// Makes this memory of tensors known for a kernel that begins. The host may have released a tensor since the launch,
/// and another tensor of another size may have its place.
void restore_memory_of_tensors(const std::vector<std::shared_ptr<Allocation>>& memory);
/// The same for the tensors whose addresses are in memory to which the arguments point, such as a table of pointers.
/// Called when the kernel begins: a copy to the table may be queued before it.
void add_memory_of_tables(const void* parameters, std::size_t bytes);
/// Makes the kernels of a device find its memory, and that of the peers with access, while it is in scope.
class OpenMemory {
 public:
  explicit OpenMemory(int device);
  explicit OpenMemory(const std::vector<int>& devices);
  ~OpenMemory();
  OpenMemory(const OpenMemory&) = delete;
  OpenMemory& operator=(const OpenMemory&) = delete;

 private:
  std::vector<int> opened_;
};

/// True once the host uses the memory of devices: its work must be in order with that of the streams.
bool host_uses_memory() noexcept;

/// True if D2L_CHECK_KERNELS is set: kernels are checked, and a program that ignores a fatal error still ends with an
/// exit code that is not 0. False where the CUDA backend runs on emulated cards, as on a card.
bool checks_kernels();

}  // namespace d2l::emulator
