// SPDX-License-Identifier: MIT
#include "order/order_reports.h"

#include <fmt/format.h>

#include <cstdio>

#include "checks/element_text.h"
#include "checks/source_lines.h"
#include "hip/program.h"
#include "report/report.h"

namespace d2l::emulator {
namespace {

/// "x.cu:7" of an instruction; empty if it is not known, or in an algorithm of a library.
std::string line_of(const void* instruction) {
  if (instruction == nullptr) return "";
  const SourceLine& line = source_line(instruction);
  return line.line > 0 && !line.of_library ? line.text() : "";
}

struct Part {
  const Operation& operation;
  const Interval& interval;

  [[nodiscard]] bool changes() const { return (interval.bits & ~plain_read) != 0; }
  [[nodiscard]] std::string line() const { return line_of(changes() ? interval.write_at : interval.read_at); }
  /// Where the report stands: for the host, the line of the access.
  [[nodiscard]] std::string where() const {
    if (operation.kind == Operation::Kind::host) return line();
    return operation.site.where();
  }
  /// "kernel fill in stream 1", "cudaMemcpyAsync in the default stream", "the host".
  [[nodiscard]] std::string who() const {
    switch (operation.kind) {
      case Operation::Kind::kernel:
        return fmt::format("kernel {} in {}", operation.kernel, operation.stream);
      case Operation::Kind::host:
        return "the host";
      case Operation::Kind::host_function:
        return fmt::format("the host function of {} in {}", operation.site.name, operation.stream);
      default:
        return operation.stream.empty() ? std::string(operation.site.name)
                                        : fmt::format("{} in {}", operation.site.name, operation.stream);
    }
  }
  [[nodiscard]] std::string verb() const {
    if ((interval.bits & release_use) != 0) return "frees";
    if ((interval.bits & allocation_use) != 0) return "allocates";
    if ((interval.bits & plain_write) != 0) return "writes";
    return (interval.bits & atomic_use) != 0 ? "changes atomically" : "reads";
  }
  /// " at x.cu:7" for the line of an access within a kernel or a function of the host.
  [[nodiscard]] std::string inner_line() const {
    const bool has = operation.kind == Operation::Kind::kernel || operation.kind == Operation::Kind::host_function;
    const std::string text = has ? line() : "";
    return text.empty() ? "" : " at " + text;
  }
};

/// What orders the two.
std::string advice(const Part& earlier, const Part& later) {
  if ((later.interval.bits & release_use) != 0) {
    return later.operation.stream.empty() ? "Wait for it before you free the memory"
                                          : "Let the stream of the free wait for it (cudaEventRecord, "
                                            "cudaStreamWaitEvent), or free the memory in the same stream";
  }
  if (later.operation.kind == Operation::Kind::host) {
    return "Wait first, for example with cudaStreamSynchronize or cudaDeviceSynchronize";
  }
  if (earlier.operation.of_graph && later.operation.of_graph && earlier.operation.stream == later.operation.stream) {
    return "Let one node of the graph wait for the other: by an event during the capture (cudaEventRecord, "
           "cudaStreamWaitEvent), or by cudaGraphAddDependencies";
  }
  if (earlier.operation.device != later.operation.device) {
    return "Let the stream of the second wait for an event of the first (cudaEventRecord, cudaStreamWaitEvent)";
  }
  return "Let the second stream wait for an event of the first (cudaEventRecord, cudaStreamWaitEvent), or use one "
         "stream";
}

const char* title(const Part& later, bool ordered) {
  if (ordered) return "freed memory";
  if ((later.interval.bits & release_use) != 0) return "freed in use";
  return later.operation.kind == Operation::Kind::host ? "missing wait" : "missing order";
}

std::string memory_text(const Part& earlier, const Part& later, const Allocation& allocation, std::size_t offset) {
  if (allocation.id == 0) return fmt::format("the host's memory at {:#x}", offset);
  const Operation& named = later.operation.pointers.empty() ? earlier.operation : later.operation;
  const bool copied = named.pointers.empty() && allocation.shape.element == 0;
  if (copied) return fmt::format("byte {} of {}", offset, allocation.name);
  return element_text(allocation, static_cast<std::ptrdiff_t>(offset), 1, named.kernel, named.pointers);
}

}  // namespace

void OrderReports::add(const Operation& earlier, const Operation& later, const Allocation& allocation,
                       const Overlap& overlap, bool ordered) {
  const Part first{earlier, overlap.earlier};
  const Part second{later, overlap.later};
  if (later.reports == nullptr) {
    any_ = true;
    if (printed_ == max_full || !seen_.emplace(first.where() + first.who(), second.where() + second.who()).second) {
      ++more_;
      return;
    }
  }
  const std::string at = second.where();
  const std::string place = first.where();
  std::string text = fmt::format(
      "{}{}: {} {} {}{}, which {}{} {}{}", title(second, ordered), at.empty() ? "" : " at " + at, second.who(),
      second.verb(), memory_text(first, second, allocation, overlap.offset), second.inner_line(), first.who(),
      place.empty() ? "" : ", issued at " + place + ",", first.verb(), first.inner_line());
  text += ordered ? " before" : ": nothing orders the two. " + advice(first, second);
  if (later.reports != nullptr) return later.reports->add(text);
  print(text);
}

void OrderReports::add_unawaited(const Operation& kernel) {
  const std::string at = kernel.site.where();
  print(fmt::format(
      "never awaited{}: the program ends while kernel {} in {} may still run, so its results and its output "
      "may be lost. Call cudaDeviceSynchronize() before the end",
      at.empty() ? "" : " at " + at, kernel.kernel, kernel.stream));
}

void OrderReports::print(const std::string& text) {
  ++printed_;
  std::fflush(stdout);
  fmt::print(stderr, "{}\n", in_names_of_program(text));
}

void OrderReports::finish() {
  if (more_ == 0) return;
  print(fmt::format("and {} more without order", more_));
  more_ = 0;
}

}  // namespace d2l::emulator
