// SPDX-License-Identifier: MIT
#include "checks/regions.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "execution/current.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t max_recent = 16;
constexpr std::size_t max_shadow_bytes = std::size_t{256} << 20;  // kept from launch to launch
constexpr std::size_t near_shared = 65536;
constexpr std::size_t large = std::size_t{1} << 20;

}  // namespace

ShadowCells::ShadowCells(const Allocation& of) : bytes_(of.bytes), touched_(of.bytes / chunk_bytes + 1) {
  if (reinterpret_cast<std::uintptr_t>(of.begin) % granularity_ != 0) granularity_ = 1;
  allocate();
}

void FreeCells::operator()(Cell* cells) const noexcept {
  mapped == 0 ? std::free(cells) : static_cast<void>(munmap(cells, mapped));
}

void ShadowCells::allocate() {
  // A large block of zeros costs nothing until it is used. It may be larger than the machine's memory.
  const std::size_t bytes = (bytes_ / granularity_ + 1) * sizeof(Cell);
  void* memory = nullptr;
  if (bytes < large) {
    memory = std::calloc(bytes, 1);
  } else {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (memory == nullptr || memory == MAP_FAILED) throw std::bad_alloc();
  cells_ = std::unique_ptr<Cell, FreeCells>(static_cast<Cell*>(memory), FreeCells{bytes < large ? 0 : bytes});
}

void ShadowCells::use_single_bytes() {
  if (granularity_ == 1) return;
  const std::unique_ptr<Cell, FreeCells> words = std::move(cells_);
  granularity_ = 1;
  allocate();
  for (std::size_t i = 0; i < bytes_; ++i) {
    const Cell& word = words.get()[i / 4];
    if ((word.write.epoch | word.read.epoch) != 0) cells_.get()[i] = word;
  }
}

void Regions::begin_launch() {
  shared_.clear();
  shared_span_ = 0;
  recent_.clear();
  touched_.clear();
  version_ = 0;
  if (shadow_bytes_ > max_shadow_bytes) forget_shadows();
  table_ = worker_.allocations;
}

void Regions::forget_shadows() {
  shadows_.clear();
  known_shared_.clear();
  shadow_bytes_ = 0;
}

void Regions::update_shared(const Block& block) {
  shared_.clear();
  std::uintptr_t low = ~std::uintptr_t{0};
  std::uintptr_t high = 0;
  for (const SharedRange& range : block.shared) {
    Region& known = known_shared_[range.begin];
    if (known.bytes != range.bytes || known.allocation == nullptr || known.allocation->name != range.name) {
      known.begin = range.begin;
      known.bytes = range.bytes;
      known.shared = true;
      known.allocation = std::make_shared<Allocation>();
      known.allocation->begin = range.begin;
      known.allocation->bytes = range.bytes;
      known.allocation->name = range.name;
      known.allocation->shape = range.shape;
      known.allocation->initialised = zero_bytes(range.bytes / 8 + 1);
      known.initialised = known.allocation->initialised.get();
      known.shadow.reset();
    }
    shared_.push_back(known);
    low = std::min(low, reinterpret_cast<std::uintptr_t>(range.begin));
    high = std::max(high, reinterpret_cast<std::uintptr_t>(range.begin) + range.bytes);
  }
  shared_low_ = low;
  shared_span_ = shared_.empty() ? 0 : high - low;
}

Region* Regions::find_global(const void* address) {
  if (version_ == table_->version()) {
    for (std::size_t i = 0; i < recent_.size(); ++i) {
      if (recent_[i]->offset_of(address) >= recent_[i]->bytes) continue;
      if (i != 0) std::swap(recent_[i], recent_[i - 1]);
      return recent_[i == 0 ? 0 : i - 1].get();
    }
  }
  return find_allocation(address);
}

Region* Regions::find_allocation(const void* address) {
  const OwnCode own;
  const std::uint64_t version = table_->version();
  if (version != version_) recent_.clear();
  version_ = version;
  auto allocation = table_->find(address);
  if (allocation == nullptr) return nullptr;
  if (recent_.size() >= max_recent) recent_.pop_back();
  auto region = std::make_unique<Region>();
  region->begin = allocation->begin;
  region->bytes = allocation->bytes;
  region->initialised = allocation->initialised.get();
  region->constant = allocation->constant;
  region->allocation = std::move(allocation);
  recent_.push_back(std::move(region));
  return recent_.back().get();
}

Region* Regions::nearest_shared(const void* address) {
  Region* best = nullptr;
  std::size_t least = near_shared;
  for (Region& region : shared_) {
    const std::size_t after = region.offset_of(address) - region.bytes;
    const std::size_t before = ~region.offset_of(address) + 1;
    if (std::min(after, before) >= least) continue;
    least = std::min(after, before);
    best = &region;
  }
  return best;
}

ShadowCells& Regions::shadow(Region& region) {
  if (region.shadow == nullptr) {
    auto& kept = region.shared ? known_shared_[region.begin].shadow : shadows_[region.allocation->id];
    if (kept == nullptr) {
      kept = std::make_shared<ShadowCells>(*region.allocation);
      shadow_bytes_ += region.bytes / 4 * sizeof(Cell);
    }
    region.shadow = kept;
    if (!region.shared) touched_.emplace(region.allocation->id, std::pair(region.allocation, kept));
  }
  return *region.shadow;
}

}  // namespace d2l::emulator
