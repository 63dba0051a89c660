// SPDX-License-Identifier: MIT
#include "distributed/gloo/reductions.h"

#include <type_traits>

#include "kernels/rows.h"
#include "ops/element_type.h"

namespace d2l::distributed::detail {

namespace {

template <class T, class Join>
void apply(void* out, const void* a, const void* b, std::size_t count) {
  auto* const to = static_cast<T*>(out);
  const auto* const x = static_cast<const T*>(a);
  const auto* const y = static_cast<const T*>(b);
  // `out` may be `a`: without a word that elements are independent, the compiler would not vectorise that.
  D2L_VECTORISE
  for (std::size_t i = 0; i < count; ++i) to[i] = Join{}(x[i], y[i]);
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {  // wraps around, as on devices
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    } else {
      return a + b;
    }
  }
};
struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    } else {
      return a * b;
    }
  }
};
struct Least {
  template <class T>
  T operator()(T a, T b) const {
    return b < a || b != b ? b : a;  // NaN stays
  }
};
struct Largest {
  template <class T>
  T operator()(T a, T b) const {
    return a < b || b != b ? b : a;
  }
};
struct Or {
  bool operator()(bool a, bool b) const { return a || b; }
};
struct And {
  bool operator()(bool a, bool b) const { return a && b; }
};

template <class T>
Reduction of_numbers(ReduceOp op) {
  switch (op) {
    case ReduceOp::SUM:
    case ReduceOp::AVG:
      return apply<T, Add>;
    case ReduceOp::PRODUCT:
      return apply<T, Multiply>;
    case ReduceOp::MIN:
      return apply<T, Least>;
    case ReduceOp::MAX:
      break;
  }
  return apply<T, Largest>;
}

template <class T>
void divide_all(void* data, std::int64_t count, int divisor) {
  auto* const elements = static_cast<T*>(data);
  using Divisor = std::conditional_t<std::is_same_v<T, double>, double, float>;
  for (std::int64_t i = 0; i < count; ++i) elements[i] = static_cast<T>(elements[i] / static_cast<Divisor>(divisor));
}

}  // namespace

Reduction reduction_of(ScalarType dtype, ReduceOp op) {
  return d2l::detail::with_element_type(dtype, [op]<class T>() -> Reduction {
    if constexpr (std::is_same_v<T, bool>) {
      return op == ReduceOp::PRODUCT || op == ReduceOp::MIN ? apply<bool, And> : apply<bool, Or>;
    } else {
      return of_numbers<T>(op);
    }
  });
}

void divide(void* data, std::int64_t count, ScalarType dtype, int divisor) {
  d2l::detail::with_element_type(dtype, [=]<class T>() {
    if constexpr (d2l::detail::is_real<T>) divide_all<T>(data, count, divisor);
  });
}

}  // namespace d2l::distributed::detail
