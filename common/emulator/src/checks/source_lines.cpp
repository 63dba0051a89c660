// SPDX-License-Identifier: MIT
#include "checks/source_lines.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "checks/library_files.h"
#include "checks/line_table.h"

namespace d2l::emulator {
namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

SourceLine look_up(std::uintptr_t address) {
  // Never destroyed, as below: reports are written until the process has ended.
  static auto& tables = *new std::map<const void*, std::unique_ptr<LineTable>>;  // by the image's address
  Dl_info image{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  if (dladdr(reinterpret_cast<void*>(address), &image) == 0) return {"unknown", 0, false, "", ""};
  auto& table = tables[image.dli_fbase];
  // /proc/self/exe works after a change of the working directory too.
  if (table == nullptr) {
    const bool relative = image.dli_fname == nullptr || image.dli_fname[0] != '/';
    table = std::make_unique<LineTable>(relative ? "/proc/self/exe" : image.dli_fname);
  }
  const std::uintptr_t begin = table->fixed_address() ? 0 : reinterpret_cast<std::uintptr_t>(image.dli_fbase);
  const auto row = table->find(address - begin);
  const bool of_library = is_file_of_thrust(row.file.c_str()) || is_file_of_libcudacxx(row.file.c_str());
  return {row.file.empty() ? last_part(image.dli_fname) : last_part(row.file), row.line, of_library,
          fmt::format("+{:#x}", address - begin), row.file};
}

struct KnownLines {
  std::mutex mutex;
  std::unordered_map<const void*, SourceLine> by_address;
};
KnownLines& known_lines() {
  static auto& made = *new KnownLines;
  return made;
}

}  // namespace

std::string SourceLine::text() const { return line > 0 ? fmt::format("{}:{}", file, line) : file + position; }

const void* expanded_place(std::int32_t place) noexcept {
  return reinterpret_cast<const std::byte*>(&source_line) + place;
}

SourceLine line_in_launch(const void* return_address, const KernelLaunch& launch) {
  const SourceLine& line = source_line(return_address);
  return line.of_library ? SourceLine{last_part(launch.file), launch.line, false, "", launch.file} : line;
}

const SourceLine& source_line(const void* return_address) {
  KnownLines& known = known_lines();
  const std::lock_guard lock(known.mutex);
  const auto found = known.by_address.find(return_address);
  if (found != known.by_address.end()) return found->second;
  return known.by_address.emplace(return_address, look_up(reinterpret_cast<std::uintptr_t>(return_address) - 1))
      .first->second;
}

std::string path_of_source(const std::string& file) {
  KnownLines& known = known_lines();
  const std::lock_guard lock(known.mutex);
  for (const auto& [address, line] : known.by_address) {
    if (line.line > 0 && line.file == file) return line.path;
  }
  return "";
}

}  // namespace d2l::emulator
