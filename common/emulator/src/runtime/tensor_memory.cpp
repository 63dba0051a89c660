// SPDX-License-Identifier: MIT
// The memory of tensors that kernels get.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "backend/virtual_gpu/pinned_memory.h"
#include "runtime/device.h"
#include "runtime/machine.h"
#include "runtime/memory.h"

namespace d2l::emulator {
namespace {

const char* const tensor_name = "the memory of a tensor";
const char* const pinned_name = "the pinned memory of a tensor";
constexpr std::size_t max_table_bytes = std::size_t{16} << 20;

/// The pointer that begins here.
const void* word_at(const void* words, std::size_t at) {
  const void* word = nullptr;
  std::memcpy(&word, static_cast<const std::byte*>(words) + at, sizeof word);
  return word;
}

/// True if the table has this block, or something at its address that is no tensor.
bool is_known(const std::shared_ptr<Allocation>& known, const char* name, std::pair<void*, std::size_t> block) {
  if (!known || (known->freed && !known->of_graph)) return false;
  return known->name != name || (known->begin == block.first && known->bytes == block.second);
}

void update_pinned_memory(const void* address) {
  const auto block = backend::pinned_block_at(address);
  if (block && !is_known(allocations().find(address), pinned_name, *block)) {
    backend::watch_pinned_releases([](const void* begin) { allocations().remove(begin); });
    allocations()
        .add(block->first, block->second, MemoryKind::pinned, current_device().number(), pinned_name, true)
        ->of_tensor = true;
  }
}

}  // namespace

void add_memory_of_tensor(const void* address) {
  auto* const gpu = backend::VirtualGpu::owner(machine().gpus(), address);
  if (gpu == nullptr) return update_pinned_memory(address);
  const auto block = gpu->block_at(address);
  if (!block || is_known(allocations().find(address), tensor_name, *block)) return;
  allocations().add(block->first, block->second, MemoryKind::device, gpu->number(), tensor_name, true)->of_tensor =
      true;
}

std::vector<std::shared_ptr<Allocation>> add_memory_of_tensors(const void* parameters, std::size_t bytes) {
  std::vector<std::shared_ptr<Allocation>> memory;
  for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    const void* const word = word_at(parameters, at);
    add_memory_of_tensor(word);
    const auto found = allocations().find(word);
    if (found && found->of_tensor && found->kind == MemoryKind::device) memory.push_back(found);
  }
  return memory;
}

void restore_memory_of_tensors(const std::vector<std::shared_ptr<Allocation>>& memory) {
  for (const auto& range : memory) {
    const auto now = allocations().find(range->begin);
    if (now != range && (now == nullptr || now->of_tensor)) allocations().put(range);
  }
}

void add_memory_of_tables(const void* parameters, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    const auto table = allocations().find(word_at(parameters, at));
    if (!table || table->kind != MemoryKind::device) continue;
    const void* const words = contents_of(table->begin);
    const std::size_t end = std::min(table->bytes, max_table_bytes);
    for (std::size_t i = 0; i + sizeof(void*) <= end; i += sizeof(void*)) {
      const void* const word = word_at(words, i);
      if (backend::VirtualGpu::owner(machine().gpus(), word) != nullptr) add_memory_of_tensor(word);
    }
  }
}

}  // namespace d2l::emulator
