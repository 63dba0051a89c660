// SPDX-License-Identifier: MIT
// PTX instructions that compute values.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <unordered_map>

#include "ptx_instruction.h"

namespace d2l::emulator::translator {
namespace {

using Words = std::unordered_map<std::string_view, std::string_view>;

/// Instructions with one result. $1 to $4 are the sources as values of the instruction's type, $u2 the second one as
/// an unsigned int.
const Words values = {
    {"mov", "$1"},
    {"cvta", "$1"},
    {"add", "$1 + $2"},
    {"sub", "$1 - $2"},
    {"mul", "$1 * $2"},
    {"mul.lo", "$1 * $2"},
    {"mul24.lo", "$1 * $2"},
    {"mul.hi", "d2l_ptx::high($1, $2)"},
    {"mul.wide", "d2l_ptx::wide($1) * d2l_ptx::wide($2)"},
    {"mad.lo", "$1 * $2 + $3"},
    {"mad.hi", "d2l_ptx::high($1, $2) + $3"},
    {"mad", "fma($1, $2, $3)"},
    {"fma", "fma($1, $2, $3)"},
    {"div", "$1 / $2"},
    {"rem", "$1 % $2"},
    {"neg", "-$1"},
    {"abs", "d2l_ptx::absolute($1)"},
    {"min", "d2l_ptx::minimum($1, $2)"},
    {"max", "d2l_ptx::maximum($1, $2)"},
    {"sad", "d2l_ptx::maximum($1, $2) - d2l_ptx::minimum($1, $2) + $3"},
    {"and", "$1 & $2"},
    {"or", "$1 | $2"},
    {"xor", "$1 ^ $2"},
    {"not", "d2l_ptx::complement($1)"},
    {"cnot", "$1 == 0 ? 1 : 0"},
    {"shl", "d2l_ptx::shift_left($1, $u2)"},
    {"shr", "d2l_ptx::shift_right($1, $u2)"},
    {"shf.l.wrap", "__funnelshift_l($1, $2, $3)"},
    {"shf.r.wrap", "__funnelshift_r($1, $2, $3)"},
    {"shf.l.clamp", "__funnelshift_lc($1, $2, $3)"},
    {"shf.r.clamp", "__funnelshift_rc($1, $2, $3)"},
    {"lop3", "d2l_ptx::logic3($1, $2, $3, $4)"},
    {"prmt", "__byte_perm($1, $2, $3)"},
    {"bfe", "d2l_ptx::extract($1, $u2, $u3)"},
    {"bfi", "d2l_ptx::insert($1, $2, $u3, $u4)"},
    {"bfind", "d2l_ptx::highest_bit($1)"},
    {"brev", "d2l_ptx::reversed($1)"},
    {"popc", "std::popcount($1)"},
    {"clz", "std::countl_zero($1)"},
    {"dp4a", "__dp4a($1, $2, $3)"},
    {"rcp", "1 / $1"},
    {"sqrt", "sqrt($1)"},
    {"rsqrt", "1 / sqrt($1)"},
    {"sin", "sin($1)"},
    {"cos", "cos($1)"},
    {"lg2", "log2($1)"},
    {"ex2", "exp2($1)"},
    {"tanh", "tanh($1)"},
    {"copysign", "copysign($2, $1)"},
};

/// In a signed type these could overflow, which C++ does not define; the bits are the same in the unsigned one.
bool may_overflow(std::string_view name) {
  constexpr std::array names = {"add", "sub", "mul", "mul.lo", "mad.lo", "neg", "mul24.lo"};
  return std::ranges::find(names, name) != names.end();
}

std::string wide_of(const std::string& type) {
  if (type == "int") return "long long";
  if (type == "unsigned") return "unsigned long long";
  return type == "short" ? "int" : "unsigned";
}

std::string with_sources(std::string_view form, const PtxInstruction& instruction, const std::string& type) {
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '$') {
      text += form[i];
      continue;
    }
    const bool as_unsigned = form[i + 1] == 'u';
    if (as_unsigned) ++i;
    const auto source = static_cast<std::size_t>(form[++i] - '0');
    if (source >= instruction.operands.size()) return "";
    text += ptx_value(instruction.operands[source], as_unsigned ? "unsigned" : type);
  }
  return text;
}

std::optional<std::string> plain_statement(const PtxInstruction& instruction) {
  const std::string key = ptx_key(instruction);
  const auto found = values.find(key);
  auto type = ptx_last_type(instruction);
  if (found == values.end() || !type || instruction.operands.empty()) return std::nullopt;
  if (may_overflow(key) || key == "popc" || key == "clz") type = ptx_unsigned(*type);
  std::string value = with_sources(found->second, instruction, *type);
  if (value.empty()) return std::nullopt;
  const std::string result = key == "mul.wide"                                 ? wide_of(*type)
                             : key == "popc" || key == "clz" || key == "bfind" ? "unsigned"
                                                                               : *type;
  value = "static_cast<" + result + ">(" + value + ")";
  if (instruction.has("sat")) value = "d2l_ptx::saturated(" + value + ")";
  return ptx_set(instruction.operands[0], value);
}

/// {a, b} of mov: the halves of a value.
std::optional<std::string> pack_statement(const PtxInstruction& instruction) {
  if (instruction.name[0] != "mov" || instruction.operands.size() != 2) return std::nullopt;
  const std::string& to = instruction.operands[0];
  const std::string& from = instruction.operands[1];
  const std::string half = instruction.name.back() == "b64" ? "unsigned" : "unsigned short";
  const std::string whole = instruction.name.back() == "b64" ? "unsigned long long" : "unsigned";
  const std::string bits = instruction.name.back() == "b64" ? "32" : "16";
  if (to.starts_with('{')) {
    const auto parts = ptx_parts(to.substr(1, to.size() - 2), ',');
    if (parts.size() != 2) return std::nullopt;
    return "const auto d2l_whole = " + ptx_value(from, whole) + "; " +
           ptx_set(parts[0], "static_cast<" + half + ">(d2l_whole)") +
           ptx_set(parts[1], "static_cast<" + half + ">(d2l_whole >> " + bits + ")");
  }
  if (!from.starts_with('{')) return std::nullopt;
  const auto parts = ptx_parts(from.substr(1, from.size() - 2), ',');
  if (parts.size() != 2) return std::nullopt;
  return ptx_set(to, "static_cast<" + whole + ">(" + ptx_value(parts[0], half) + " | static_cast<" + whole + ">(" +
                         ptx_value(parts[1], half) + ") << " + bits + ")");
}

/// Additions with the carry of the instruction before.
std::optional<std::string> carry_statement(const PtxInstruction& instruction) {
  const std::string& name = instruction.name[0];
  const bool uses = name == "addc" || name == "subc" || name == "madc";
  if (!uses && !instruction.has("cc")) return std::nullopt;
  auto type = ptx_last_type(instruction);
  const std::size_t sources = name.starts_with("mad") ? 3 : 2;
  if (!type || instruction.operands.size() != sources + 1) return std::nullopt;
  type = ptx_unsigned(*type);
  std::string first = ptx_value(instruction.operands[1], *type);
  if (sources == 3) {
    const std::string second = ptx_value(instruction.operands[2], *type);
    first = instruction.has("hi") ? "d2l_ptx::high(" + first + ", " + second + ")" : first + " * " + second;
  }
  const std::string last = ptx_value(instruction.operands[sources], *type);
  if (!name.starts_with("add") && !name.starts_with("sub") && !name.starts_with("mad")) return std::nullopt;
  return ptx_set(instruction.operands[0], std::string("d2l_ptx::") + (name.starts_with("sub") ? "borrow" : "carry") +
                                              "<" + *type + ">(" + first + ", " + last + ", " +
                                              (uses ? "d2l_carry" : "0") + ", d2l_carry)");
}

std::optional<std::string> comparison_statement(const PtxInstruction& instruction) {
  static const Words comparisons = {{"eq", "=="}, {"ne", "!="}, {"lt", "<"},  {"le", "<="}, {"gt", ">"},
                                    {"ge", ">="}, {"lo", "<"},  {"ls", "<="}, {"hi", ">"},  {"hs", ">="}};
  const auto type = ptx_last_type(instruction);
  const auto& name = instruction.name;
  if (name[0] == "selp" && type && instruction.operands.size() == 4) {
    return ptx_set(instruction.operands[0], ptx_value(instruction.operands[3], "bool") + " ? " +
                                                ptx_value(instruction.operands[1], *type) + " : " +
                                                ptx_value(instruction.operands[2], *type));
  }
  if (name[0] != "setp" || name.size() < 3 || !type || instruction.operands.size() != 3) return std::nullopt;
  const auto found = comparisons.find(name[1]);
  if (found == comparisons.end()) return std::nullopt;
  const auto results = ptx_parts(instruction.operands[0], '|');
  std::string text = "const bool d2l_is = " + ptx_value(instruction.operands[1], *type) + " " +
                     std::string(found->second) + " " + ptx_value(instruction.operands[2], *type) + "; " +
                     ptx_set(results[0], "d2l_is");
  if (results.size() > 1) text += ptx_set(results[1], "!d2l_is");
  return text;
}

std::optional<std::string> conversion_statement(const PtxInstruction& instruction) {
  const auto& name = instruction.name;
  if (name[0] != "cvt" || name.size() < 3 || instruction.operands.size() != 2) return std::nullopt;
  const auto to = ptx_type(name[name.size() - 2]);
  const auto from = ptx_type(name.back());
  if (!to || !from) return std::nullopt;
  std::string value = ptx_value(instruction.operands[1], *from);
  static const Words roundings = {{"rni", "rint"}, {"rzi", "trunc"}, {"rmi", "floor"}, {"rpi", "ceil"}};
  for (const std::string& word : name) {
    if (const auto found = roundings.find(word); found != roundings.end())
      value = std::string(found->second) + "(" + value + ")";
  }
  value = "d2l_ptx::convert<" + *to + ">(" + value + ")";
  if (instruction.has("sat") && to->find("signed") == std::string::npos && *to != "int")
    value = "d2l_ptx::saturated(" + value + ")";
  return ptx_set(instruction.operands[0], value);
}

/// Instructions of video for 2 or 4 lanes: "vabsdiff4.u32.u32.u32.add". Those that select bytes or lanes are not
/// supported.
std::optional<std::string> video_statement(const PtxInstruction& instruction) {
  static const Words forms = {{"vadd", "d2l_a + d2l_b"},
                              {"vsub", "d2l_a - d2l_b"},
                              {"vabsdiff", "std::abs(d2l_a - d2l_b)"},
                              {"vmin", "std::min(d2l_a, d2l_b)"},
                              {"vmax", "std::max(d2l_a, d2l_b)"}};
  const auto& name = instruction.name;
  if (name[0].size() < 2 || name.size() < 4 || instruction.operands.size() != 4) return std::nullopt;
  const char lanes = name[0].back();
  const auto form = forms.find(std::string_view(name[0]).substr(0, name[0].size() - 1));
  if (form == forms.end() || (lanes != '2' && lanes != '4')) return std::nullopt;
  const auto selects = [](const std::string& operand) { return operand.find('.') != std::string::npos; };
  if (std::ranges::any_of(instruction.operands, selects)) return std::nullopt;
  std::array<std::string, 3> lane_types;  // of the result and of the two sources
  for (std::size_t i = 0; i < lane_types.size(); ++i) {
    const std::string& type = name[i + 1];
    if (type != "u32" && type != "s32") return std::nullopt;
    lane_types[i] = std::string(type == "u32"  ? "unsigned "
                                : lanes == '4' ? "signed "
                                               : "") +
                    (lanes == '4' ? "char" : "short");
  }
  const std::string sources = "(" + ptx_value(instruction.operands[1], "unsigned") + ", " +
                              ptx_value(instruction.operands[2], "unsigned") + ", ";
  const std::string of = ", [](int d2l_a, int d2l_b) { return " + std::string(form->second) + "; })";
  if (instruction.has("add")) {
    return ptx_set(instruction.operands[0], "d2l_ptx::sum_of_lanes<" + lane_types[1] + ", " + lane_types[2] + ">" +
                                                sources + ptx_value(instruction.operands[3], "unsigned") + of);
  }
  return ptx_set(instruction.operands[0], "d2l_ptx::lanes<" + lane_types[0] + ", " + lane_types[1] + ", " +
                                              lane_types[2] + ">" + sources +
                                              (instruction.has("sat") ? "true" : "false") + of);
}

}  // namespace

std::optional<std::string> value_statement(const PtxInstruction& instruction) {
  constexpr std::array kinds = {carry_statement,      pack_statement,  comparison_statement,
                                conversion_statement, video_statement, plain_statement};
  for (const auto translate : kinds) {
    if (auto statement = translate(instruction)) return statement;
  }
  return std::nullopt;
}

}  // namespace d2l::emulator::translator
