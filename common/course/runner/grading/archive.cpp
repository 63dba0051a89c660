// SPDX-License-Identifier: MIT
#include "grading/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "base/error.h"
#include "grading/reports/printable.h"
#include "grading/sandbox/untrusted_files.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;

/// The sandbox lets no program change permissions, so tar cannot unpack ".", or a folder that is not writable.
constexpr const char* unpacker = R"(
import os, shutil, signal, stat, sys, tarfile, zipfile

signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # a file that is too large ends the program

def from_zip():
    with zipfile.ZipFile("archive") as archive:
        for entry in archive.infolist():
            if not entry.is_dir() and not stat.S_ISLNK(entry.external_attr >> 16):
                yield entry.filename.replace("\\", "/"), lambda: archive.open(entry)

def from_tar():
    with tarfile.open("archive") as archive:
        for entry in archive:
            if entry.isreg() or entry.islnk():
                yield entry.name, lambda: archive.extractfile(entry)

try:
    for number, (name, opened) in enumerate(from_zip() if sys.argv[1] == ".zip" else from_tar()):
        if number == 100000:
            sys.exit("it has more than 100000 files")
        if name.startswith("/") or ".." in name.split("/"):
            sys.exit(f"a name leads outside: {name!a:.150}")
        if name.count("/") > 64:
            sys.exit(f"folders are nested more than 64 deep: {name!a:.100}")
        path = os.path.join("files", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with opened() as source, open(path, "wb") as target:
            shutil.copyfileobj(source, target)
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
)";

}  // namespace

std::string archive_stem(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
  for (const std::string extension : {".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tar", ".zip"}) {
    if (lower.ends_with(extension)) return name.substr(0, name.size() - extension.size());
  }
  return {};
}

std::string unpack(const fs::path& archive, const WorkFolder& work) {
  constexpr std::uint64_t largest = std::uint64_t{64} << 20;
  const auto bytes = read_regular_file(archive, largest);
  if (!bytes) return fmt::format("the archive is not a regular file, or larger than {}", format_size(largest));
  std::ofstream(work.folder() / "archive", std::ios::binary) << *bytes;
  fs::create_directory(work.folder() / "files");
  Limits limits;
  limits.files = 2 * largest;
  const bool zip = bytes->starts_with("PK");
  const Ending ending = work.run({"/usr/bin/env", "python3", "-I", "-c", unpacker, zip ? ".zip" : ".tar"}, {}, limits);
  if (ending.succeeded()) return {};
  constexpr int not_found = 127;
  if (ending.exit_code == not_found)
    throw runner::Stop(runner::failed, "Archives are unpacked with python3, which is not installed (./learn setup).");
  const bool by_itself = ending.cause == Cause::ended && ending.signal == 0;
  return "the archive cannot be unpacked: " +
         (by_itself ? first_line(ending.output) : "unpacking it " + describe(ending, limits));
}

}  // namespace d2l::grading
