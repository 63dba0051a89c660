// SPDX-License-Identifier: MIT
#include "build/cuda_request.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/error.h"
#include "course/course.h"

namespace d2l::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::array sources{".cu", ".hip", ".cpp", ".cc", ".cxx", ".c"};
constexpr std::array headers{".cuh", ".h", ".hpp"};

/// Reads the words of one command line.
class Reader {
 public:
  Reader(const Command& words, std::string command) : words_(words), command_(std::move(command)) {}

  CudaRequest read() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (word == "--") {
        request_.arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
        break;
      }
      if (word.starts_with("-") && word.size() > 1) {
        read_option(word);
      } else {
        request_.program.files.push_back(source(word));
      }
    }
    if (request_.help) return request_;
    if (request_.program.files.empty()) refuse("name a file, such as program.cu.\n" + cuda_usage(command_));
    if (wants_page_ && request_.page.empty()) request_.page = default_page();
    if (wants_page_) check_page();
    request_.program.instrumented = request_.check || request_.report || wants_page_;
    request_.program.optimised = !request_.debug;
    return request_;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Stop(wrong_usage, fmt::format("{}: {}", command_, why));
  }

  void read_option(const std::string& word) {
    if (word == "--check") {
      request_.check = true;
    } else if (word == "--report" && at_ < words_.size() && is_page(words_[at_])) {
      read_page(words_[at_++]);
    } else if (word == "--report") {
      request_.report = true;
    } else if (word.starts_with("--report=")) {
      const std::string form = word.substr(std::string("--report=").size());
      if (!is_page(form)) refuse(fmt::format("{}: the report is a table, --report, or --report html.", word));
      read_page(form);
    } else if (word == "--debug") {
      request_.debug = true;
    } else if (word == "--warp" || word.starts_with("--warp=")) {
      read_warp(word);
    } else if (word == "--help" || word == "-h") {
      request_.help = true;
    } else if (word == "-rdc=true" || word == "--relocatable-device-code=true") {
      request_.program.separate = true;
    } else if (word == "--hip") {
      request_.program.hip = true;
    } else if (word == "-fopenmp") {
      request_.program.openmp = true;
    } else if (word.starts_with("-Xcompiler") || word.starts_with("--compiler-options")) {
      read_compiler_option(word);
    } else if (word.starts_with("-I")) {
      request_.program.include_folders.push_back(folder(word.substr(2)));
    } else {
      const std::string near = nearest({"--check", "--report", "--debug", "--hip", "--warp", "--help"}, word);
      refuse(fmt::format("there is no option {}.{} Arguments of the program follow --.\n{}", word,
                         near.empty() ? "" : " Did you mean " + near + "?", cuda_usage(command_)));
    }
  }
  /// The lanes of a warp, in the same word or the next one.
  void read_warp(const std::string& word) {
    std::string lanes = word.starts_with("--warp=") ? word.substr(std::string("--warp=").size()) : "";
    if (word == "--warp" && at_ < words_.size()) lanes = words_[at_++];
    if (lanes != "32" && lanes != "64") {
      refuse(fmt::format("--warp needs the lanes of a warp, 32 or 64, and not \"{}\".", lanes));
    }
    request_.program.warp_size = lanes == "64" ? 64 : 32;
  }
  /// What nvcc gives to the host's compiler, in the same word or the next one.
  void read_compiler_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    std::string option = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (equals == std::string::npos && at_ < words_.size()) option = words_[at_++];
    if (option != "-fopenmp") {
      refuse(fmt::format("{} {}: of the options for the host's compiler, -fopenmp works.", word, option));
    }
    request_.program.openmp = true;
  }
  static bool is_page(const std::string& word) { return word == "html" || word.starts_with("html="); }
  /// "html" or "html=FILE"
  void read_page(const std::string& form) {
    wants_page_ = true;
    if (form == "html") return;
    request_.page = form.substr(std::string("html=").size());
    if (request_.page.empty()) refuse("--report html= needs a file, such as --report html=report.html.");
  }
  [[nodiscard]] fs::path default_page() const {
    return request_.program.files.front().stem().string() + "_report.html";
  }
  void check_page() const {
    const fs::path& page = request_.page;
    const auto refuse_page = [&](const char* why) {
      refuse(fmt::format("the report cannot be written to {}: {}", page.string(), why));
    };
    std::error_code problem;
    const fs::file_status status = fs::status(page, problem);
    if (fs::is_directory(status)) refuse_page("it is a folder. Name a file, such as --report html=report.html.");
    if (fs::exists(status) && !fs::is_regular_file(status)) refuse_page("it is not a file.");
    const fs::path folder = page.has_parent_path() ? page.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, problem)) refuse_page("there is no such folder.");
    if (!can_make_a_file(folder)) {
      refuse_page("no file can be made in this folder. Name another one with --report html=FILE.");
    }
  }
  static bool can_make_a_file(const fs::path& folder) {
    const fs::path trial = folder / fmt::format(".d2l-report-{}.part", ::getpid());
    const int file = ::open(trial.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) return false;
    ::close(file);
    return ::unlink(trial.c_str()) == 0;
  }
  /// The folder of -I, which is the rest of the option or the next word.
  fs::path folder(std::string name) {
    if (name.empty()) {
      if (at_ == words_.size() || words_[at_].starts_with("-")) refuse("-I needs a folder, such as -I include.");
      name = words_[at_++];
    }
    if (!fs::exists(name)) refuse(fmt::format("-I {}: there is no such folder.", name));
    if (!fs::is_directory(name)) refuse(fmt::format("-I {}: it is not a folder.", name));
    return name;
  }
  [[nodiscard]] fs::path source(const std::string& name) const {
    fs::path file = name;
    if (!fs::exists(file)) {
      const std::string near = nearest(sources_in(file.parent_path()), file.filename().string());
      refuse(fmt::format("there is no file {}.{}", name,
                         near.empty() ? "" : " Did you mean " + (file.parent_path() / near).string() + "?"));
    }
    if (fs::is_directory(file)) refuse(fmt::format("{} is a folder: name its files, such as {}/*.cu.", name, name));
    if (!fs::is_regular_file(file)) refuse(fmt::format("{} is not a file.", name));
    const std::string extension = file.extension().string();
    if (std::find(headers.begin(), headers.end(), extension) != headers.end()) {
      refuse(
          fmt::format("{} is a header: name the files that include it, and its folder with -I if they need it.", name));
    }
    if (std::find(sources.begin(), sources.end(), extension) == sources.end()) {
      refuse(fmt::format("{} is not a source file: name files that end with .cu, .hip or .cpp.", name));
    }
    if (::access(file.c_str(), R_OK) != 0) refuse(fmt::format("{} cannot be read: you have no permission.", name));
    return file;
  }
  [[nodiscard]] static std::vector<std::string> sources_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, problem)) {
      const std::string extension = entry.path().extension().string();
      if (std::find(sources.begin(), sources.end(), extension) != sources.end()) {
        names.push_back(entry.path().filename().string());
      }
    }
    return names;
  }

  const Command& words_;
  std::string command_;
  std::size_t at_ = 0;
  bool wants_page_ = false;
  CudaRequest request_;
};

constexpr std::size_t memory_of_a_card = std::size_t{16} << 30;

/// True if the system lets a program reserve the memory of a device, which is mapped twice.
bool can_reserve(std::size_t bytes) {
  void* const memory = mmap(nullptr, 2 * bytes, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, 2 * bytes);
  return true;
}

/// If the machine's memory is used up, the system ends the program, not others.
void prefer_to_end_programs() { std::ofstream("/proc/self/oom_score_adj") << 800; }

/// Runs a program that writes a page when it ends. A page of an earlier run would be taken for that of this one.
int run_with_page(const CudaRequest& request, Command before) {
  std::error_code problem;
  fs::remove(request.page, problem);
  setenv("D2L_KERNEL_REPORT_PAGE", fs::absolute(request.page).c_str(), 1);
  const int code = run_cuda_program(request, std::move(before));
  if (fs::exists(request.page, problem)) return code;
  fmt::print(stderr, "There is no report: the program ended before it could write {}.\n", request.page.string());
  return code == 0 ? wrong_usage : code;
}

}  // namespace

CudaRequest read_cuda_request(const Command& words, const std::string& command) {
  return Reader(words, command).read();
}

std::string cuda_usage(const std::string& command) {
  return fmt::format(
      "{}{} FILE.cu... [-I FOLDER] [-rdc=true] [-fopenmp] [--hip] [--check] [--report [html[=FILE]]] [--debug]\n"
      "[--warp 64] [-- ARGUMENTS]\n"
      "compiles a CUDA program and runs it: on virtual GPUs, or on the card if this machine has one. A HIP program, "
      "which\n"
      "is a .hip file or includes headers of HIP, always runs on virtual GPUs.\n"
      "  -I FOLDER    look for headers there, too\n"
      "  -rdc=true    device code uses functions and variables of other files: nvcc needs it, the emulator does not\n"
      "  -fopenmp     the host's code has several threads by OpenMP; also as -Xcompiler -fopenmp\n"
      "  --hip        all files are HIP programs, such as a .cu file with HIP's names\n"
      "  --check      report wrong accesses, races and barriers\n"
      "  --report     show the memory requests of each kernel, by line\n"
      "  --report html  the same as a page for a browser, with a picture of a request for each line: "
      "NAME_report.html,\n"
      "               or FILE with html=FILE\n"
      "  --debug      start the program in gdb, or on a card in cuda-gdb; without optimisation\n"
      "  --warp 64    warps of 64 lanes, as some cards of AMD have them, and what in the program needs 32; in the "
      "emulator\n"
      "  -- ARGUMENTS are those of the program\n"
      "The exit code is the program's; 1 if it does not compile or --check reported something; 2 for wrong "
      "arguments.\n",
      command.starts_with("learn ") ? "./" : "", command);
}

Command debugger(const CudaRequest& request, bool card) {
  if (!request.debug) return {};
  Command command = card ? Command{"cuda-gdb", "--quiet", "--args"} : Command{"gdb", "--quiet", "--args"};
  if (!find_program(command.front()).empty()) return command;
  throw Stop(wrong_usage,
             fmt::format("--debug needs {}, and it is not in PATH. {}", command.front(),
                         card ? "It belongs to the CUDA toolkit." : "On Debian and Ubuntu: sudo apt-get install gdb"));
}

int run_cuda_program(const CudaRequest& request, Command before) {
  std::fflush(stdout);
  before.insert(before.end(), request.arguments.begin(), request.arguments.end());
  const int code = run(before, fs::current_path());
  if (const std::string how = signal_words(code); !how.empty()) fmt::print(stderr, "The program {}.\n", how);
  if (code == 128 + SIGKILL) fmt::print(stderr, "Perhaps it used more memory than the machine has.\n");
  return code;
}

int run_emulated(const CudaRequest& request, const Emulator& emulator, Command before) {
  fmt::print(stderr, "Kernels run in the CUDA emulator, on virtual GPUs.{}\n",
             request.page.empty() ? "" : fmt::format(" The report goes to {}.", request.page.string()));
  const bool needs_32_lanes = request.program.warp_size == 64 && tell_narrow_places(request.program);
  const fs::path program = build_emulated(request.program, emulator);
  setenv("D2L_VIRTUAL_GPUS", can_reserve(memory_of_a_card) ? "1:16GiB@host" : "1@host", 0);
  prefer_to_end_programs();
  if (request.check) {
    setenv("D2L_CHECK_KERNELS", "1", 1);
    setenv("D2L_CHECK_LEAKS", "1", 1);
  }
  if (request.report) setenv("D2L_KERNEL_REPORT", "1", 1);
  setenv("D2L_REPORT_CRASHES", "1", 1);
  setenv("D2L_CUDA_DESCRIPTIONS", emulator.descriptions.c_str(), 1);  // nvrtc compiles as this program was
  if (request.debug) {
    before.insert(before.begin() + 1, {"-x", (emulator.descriptions / "cuda.gdb").string()});
    setenv("D2L_WATCHDOG_SECONDS", "0", 0);  // a kernel at a breakpoint makes no progress
  }
  before.push_back(program.string());
  const int code =
      request.page.empty() ? run_cuda_program(request, std::move(before)) : run_with_page(request, std::move(before));
  return code == 0 && request.check && needs_32_lanes ? 1 : code;
}

}  // namespace d2l::runner
