// SPDX-License-Identifier: MIT
#include "ptx_instruction.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <regex>
#include <unordered_map>

namespace d2l::emulator::translator {
namespace {

using Words = std::unordered_map<std::string_view, std::string_view>;

#define D2L_LANE "::d2l::emulator::lane()"
const Words special_registers = {
    {"globaltimer", "__globaltimer()"},
    {"globaltimer_lo", "__globaltimer()"},
    {"clock64", "clock64()"},
    {"clock", "clock64()"},
    {"smid", "0"},
    {"nsmid", "1"},
    {"laneid", D2L_LANE},
    {"lanemask_eq", "(1U << " D2L_LANE ")"},
    {"lanemask_lt", "((1U << " D2L_LANE ") - 1U)"},
    {"lanemask_le", "((2U << " D2L_LANE ") - 1U)"},
    {"lanemask_ge", "(~0U << " D2L_LANE ")"},
    {"lanemask_gt", "(~1U << " D2L_LANE ")"},
    {"warpid", "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32"},
    {"nwarpid", "(blockDim.x * blockDim.y * blockDim.z + 31) / 32"},
    {"tid.x", "threadIdx.x"},
    {"tid.y", "threadIdx.y"},
    {"tid.z", "threadIdx.z"},
    {"ntid.x", "blockDim.x"},
    {"ntid.y", "blockDim.y"},
    {"ntid.z", "blockDim.z"},
    {"ctaid.x", "blockIdx.x"},
    {"ctaid.y", "blockIdx.y"},
    {"ctaid.z", "blockIdx.z"},
    {"nctaid.x", "gridDim.x"},
    {"nctaid.y", "gridDim.y"},
    {"nctaid.z", "gridDim.z"},
};

const Words types = {
    {"pred", "bool"},
    {"b8", "unsigned char"},
    {"u8", "unsigned char"},
    {"s8", "signed char"},
    {"b16", "unsigned short"},
    {"u16", "unsigned short"},
    {"s16", "short"},
    {"b32", "unsigned"},
    {"u32", "unsigned"},
    {"s32", "int"},
    {"f32", "float"},
    {"f64", "double"},
    {"s64", "long long"},
    {"b64", "unsigned long long"},
    {"u64", "unsigned long long"},
};

/// What only says how something is rounded, ordered or cached, which makes no difference here.
constexpr std::array ignored = {"ftz", "approx", "full", "rn", "rz", "rm", "rp", "sync", "aligned", "to", "uni"};

}  // namespace

std::string PtxInstruction::whole_name() const {
  std::string text;
  for (const std::string& word : name) text += (text.empty() ? "" : ".") + word;
  return text;
}

bool PtxInstruction::has(std::string_view modifier) const { return std::ranges::find(name, modifier) != name.end(); }

std::vector<std::string> ptx_parts(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '[' || c == '{') ? 1 : (c == ']' || c == '}') ? -1 : 0;
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      parts.back() += c;
    }
  }
  std::erase(parts, "");
  return parts;
}

PtxInstruction parse_ptx(std::string_view text) {
  PtxInstruction instruction;
  static const std::regex form(R"(^\s*(?:@(!?\s*%?\w+)\s+)?([\w.:]+)\s*(.*)$)");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_match(text.begin(), text.end(), found, form)) {
    instruction.name = {std::string(text)};
    return instruction;
  }
  instruction.guard = found[1].str();
  std::erase(instruction.guard, ' ');
  instruction.name = ptx_parts(found[2].str(), '.');
  instruction.operands = ptx_parts(found[3].str(), ',');
  return instruction;
}

std::optional<std::string> ptx_type(std::string_view name) {
  const auto found = types.find(name);
  return found == types.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::string ptx_value(const std::string& operand, const std::string& type) {
  static const std::regex number(R"(^-?(0[xX][0-9a-fA-F]+|\d+)[uU]?$)");
  static const std::regex decimal(R"(^-?\d+\.\d*(e[+-]?\d+)?$)");
  static const std::regex bits(R"(^0[fF]([0-9a-fA-F]{8})$|^0[dD]([0-9a-fA-F]{16})$)");
  std::string value;
  std::smatch found;
  if (operand.size() > 1 && operand[0] == '%' && std::isdigit(static_cast<unsigned char>(operand[1])) != 0) {
    value = "d2l_" + operand.substr(1);
  } else if (operand.starts_with('%') && special_registers.contains(std::string_view(operand).substr(1))) {
    value = special_registers.at(std::string_view(operand).substr(1));
  } else if (operand == "WARP_SZ") {
    value = "32";
  } else if (std::regex_match(operand, found, bits)) {
    value = found[1].matched ? "__uint_as_float(0x" + found[1].str() + "U)"
                             : "__longlong_as_double(0x" + found[2].str() + "LL)";
  } else if (std::regex_match(operand, decimal)) {
    value = operand;
  } else if (std::regex_match(operand, number)) {
    return type.empty() ? operand : "static_cast<" + type + ">(" + operand + ")";
  } else {
    std::string name = operand;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    value = "d2l_register_" + name;
  }
  return type.empty() ? value : "d2l_ptx::get<" + type + ">(" + value + ")";
}

std::string ptx_unsigned(const std::string& type) {
  if (type == "int") return "unsigned";
  if (type == "long long") return "unsigned long long";
  if (type == "short") return "unsigned short";
  return type;
}

std::string ptx_set(const std::string& operand, const std::string& value) {
  if (operand == "_") return "static_cast<void>(" + value + ");";
  return "d2l_ptx::set(" + ptx_value(operand, "") + ", " + value + ");";
}

/// The name without what makes no difference and without types: "mad.lo".
std::string ptx_key(const PtxInstruction& instruction) {
  std::string key;
  for (const std::string& word : instruction.name) {
    if (types.contains(word) || std::ranges::find(ignored, word) != ignored.end()) continue;
    if (word == "sat" || word == "global" || word == "shared" || word == "local" || word == "const") continue;
    key += (key.empty() ? "" : ".") + word;
  }
  return key;
}

std::optional<std::string> ptx_last_type(const PtxInstruction& instruction) {
  return instruction.name.empty() ? std::nullopt : ptx_type(instruction.name.back());
}

std::optional<std::string> statement_of(const PtxInstruction& instruction) {
  if (instruction.name.empty()) return std::nullopt;
  if (auto statement = matrix_statement(instruction)) return statement;
  if (auto statement = effect_statement(instruction)) return statement;
  return value_statement(instruction);
}

}  // namespace d2l::emulator::translator
