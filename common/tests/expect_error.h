// SPDX-License-Identifier: MIT
// For tests: the error that a call raises.
#pragma once

#include <exception>
#include <string>
#include <type_traits>

#include "d2l/error.h"
#include "gtest/gtest.h"

namespace d2l::check {
class CheckError;
}  // namespace d2l::check

namespace d2l::testing {

/// Whether a message is "[operation] " and a sentence.
inline bool begins_with_operation(const std::string& message) {
  const std::string name = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789 ()<>=+*/!-";
  const auto end = message.find_first_not_of(name, 1);
  return message.starts_with("[") && message.find("] ") == end && end != std::string::npos && message.size() > end + 13;
}

/// Checks that `call` throws an E whose message contains `part`. The message of an Error, other than a CheckError, must
/// begin with "[operation] ".
template <class E, class Call>
void expect_error(const Call& call, const std::string& part) {
  try {
    static_cast<void>(call());
    ADD_FAILURE() << "nothing was thrown; expected: " << part;
  } catch (const E& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(part), std::string::npos) << "the text is: " << text;
    if constexpr (std::is_base_of_v<Error, E> && !std::is_same_v<E, check::CheckError>) {
      EXPECT_TRUE(begins_with_operation(text)) << "the text has not the form: " << text;
    }
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what() << "\nexpected: " << part;
  }
}

}  // namespace d2l::testing
