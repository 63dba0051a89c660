// SPDX-License-Identifier: MIT
// Launches: from <<<…>>> to run_kernel(); variables of the device; attributes of kernels.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <vector>

#include "arguments/parameter_names.h"
#include "backend/virtual_gpu/cores.h"
#include "calls/call_site.h"
#include "calls/constant_memory.h"
#include "calls/explanations.h"
#include "calls/unread_errors.h"
#include "checks/function_names.h"
#include "checks/reports.h"
#include "d2l_emulator/awkward.h"
#include "d2l_emulator/launches/arguments.h"
#include "execution/run_kernel.h"
#include "execution/worker.h"
#include "graphs/capture.h"
#include "graphs/exec.h"
#include "ledger/launch_notes.h"
#include "ledger/ledger.h"
#include "nested/children.h"
#include "nested/in_kernel.h"
#include "order/timeline.h"
#include "report/report.h"
#include "runtime/blocking.h"
#include "runtime/device.h"
#include "runtime/errors.h"
#include "runtime/kernel_launch.h"
#include "runtime/machine.h"
#include "runtime/memory.h"
#include "runtime/recorded_wait.h"
#include "runtime/symbols.h"

namespace d2l::emulator {

cudaError_t wait_for_stream(cudaStream_t handle, const char* operation);  // for Thrust's algorithms

namespace {

/// The seed of the orders: D2L_KERNEL_ORDER, else a fixed one.
std::uint64_t order_seed() {
  static const std::uint64_t seed = [] {
    const char* const text = std::getenv("D2L_KERNEL_ORDER");
    if (text == nullptr || *text == '\0') return std::uint64_t{20261};
    std::uint64_t value = 0;
    const auto* const end = text + std::strlen(text);
    if (const auto [rest, error] = std::from_chars(text, end, value); error != std::errc() || rest != end) {
      refuse_environment(fmt::format("D2L_KERNEL_ORDER=\"{}\" is not a seed. Set it to a whole number below 2^64, for "
                                     "example D2L_KERNEL_ORDER=7, or to 0 for ascending order",
                                     text)
                             .c_str());
    }
    return value;
  }();
  return seed;
}

cudaError_t error_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::illegal_address:
      return cudaErrorIllegalAddress;
    case FaultKind::misaligned_address:
      return cudaErrorMisalignedAddress;
    case FaultKind::assertion:
      return cudaErrorAssert;
    case FaultKind::stack_overflow:
      return cudaErrorHardwareStackError;
    case FaultKind::deadlock:
      return cudaErrorLaunchTimeout;
    case FaultKind::trap:
    case FaultKind::check:
      break;
  }
  return cudaErrorLaunchFailure;
}

KernelRun run_of(const KernelLaunch& launch) {
  KernelRun run;
  run.name = launch.name;
  run.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  run.block = {launch.block.x, launch.block.y, launch.block.z};
  return run;
}

/// A launch and what belongs to it in the runtime.
struct Submitted {
  KernelLaunch launch;
  std::shared_ptr<backend::Span> span;               ///< its entry in the ledger; null without a ledger
  std::shared_ptr<FoundReports> reports;             ///< of check_kernels(); else null: a fault ends the device
  std::vector<std::shared_ptr<Allocation>> tensors;  ///< the memory of those to which its arguments point

  void fail(Device& device, cudaError_t error, const std::string& text) const {
    if (reports == nullptr) device.fail(error, text);
    reports->add(text);
  }
};

std::shared_ptr<backend::Span> record_launch(const KernelLaunch& launch) {
  if (!ledger_is_open()) return nullptr;
  LedgerEntry entry;
  entry.kind = LedgerEntry::Kind::launch;
  entry.name = launch.name;
  entry.queue = d2l::gpu(launch.device);
  entry.kernel = std::make_shared<const KernelRun>(run_of(launch));
  return detail::record(entry);
}

/// Notes what a grid of the host, or one that a kernel launched, has counted.
void note_run(const KernelLaunch& launch, KernelOutcome& outcome, const std::shared_ptr<backend::Span>& span) {
  if (!launch.counted) return;
  KernelRun run = run_of(launch);
  run.counted = true;
  run.counts = std::move(outcome.counts);
  note_counts(run, launch, outcome);
  if (span) span->set_kernel(std::make_shared<const KernelRun>(std::move(run)));
}

/// Returns what the kernel accessed, if the launch is compared.
std::vector<MemoryAccesses> execute(Device& device, Submitted& submitted) {
  KernelLaunch& launch = submitted.launch;
  if (const std::string wrong = host_argument(launch); !wrong.empty()) {
    submitted.fail(device, cudaErrorIllegalAddress, wrong);
    return {};
  }
  if (host_uses_memory()) allocations().mark_all_initialised();  // the host's writes are not seen
  restore_memory_of_tensors(submitted.tensors);
  if (launch.checked || launch.counted) add_memory_of_tables(launch.parameters, launch.parameter_bytes);
  KernelOutcome outcome;
  {
    const OpenMemory open(device.number());
    const SymbolsInPlace symbols(device.number());
    launch.devices = device.reachable();
    outcome = run_with_children(launch, allocations(), [&submitted](const KernelLaunch& ended, KernelOutcome& of) {
      note_run(ended, of, &ended == &submitted.launch ? submitted.span : record_launch(ended));
    });
  }
  if (!launch.checked && allocations().tracks_initialised()) allocations().mark_all_initialised();
  if (outcome.fault) submitted.fail(device, error_of(outcome.fault->kind), outcome.fault->text);
  return std::move(outcome.accesses);
}

void note_refused(const Configuration& configuration, const BoundKernel& kernel, cudaError_t error) {
  const dim3& grid = configuration.grid;
  const dim3& block = configuration.block;
  d2l::detail::note_refused_launch(fmt::format(
      "{}:{}: the launch of {} was refused, {}: grid ({}, {}, {}), block ({}, {}, {}), {} bytes of shared memory",
      kernel.file, kernel.line, kernel.name, error_text(error), grid.x, grid.y, grid.z, block.x, block.y, block.z,
      configuration.shared));
}

/// The fault of a launch in another stream than that of the tensors. A program's own stream may be right, if something
/// waits for it.
void note_other_stream(const KernelLaunch& launch, bool own_stream) {
  d2l::detail::note_launch_on_other_stream(fmt::format(
      "{}:{}: the launch of {} is {}, and nothing waits{}: the kernel may run before the tensors that it reads are "
      "written, and its results may be read before it ends. {}",
      launch.file, launch.line, launch.name,
      own_stream ? "in a stream of the program"
                 : fmt::format("not in stream(device) but in the default stream of gpu({})", launch.device),
      own_stream ? " for that stream" : "",
      own_stream ? "Wait for the stream, for example with cudaStreamSynchronize"
                 : "Write stream(device) as the fourth part of <<<…>>>"));
}

/// Adds a launch to the end of a stream's queue; `own_stream`: of the program.
std::shared_ptr<Operation> enqueue_kernel(KernelLaunch launch, bool own_stream, Stream& stream,
                                          const StreamRole& role) {
  Device& device = device_at(launch.device);
  Submitted submitted{std::move(launch), nullptr, reports_of_this_thread(), {}};
  KernelLaunch& made = submitted.launch;
  made.seed = seed_of_launch();
  made.checked = checks_kernels() || submitted.reports != nullptr;
  made.counted = counts_kernels() || detail::ledger_is_open();
  made.sampled = made.counted && (writes_page() || detail::KeptRequests::wanted());
  if (made.checked || made.counted) {
    submitted.tensors = add_memory_of_tensors(made.parameters, made.parameter_bytes);
  }
  if (detail::ledger_is_open() && &stream != device.tensor_stream().get()) note_other_stream(made, own_stream);
  auto span = submitted.span = record_launch(made);
  Operation operation;
  operation.kind = Operation::Kind::kernel;
  operation.site = {"the launch", {made.file, made.line}, nullptr};
  operation.kernel = made.name;
  operation.pointers = made.pointers;
  operation.reports = submitted.reports;
  return stream.enqueue(
      role,
      [&device, submitted = std::move(submitted)](const std::shared_ptr<Operation>& of) mutable {
        submitted.launch.compared = of != nullptr;
        return execute(device, submitted);
      },
      std::move(span), std::move(operation));
}

}  // namespace

cudaError_t check_configuration(const Configuration& configuration, std::size_t max_shared) {
  const dim3& grid = configuration.grid;
  const dim3& block = configuration.block;
  const auto within = [](const dim3& size, unsigned x, unsigned y, unsigned z) {
    return size.x > 0 && size.y > 0 && size.z > 0 && size.x <= x && size.y <= y && size.z <= z;
  };
  if (!within(block, max_threads, max_threads, 64) || !within(grid, 0x7FFFFFFF, 65535, 65535) ||
      std::size_t{block.x} * block.y * block.z > max_threads) {
    return cudaErrorInvalidConfiguration;
  }
  return configuration.shared > max_shared ? cudaErrorInvalidValue : cudaSuccess;
}

std::uint64_t seed_of_launch() {
  static std::atomic<std::uint64_t> launches{0};
  const std::uint64_t number = ++launches;
  return order_seed() == 0 ? 0 : order_seed() + number * 0x9E3779B97F4A7C15U;
}

std::string host_argument(const KernelLaunch& launch) {
  for (const PointerArgument& pointer : launch.pointers) {
    const void* const address = pointer.address;
    if (pointer.reference && is_unreachable(address)) continue;  // an access to it is the fault
    if (address == nullptr || allocations().find(address) || contents_of(address) != address) continue;
    if (!is_mapped(address)) continue;
    const std::string name = parameter_name(launch.name, pointer.number);
    return fmt::format(
        "{}:{}: {}: argument {}{} is an address of the host, {}, which a kernel cannot use. Copy "
        "the data to memory from cudaMalloc",
        launch.file, launch.line, launch.name, pointer.number + 1, name.empty() ? "" : ", " + name + ",", address);
  }
  return "";
}

KernelLaunch launch_of(const Configuration& configuration, const BoundKernel& kernel, int device) {
  KernelLaunch launch;
  launch.name = kernel.name;
  launch.file = kernel.file;
  launch.line = kernel.line;
  launch.grid = configuration.grid;
  launch.block = configuration.block;
  launch.dynamic_shared = configuration.shared;
  launch.device = device;
  launch.body = [call = kernel.call, bound = kernel.bound] { call(bound.get()); };
  launch.loops = kernel.loops;
  launch.cooperative = kernel.cooperative;
  launch.cores = static_cast<unsigned>(backend::virtual_cores());
  launch.parameters = kernel.bound.get();
  launch.parameter_bytes = kernel.bytes;
  launch.pointers = kernel.pointers;
  return launch;
}

Work kernel_work(const Configuration& configuration, BoundKernel kernel, int number) {
  const std::size_t max_shared = device_at(number).largest_dynamic_shared;
  cudaError_t error = check_configuration(configuration, max_shared);
  std::string why = why_refused(configuration, max_shared);
  if (error == cudaSuccess && kernel.cooperative) {
    why = why_not_cooperative(configuration);
    if (!why.empty()) error = cudaErrorCooperativeLaunchTooLarge;
  }
  if (error != cudaSuccess) {
    note_refused(configuration, kernel, error);
    explain_failure(why);
    throw Failure{error};
  }
  KernelLaunch launch = launch_of(configuration, kernel, number);
  Work work;
  work.type = cudaGraphNodeTypeKernel;
  work.name = launch.name;
  work.enqueue = [launch = std::move(launch), other = configuration.stream != nullptr](
                     Stream& stream, const StreamRole& role) { return enqueue_kernel(launch, other, stream, role); };
  work.parameters = KernelParameters{std::move(kernel), configuration, number};
  return work;
}

void submit(const Configuration& configuration, BoundKernel kernel) {
  if (in_kernel()) return submit_in_kernel(configuration, kernel);
  const CallSite site{"the launch", {kernel.file, kernel.line}, nullptr};
  const std::string name = kernel.name;
  begin_call(site, true);
  const cudaError_t failure = device_call([&] {
    const auto stream = stream_of(configuration.stream);
    Device& device = stream->device();
    if (configuration.stream != nullptr && device.number() != current_device().number()) {
      explain_at_once(fmt::format("the launch of {} at {}", name, place_text(site.place)),
                      fmt::format("The stream belongs to device {}, and device {} is the current one: call "
                                  "cudaSetDevice({}) before",
                                  device.number(), current_device().number(), device.number()));
      throw Failure{cudaErrorInvalidResourceHandle};
    }
    note_launch();
    const cudaError_t awkward_error = awkward().next_launch.exchange(cudaSuccess);
    require(awkward_error == cudaSuccess, awkward_error);
    stream->submit(kernel_work(configuration, std::move(kernel), device.number()));
  });
  if (failure != cudaSuccess && timeline().active() && fatal_error_here() != failure) {
    note_failed_launch({"kernel", site.place, nullptr}, name, failure);
  }
}

cudaError_t run_on_stream(cudaStream_t handle, std::function<void()> work) {
  return device_call([&] {
    const auto stream = stream_of(handle);
    stream->push([number = stream->device().number(), work = std::move(work)] {
      const OpenMemory open(number);
      work();
      allocations().mark_all_initialised();
    });
  });
}

cudaError_t wait_for_stream(cudaStream_t handle, const char* operation) {
  return device_call([&] {
    const auto stream = stream_of(handle);
    forbid_wait(*stream);
    const RecordedWait waiting(operation, d2l::gpu(stream->device().number()));
    stream->synchronize();
  });
}

std::string kernel_name(const void* function, const char* text) {
  if (std::string name = function_name(function); !name.empty()) return name;
  const std::string_view all = text;
  int depth = 0;
  std::size_t end = 0;
  for (; end < all.size() && (all[end] != ',' || depth > 0); ++end) {
    if (all[end] == '<' || all[end] == '(') ++depth;
    if (all[end] == '>' || all[end] == ')') --depth;
  }
  const std::size_t begin = all.find_first_not_of(" &");
  return std::string(all.substr(begin, end - begin));
}

void SymbolRegistration::add(const char* name, const volatile void* address, std::size_t bytes, const ArrayShape& shape,
                             std::string_view qualifier) {
  if (qualifier != "__managed__") add_symbol(const_cast<void*>(address), bytes);
  const auto variable = allocations().add(const_cast<const void*>(address), bytes, MemoryKind::symbol, 0, name, true);
  variable->shape = shape;
  variable->constant = qualifier == "__constant__";
  if (variable->constant) note_constant_variable(name, bytes);
  variable->managed = qualifier == "__managed__";
  if (variable->managed) timeline().watch(variable);
}

cudaError_t symbol_address(void** address, const void* symbol) {
  const ApiCall call(__builtin_return_address(0), "cudaGetSymbolAddress");
  const auto variable = live_allocation(symbol);
  if (address == nullptr || !variable || variable->kind != MemoryKind::symbol) {
    explain_failure(no_symbol);
    return note(cudaErrorInvalidSymbol);
  }
  *address = const_cast<void*>(symbol);
  return cudaSuccess;
}

cudaError_t symbol_size(std::size_t* bytes, const void* symbol) {
  const ApiCall call(__builtin_return_address(0), "cudaGetSymbolSize");
  const auto variable = live_allocation(symbol);
  if (bytes == nullptr || !variable || variable->kind != MemoryKind::symbol) {
    explain_failure(no_symbol);
    return note(cudaErrorInvalidSymbol);
  }
  *bytes = variable->bytes;
  return cudaSuccess;
}

}  // namespace d2l::emulator
