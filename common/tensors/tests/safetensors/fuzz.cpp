// SPDX-License-Identifier: MIT
// libFuzzer: any bytes are either read as a file or cause an error; what was read is written and read again.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "d2l/error.h"
#include "d2l/safetensors.h"
#include "safetensors/header.h"

namespace {

using namespace d2l::detail::safetensors;  // NOLINT(google-build-using-namespace)

/// An in-memory file with a path.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("fuzz", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(file_)) {}
  void put(const void* bytes, std::size_t count) const {
    if (ftruncate(file_, 0) != 0 || pwrite(file_, bytes, count, 0) != static_cast<ssize_t>(count)) std::abort();
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int file_;
  std::string path_;
};

void expect(bool truth, const char* what) {
  if (truth) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::abort();
}

/// A header written from what was read reads back as the same.
void write_and_read_again(const MemoryFile& other, const d2l::SafetensorsFile& file, const std::string& data) {
  const InputFile input(file.path(), "fuzz");
  const Header header = read_header(input);
  const auto text = header_text(header.entries, header.metadata) + data;
  other.put(text.data(), text.size());
  const d2l::SafetensorsFile again(other.path());
  expect(again.metadata() == file.metadata(), "the metadata are the same");
  expect(again.keys() == file.keys(), "the names are the same");
  for (std::size_t i = 0; i < file.size(); ++i) {
    expect(again.infos()[i].dtype == file.infos()[i].dtype, "the dtypes are the same");
    expect(again.infos()[i].shape == file.infos()[i].shape, "the shapes are the same");
    expect(again.infos()[i].nbytes == file.infos()[i].nbytes, "the sizes are the same");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  static const MemoryFile first;
  static const MemoryFile second;
  first.put(bytes, count);
  try {
    const d2l::SafetensorsFile file(first.path());
    std::string data;
    for (const auto& info : file.infos()) {
      data.append(reinterpret_cast<const char*>(bytes) + info.offset, static_cast<std::size_t>(info.nbytes));
    }
    write_and_read_again(second, file, data);
    for (const auto& item : file.tensors()) {
      expect(item.value().nbytes() == file.info(item.key()).nbytes, "a tensor has the size of its bytes");
    }
  } catch (const d2l::Error& error) {
    expect(std::string(error.what()).size() < 2000, "an error is short");
  }
  return 0;
}
