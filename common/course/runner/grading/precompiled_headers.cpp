// SPDX-License-Identifier: MIT
#include "grading/precompiled_headers.h"

#include <exception>
#include <utility>

#include "base/files.h"
#include "grading/sandbox/temporary_folder.h"
#include "grading/sandbox/work_folder.h"

namespace d2l::grading {

namespace fs = std::filesystem;

PrecompiledHeaders::PrecompiledHeaders(const Kit& kit, const Sandbox& sandbox, fs::path slots)
    : kit_(kit), sandbox_(sandbox), slots_(std::move(slots)) {}

Words PrecompiledHeaders::options(const Check& check, int slot) {
  constexpr int worth_it = 5;  // to compile the headers takes as long as about four submissions
  const std::string library = "#include \"d2l/d2l.h\"\n";
  if (!kit_.can_precompile || runner::read_file(check.include / "exercise.h").find(library) == std::string::npos)
    return {};
  const bool with_kernels = is_cuda(check.source);
  Language& language = languages_[with_kernels ? 1 : 0];
  const fs::path header = kit_.precompiled() / (with_kernels ? "kernels.h" : "host.h");
  if (++language.submissions == worth_it) language.is_compiled = compile(check, header, slot);
  if (!language.is_compiled) return {};
  return {"-include", header.string()};
}

/// Where it fails, as on a full disk, submissions are compiled without it.
bool PrecompiledHeaders::compile(const Check& check, const fs::path& header, int slot) const try {
  const WorkFolder work(sandbox_, slots_, slot);
  runner::write_file(
      header, std::string(is_cuda(check.source) ? "#include <cuda_runtime.h>\n" : "") + "#include \"d2l/d2l.h\"\n");
  make_readable(kit_.precompiled());
  Words command = kit_.source_compiler(check, {});
  command.insert(command.end(), {"-x", "c++-header", header.string(), "-o", "compiled"});
  if (!work.run(command, kit_.readable(check), compiling_limits()).succeeded()) return false;
  const fs::path compiled = header.string() + ".gch";
  fs::copy_file(work.folder() / "compiled", compiled);
  fs::permissions(compiled, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  return true;
} catch (const std::exception&) {
  return false;
}

}  // namespace d2l::grading
