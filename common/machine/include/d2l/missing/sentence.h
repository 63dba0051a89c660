// SPDX-License-Identifier: MIT
/// @file
/// How a name that the library does not have fails to compile: with a sentence that says so, and what to use.
#pragma once

#include <cstddef>

namespace d2l::detail {

/// A text as an argument of a template, which the compiler prints when it refuses a call.
template <std::size_t size>
struct Sentence {
  // NOLINTNEXTLINE(google-explicit-constructor, cppcoreguidelines-avoid-c-arrays)
  consteval Sentence(const char (&text)[size]) {
    for (std::size_t i = 0; i < size; ++i) letters[i] = text[i];
  }
  char letters[size]{};  // NOLINT(cppcoreguidelines-avoid-c-arrays)
};

/// False: the condition of what does not exist. The compiler prints the sentence with the condition.
template <class... Arguments>
consteval bool exists(const char* /*sentence*/) {
  return false;
}

}  // namespace d2l::detail

/// Declares a function that no call can use. GCC prints the argument of the first declaration in the line of the error,
/// and Clang prints the condition of the second below it. `requires { x.median(); }` is false. Every function of the
/// program's own is a better match than `...`.
#define D2L_MISSING_CALL(name, sentence)                \
  template <::d2l::detail::Sentence says = sentence>    \
  void name(...) = delete; /* NOLINT(cert-dcl50-cpp) */ \
  template <class... Arguments>                         \
  requires(::d2l::detail::exists<Arguments...>(sentence)) void name(Arguments&&...);

/// Declares an operator of two operands as a member that no expression can use, by the same two declarations.
#define D2L_MISSING_OPERATOR(name, sentence)                      \
  template <class Other, ::d2l::detail::Sentence says = sentence> \
  void name(const Other&) const = delete;                         \
  template <class Other>                                          \
  requires(::d2l::detail::exists<Other>(sentence)) void name(const Other&) const;

/// Defines a class that no arguments can construct, by the same two declarations.
#define D2L_MISSING_CLASS(name, sentence)                                                  \
  struct name {                                                                            \
    template <::d2l::detail::Sentence says = sentence>                                     \
    explicit name(...) = delete; /* NOLINT(cert-dcl50-cpp) */                              \
    template <class... Arguments>                                                          \
    requires(::d2l::detail::exists<Arguments...>(sentence)) explicit name(Arguments&&...); \
  };
