// SPDX-License-Identifier: MIT
/// @file
/// The functions, classes and constants of PyTorch that the library does not have. Their use does not compile and says
/// what to use; see missing/names.h for the lists.
///
/// They are in namespaces of their own, so that a declaration of the same name in d2l hides them, and that
/// argument-dependent lookup does not find them: `meshgrid(x)` with a function of the program's own stays that
/// function.
#pragma once

#include "d2l/dtype.h"
#include "d2l/missing/names.h"
#include "d2l/missing/sentence.h"

/// @cond
namespace d2l {

namespace detail {

/// The type of a constant that does not exist.
template <Sentence says>
struct MissingDtype {
  operator ScalarType() const = delete;  // NOLINT(google-explicit-constructor)
};

}  // namespace detail

/// Functions and dtypes that do not exist.
namespace missing {
#define D2L_MISSING(name, advice) D2L_MISSING_CALL(name, "d2l has no " #name "(): " advice)
D2L_MISSING_OPERATIONS(D2L_MISSING)
D2L_MISSING_FUNCTIONS(D2L_MISSING)
#undef D2L_MISSING
#define D2L_MISSING(name, advice) inline constexpr detail::MissingDtype<"d2l has no " #name ": " advice> name{};
D2L_MISSING_DTYPES(D2L_MISSING)
#undef D2L_MISSING
}  // namespace missing
using namespace missing;  // NOLINT(google-build-using-namespace)

/// Linear algebra, of which the library has matmul() and its kin alone.
namespace linalg {
#define D2L_MISSING(name, advice) D2L_MISSING_CALL(name, "d2l has no linalg::" #name "(): " advice)
D2L_MISSING_LINALG(D2L_MISSING)
#undef D2L_MISSING
}  // namespace linalg

namespace nn {

/// Layers and losses that do not exist.
namespace missing {
#define D2L_MISSING(name, advice)                              \
  D2L_MISSING_CLASS(name, "d2l has no nn::" #name ": " advice) \
  D2L_MISSING_CLASS(name##Options, "d2l has no nn::" #name "Options: " advice)
D2L_MISSING_MODULES(D2L_MISSING)
#undef D2L_MISSING
}  // namespace missing
using namespace missing;  // NOLINT(google-build-using-namespace)

namespace functional {
/// Functions that do not exist.
namespace missing {
#define D2L_MISSING(name, advice) D2L_MISSING_CALL(name, "d2l has no nn::functional::" #name "(): " advice)
D2L_MISSING_FUNCTIONAL(D2L_MISSING)
#undef D2L_MISSING
#define D2L_MISSING(name, advice) D2L_MISSING_CLASS(name, "d2l has no nn::functional::" #name ": " advice)
D2L_MISSING_FUNCTIONAL_OPTIONS(D2L_MISSING)
#undef D2L_MISSING
}  // namespace missing
using namespace missing;  // NOLINT(google-build-using-namespace)
}  // namespace functional

namespace init {
/// Functions that do not exist.
namespace missing {
#define D2L_MISSING(name, advice) D2L_MISSING_CALL(name, "d2l has no nn::init::" #name "(): " advice)
D2L_MISSING_INIT(D2L_MISSING)
#undef D2L_MISSING
}  // namespace missing
using namespace missing;  // NOLINT(google-build-using-namespace)
}  // namespace init

}  // namespace nn

namespace optim {
/// Optimizers and schedules that do not exist.
namespace missing {
#define D2L_MISSING(name, advice) D2L_MISSING_CLASS(name, "d2l has no optim::" #name ": " advice)
D2L_MISSING_OPTIMISERS(D2L_MISSING)
#undef D2L_MISSING
}  // namespace missing
using namespace missing;  // NOLINT(google-build-using-namespace)
}  // namespace optim

}  // namespace d2l
/// @endcond
