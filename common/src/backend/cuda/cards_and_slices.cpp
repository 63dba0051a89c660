// SPDX-License-Identifier: MIT
// The backends that CUDA makes: one of whole cards, and one of their slices.
#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/discovery.h"

namespace d2l::backend {
namespace {

std::vector<std::shared_ptr<cuda::CudaDevice>> whole_cards() {
  std::vector<std::shared_ptr<cuda::CudaDevice>> devices;
  for (const cuda::Card& card : cuda::discovery().cards) {
    devices.push_back(std::make_shared<cuda::CudaDevice>(static_cast<int>(devices.size()), card, std::nullopt));
  }
  return devices;
}

}  // namespace

Backend& cuda_backend() {
  // Never destroyed: at the end of the process CUDA may be gone before it.
  static auto* backend = new cuda::CudaBackend(whole_cards());
  return *backend;
}

std::unique_ptr<Backend> make_card_slices(int count, std::int64_t memory) {
  const auto& cards = cuda::discovery().cards;
  if (cards.empty()) return nullptr;
  std::vector<std::shared_ptr<cuda::CudaDevice>> slices;
  for (int number = 0; number < count; ++number) {
    const cuda::Card& card = cards[static_cast<std::size_t>(number) % cards.size()];
    slices.push_back(std::make_shared<cuda::CudaDevice>(number, card, memory));
  }
  return std::make_unique<cuda::CudaBackend>(std::move(slices));
}

DriverInfo cuda_driver_info() { return cuda::discovery().driver; }

}  // namespace d2l::backend
