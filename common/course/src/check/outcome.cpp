// SPDX-License-Identifier: MIT
// Outcome and Recording.

#include <algorithm>
#include <iterator>
#include <string_view>

#include "check/crash.h"
#include "d2l/check.h"
#include "d2l/testing.h"
#include "ledger/launch_notes.h"
#include "ledger/summary.h"
#include "runtime/runtime.h"

namespace d2l::check {
namespace {

using EntryKind = LedgerEntry::Kind;
using detail::crosses_devices;
using detail::in_direction;
using detail::of_kind;

template <class Condition>
std::int64_t bytes(const std::vector<LedgerEntry>& entries, const Condition& counts) {
  std::uint64_t sum = 0;  // may overflow: the entries are not trusted
  for (const auto& entry : entries) sum += counts(entry) ? static_cast<std::uint64_t>(entry.bytes) : 0;
  return static_cast<std::int64_t>(sum);
}

/// The fatal error of a device that worked, which may show only after the call; empty if there is none.
std::string fault_of_devices(const std::vector<LedgerEntry>& entries) {
  std::vector<Device> seen;
  for (const LedgerEntry& entry : entries) {
    if (entry.queue.is_cpu() || std::ranges::find(seen, entry.queue) != seen.end()) continue;
    seen.push_back(entry.queue);
    try {
      d2l::detail::backend_of(entry.queue).synchronize(d2l::detail::number_of(entry.queue));
    } catch (const FatalDeviceError& error) {
      // Without the name of the call that found it, and without what it means for other calls.
      std::string text = error.what();
      text = text.substr(0, text.find(". " + entry.queue.str() + " is lost"));
      constexpr std::string_view call = "[synchronize] ";
      return "a kernel failed: " + (text.starts_with(call) ? text.substr(call.size()) : text);
    }
  }
  return "";
}

/// True if the host waited for a device, or a queue for an event.
bool has_wait(const std::vector<LedgerEntry>& entries) {
  return std::ranges::any_of(entries, [](const LedgerEntry& entry) {
    return entry.kind == EntryKind::synchronisation || entry.kind == EntryKind::event_wait;
  });
}

}  // namespace

std::int64_t Recording::copies() const { return std::ranges::count_if(entries, crosses_devices); }
std::int64_t Recording::copies(Direction direction) const {
  return std::ranges::count_if(entries, in_direction(direction));
}
std::int64_t Recording::implicit_copies() const {
  return std::ranges::count_if(entries, [](const auto& entry) { return crosses_devices(entry) && entry.implicit; });
}
std::int64_t Recording::copied_bytes() const { return bytes(entries, crosses_devices); }
std::int64_t Recording::copied_bytes(Direction direction) const { return bytes(entries, in_direction(direction)); }
std::int64_t Recording::synchronisations() const {
  return std::ranges::count_if(entries, of_kind(EntryKind::synchronisation));
}
std::int64_t Recording::launches() const { return std::ranges::count_if(entries, of_kind(EntryKind::launch)); }
std::int64_t Recording::launches(Device device) const {
  return std::ranges::count_if(
      entries, [device](const auto& entry) { return entry.kind == EntryKind::launch && entry.queue == device; });
}
std::int64_t Recording::replays() const { return std::ranges::count_if(entries, of_kind(EntryKind::replay)); }
std::int64_t Recording::allocations() const { return std::ranges::count_if(entries, of_kind(EntryKind::allocation)); }

std::vector<KernelRun> Recording::kernels() const {
  std::vector<KernelRun> runs;
  for (const LedgerEntry& entry : entries) {
    if (entry.kernel) runs.push_back(*entry.kernel);
  }
  return runs;
}

std::vector<LedgerEntry> Recording::crossings() const {
  std::vector<LedgerEntry> found;
  for (const LedgerEntry& entry : entries) {
    if (!crosses_devices(entry)) continue;
    if (!entry.leg || entry.destination.is_cpu()) {
      found.push_back(entry);
      continue;
    }
    // A thread issues the second leg before another copy: it ends the last first leg of the same thread.
    const auto first = std::find_if(found.rbegin(), found.rend(), [&](const LedgerEntry& earlier) {
      return earlier.leg && earlier.thread == entry.thread;
    });
    if (first != found.rend()) first->destination = entry.destination;
  }
  return found;
}
std::int64_t Recording::copies_to_host() const {
  return std::ranges::count_if(crossings(), [](const auto& copy) { return copy.destination.is_cpu(); });
}
std::int64_t Recording::operations() const {
  return std::ranges::count_if(entries, [](const auto& entry) {
    return entry.kind == EntryKind::launch && !entry.kernel && entry.name != "fill";
  });
}
std::int64_t Recording::copies_within() const {
  return std::ranges::count_if(
      entries, [](const auto& entry) { return entry.kind == EntryKind::launch && entry.name == "copy"; });
}

void Outcome::result(const std::string& name, const Tensor& tensor) {
  put(name + ".label", tensor.device().str());
  put(name + ".owner", testing::owner(tensor).str());
  put(name + ".address", reinterpret_cast<std::int64_t>(tensor.data_ptr()));
  if (testing::placed(tensor)) put(name, tensor);  // with a wrong label the elements cannot be read
}

bool Outcome::attempt(const std::string& name, const std::function<void()>& work) {
  Recording& recording = recordings_[name];
  recording = {};
  const TransferLedger ledger;
  const RunningCall call(name);
  static_cast<void>(d2l::detail::take_refused_launch());
  static_cast<void>(d2l::detail::take_launch_on_other_stream());
  try {
    work();
  } catch (const CheckError& error) {
    recording.error = error.what();
  } catch (const std::exception& error) {
    const bool has_message = *error.what() != '\0';
    recording.error =
        std::string("the function threw: ") + (has_message ? error.what() : "an exception without a message");
  } catch (...) {
    recording.error = "the function threw: an exception that is not a std::exception";
  }
  recording.entries = ledger.entries();
  if (recording.error.empty()) recording.error = fault_of_devices(recording.entries);
  if (recording.error.empty()) recording.error = d2l::detail::take_refused_launch();
  // It goes wrong in some runs only, so its results prove nothing. On another device it is the cause of the fault.
  const bool fault_of_stream = recording.error.find("peer access") != std::string::npos;
  if ((recording.error.empty() && !has_wait(recording.entries)) || fault_of_stream) {
    const std::string other = d2l::detail::take_launch_on_other_stream();
    if (!other.empty()) recording.error = other;
  }
  return recording.error.empty();
}

bool Outcome::has_failed_attempt() const {
  return std::ranges::any_of(recordings_, [](const auto& one) { return !one.second.error.empty(); });
}

const Recording& Outcome::recording_or_error(const std::string& name) const {
  const auto found = recordings_.find(name);
  if (found == recordings_.end()) throw CheckError("the function was not called: the check stopped earlier", name);
  return found->second;
}

const Recording& Outcome::recording(const std::string& name) const {
  const Recording& recording = recording_or_error(name);
  if (!recording.error.empty()) throw CheckError(recording.error, name);
  return recording;
}

Device Outcome::label(const std::string& name) const { return {text(name + ".label")}; }
Device Outcome::owner(const std::string& name) const { return {text(name + ".owner")}; }

void Returned::keep(const std::string& name, const Tensor& result,
                    const std::vector<std::pair<std::string, Tensor>>& arguments) {
  if (result.defined()) {
    outcome_.result(name, result);
    results_.emplace_back(name, result);
  }
  for (const auto& [of, argument] : arguments) outcome_.put(of, argument);
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
}

void Returned::store_again() {
  constexpr int overwritten = 77;
  const NoGradGuard no_gradients;
  for (const auto& [name, result] : results_) outcome_.result(name, result);
  for (auto& [name, result] : results_) {
    if (testing::placed(result)) result.fill_(overwritten);
  }
  for (const auto& [name, argument] : arguments_) outcome_.put(name, argument);
}

}  // namespace d2l::check
