// SPDX-License-Identifier: MIT
// Reads a file: its header with pread, its tensors through a memory map.
#include "safetensors/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/messages.h"

namespace d2l::detail::safetensors {
InputFile::InputFile(const std::string& path, const char* operation) : path_(path), operation_(operation) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) fail_to_open(errno);
  struct stat found {};
  const int reason = ::fstat(file_, &found) != 0 ? errno : S_ISDIR(found.st_mode) ? EISDIR : 0;
  if (reason != 0 || !S_ISREG(found.st_mode)) {
    ::close(file_);
    fail_to_open(reason);
  }
  size_ = found.st_size;
  written_ = found.st_mtim;
  map_.emplace(file_, size_);
}

InputFile::~InputFile() { ::close(file_); }

void InputFile::read(std::int64_t offset, void* memory, std::int64_t bytes) const {
  auto* next = static_cast<char*>(memory);
  while (bytes > 0) {
    const auto count = ::pread(file_, next, static_cast<std::size_t>(bytes), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      fail<ConfigurationError>(operation_, fmt::format("cannot read \"{}\": {}", path_, std::strerror(errno)), {},
                               "check the disk, or copy the file elsewhere");
    }
    if (count == 0) fail_changed(fmt::format("it is now shorter than its former {} bytes", size_));
    offset += count;
    next += count;
    bytes -= count;
  }
}

void InputFile::read_mapped(std::int64_t offset, void* memory, std::int64_t bytes) const {
  if (bytes == 0) return;
  // When the map fails, read() succeeds or reports the reason.
  if (!map_->copy(offset, memory, bytes)) read(offset, memory, bytes);
}

void InputFile::check_unchanged() const {
  struct stat found {};
  if (::fstat(file_, &found) != 0) return;
  if (found.st_size == size_ && found.st_mtim.tv_sec == written_.tv_sec && found.st_mtim.tv_nsec == written_.tv_nsec) {
    return;
  }
  fail_changed("another program has written to it");
}

void InputFile::refuse(std::string_view what, std::string_view fix) const {
  fail<ConfigurationError>(operation_, fmt::format("\"{}\" is not a valid safetensors file: {}", path_, what), {}, fix);
}

void InputFile::fail_to_open(int reason) const {
  if (reason == 0 || reason == EISDIR) {
    fail<ConfigurationError>(
        operation_, fmt::format("cannot read \"{}\": it is {}", path_, reason == 0 ? "not a regular file" : "a folder"),
        {}, "give the path of a safetensors file");
  }
  fail<ConfigurationError>(operation_, fmt::format("cannot read \"{}\": {}", path_, std::strerror(reason)), {},
                           reason == ENOENT   ? "check the path, or save the file first with save_file"
                           : reason == EACCES ? "ask its owner for the right to read it"
                                              : "check the path");
}

void InputFile::fail_changed(std::string_view what) const {
  fail<ConfigurationError>(operation_, fmt::format("\"{}\" has changed since it was opened: {}", path_, what), {},
                           "open it again; save_file replaces a file whole and disturbs no reader");
}

}  // namespace d2l::detail::safetensors
