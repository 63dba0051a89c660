// SPDX-License-Identifier: MIT
// Calls that must fail, and the form of their errors.
#pragma once

#include <functional>
#include <memory>
#include <regex>
#include <string>
#include <type_traits>
#include <vector>

#include "every_device.h"

namespace d2l::refusals {

using testing::list;

/// The CPU and all GPUs.
inline std::vector<Device> everywhere() {
  std::vector<Device> devices{cpu()};
  for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
  return devices;
}

/// Empty if `action` throws an E whose text begins with "[operation] ", else what was wrong.
template <class E>
std::string complaint(const std::function<void()>& action) {
  static const std::regex form(R"(^\[[A-Za-z_][A-Za-z_0-9 ()<>=+*/!-]*\] [^]{12,}$)");
  try {
    action();
  } catch (const Error& error) {
    if constexpr (!std::is_same_v<E, Error>) {
      if (dynamic_cast<const E*>(&error) == nullptr) return std::string("another class of error: ") + error.what();
    }
    return std::regex_match(error.what(), form) ? "" : std::string("its text has not the form: ") + error.what();
  } catch (const std::exception& error) {
    return std::string("an error that is not ours: ") + error.what();
  }
  return "it was not refused";
}

/// One call that must fail.
struct Case {
  std::string name;
  std::function<std::string(Device)> run;  ///< what was wrong with the error; empty if nothing
};

template <class E, class Action>
Case refuses(const std::string& name, Action action) {
  return {name, [action](Device device) { return complaint<E>([&] { action(device); }); }};
}

/// Checks a small computation on `device`: a failed call must have no effect.
inline void expect_all_is_well(Device device) {
  const auto x = arange(6, TensorOptions(device).dtype(kFloat)).view({2, 3});
  EXPECT_EQ((x + 1).to_vector<float>(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(x.mm(x.t()).sum().item<float>(), 83);
}

inline void expect_refusals(const std::vector<Case>& cases) {
  for (const auto device : everywhere()) {
    for (const auto& [name, run] : cases) {
      SCOPED_TRACE(name + " on " + device.str());
      EXPECT_EQ(run(device), "");
    }
    expect_all_is_well(device);
  }
}

}  // namespace d2l::refusals
