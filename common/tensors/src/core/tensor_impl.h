// SPDX-License-Identifier: MIT
// TensorImpl: the object behind a Tensor, a strided view of a storage. Its destructor is defined in autograd/.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/non_copyable.h"
#include "core/storage.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// A short list of sizes or strides, stored in place.
struct Dimensions {
  std::array<std::int64_t, max_dimensions> values{};
  int count = 0;

  [[nodiscard]] IntArrayRef ref() const { return {values.data(), static_cast<std::size_t>(count)}; }
  [[nodiscard]] std::int64_t operator[](int i) const { return values[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::int64_t& operator[](int i) { return values[static_cast<std::size_t>(i)]; }
};

inline bool same(const Dimensions& a, const Dimensions& b) noexcept { return a.ref() == b.ref(); }

/// The size of one element in bytes: an inline elementSize() for hot paths.
constexpr std::int64_t bytes_each(ScalarType type) noexcept {
  constexpr std::array<std::int64_t, scalar_type_count> sizes{1, 1, 4, 8, 2, 2, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

struct RecordedOperation;

/// Whether a tensor is a parameter of a module.
enum class ParameterState : std::int8_t {
  none,
  parameter,
  uninitialized,  ///< has a device and a dtype but no shape yet; only its layer may set one
};

/// Elements of a storage, and their arrangement.
struct StridedView {
  std::shared_ptr<Storage> storage;
  Dimensions sizes;
  Dimensions strides;  // in elements
  std::int64_t offset = 0;
  std::int64_t numel = 0;
  ScalarType dtype = kFloat;
  bool contiguous = true;
  bool behind_autograd = false;  ///< data() or a view of it: writes through it are not counted

  [[nodiscard]] Device device() const noexcept { return storage->device(); }
  /// The address of the first element. Without elements that of the storage, which may be null.
  [[nodiscard]] void* data() const noexcept {
    return static_cast<char*>(storage->data()) + (numel == 0 ? 0 : offset * bytes_each(dtype));
  }
};

/// Called by backward() with a leaf once its gradient of this call is complete.
using GradientHook = std::function<void(TensorImpl&)>;
/// The number of hooks; without any, backward() does not look for them.
inline std::atomic<int> gradient_hook_count{0};

struct TensorImpl : StridedView, NonCopyable {
  /// True for a leaf that requires gradients, and for the result of a recorded operation.
  bool requires_grad = false;
  ParameterState parameter = ParameterState::none;
  bool of_leaf_view = false;       ///< a view of a view that requires gradients as a leaf, which is not its base
  std::uint32_t seen_version = 0;  ///< of a view with a base: the version of the storage to which grad_fn belongs
  std::shared_ptr<RecordedOperation> grad_fn;
  Tensor grad;
  std::vector<std::shared_ptr<const GradientHook>> gradient_hooks;  ///< set by autograd/gradient_hooks.h
  std::shared_ptr<TensorImpl> base;  ///< the base of a view, if gradients need it; never itself a view

  TensorImpl() = default;
  /// The same elements without history.
  explicit TensorImpl(const StridedView& view) : StridedView(view) {}
  ~TensorImpl();
};

}  // namespace d2l::detail
