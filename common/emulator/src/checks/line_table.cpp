// SPDX-License-Identifier: MIT
#include "checks/line_table.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "checks/library_files.h"

namespace d2l::emulator {

/// Reads numbers from a part of the file. A read beyond its end gives 0.
class LineTable::Reader {
 public:
  explicit Reader(std::string_view data) : data_(data) {}
  [[nodiscard]] bool done() const noexcept { return data_.empty(); }
  template <class T>
  T fixed() {
    T value{};
    if (data_.size() < sizeof value) {
      data_ = {};
      return value;
    }
    std::memcpy(&value, data_.data(), sizeof value);
    data_.remove_prefix(sizeof value);
    return value;
  }
  std::uint64_t leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !data_.empty(); shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 127U) << shift;
      if (byte < 128) break;
    }
    return value;
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 128;
    while (byte >= 128 && !data_.empty()) {
      byte = fixed<std::uint8_t>();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 127U) << shift;
      shift += 7;
    }
    if ((byte & 64U) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
  std::string text() {
    std::string value(data_.substr(0, data_.find('\0')));
    skip(value.size() + 1);
    return value;
  }
  std::uint64_t offset(bool wide) { return wide ? fixed<std::uint64_t>() : fixed<std::uint32_t>(); }
  void skip(std::uint64_t bytes) { data_.remove_prefix(bytes < data_.size() ? bytes : data_.size()); }
  Reader part(std::uint64_t bytes) {
    Reader taken(data_.substr(0, bytes));
    skip(bytes);
    return taken;
  }

 private:
  std::string_view data_;
};

struct UnitHeader {
  unsigned version = 0;
  bool wide = false;
  std::uint8_t instruction_length = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 1;
  std::uint8_t opcode_base = 1;
  std::vector<std::uint8_t> lengths;
};

namespace {

constexpr unsigned form_string = 0x08;
constexpr unsigned form_line_string = 0x1f;
constexpr unsigned form_string_offset = 0x0e;
constexpr unsigned content_path = 1;
constexpr unsigned content_folder = 2;

std::string_view section(std::string_view file, const char* name) {
  Elf64_Ehdr header;
  if (file.size() < sizeof header) return {};
  std::memcpy(&header, file.data(), sizeof header);
  const auto at = [&](unsigned i) {
    Elf64_Shdr value{};
    const std::size_t offset = header.e_shoff + std::size_t{i} * sizeof value;
    if (offset + sizeof value <= file.size()) std::memcpy(&value, file.data() + offset, sizeof value);
    return value;
  };
  const Elf64_Shdr names = at(header.e_shstrndx);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr part = at(i);
    if (names.sh_offset + part.sh_name >= file.size() || (part.sh_flags & SHF_COMPRESSED) != 0) continue;
    if (std::strcmp(file.data() + names.sh_offset + part.sh_name, name) != 0) continue;
    if (part.sh_offset + part.sh_size <= file.size()) return file.substr(part.sh_offset, part.sh_size);
  }
  return {};
}

}  // namespace

LineTable::LineTable(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (file.size() < sizeof(Elf64_Ehdr) || file.compare(0, 4, ELFMAG) != 0 || file[EI_CLASS] != ELFCLASS64) return;
  Elf64_Half type = 0;
  std::memcpy(&type, file.data() + offsetof(Elf64_Ehdr, e_type), sizeof type);
  fixed_address_ = type == ET_EXEC;
  line_strings_ = section(file, ".debug_line_str");
  strings_ = section(file, ".debug_str");
  Reader lines(section(file, ".debug_line"));
  while (!lines.done()) read_unit(lines);
  line_strings_ = strings_ = {};  // they were parts of `file`
}

std::uint32_t LineTable::add_file(std::string name) {
  files_.push_back(std::move(name));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

void LineTable::read_unit(Reader& lines) {
  UnitHeader header;
  std::uint64_t bytes = lines.fixed<std::uint32_t>();
  header.wide = bytes == 0xffffffffU;
  if (header.wide) bytes = lines.fixed<std::uint64_t>();
  Reader unit = lines.part(bytes);
  header.version = unit.fixed<std::uint16_t>();
  if (header.version < 3 || header.version > 5) return;
  if (header.version == 5) unit.skip(2);  // sizes of addresses and segments
  const std::uint64_t header_bytes = unit.offset(header.wide);
  Reader names = unit.part(header_bytes);
  header.instruction_length = names.fixed<std::uint8_t>();
  if (header.version >= 4) names.skip(1);
  names.skip(1);
  header.line_base = names.fixed<std::int8_t>();
  header.line_range = names.fixed<std::uint8_t>();
  header.opcode_base = names.fixed<std::uint8_t>();
  if (header.line_range == 0 || header.opcode_base == 0) return;
  for (unsigned i = 1; i < header.opcode_base; ++i) header.lengths.push_back(names.fixed<std::uint8_t>());
  std::vector<std::uint32_t> files;
  std::vector<std::string> folders;
  const auto path = [&](std::uint64_t folder, const std::string& name) {
    return folder < folders.size() && !name.starts_with('/') ? folders[folder] + '/' + name : name;
  };
  if (header.version == 5) {
    for (const bool is_file : {false, true}) {
      std::vector<std::pair<std::uint64_t, std::uint64_t>> formats(names.fixed<std::uint8_t>());
      for (auto& [content, form] : formats) {
        content = names.leb();
        form = names.leb();
      }
      const std::uint64_t count = names.leb();
      for (std::uint64_t i = 0; i < count && !names.done(); ++i) {
        std::string name;
        std::uint64_t folder = 0;
        for (const auto& [content, form] : formats) {
          std::string text;
          std::uint64_t number = 0;
          if (form == form_string) {
            text = names.text();
          } else if (form == form_line_string || form == form_string_offset) {
            const std::uint64_t offset = names.offset(header.wide);
            const auto from = form == form_line_string ? line_strings_ : strings_;
            if (offset < from.size()) text = from.data() + offset;
          } else if (form == 0x1e) {  // a checksum of 16 bytes
            names.skip(16);
          } else if (form == 0x0b) {
            number = names.fixed<std::uint8_t>();
          } else if (form == 0x05) {
            number = names.fixed<std::uint16_t>();
          } else {
            number = names.leb();
          }
          if (content == content_path) name = text;
          if (content == content_folder) folder = number;
        }
        if (is_file) {
          files.push_back(add_file(path(folder, name)));
        } else {
          folders.push_back(name);
        }
      }
    }
    run_program(unit, files, 0, header);
    return;
  }
  folders.emplace_back(".");  // the compiler's working folder
  for (std::string name = names.text(); !name.empty(); name = names.text()) folders.push_back(name);
  for (std::string name = names.text(); !name.empty(); name = names.text()) {
    files.push_back(add_file(path(names.leb(), name)));
    names.leb();
    names.leb();
  }
  run_program(unit, files, 1, header);
}

namespace {

/// A header whose functions stand for an instruction, such as those of cuda::atomic. Algorithms of Thrust do not.
bool is_inlined_by_users(const std::string& path) {
  const auto within = [&](std::string_view folder) { return path.find(folder) != std::string_view::npos; };
  if (is_file_of_thrust(path.c_str())) return false;
  if (is_file_of_libcudacxx(path.c_str())) return true;
  if (within("/include/c++/") || (within("/c++/") && within("/bits/"))) return true;
  return within("/common/emulator/include/") || within("/d2l_cuda_emulator/");
}

}  // namespace

void LineTable::run_program(Reader& program, const std::vector<std::uint32_t>& files, std::uint64_t first_file,
                            const UnitHeader& header) {
  std::uint64_t address = 0;
  std::uint64_t file = 1;
  std::int64_t line = 1;
  std::uint64_t sequence = 0;
  bool discarded = false;  // the linker sets the addresses of dropped functions to 0
  const auto emit = [&](bool end) {
    if (discarded) return;
    const std::uint64_t index = file - first_file;
    const Entry entry =
        end || index >= files.size() ? Entry{0, 0, sequence} : Entry{files[index], static_cast<int>(line), sequence};
    const auto [row, added] = rows_.try_emplace(address, entry);
    if (added) return;
    // A call that was inlined has the rows of the call and of the function at one address: the call is kept.
    const bool of_call = row->second.line != 0 && row->second.sequence == sequence &&
                         !is_inlined_by_users(files_[row->second.file]) && entry.line != 0 &&
                         is_inlined_by_users(files_[entry.file]);
    if (!of_call) row->second = entry;
  };
  const auto special = [&](unsigned code) {
    const unsigned adjusted = code - header.opcode_base;
    address += std::uint64_t{adjusted / header.line_range} * header.instruction_length;
    line += header.line_base + static_cast<int>(adjusted % header.line_range);
  };
  while (!program.done()) {
    const auto code = program.fixed<std::uint8_t>();
    if (code >= header.opcode_base) {
      special(code);
      emit(false);
    } else if (code == 0) {
      const std::uint64_t bytes = program.leb();
      Reader extended = program.part(bytes);
      const auto what = extended.fixed<std::uint8_t>();
      if (what == 1) {
        emit(true);
        address = 0;
        file = 1;
        line = 1;
      } else if (what == 2) {
        address = extended.fixed<std::uint64_t>();
        discarded = address == 0;
        sequence = address;
      }
    } else if (code == 1) {
      emit(false);
    } else if (code == 2) {
      address += program.leb() * header.instruction_length;
    } else if (code == 3) {
      line += program.signed_leb();
    } else if (code == 4) {
      file = program.leb();
    } else if (code == 8) {
      const auto before = line;
      special(255);
      line = before;
    } else if (code == 9) {
      address += program.fixed<std::uint16_t>();
    } else {
      for (unsigned i = 0; i < header.lengths[code - 1U]; ++i) program.leb();
    }
  }
}

LineTable::Row LineTable::find(std::uint64_t address) const {
  const auto next = rows_.upper_bound(address);
  if (next == rows_.begin()) return {};
  auto found = std::prev(next);
  if (found->second.line == 0) return {};
  if (is_inlined_by_users(files_[found->second.file])) {
    for (auto row = found; row != rows_.begin();) {
      --row;
      if (row->second.line == 0 || row->second.sequence != found->second.sequence) break;
      if (is_inlined_by_users(files_[row->second.file])) continue;
      found = row;
      break;
    }
  }
  return {files_[found->second.file], found->second.line};
}

}  // namespace d2l::emulator
