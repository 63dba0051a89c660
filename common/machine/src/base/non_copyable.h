// SPDX-License-Identifier: MIT
// NonCopyable: the base of classes that must not be copied.
#pragma once

namespace d2l::detail {

class NonCopyable {
 protected:
  NonCopyable() = default;
  ~NonCopyable() = default;

 public:
  NonCopyable(const NonCopyable&) = delete;
  NonCopyable& operator=(const NonCopyable&) = delete;
};

}  // namespace d2l::detail
