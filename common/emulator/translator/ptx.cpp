// SPDX-License-Identifier: MIT
#include "ptx.h"

#include <array>
#include <regex>

namespace d2l::emulator::translator {
namespace {

struct Special {
  std::string_view name;        ///< of the special register
  std::string_view expression;  ///< its value
};

#define D2L_LANE "((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32)"
constexpr std::array<Special, 24> registers = {{
    {"globaltimer", "__globaltimer()"},
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
}};

/// Instructions without operands.
constexpr std::array<Special, 10> plain = {{
    {"bar.sync 0", "__syncthreads()"},
    {"barrier.sync 0", "__syncthreads()"},
    {"bar.warp.sync 0xffffffff", "__syncwarp()"},
    {"membar.cta", "__threadfence_block()"},
    {"membar.gl", "__threadfence()"},
    {"membar.sys", "__threadfence_system()"},
    {"fence.acq_rel.gpu", "__threadfence()"},
    {"fence.sc.gpu", "__threadfence()"},
    {"trap", "__trap()"},
    {"brkpt", "__brkpt()"},
}};

/// An instruction with registers only; #1 to #3 stand for its sources.
struct Instruction {
  std::string_view name;
  std::string_view expression;
};
constexpr std::array<Instruction, 17> instructions = {{
    {"add", "#1 + #2"},
    {"sub", "#1 - #2"},
    {"mul", "#1 * #2"},
    {"mul.lo", "#1 * #2"},
    {"mad.lo", "#1 * #2 + #3"},
    {"fma.rn", "fma(#1, #2, #3)"},
    {"and", "#1 & #2"},
    {"or", "#1 | #2"},
    {"xor", "#1 ^ #2"},
    {"not", "~#1"},
    {"shl", "#1 << #2"},
    {"shr", "#1 >> #2"},
    {"min", "min(#1, #2)"},
    {"max", "max(#1, #2)"},
    {"popc", "__popc(#1)"},
    {"sqrt.approx", "sqrtf(#1)"},
    {"ex2.approx", "exp2f(#1)"},
}};

const char* type_of(const std::string& suffix) {
  if (suffix == "s32") return "int";
  if (suffix == "s64") return "long long";
  if (suffix == "f32") return "float";
  if (suffix == "f64") return "double";
  return suffix == "u64" || suffix == "b64" ? "unsigned long long" : "unsigned int";
}

std::optional<std::string> arithmetic(const std::string& text) {
  static const std::regex form(
      R"re(^\s*"\s*([a-z0-9]+(?:\.(?:lo|rn|approx))?)(?:\.ftz)?\.([subf](?:32|64))\s+%0,\s*%1(?:,\s*%2)?(?:,\s*%3)?;(?:\\n|\\t|\s)*"\s*:\s*"=[rlfd]"\s*\(([^()]*)\)\s*:\s*"[rlfdn]"\s*\(([^()]*)\)(?:\s*,\s*"[rlfdn]"\s*\(([^()]*)\))?(?:\s*,\s*"[rlfdn]"\s*\(([^()]*)\))?\s*$)re");
  std::smatch found;
  if (!std::regex_match(text, found, form)) return std::nullopt;
  for (const Instruction& one : instructions) {
    if (found[1].str() != one.name) continue;
    const std::string type = type_of(found[2].str());
    std::string result = found[3].str() + " = [&] { using d2l_type = " + type + "; return static_cast<d2l_type>(";
    for (std::size_t i = 0; i < one.expression.size(); ++i) {
      if (one.expression[i] != '#') {
        result += one.expression[i];
        continue;
      }
      const auto source = static_cast<std::size_t>(one.expression[++i] - '0');
      result += "d2l_type(" + found[3 + source].str() + ")";
    }
    return result + "); }()";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> translated_ptx(std::string_view operands) {
  const std::string text(operands);
  static const std::regex ptx(
      R"(\.(u|s|b|f)(8|16|32|64)\b|%%|\bbar\.sync|\bmembar|\bfence\.|\bnanosleep|\bexit;|\btrap;|\bbarrier\.|\bbar\.|\bbrkpt;)");
  constexpr std::size_t longest = 2000;  // the expressions below are for one instruction
  if (text.size() > longest) return "static_assert(false, \"inline PTX is not supported by the emulator\")";
  if (!std::regex_search(text, ptx)) return std::nullopt;
  static const std::regex move(
      R"re(^\s*"\s*mov\.[usb](32|64)\s+%0,\s*%%?([\w.]+);(?:\\n|\\t|\s)*"\s*:\s*"=[rl]"\s*\(([^()]*)\)\s*(:.*)?$)re");
  std::smatch found;
  if (std::regex_match(text, found, move)) {
    for (const Special& special : registers) {
      if (found[2].str() != special.name) continue;
      return found[3].str() + " = static_cast<std::remove_cvref_t<decltype(" + found[3].str() + ")>>(" +
             std::string(special.expression) + ")";
    }
  }
  static const std::regex alone(R"re(^\s*"\s*([a-z][\w. ]*?)\s*;(?:\\n|\\t|\s)*"\s*(:[\s:]*("memory")?\s*)?$)re");
  if (std::regex_match(text, found, alone)) {
    for (const Special& one : plain) {
      if (found[1].str() == one.name) return std::string(one.expression);
    }
  }
  if (auto call = arithmetic(text)) return call;
  return "static_assert(false, \"inline PTX is not supported by the emulator\")";
}

}  // namespace d2l::emulator::translator
