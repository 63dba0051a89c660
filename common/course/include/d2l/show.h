// SPDX-License-Identifier: MIT
/// @file
/// show: prints a value after the code of its cell, or captures it as an output of that cell.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "d2l/caller.h"
#include "d2l/d2l.h"
#include "d2l/kernel_report.h"
#include "d2l/repr.h"

namespace d2l {

namespace detail {
void show_text(const std::string& text, Caller caller);
void show_tuple(const std::vector<std::string>& texts, Caller caller);
/// DeviceError unless the driver confirms the device of a tensor. Other values have no device.
void check_place(const Tensor& tensor);
template <class T>
void check_place(const T& /*value*/) {}
template <class T>
std::string shown(const T& value) {
  static_assert(
      requires { repr(value); }, "show() needs a value that repr() can print, or a repr() for this class");
  check_place(value);
  if constexpr (requires { repr(value); }) return repr(value);
}
}  // namespace detail

/// Shows a value as an output of the cell that contains the call. DeviceError for a tensor whose memory is not on its
/// device.
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

/// Shows a number that varies from run to run, with its unit; tests check that it is between `low` and `high`.
void show_measured(double value, const std::string& unit, double low, double high, const std::string& label = "",
                   detail::Caller caller = detail::Caller::here());
/// Shows text that varies from machine to machine, such as a card's name; `label` describes it.
void show_measured(const std::string& text, const std::string& label, detail::Caller caller = detail::Caller::here());
/// Shows a picture: `svg` is the text of an SVG file, and `alternative` describes the picture in words.
void show_svg(const std::string& svg, const std::string& alternative, detail::Caller caller = detail::Caller::here());
/// Shows a picture of the course, chapters/…/figures/NAME.svg, which describes itself in its element `desc`. ValueError
/// for another name.
void show_figure(const std::string& name, detail::Caller caller = detail::Caller::here());

/// Shows one of a kernel's requests, as request_svg() draws it and in words: the most expensive one of an array, a
/// parameter or a variable of the kernel, or of all arrays if no name is given; of equal ones that of the last line.
/// Where nothing is counted, as on a card, it shows a text that says so. ValueError for another name.
void show_kernel_report(const std::vector<WarpRequest>& requests, const std::string& array = "",
                        detail::Caller caller = detail::Caller::here());
/// The same for the kernels that `work` launches; it waits for them.
template <std::invocable Work>
void show_kernel_report(const Work& work, const std::string& array = "",
                        detail::Caller caller = detail::Caller::here()) {
  show_kernel_report(requests_of(work), array, caller);
}

}  // namespace d2l
