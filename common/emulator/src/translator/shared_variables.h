// SPDX-License-Identifier: MIT
// Static __shared__ variables: of a function, and at namespace scope, where each function that uses one gets a
// reference.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "syntax.h"

namespace d2l::emulator::translator {

/// The declaration [begin, end) of __shared__ variables of a function: each becomes a reference to an object that knows
/// its name and has unused bytes around it. Empty if it is no such declaration.
std::string shared_variables_of_function(const Syntax& syntax, int begin, int end);

/// The __shared__ variables that a file declares outside of functions.
class SharedVariables {
 public:
  explicit SharedVariables(const Syntax& syntax) : syntax_(syntax) {}

  /// What stands for the declaration [begin, end) at namespace scope; empty if it is no such declaration.
  std::string declare(int begin, int end);
  /// If the token is the first use of a variable in a function: the '{' of its body, and what follows it. Else -1.
  std::pair<int, std::string> used_at(int i);

 private:
  [[nodiscard]] bool is_hidden(int i, int body) const;
  [[nodiscard]] bool is_declared_at(int i) const;

  const Syntax& syntax_;
  std::vector<std::string> names_;
  std::vector<std::pair<int, std::string_view>> referred_;  ///< bodies of functions, and what they have a reference to
};

}  // namespace d2l::emulator::translator
