// SPDX-License-Identifier: MIT
#include "array_ops/equation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/messages.h"
#include "d2l/error.h"

namespace d2l::detail {

namespace {

constexpr const char* advice = "name each dimension by a letter, as in \"ij,jk->ik\"";

[[noreturn]] void refuse(const std::string& what) { fail<ValueError>("einsum", "einsum(): " + what, {}, advice); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

[[noreturn]] void refuse_character(std::size_t index) {
  refuse(
      fmt::format("invalid subscript given at index {} in the equation string, subscripts must be in [a-zA-Z]", index));
}

/// The letters of one operand and the place of its ellipsis.
struct Subscripts {
  Labels labels;
  std::optional<std::size_t> ellipsis;
};

}  // namespace

std::string text_of(Label label) { return label < 0 ? "..." : std::string(1, static_cast<char>(label)); }

Equation::Equation(std::string_view text, const std::vector<std::int64_t>& dims) {
  if (dims.empty()) refuse("must provide at least one operand");
  const auto arrow = text.find("->");
  read_inputs(text.substr(0, arrow), dims);
  if (arrow == std::string_view::npos) {
    infer_output();
  } else {
    read_output(text.substr(arrow + 2), arrow + 2);
  }
}

void Equation::read_inputs(std::string_view left, const std::vector<std::int64_t>& dims) {
  std::vector<Subscripts> operands(1);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const char c = left[i];
    Subscripts& operand = operands.back();
    if (c == ' ') continue;
    if (c == ',') {
      operands.emplace_back();
      if (operands.size() > dims.size()) refuse("fewer operands were provided than specified in the equation");
    } else if (c == '.') {
      const auto number = operands.size() - 1;
      if (operand.ellipsis) {
        refuse(fmt::format("found '.' for operand {} for which an ellipsis was already found", number));
      }
      if (left.substr(i, 3) != "...") {
        refuse(fmt::format("found '.' for operand {} that is not part of any ellipsis", number));
      }
      operand.ellipsis = operand.labels.size();
      i += 2;
    } else if (is_letter(c)) {
      operand.labels.push_back(c);
    } else {
      refuse_character(i);
    }
  }
  if (operands.size() < dims.size()) refuse("more operands were provided than specified in the equation");
  for (std::size_t i = 0; i < operands.size(); ++i) {
    auto& [labels, ellipsis] = operands[i];
    const auto letters = static_cast<std::int64_t>(labels.size());
    if (ellipsis ? letters > dims[i] : letters != dims[i]) {
      refuse(
          fmt::format("the number of subscripts in the equation ({}) {} the number of dimensions ({}) for operand "
                      "{}{}",
                      letters, ellipsis ? "is more than" : "does not match", dims[i], i,
                      ellipsis ? "" : " and no ellipsis was given"));
    }
    if (ellipsis) {
      const auto covered = static_cast<int>(dims[i] - letters);
      ellipsis_ = std::max(ellipsis_, covered);
      Labels numbers;
      for (int label = -covered; label < 0; ++label) numbers.push_back(label);
      labels.insert(labels.begin() + static_cast<std::ptrdiff_t>(*ellipsis), numbers.begin(), numbers.end());
    }
    inputs_.push_back(std::move(labels));
  }
}

void Equation::read_output(std::string_view right, std::size_t offset) {
  bool has_ellipsis = false;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const char c = right[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (has_ellipsis) refuse("found '.' for output but an ellipsis (...) was already found");
      if (right.substr(i, 3) != "...") refuse("found '.' for output that is not part of any ellipsis (...)");
      for (int label = -ellipsis_; label < 0; ++label) output_.push_back(label);
      has_ellipsis = true;
      i += 2;
      continue;
    }
    if (!is_letter(c)) refuse_character(offset + i);
    if (std::ranges::find(output_, Label{c}) != output_.end()) {
      refuse(fmt::format("output subscript {} appears more than once in the output", c));
    }
    const bool known = std::ranges::any_of(
        inputs_, [c](const Labels& labels) { return std::ranges::find(labels, Label{c}) != labels.end(); });
    if (!known) refuse(fmt::format("output subscript {} does not appear in the equation for any input operand", c));
    output_.push_back(c);
  }
}

void Equation::infer_output() {
  for (int label = -ellipsis_; label < 0; ++label) output_.push_back(label);
  for (int c = 'A'; c <= 'z'; ++c) {
    std::ptrdiff_t count = 0;
    for (const Labels& labels : inputs_) count += std::ranges::count(labels, c);
    if (count == 1) output_.push_back(c);
  }
}

}  // namespace d2l::detail
