// SPDX-License-Identifier: MIT
// Runtime: decides on first use which GPUs this process has.
#include "runtime/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "base/terminal_text.h"
#include "d2l/accelerator.h"
#include "d2l/error.h"
#include "runtime/virtual_gpu_specification.h"
#include "values/gpu_type.h"

namespace d2l::detail {
namespace {

struct Runtime {
  std::mutex mutex;
  std::optional<VirtualGpuSpecification> requested;  ///< by use_virtual_gpus()
  std::unique_ptr<backend::Backend> virtual_gpus;
  std::atomic<backend::Backend*> gpus{nullptr};  ///< set once, on first use
  std::string notice;
  bool prints_notice = true;
};

/// Never destroyed, so that tensors with static lifetime can release their memory at any time.
Runtime& runtime() {
  static auto* const instance = new Runtime;
  return *instance;
}

/// The specification from use_virtual_gpus() or the environment. An empty variable counts as not set.
std::optional<VirtualGpuSpecification> specification(const Runtime& state) {
  if (state.requested) return state.requested;
  const char* const text = std::getenv("D2L_VIRTUAL_GPUS");
  if (text == nullptr || *text == '\0') return std::nullopt;
  return parse_virtual_gpus(text);
}

/// From now on the GPUs have the type and the name that were asked for.
void set_gpu_type(const std::optional<VirtualGpuSpecification>& asked) {
  const bool is_named = asked && !asked->name.empty();
  if (is_named && asked->name != "privateuseone") rename_privateuse1_backend(asked->name);
  gpu_type = is_named ? kPrivateUse1 : kCUDA;
}

/// At the start of the program, so that the names of devices are known before the first use of one.
[[maybe_unused]] const bool type_is_known = []() noexcept {
  try {
    set_gpu_type(specification(runtime()));
    return true;
  } catch (...) {  // the first use of a device says what is wrong
    return false;
  }
}();

std::unique_ptr<backend::Backend> make(const VirtualGpuSpecification& asked) {
  if (asked.count > 0 && !asked.on_host) {
    if (auto slices = backend::make_card_slices(asked.count, asked.memory)) return slices;
  }
  return backend::make_virtual_gpus(asked.count, asked.memory, asked.delay_seed, asked.cores);
}

std::string notice_on_host(int count, int cores) {
  const std::string of_each = cores == 1 ? "1 core" : fmt::format("{} cores", cores);
  if (count == 1) {
    return fmt::format(
        "1 virtual GPU (host memory, {}) stands in for a real one: it shows what happens, not how fast a GPU is.",
        of_each);
  }
  return fmt::format(
      "{} virtual GPUs (host memory, {} each) stand in for real ones: they show what happens, not how fast a GPU is.",
      count, of_each);
}

std::string notice_on_card(int count, int cards, bool delays_asked_for) {
  auto text = count == 1   ? std::string("1 virtual GPU (a slice of a card) stands in for a real one.")
              : cards == 1 ? fmt::format(
                                 "{} virtual GPUs (slices of one card) stand in for real ones: they share its "
                                 "speed.",
                                 count)
                           : fmt::format(
                                 "{} virtual GPUs (slices of {} cards) stand in for real ones: those of one card "
                                 "share its speed.",
                                 count, std::min(count, cards));
  if (delays_asked_for) text += " Work on them is not delayed: that needs virtual GPUs in host memory, with @host.";
  return text;
}

std::string notice_of(const backend::Backend& gpus, const VirtualGpuSpecification& asked) {
  const int count = gpus.device_count();
  if (count == 0) return {};
  const bool on_card = gpus.properties(0).kind == DeviceKind::virtual_gpu_on_card;
  return on_card ? notice_on_card(count, backend::cuda_backend().device_count(), asked.delay_seed.has_value())
                 : notice_on_host(count, asked.cores);
}

backend::Backend& first_use() {
  Runtime& state = runtime();
  const std::lock_guard lock(state.mutex);
  if (auto* const gpus = state.gpus.load()) return *gpus;
  const auto asked = specification(state);
  set_gpu_type(asked);
  if (asked) {
    state.virtual_gpus = make(*asked);
    state.notice = notice_of(*state.virtual_gpus, *asked);
    if (state.prints_notice && !state.notice.empty()) {
      std::fprintf(stderr, "%s\n", detail::for_standard_error(state.notice).c_str());
    }
  }
  auto& gpus = state.virtual_gpus ? *state.virtual_gpus : backend::cuda_backend();
  state.gpus = &gpus;
  return gpus;
}

/// "found 1 GPU (cuda:0)".
std::string found(int count) {
  if (count == 0) return "found no GPU";
  if (count == 1) return fmt::format("found 1 GPU ({})", gpu_number(0).str());
  return fmt::format("found {} GPUs ({} to {})", count, gpu_number(0).str(), gpu_number(count - 1).str());
}

/// Why no device of this type exists.
std::string reason_for(DeviceType type) {
  switch (type) {
    case DeviceType::XPU:
      return "this library has no backend for GPUs of Intel";
    case DeviceType::MPS:
      return "this library has no backend for GPUs of Apple";
    default:
      return "no GPU of this process has this type";
  }
}

[[noreturn]] void refuse_type(Device device, int count) {
  const std::string advice =
      count > 0
          ? fmt::format("Use try_gpu({}), which is a GPU of any type", device.index())
          : "Use try_gpu(), which is the CPU here, or create virtual GPUs: set D2L_VIRTUAL_GPUS=2 before the program "
            "starts" +
                std::string(device.is_privateuseone() ? ", or D2L_VIRTUAL_GPUS=2@host,name=privateuseone" : "");
  throw DeviceError(fmt::format("[device] there is no device {}: {}; {}. {}", device.str(), reason_for(device.type()),
                                found(count), advice));
}

}  // namespace

backend::Backend& gpu_backend() {
  static auto& gpus = runtime().gpus;
  auto* const known = gpus.load(std::memory_order_acquire);
  return known != nullptr ? *known : first_use();
}

backend::Backend& backend_of(Device device) {
  if (device.is_cpu()) return backend::cpu_backend();
  auto& gpus = gpu_backend();
  const int count = gpus.device_count();
  if (device.type() != gpu_type) refuse_type(device, count);
  if (device.index() >= count) {
    throw DeviceError(fmt::format(
        "[device] CUDA error: invalid device ordinal: asked for {3}, {1}. Use an existing device, for example "
        "try_gpu({0}), or create virtual GPUs: set D2L_VIRTUAL_GPUS={2} before the program starts",
        device.index(), found(count), device.index() < 64 ? device.index() + 1 : 64, device.str()));
  }
  return gpus;
}

std::string virtual_gpu_notice() {
  gpu_backend();
  Runtime& state = runtime();
  const std::lock_guard lock(state.mutex);
  return state.notice;
}

void take_over_virtual_gpu_notice() {
  Runtime& state = runtime();
  const std::lock_guard lock(state.mutex);
  state.prints_notice = false;
}

}  // namespace d2l::detail

namespace d2l {

void use_virtual_gpus(const std::string& specification) {
  auto asked = detail::parse_virtual_gpus(specification);
  auto& state = detail::runtime();
  const std::lock_guard lock(state.mutex);
  if (state.gpus.load() != nullptr) {
    throw ConfigurationError(fmt::format(
        "[use_virtual_gpus] cannot create virtual GPUs ({0}): the program has already used a device. Call it "
        "first in main(), or set D2L_VIRTUAL_GPUS={0} before the program starts",
        specification));
  }
  detail::set_gpu_type(asked);
  state.requested = asked;
}

}  // namespace d2l
