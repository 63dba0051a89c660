// SPDX-License-Identifier: MIT
#include "build/cuda_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/machine.h"
#include "base/process.h"
#include "base/run_limited.h"
#include "base/sha256.h"
#include "base/terminal.h"
#include "base/text.h"
#include "build/first_error.h"
#include "translator/narrow_warps.h"
#include "translator/sources.h"
#include "translator/unsupported.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> described(const Emulator& emulator, const char* file) {
  std::istringstream text(replaced(read_file(emulator.descriptions / file), "@PREFIX@", emulator.prefix));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

/// When a file or the newest file of a folder was changed, as text.
std::string time_of(const fs::path& path) {
  auto newest = fs::last_write_time(path);
  if (fs::is_directory(path)) {
    for (const auto& one : fs::recursive_directory_iterator(path)) newest = std::max(newest, one.last_write_time());
  }
  return std::to_string(newest.time_since_epoch().count());
}

/// How messages name a file: relative to the current folder where that is shorter.
std::string shown(const fs::path& file) {
  const std::string relative = file.lexically_relative(fs::current_path()).string();
  return relative.empty() || relative.starts_with("../..") ? file.string() : relative;
}

using emulator::translator::TranslatedFiles;

/// True for a .cu or a .hip file, one with kernels, itself or in a header, one that includes hip/hip_runtime.h, and one
/// that has code of the device itself, but no header of the runtime, which only nvcc includes by itself.
bool is_for_nvcc(const fs::path& file, const TranslatedFiles& files) {
  const auto any = [&](bool emulator::translator::TranslatedFile::*property) {
    return std::ranges::any_of(files, [&](const auto& one) { return one.second->*property; });
  };
  using File = emulator::translator::TranslatedFile;
  const bool has_device_code = files.at(fs::absolute(file).lexically_normal())->has_device_code;
  const bool named = file.extension() == ".cu" || file.extension() == ".hip";
  return named || any(&File::has_kernels) || any(&File::includes_hip_language) ||
         (has_device_code && !any(&File::includes_runtime));
}

/// The translated files of a program: a tree that mirrors the file system, so that each #include finds its file.
class TranslatedTree {
 public:
  TranslatedTree(fs::path root, const CudaProgram& program)
      : root_(std::move(root)), hip_(program.hip), sources_(program.include_folders, shown) {}

  [[nodiscard]] fs::path place_of(const fs::path& file) const {
    return root_ / fs::absolute(file).lexically_normal().relative_path();
  }
  struct Source {
    std::string digest;          ///< of the contents of the file and of those that it includes
    bool uses_volatile = false;  ///< one of them
    bool uses_nvrtc = false;     ///< one of them: it compiles at run time
    bool for_nvcc = false;       ///< see is_for_nvcc(); otherwise it is for the host's compiler
    bool hip = false;            ///< it is a HIP program
  };
  /// Translates a file and, once each, the files that it includes.
  Source add(const fs::path& file) {
    Source source;
    const bool is_cu = file.extension() == ".cu";
    const auto files = sources_.add(file);
    source.hip = hip_ || emulator::translator::is_hip(file, files);
    source.for_nvcc = hip_ || is_for_nvcc(file, files);
    for (const auto& [path, translated] : files) {
      source.uses_volatile |= translated->uses_volatile;
      source.uses_nvrtc |= translated->text.find("nvrtc.h") != std::string::npos ||
                           translated->text.find("hiprtc.h") != std::string::npos;
    }
    std::string all;
    for (const auto& [path, translated] : files) {
      const fs::path place = place_of(path);
      const bool lacks_runtime = place == place_of(file) && source.for_nvcc && !is_cu;
      const bool lacks_hip = place == place_of(file) && hip_;
      const std::string text = (lacks_hip       ? "#include <hip/hip_runtime.h>\n"
                                : lacks_runtime ? "#include <cuda_runtime.h>\n"
                                                : "") +
                               translated->text;
      if (!fs::exists(place) || read_file(place) != text) write_file(place, text);
      all += path.string() + '\n' + sha256(text) + '\n';
    }
    source.digest = sha256(all);
    return source;
  }
  /// Writes the names that the emulator does not support, for a program that does not compile.
  void tell_unsupported(const fs::path& file) {
    for (const auto& [path, translated] : sources_.add(file)) {
      for (const auto& one : emulator::translator::unsupported_names(read_file(path))) {
        fmt::print(stderr, "{}:{}: {}: {} are not supported by the emulator\n", shown(path), one.line, one.name,
                   one.what);
      }
    }
  }

 private:
  fs::path root_;
  bool hip_;
  emulator::translator::Sources sources_;
};

// As nvcc defines for its files; the host's compiler, to which it gives .cpp files, does not. Some .cpp files count as
// .cu files, as with nvcc -x cu.
constexpr std::array with_kernels{"-D__CUDACC__", "-D__NVCC__"};
// As hipcc defines for its files, and programs of HIP for the host's compiler.
constexpr std::array with_kernels_of_hip{"-D__HIPCC__=1", "-D__HIP__=1", "-D__HIP_PLATFORM_AMD__=1"};
constexpr const char* of_hip = "-D__HIP_PLATFORM_AMD__=1";
// Its loops have the translator's marks, too, but it may include no header that defines them.
constexpr std::array without_kernels{"-DD2L_HOST_FILE",
                                     "-DD2L_EMULATOR_LOOP(loop,around)=", "-DD2L_EMULATOR_LEAVE(loop)="};

constexpr std::array nvcc_optimised{"-O2", "-lineinfo"};
constexpr std::array nvcc_for_debugger{"-g", "-G"};

void run_compiler(const Command& command, const std::string& doing) {
  if (run(command, fs::current_path()) != 0) throw Stop(failed, doing);
}

/// Compiles one file if its object is not there. Returns the object.
fs::path compile(const fs::path& file, const std::string& digest, TranslatedTree& tree, Command command,
                 const fs::path& objects) {
  std::string key = digest;
  for (const std::string& word : command) key += '\n' + word;
  fs::path object = objects / (sha256(key + '\n' + file.string()).substr(0, 32) + ".o");
  if (fs::exists(object)) return object;
  fs::create_directories(objects);
  const fs::path unfinished = object.string() + ".part";
  const std::vector<std::string> rest = {"-x", "c++", "-c", tree.place_of(file).string(), "-o", unfinished.string()};
  command.insert(command.end(), rest.begin(), rest.end());
  command.emplace_back(colours() ? "-fdiagnostics-color=always" : "-fdiagnostics-color=never");
  std::vector<std::string> output;
  const int code = run_reading(command, fs::current_path(), [&output](const std::string& line) {
    fmt::print(stderr, "{}\n", line);
    output.push_back(without_escape_codes(line));
  });
  if (code != 0) {
    tree.tell_unsupported(file);
    const std::string name = shown(fs::absolute(file));
    const auto leading = leading_line(output, {name});
    const bool is_error = leading && leading->find(" error: ") != std::string::npos;
    throw Stop(failed, fmt::format("{} does not compile.{}{}", name,
                                   !leading   ? ""
                                   : is_error ? " The first error:\n"
                                              : " This line leads to the first error:\n",
                                   leading.value_or("")));
  }
  fs::rename(unfinished, object);
  return object;
}

/// What nvrtc compiles uses functions of the emulator that the program itself may not use: all must be in it, and be
/// found by name. The emulator is the first of the libraries.
void link_whole_emulator(Command& libraries) {
  libraries.insert(libraries.begin() + 1, "-Wl,--no-whole-archive");
  libraries.insert(libraries.begin(), {"-rdynamic", "-Wl,--whole-archive"});
}

}  // namespace

bool tell_narrow_places(const CudaProgram& program) {
  emulator::translator::Sources sources(program.include_folders, shown);
  std::map<fs::path, std::vector<emulator::translator::NarrowPlace>> places;
  for (const fs::path& file : program.files) {
    for (const auto& [path, translated] : sources.add(file)) {
      places.try_emplace(path, emulator::translator::places_for_32_lanes(read_file(path)));
    }
  }
  bool any = false;
  for (const auto& [path, found] : places) {
    for (const auto& one : found) {
      fmt::print(stderr, "{}:{}: for warps of 32 lanes: {}\n", shown(path), one.line, one.what);
      any = true;
    }
  }
  return any;
}

bool has_hip(const CudaProgram& program) {
  if (program.hip) return true;
  emulator::translator::Sources sources(program.include_folders);
  return std::ranges::any_of(
      program.files, [&](const fs::path& file) { return emulator::translator::is_hip(file, sources.add(file)); });
}

fs::path build_emulated(const CudaProgram& program, const Emulator& emulator) {
  const fs::path& own = emulator.programs;
  TranslatedTree tree(own / (program.hip ? "tree_of_hip" : "tree"), program);
  Command command = described(emulator, "compile.txt");
  const std::string compiler = command.front();
  for (const fs::path& one : program.include_folders) {
    command.push_back("-I" + tree.place_of(one).string());
    command.push_back("-I" + fs::absolute(one).string());
  }
  command.insert(command.end(), {"-Wno-deprecated", "-Wno-unknown-pragmas"});
  if (!program.optimised) command.emplace_back("-O0");
  if (program.warp_size != 32) command.push_back(fmt::format("-DD2L_WARP_SIZE={}", program.warp_size));
  if (program.openmp) command.emplace_back("-fopenmp");  // the libraries of the emulator link it
  const bool thread_sanitizer = std::ranges::find(command, "-fsanitize=thread") != command.end();
  const std::vector<std::string> instrumentation = described(emulator, "instrument.txt");
  std::string headers;
  for (const fs::path& one : emulator.headers) headers += time_of(one);
  Command link = {compiler};
  std::vector<std::string> libraries = described(emulator, "link.txt");
  bool uses_nvrtc = false;
  std::string key;
  for (const std::string& word : libraries) key += word + (fs::is_regular_file(word) ? time_of(word) : "") + '\n';
  for (const fs::path& file : program.files) {
    const auto source = tree.add(file);
    uses_nvrtc |= source.uses_nvrtc;
    Command for_file = command;
    if (source.for_nvcc && source.hip) {
      for_file.insert(for_file.end(), with_kernels_of_hip.begin(), with_kernels_of_hip.end());
    } else if (source.for_nvcc) {
      for_file.insert(for_file.end(), with_kernels.begin(), with_kernels.end());
    } else {
      for_file.insert(for_file.end(), without_kernels.begin(), without_kernels.end());
      if (source.hip) for_file.emplace_back(of_hip);
    }
    if (program.instrumented || source.uses_volatile) {
      if (thread_sanitizer) {
        throw Stop(wrong_usage,
                   fmt::format("learn cuda: build/cpu has the thread sanitizer, which takes the place of the "
                               "checks that {} needs. Configure it again without D2L_SANITIZER.",
                               program.instrumented ? "this option" : "a program with volatile variables"));
      }
      for_file.insert(for_file.end(), instrumentation.begin(), instrumentation.end());
    }
    link.push_back(compile(file, source.digest + headers, tree, for_file, own / "objects").string());
    key += '\n' + link.back();
  }
  if (uses_nvrtc) link_whole_emulator(libraries);
  fs::path executable = own / "programs" / sha256(key).substr(0, 32) / program.files.front().stem();
  if (fs::exists(executable)) return executable;
  fs::create_directories(executable.parent_path());
  link.insert(link.end(), libraries.begin(), libraries.end());
  const fs::path unfinished = executable.string() + ".part";
  link.insert(link.end(), {"-o", unfinished.string()});
  run_compiler(link, fmt::format("{} does not link.", shown(fs::absolute(program.files.front()))));
  fs::rename(unfinished, executable);
  return executable;
}

fs::path build_with_nvcc(const CudaProgram& program, const fs::path& folder) {
  fs::path executable = folder / "cuda_programs" / "nvcc" / program.files.front().stem();
  fs::create_directories(executable.parent_path());
  Command command = {cuda_compiler(), "-std=c++20", "-arch=native"};
  for (const char* const option : program.optimised ? nvcc_optimised : nvcc_for_debugger) command.emplace_back(option);
  if (program.separate) command.emplace_back("-rdc=true");
  if (program.openmp) command.insert(command.end(), {"-Xcompiler", "-fopenmp"});
  for (const fs::path& one : program.include_folders) command.push_back("-I" + one.string());
  emulator::translator::Sources sources(program.include_folders);
  Command inputs;
  for (const fs::path& file : program.files) {
    inputs.push_back(file.string());
    if (file.extension() == ".cu" || !is_for_nvcc(file, sources.add(file))) continue;
    // nvcc has one language for all files of a command.
    inputs.back() = executable.string() + fmt::format("_{}.o", inputs.size());
    Command compiling = command;
    compiling.insert(compiling.end(), {"-x", "cu", "-c", file.string(), "-o", inputs.back()});
    run_compiler(compiling, fmt::format("{} does not compile.", shown(fs::absolute(file))));
  }
  command.insert(command.end(), inputs.begin(), inputs.end());
  command.insert(command.end(), {"-o", executable.string()});
  run_compiler(command, fmt::format("{} does not compile.", shown(fs::absolute(program.files.front()))));
  return executable;
}

}  // namespace d2l::runner
