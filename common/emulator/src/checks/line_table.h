// SPDX-License-Identifier: MIT
// LineTable: reads the DWARF line table (.debug_line, versions 3 to 5) of a program or library. It leaves out functions
// that the linker dropped, whose rows begin at address 0; libdw and addr2line give their lines for other functions'
// instructions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace d2l::emulator {

class LineTable {
 public:
  struct Row {
    std::string file;
    int line = 0;
  };

  /// Reads the file; without debug information the table is empty.
  explicit LineTable(const std::string& path);
  /// The row that covers an address, relative to where the file is loaded. If it is in a header of the compiler or the
  /// emulator whose code was inlined, the row before that code: the line of the call.
  [[nodiscard]] Row find(std::uint64_t address) const;
  [[nodiscard]] bool fixed_address() const noexcept { return fixed_address_; }

 private:
  struct Entry {
    std::uint32_t file;      ///< in files_
    int line;                ///< 0: the end of a sequence
    std::uint64_t sequence;  ///< where its sequence begins: functions of headers have one each, unless they are inlined
  };
  class Reader;
  void read_unit(Reader& unit);
  void run_program(Reader& program, const std::vector<std::uint32_t>& files, std::uint64_t first_file,
                   const struct UnitHeader& header);
  std::uint32_t add_file(std::string name);

  bool fixed_address_ = false;
  std::string_view line_strings_;
  std::string_view strings_;
  std::vector<std::string> files_;
  std::map<std::uint64_t, Entry> rows_;
};

}  // namespace d2l::emulator
