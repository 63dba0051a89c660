// SPDX-License-Identifier: MIT
// Calls that must fail.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "every_device.h"
#include "kernels/operations.h"

namespace d2l::testing::refusals {

constexpr std::int64_t huge = std::int64_t{1} << 40;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

inline Tensor six(Device device) { return ones({2, 3}, device); }

/// One call that must fail, with the check of its error.
struct Case {
  std::string name;
  std::function<void(Device)> check;
};

template <class E, class Action>
Case refuses(const std::string& name, Action action) {
  return {name, [action](Device device) { expect_error<E>([&] { action(device); }, ""); }};
}

/// Checks a small computation on `device`: a failed call must have no effect.
inline void expect_all_is_well(Device device) {
  const auto x = arange(6, TensorOptions(device).dtype(kFloat)).view({2, 3});
  EXPECT_EQ((x + 1).to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(x.mm(x.t()).sum().item<float>(), 83);
}

inline void expect_refusals(const std::vector<Case>& cases) {
  on_every_device([&](Device device) {
    for (const auto& [name, check] : cases) {
      SCOPED_TRACE(name);
      check(device);
    }
    expect_all_is_well(device);
  });
}

using Binary = std::function<void(const Tensor&, const Tensor&)>;

/// The operations of two tensors that must be on one device.
inline std::vector<std::pair<std::string, Binary>> operations_of_two() {
#define D2L_BINARY(name, ...) {#name, [](const Tensor& a, const Tensor& b) { (void)a.name(b); }},
#define D2L_IN_PLACE(name, ...) {#name "_", [](const Tensor& a, const Tensor& b) { Tensor(a).name##_(b); }},
  return {D2L_BINARY_OPERATIONS(D2L_BINARY) D2L_PAIR_OPERATIONS(D2L_BINARY) D2L_COMPARISONS(D2L_BINARY)
              D2L_LOGICAL_OPERATIONS(D2L_BINARY) D2L_BINARY_OPERATIONS(D2L_IN_PLACE)
                  D2L_LOGICAL_OPERATIONS(D2L_IN_PLACE)
#undef D2L_BINARY
#undef D2L_IN_PLACE
                      {"clamp", [](const Tensor& a, const Tensor& b) { (void)a.clamp(b); }},
          {"clamp both", [](const Tensor& a, const Tensor& b) { (void)a.clamp(b, b); }},
          {"clamp_", [](const Tensor& a, const Tensor& b) { Tensor(a).clamp_(b); }},
          {"clamp_min", [](const Tensor& a, const Tensor& b) { (void)a.clamp_min(b); }},
          {"clamp_max_", [](const Tensor& a, const Tensor& b) { Tensor(a).clamp_max_(b); }},
          {"add alpha", [](const Tensor& a, const Tensor& b) { (void)add(a, b, 2); }},
          {"matmul", [](const Tensor& a, const Tensor& b) { (void)a.matmul(b); }},
          {"mm", [](const Tensor& a, const Tensor& b) { (void)a.mm(b); }},
          {"bmm", [](const Tensor& a, const Tensor& b) { (void)a.unsqueeze(0).bmm(b.unsqueeze(0)); }},
          {"mv", [](const Tensor& a, const Tensor& b) { (void)a.mv(b[0]); }},
          {"dot", [](const Tensor& a, const Tensor& b) { (void)a.flatten().dot(b.flatten()); }},
          {"outer", [](const Tensor& a, const Tensor& b) { (void)a.flatten().outer(b.flatten()); }},
          {"cat", [](const Tensor& a, const Tensor& b) { (void)cat(list(a, b)); }},
          {"stack", [](const Tensor& a, const Tensor& b) { (void)stack(list(a, b)); }},
          {"allclose", [](const Tensor& a, const Tensor& b) { (void)a.allclose(b); }},
          {"equal", [](const Tensor& a, const Tensor& b) { (void)a.equal(b); }}};
}

}  // namespace d2l::testing::refusals
