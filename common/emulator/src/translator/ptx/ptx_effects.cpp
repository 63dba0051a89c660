// SPDX-License-Identifier: MIT
// PTX instructions that read and write memory, synchronise, and exchange values between threads.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <unordered_map>

#include "ptx_instruction.h"

namespace d2l::emulator::translator {
namespace {

using Words = std::unordered_map<std::string_view, std::string_view>;

bool is_ordered(const PtxInstruction& instruction) {
  return instruction.has("acquire") || instruction.has("relaxed") || instruction.has("release") ||
         instruction.has("mmio");
}

std::optional<std::string> memory_statement(const PtxInstruction& instruction) {
  const std::string& name = instruction.name[0];
  const auto type = ptx_last_type(instruction);
  const bool loads = name == "ld" || name == "ldu";
  if ((!loads && name != "st") || !type || instruction.operands.size() != 2) return std::nullopt;
  const auto address = ptx_address(instruction, instruction.operands[loads ? 1 : 0]);
  if (!address) return std::nullopt;
  const std::string& registers = instruction.operands[loads ? 0 : 1];
  if (registers.starts_with('{')) {
    const auto parts = ptx_parts(registers.substr(1, registers.size() - 2), ',');
    const std::string vector = "d2l_ptx::Vector<" + *type + ", " + std::to_string(parts.size()) + ">";
    std::string text = loads ? "const auto d2l_vector = *reinterpret_cast<const " + vector + "*>(" + *address + "); "
                             : "const " + vector + " d2l_vector{{";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      text +=
          loads ? ptx_set(parts[i], "d2l_vector.values[" + std::to_string(i) + "]") : ptx_value(parts[i], *type) + ", ";
    }
    return loads ? text : text + "}}; *reinterpret_cast<" + vector + "*>(" + *address + ") = d2l_vector;";
  }
  const std::string plain = std::string(instruction.has("volatile") ? "volatile " : "") + *type;
  const std::string atomic = "reinterpret_cast<" + ptx_unsigned(*type) + "*>(" + *address + ")";
  const bool ordered = is_ordered(instruction) && *type != "float" && *type != "double" &&
                       type->find("short") == std::string::npos && type->find("char") == std::string::npos;
  if (loads) {
    return ptx_set(registers, ordered ? "static_cast<" + *type + ">(atomicOr(" + atomic + ", 0))"
                                      : "*reinterpret_cast<const " + plain + "*>(" + *address + ")");
  }
  const std::string value = ptx_value(registers, *type);
  if (ordered)
    return "__threadfence(); atomicExch(" + atomic + ", static_cast<" + ptx_unsigned(*type) + ">(" + value + "));";
  return "*reinterpret_cast<" + plain + "*>(" + *address + ") = " + value + ";";
}

std::optional<std::string> atomic_statement(const PtxInstruction& instruction) {
  const bool returns = instruction.name[0] == "atom";
  auto type = ptx_last_type(instruction);
  if ((!returns && instruction.name[0] != "red") || !type) return std::nullopt;
  static const Words functions = {
      {"add", "atomicAdd"},   {"min", "atomicMin"}, {"max", "atomicMax"}, {"inc", "atomicInc"}, {"dec", "atomicDec"},
      {"exch", "atomicExch"}, {"cas", "atomicCAS"}, {"and", "atomicAnd"}, {"or", "atomicOr"},   {"xor", "atomicXor"}};
  for (const std::string& word : instruction.name) {
    const auto found = functions.find(word);
    if (found == functions.end()) continue;
    const std::size_t first = returns ? 1 : 0;
    if (instruction.operands.size() < first + 2) return std::nullopt;
    if (word != "min" && word != "max") type = ptx_unsigned(*type);
    const auto address = ptx_address(instruction, instruction.operands[first]);
    if (!address) return std::nullopt;
    std::string call = std::string(found->second) + "(reinterpret_cast<" + *type + "*>(" + *address + ")";
    for (std::size_t i = first + 1; i < instruction.operands.size(); ++i)
      call += ", " + ptx_value(instruction.operands[i], *type);
    return returns ? ptx_set(instruction.operands[0], call + ")") : call + ");";
  }
  return std::nullopt;
}

/// Copies to shared memory have ended when the instruction has.
std::optional<std::string> async_copy_statement(const PtxInstruction& instruction) {
  const auto& name = instruction.name;
  if (name[0] != "cp" || name.size() < 3 || name[1] != "async") return std::nullopt;
  if (name[2] == "commit_group" || name[2] == "wait_group" || name[2] == "wait_all") return "";
  if ((name[2] != "ca" && name[2] != "cg") || instruction.operands.size() < 3) return std::nullopt;
  const auto to = ptx_address(instruction, instruction.operands[0]);
  const auto from = ptx_address(instruction, instruction.operands[1]);
  if (!to || !from) return std::nullopt;
  const std::string bytes = ptx_value(instruction.operands[2], "unsigned");
  return "d2l_ptx::copy(" + *to + ", " + *from + ", " + bytes + ", " +
         (instruction.operands.size() > 3 ? ptx_value(instruction.operands[3], "unsigned") : bytes) + ");";
}

/// cvta: a number of shared memory for an address, or the other way round. Other spaces have plain addresses.
std::optional<std::string> space_statement(const PtxInstruction& instruction) {
  if (instruction.name[0] != "cvta" || instruction.operands.size() != 2) return std::nullopt;
  if (!instruction.has("shared") && !instruction.has("shared::cta")) return std::nullopt;
  const std::string source = ptx_value(instruction.operands[1], "unsigned long long");
  return ptx_set(instruction.operands[0],
                 instruction.has("to") ? "d2l_ptx::to_shared(d2l_ptx::address(" + source + ", 0))"
                                       : "reinterpret_cast<unsigned long long>(d2l_ptx::from_shared(" + source + "))");
}

std::optional<std::string> warp_statement(const PtxInstruction& instruction) {
  const auto& name = instruction.name;
  const auto& operands = instruction.operands;
  const std::string key = ptx_key(instruction);
  if (name[0] == "activemask" && operands.size() == 1) return ptx_set(operands[0], "__activemask()");
  if (name[0] == "vote" && operands.size() >= 2) {
    const std::string mask = operands.size() > 2 ? ptx_value(operands[2], "unsigned") : "__activemask()";
    const bool negated = operands[1].starts_with('!');
    const std::string predicate = (negated ? "!" : "") + ptx_value(operands[1].substr(negated ? 1 : 0), "bool");
    static const Words votes = {{"all", "__all_sync"}, {"any", "__any_sync"}, {"ballot", "__ballot_sync"}};
    for (const std::string& word : name) {
      const auto found = votes.find(word);
      if (found != votes.end())
        return ptx_set(operands[0], std::string(found->second) + "(" + mask + ", " + predicate + ")");
    }
  }
  if (name[0] == "shfl" && operands.size() >= 4) {
    static const Words kinds = {{"up", "up"}, {"down", "down"}, {"bfly", "butterfly"}, {"idx", "index"}};
    const std::string mask = operands.size() > 4 ? ptx_value(operands[4], "unsigned") : "0xffffffffU";
    for (const std::string& word : name) {
      const auto found = kinds.find(word);
      if (found == kinds.end()) continue;
      const auto results = ptx_parts(operands[0], '|');
      std::string text =
          "bool d2l_inside = false; " +
          ptx_set(results[0], "d2l_ptx::shuffle(d2l_ptx::Shuffle::" + std::string(found->second) + ", " + mask + ", " +
                                  ptx_value(operands[1], "unsigned") + ", " + ptx_value(operands[2], "unsigned") +
                                  ", " + ptx_value(operands[3], "unsigned") + ", d2l_inside)");
      return results.size() > 1 ? text + ptx_set(results[1], "d2l_inside") : text;
    }
  }
  if (name[0] == "redux" && operands.size() == 3) {
    const auto type = ptx_last_type(instruction);
    static const Words reductions = {{"redux.add", "__reduce_add_sync"}, {"redux.min", "__reduce_min_sync"},
                                     {"redux.max", "__reduce_max_sync"}, {"redux.and", "__reduce_and_sync"},
                                     {"redux.or", "__reduce_or_sync"},   {"redux.xor", "__reduce_xor_sync"}};
    const auto found = reductions.find(key);
    if (found == reductions.end() || !type) return std::nullopt;
    return ptx_set(operands[0], std::string(found->second) + "(" + ptx_value(operands[2], "unsigned") + ", " +
                                    ptx_value(operands[1], *type) + ")");
  }
  return std::nullopt;
}

std::optional<std::string> control_statement(const PtxInstruction& instruction) {
  const std::string whole = instruction.whole_name();
  const auto& operands = instruction.operands;
  const std::string& name = instruction.name[0];
  const bool first_barrier = operands.size() == 1 && operands[0] == "0";
  if ((whole == "bar.sync" || whole == "barrier.sync" || whole == "barrier.sync.aligned" ||
       whole == "barrier.cta.sync") &&
      first_barrier)
    return "__syncthreads();";
  if (whole == "bar.warp.sync" && operands.size() == 1)
    return "__syncwarp(" + ptx_value(operands[0], "unsigned") + ");";
  if (name == "membar") return whole == "membar.cta" ? "__threadfence_block();" : "__threadfence();";
  if (name == "fence") return instruction.has("proxy") ? std::nullopt : std::optional<std::string>("__threadfence();");
  if (name == "prefetch" || name == "prefetchu" || name == "discard" || name == "griddepcontrol" || name == "pragma")
    return "";
  if (name == "nanosleep" && operands.size() == 1) return "__nanosleep(" + ptx_value(operands[0], "unsigned") + ");";
  if (name == "trap") return "__trap();";
  if (name == "brkpt") return "__brkpt();";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ptx_address(const PtxInstruction& instruction, const std::string& operand) {
  if (!operand.starts_with('[') || !operand.ends_with(']')) return std::nullopt;
  const std::string inner = operand.substr(1, operand.size() - 2);
  const std::size_t plus = inner.find('+');
  const std::string base = inner.substr(0, plus);
  const std::string offset = plus == std::string::npos ? "0" : inner.substr(plus + 1);
  if (offset.find_first_not_of("-0123456789abcdefx ") != std::string::npos || instruction.has("param"))
    return std::nullopt;
  return "d2l_ptx::address(" + ptx_value(base, "unsigned long long") + ", " + offset + ")";
}

std::optional<std::string> effect_statement(const PtxInstruction& instruction) {
  constexpr std::array kinds = {control_statement,    memory_statement, atomic_statement,
                                async_copy_statement, space_statement,  warp_statement};
  for (const auto translate : kinds) {
    if (auto statement = translate(instruction)) return statement;
  }
  return std::nullopt;
}

}  // namespace d2l::emulator::translator
