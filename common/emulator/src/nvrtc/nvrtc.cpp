// SPDX-License-Identifier: MIT
// The functions of nvrtc.h.
#include "nvrtc.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <set>

#include "nvrtc/program.h"

using d2l::emulator::nvrtc::Program;

namespace {

struct Programs {
  std::mutex mutex;
  std::set<const void*> known;
};
Programs& programs() {
  static auto* const made = new Programs;
  return *made;
}

/// Null if there is no such program.
Program* find(nvrtcProgram handle) {
  const std::lock_guard lock(programs().mutex);
  return programs().known.contains(handle) ? reinterpret_cast<Program*>(handle) : nullptr;
}

template <class Body>
nvrtcResult with(nvrtcProgram handle, const Body& body) {
  Program* const program = find(handle);
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  try {
    return body(*program);
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    program->log = error.what();
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

/// The sizes count the zero at the end.
nvrtcResult give_size(const std::string& text, std::size_t* bytes) {
  if (bytes == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = text.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult give(const std::string& text, char* to) {
  if (to == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVRTC_SUCCESS;
}

}  // namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
  constexpr const char* names[] = {"NVRTC_SUCCESS",
                                   "NVRTC_ERROR_OUT_OF_MEMORY",
                                   "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                   "NVRTC_ERROR_INVALID_INPUT",
                                   "NVRTC_ERROR_INVALID_PROGRAM",
                                   "NVRTC_ERROR_INVALID_OPTION",
                                   "NVRTC_ERROR_COMPILATION",
                                   "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                   "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                   "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                   "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                   "NVRTC_ERROR_INTERNAL_ERROR"};
  const auto index = static_cast<std::size_t>(result);
  return index < std::size(names) ? names[index] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *count = 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  if (architectures == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *architectures = 90;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* handle, const char* source, const char* name, int headers,
                               const char* const* header_sources, const char* const* header_names) {
  if (handle == nullptr || source == nullptr || headers < 0) return NVRTC_ERROR_INVALID_INPUT;
  if (headers > 0 && (header_sources == nullptr || header_names == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
  auto program = std::make_unique<Program>();
  program->name = name == nullptr || *name == '\0' ? "default_program" : name;
  program->source = source;
  for (int i = 0; i < headers; ++i) program->headers.emplace_back(header_names[i], header_sources[i]);
  const std::lock_guard lock(programs().mutex);
  programs().known.insert(program.get());
  *handle = reinterpret_cast<nvrtcProgram>(program.release());
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* handle) {
  if (handle == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  Program* const program = find(*handle);
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  const std::lock_guard lock(programs().mutex);
  programs().known.erase(program);
  delete program;
  *handle = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram handle, int count, const char* const* options) {
  return with(handle, [&](Program& program) {
    if (count < 0 || (count > 0 && options == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
    const auto read = d2l::emulator::nvrtc::read_options({options, options + count});
    if (!read.unknown.empty()) {
      program.log = "nvrtc: error: unrecognized option " + read.unknown + "\n";
      return NVRTC_ERROR_INVALID_OPTION;
    }
    return d2l::emulator::nvrtc::compile(program, read) ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
  });
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram handle, std::size_t* bytes) {
  return with(handle, [&](const Program& program) { return give_size(program.log, bytes); });
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram handle, char* log) {
  return with(handle, [&](const Program& program) { return give(program.log, log); });
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram handle, std::size_t* bytes) {
  return with(handle, [&](const Program& program) {
    return program.image.empty() ? NVRTC_ERROR_INVALID_PROGRAM : give_size(program.image, bytes);
  });
}
nvrtcResult nvrtcGetPTX(nvrtcProgram handle, char* ptx) {
  return with(handle, [&](const Program& program) {
    return program.image.empty() ? NVRTC_ERROR_INVALID_PROGRAM : give(program.image, ptx);
  });
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram handle, std::size_t* bytes) { return nvrtcGetPTXSize(handle, bytes); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram handle, char* cubin) { return nvrtcGetPTX(handle, cubin); }

nvrtcResult nvrtcAddNameExpression(nvrtcProgram handle, const char* expression) {
  return with(handle, [&](Program& program) {
    if (expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    if (program.compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    if (std::ranges::find(program.expressions, expression) == program.expressions.end()) {
      program.expressions.emplace_back(expression);
    }
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram handle, const char* expression, const char** name) {
  return with(handle, [&](const Program& program) {
    if (expression == nullptr || name == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    if (program.image.empty()) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program.lowered.find(expression);
    if (found == program.lowered.end() || found->second.empty()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}
