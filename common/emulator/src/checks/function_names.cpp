// SPDX-License-Identifier: MIT
#include "checks/function_names.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace d2l::emulator {
namespace {

/// A part of an ELF file, as values of this type.
template <class T>
std::vector<T> values_at(std::ifstream& file, std::uint64_t offset, std::uint64_t bytes) {
  std::vector<T> values(bytes / sizeof(T));
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (!file) values.clear();
  return values;
}

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                        std::free);
  return status == 0 ? readable.get() : symbol;
}

/// The symbol of the function at this place of a program or library; kernels are rarely exported, so dladdr() does not
/// know them.
std::string symbol_at(const char* path, const void* function, const void* base) {
  std::ifstream file(path, std::ios::binary);
  const auto header = values_at<Elf64_Ehdr>(file, 0, sizeof(Elf64_Ehdr));
  if (header.empty() || header[0].e_ident[EI_CLASS] != ELFCLASS64) return {};
  const auto number = [](const void* address) { return reinterpret_cast<std::uintptr_t>(address); };
  const std::uint64_t address = number(function) - (header[0].e_type == ET_EXEC ? 0 : number(base));
  const auto sections =
      values_at<Elf64_Shdr>(file, header[0].e_shoff, std::uint64_t{header[0].e_shnum} * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& strings = sections[section.sh_link];
    for (const auto& symbol : values_at<Elf64_Sym>(file, section.sh_offset, section.sh_size)) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value != address) continue;
      if (symbol.st_name >= strings.sh_size) continue;
      auto name = values_at<char>(file, strings.sh_offset + symbol.st_name, strings.sh_size - symbol.st_name);
      name.push_back('\0');
      return demangled(name.data());
    }
  }
  return {};
}

std::string look_up(const void* function) {
  Dl_info image{};
  if (dladdr(function, &image) == 0) return {};
  const bool relative = image.dli_fname == nullptr || image.dli_fname[0] != '/';
  return without_parameters(symbol_at(relative ? "/proc/self/exe" : image.dli_fname, function, image.dli_fbase));
}

}  // namespace

std::string without_parameters(const std::string& demangled) {
  // From the end: the parameters, then the name up to a space that is not within brackets.
  std::size_t end = demangled.size();
  int depth = 0;
  bool in_name = demangled.empty() || demangled.back() != ')';
  std::size_t i = end;
  for (; i > 0; --i) {
    const char c = demangled[i - 1];
    if (c == ')' || c == '>' || c == ']') ++depth;
    if (c == '(' || c == '<' || c == '[') --depth;
    if (!in_name && c == '(' && depth == 0) {
      in_name = true;
      end = i - 1;
    } else if (in_name && c == ' ' && depth == 0) {
      break;
    }
  }
  std::string name = demangled.substr(i, end - i);
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, unnamed.size());
  return name;
}

std::string function_name(const void* function) {
  static std::mutex mutex;
  static auto* const known = new std::unordered_map<const void*, std::string>;
  const std::lock_guard lock(mutex);
  const auto found = known->find(function);
  return found != known->end() ? found->second : known->emplace(function, look_up(function)).first->second;
}

}  // namespace d2l::emulator
