// SPDX-License-Identifier: MIT
#include "printing/printing_elements.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "d2l/ops.h"
#include "ops/element_type.h"
#include "tensor/copies.h"

namespace d2l::detail {
namespace {

constexpr std::int64_t summary_threshold = 1000;
constexpr int precision = 4;

/// A tensor of the shown elements only, on the same device. It shortens the largest dimension first, to copy the least.
Tensor only_shown(const Tensor& tensor, const Shown& shown) {
  Tensor part = tensor;
  while (true) {
    int largest = -1;
    for (int d = 0; d < shown.sizes.count; ++d) {
      const bool uncut = part.size(d) > shown.sizes[d];
      if (uncut && (largest < 0 || part.size(d) > part.size(largest))) largest = d;
    }
    if (largest < 0) return part;
    part = cat({part.slice(largest, 0, edge_items), part.slice(largest, -edge_items)}, largest);
  }
}

/// Calls `visit` with each shown element of strided host memory, in row-major order.
template <class T, class Visit>
void for_each_shown(const T* data, const TensorImpl& layout, const Shown& shown, int dimension, const Visit& visit) {
  if (dimension == shown.sizes.count) return visit(*data);
  for (std::int64_t i = 0; i < shown.sizes[dimension]; ++i) {
    const bool in_tail = i >= edge_items && layout.sizes[dimension] > shown.sizes[dimension];
    const std::int64_t index = in_tail ? layout.sizes[dimension] - shown.sizes[dimension] + i : i;
    for_each_shown(data + index * layout.strides[dimension], layout, shown, dimension + 1, visit);
  }
}

/// The common format of all floating-point numbers of a tensor.
class NumberFormat {
 public:
  /// Adapts the format to a number.
  void consider(double value) {
    if (!std::isfinite(value) || value == 0) return;
    const double magnitude = std::abs(value);
    smallest_ = std::min(smallest_, magnitude);
    largest_ = std::max(largest_, magnitude);
    integral_ = integral_ && value == std::ceil(value);
  }
  void write(double value, Texts& texts) const {
    if (std::isnan(value)) return texts.append("nan", false);
    if (std::isinf(value)) return texts.append(value < 0 ? "-inf" : "inf", false);
    std::array<char, 32> buffer{};
    char* const begin = buffer.data();
    char* end = begin + buffer.size();
    if (scientific()) {
      end = std::to_chars(begin, end, value, std::chars_format::scientific, precision).ptr;
    } else {
      end = std::to_chars(begin, end, value, std::chars_format::fixed, integral_ ? 0 : precision).ptr;
      if (integral_) *end++ = '.';
    }
    texts.append({begin, static_cast<std::size_t>(end - begin)}, value != 0);
  }

 private:
  [[nodiscard]] bool scientific() const {
    return largest_ > 0 && (largest_ / smallest_ > 1000 || largest_ > 1e8 || (!integral_ && smallest_ < 1e-4));
  }

  double smallest_ = std::numeric_limits<double>::infinity();
  double largest_ = 0;
  bool integral_ = true;
};

template <class T>
void write_numbers(const T* data, const TensorImpl& layout, const Shown& shown, Texts& texts) {
  if constexpr (is_real<T>) {
    NumberFormat format;
    for_each_shown(data, layout, shown, 0, [&](T value) { format.consider(static_cast<double>(value)); });
    for_each_shown(data, layout, shown, 0, [&](T value) { format.write(static_cast<double>(value), texts); });
  } else if constexpr (std::is_same_v<T, bool>) {
    for_each_shown(data, layout, shown, 0, [&](bool value) { texts.append(value ? "True" : "False", true); });
  } else {
    for_each_shown(data, layout, shown, 0, [&](T value) {
      std::array<char, 24> buffer{};
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
      texts.append({buffer.data(), static_cast<std::size_t>(end - buffer.data())}, true);
    });
  }
}

/// A host tensor to read from: the CPU tensor itself, after its pending copies, or a copy from a GPU.
Tensor readable(const Tensor& tensor, const Shown& shown) {
  if (!tensor.is_cpu()) return to_host(only_shown(tensor, shown), "repr", true);
  static_cast<void>(tensor.data_ptr());
  return tensor;
}

}  // namespace

Shown shown_part(const TensorImpl& tensor) noexcept {
  Shown shown;
  shown.sizes.count = tensor.sizes.count;
  const bool summarised = tensor.numel > summary_threshold;
  for (int d = 0; d < tensor.sizes.count; ++d) {
    const bool cut = summarised && tensor.sizes[d] > 2 * edge_items;
    shown.cut[static_cast<std::size_t>(d)] = cut;
    shown.sizes[d] = cut ? 2 * edge_items : tensor.sizes[d];
    shown.count *= shown.sizes[d];
  }
  return shown;
}

Texts read_texts(const Tensor& tensor, const Shown& shown) {
  const Tensor host = readable(tensor, shown);
  const TensorImpl& layout = *host.impl();
  Texts texts(shown.count);
  with_element_type(layout.dtype,
                    [&]<class T>() { write_numbers(static_cast<const T*>(layout.data()), layout, shown, texts); });
  return texts;
}

}  // namespace d2l::detail
