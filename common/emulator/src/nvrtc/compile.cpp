// SPDX-License-Identifier: MIT
// nvrtcCompileProgram(): translates a program and its headers, and makes a shared object of it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "execution/lanes.h"
#include "hip/program.h"
#include "nvrtc/descriptions.h"
#include "nvrtc/program.h"
#include "translator/sources.h"
#include "translator/unsupported.h"

namespace d2l::emulator {

// Of libraries/modules.cpp.
extern const std::string_view object_of_image;
std::string lowered_name(const std::string& object, const std::string& expression, std::string& error);

namespace nvrtc {
namespace {

namespace fs = std::filesystem;

/// Where the program and its headers are, while they are translated.
thread_local fs::path sources_folder;

/// Messages name the program's files as the program does.
std::string shown(const fs::path& file) {
  const std::string relative = file.lexically_relative(sources_folder).string();
  return relative.empty() || relative.starts_with("..") ? file.string() : relative;
}

/// In the source's folder, whatever the name says.
fs::path place_of(const std::string& name) { return fs::path("/" + name).lexically_normal().relative_path(); }

bool is_set(const char* name) {
  const char* const text = std::getenv(name);
  return text != nullptr && *text != '\0' && std::string_view(text) != "0";
}

/// The function that tells the names of the program to the driver's functions.
std::string names_function(const Program& program) {
  std::string text =
      "\n#line 1 \"the names of the kernels\"\n#include <d2l_emulator/driver/run_time_names.h>\n"
      "extern \"C\" void d2l_run_time_names(d2l::emulator::RunTimeNames& d2l_names) {\n";
  for (const std::string& kernel : plain_kernels(program.source)) {
    text += "d2l_names.add(\"" + kernel + "\", &" + kernel + ");\n";
  }
  for (const std::string& expression : program.expressions) {
    const bool pointer = expression.starts_with('&');
    text += "#line 1 \"the name expression " + expression + "\"\nd2l_names.add(R\"d2l(" + expression + ")d2l\", " +
            (pointer ? "" : "&") + expression + ");\n";
  }
  return text + "}\n";
}

/// A tree of translated files, which mirrors the file system.
struct Tree {
  fs::path root;
  fs::path source;  ///< the program, translated
  bool uses_volatile = false;

  [[nodiscard]] fs::path place(const fs::path& file) const {
    return root / fs::absolute(file).lexically_normal().relative_path();
  }
};

Tree translate(const Program& program, const Options& options, const fs::path& folder) {
  const fs::path source = folder / "source" / place_of(program.name);
  for (const auto& [name, text] : program.headers) write_file(folder / "source" / place_of(name), text);
  write_file(source, program.source);
  sources_folder = folder / "source";
  std::vector<fs::path> folders = {folder / "source"};
  folders.insert(folders.end(), options.include_folders.begin(), options.include_folders.end());
  translator::Sources sources(folders, shown);
  Tree tree{folder / "tree", {}, false};
  tree.source = tree.place(source);
  const std::string runtime = is_hip_program() ? "#include <hip/hip_runtime.h>\n" : "#include <cuda_runtime.h>\n";
  for (const auto& [path, file] : sources.add(source)) {
    tree.uses_volatile |= file->uses_volatile;
    const bool is_program = path == fs::absolute(source).lexically_normal();
    // The runtime's names are known without an #include.
    write_file(tree.place(path), is_program ? runtime + file->text + names_function(program) : file->text);
  }
  return tree;
}

std::vector<std::string> command_for(const Tree& tree, const Options& options, const fs::path& folder) {
  std::vector<std::string> command = description("compile.txt");
  const auto add = [&command](std::initializer_list<std::string> words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  if (is_hip_program()) {
    add({"-D__HIPCC__=1", "-D__HIP__=1", "-D__HIP_PLATFORM_AMD__=1", "-D__HIPCC_RTC__=1"});
  } else {
    add({"-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_RTC__"});
  }
  add({"-fPIC", "-Wno-deprecated", "-Wno-unknown-pragmas"});
  add({"-fdiagnostics-color=never", "-I" + tree.place(folder / "source").string()});
  for (const std::string& one : options.include_folders) add({"-I" + tree.place(one).string(), "-I" + one});
  if (warp_size() != 32) add({"-DD2L_WARP_SIZE=" + std::to_string(warp_size())});
  command.insert(command.end(), options.words.begin(), options.words.end());
  const bool checked = is_set("D2L_CHECK_KERNELS") || is_set("D2L_KERNEL_REPORT") || is_set("D2L_KERNEL_REPORT_PAGE");
  if (checked || tree.uses_volatile) {
    const auto instrumentation = description("instrument.txt");
    command.insert(command.end(), instrumentation.begin(), instrumentation.end());
  }
  return command;
}

/// Adds the names that the emulator does not have, as `./learn cuda` does.
void tell_unsupported(Program& program) {
  for (const auto& one : translator::unsupported_names(program.source)) {
    program.log += program.name + ":" + std::to_string(one.line) + ": " + std::string(one.name) + ": " +
                   std::string(one.what) + " are not supported by the emulator\n";
  }
}

bool make_object(Program& program, const Options& options, const fs::path& folder, const fs::path& object) {
  const Tree tree = translate(program, options, folder);
  std::vector<std::string> command = command_for(tree, options, folder);
  const std::string compiler = command.front();
  const std::string compiled = (folder / "program.o").string();
  for (const auto& word :
       {std::string("-x"), std::string("c++"), std::string("-c"), tree.source.string(), std::string("-o"), compiled}) {
    command.push_back(word);
  }
  if (!run(command, program.log)) {
    tell_unsupported(program);
    return false;
  }
  // Its own functions come before those of the process that have the same names.
  return run({compiler, "-shared", "-Wl,-Bsymbolic", compiled, "-o", object.string()}, program.log);
}

}  // namespace

bool compile(Program& program, const Options& options) {
  program.compiled = true;
  program.log.clear();
  program.image.clear();
  const fs::path folder = new_folder();
  const fs::path object = folder / "program.so";
  if (!make_object(program, options, folder, object)) return false;
  std::string problem;
  std::vector<std::string> expressions = program.expressions;
  if (expressions.empty()) expressions.emplace_back();  // only loads the object
  for (const std::string& expression : expressions) {
    program.lowered[expression] = lowered_name(object, expression, problem);
    if (problem.empty()) continue;
    program.log += "nvrtc: error: " + problem +
                   ". The emulator's functions must be in the program: compile it with ./learn cuda, or link with "
                   "-rdynamic and all of libd2l_cuda_emulator.a (--whole-archive)\n";
    return false;
  }
  program.image =
      "// This is no PTX of NVIDIA's compiler: it names a shared object, for the CUDA emulator in this process.\n" +
      std::string(object_of_image) + object.string() + "\n";
  return true;
}

}  // namespace nvrtc
}  // namespace d2l::emulator
