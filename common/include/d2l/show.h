// SPDX-License-Identifier: MIT
/// @file
/// show: what a lesson prints, in the terminal beside its code, or captured as the outputs of its cells.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "d2l/caller.h"
#include "d2l/d2l.h"
#include "d2l/repr.h"

namespace d2l {

namespace detail {
void show_text(const std::string& text, Caller caller);
void show_tuple(const std::vector<std::string>& texts, Caller caller);
/// Asks the driver whether a tensor is where its label says; DeviceError when it is not. Other values have no place.
void check_place(const Tensor& tensor);
template <class T>
void check_place(const T& /*value*/) {}
template <class T>
std::string shown(const T& value) {
  check_place(value);
  return repr(value);
}
}  // namespace detail

/// Shows a value as the output of the cell that the call stands in; DeviceError for a tensor that is not where its
/// label says.
template <class A>
void show(const A& a, detail::Caller caller = detail::Caller::here()) {
  detail::show_text(detail::shown(a), caller);
}
///@{
/// Shows several values as Python shows a tuple.
template <class A, class B>
requires(!std::same_as<B, detail::Caller>) void show(const A& a, const B& b,
                                                     detail::Caller caller = detail::Caller::here()) {
  detail::show_tuple({detail::shown(a), detail::shown(b)}, caller);
}
template <class A, class B, class C>
requires(!std::same_as<C, detail::Caller>) void show(const A& a, const B& b, const C& c,
                                                     detail::Caller caller = detail::Caller::here()) {
  detail::show_tuple({detail::shown(a), detail::shown(b), detail::shown(c)}, caller);
}
///@}

/// What varies from run to run: a number with its unit, and the range that a test holds it to.
void show_measured(double value, const std::string& unit, double low, double high, const std::string& label = "",
                   detail::Caller caller = detail::Caller::here());
/// Text that varies from machine to machine, such as a card's name; `label` says what it is.
void show_measured(const std::string& text, const std::string& label, detail::Caller caller = detail::Caller::here());
/// A picture, as the text of an SVG file; `alternative` describes it in words.
void show_svg(const std::string& svg, const std::string& alternative, detail::Caller caller = detail::Caller::here());

}  // namespace d2l
