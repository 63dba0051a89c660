// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "d2l/stream.h"
#include "d2l/testing.h"
#include "exercise.h"

namespace d2l::check {
namespace {

using EntryKind = LedgerEntry::Kind;

constexpr const char* one_chunk = "fewer elements than a chunk";
constexpr const char* whole_chunks = "whole chunks";
constexpr const char* with_rest = "a last chunk that is shorter";
constexpr const char* single = "chunks of one element";
constexpr const char* none = "no elements";
constexpr const char* delayed = "with delays";
constexpr const char* many_chunks = "forty chunks";
constexpr const char* large_chunks = "chunks of more than 1024 blocks";
constexpr const char* plain_calls[] = {one_chunk, whole_chunks, with_rest,    single,
                                       none,      many_chunks,  large_chunks, delayed};
/// A call while the GPU is held, and the number of slow values in each chunk. Two
/// threads of the host stand for the two streams of a virtual GPU. If the machine lets
/// one of them run only when the slow kernel is done, nothing overlaps: then there is
/// another call, with a slower kernel.
struct HeldCall {
  const char* name;
  std::int64_t slow_values;
};
constexpr HeldCall held_calls[] = {
    {"held until the last copy is issued", 1},
    {"held until the last copy is issued, and slower", 3},
    {"held until the last copy is issued, and slowest", 8}};
/// Calls while the GPU is held, in which only every second chunk is slow: one of the
/// two streams is done long before the other one. A function that waits for one of them
/// only, or frees the other's buffer, returns too early in one of these.
constexpr const char* uneven_calls[] = {"with slow even chunks",
                                        "with slow odd chunks"};
constexpr std::int64_t uneven_slow_values = 4;
/// 2 to the power of 38, minus 45, is a prime: the kernel tries 260,000 divisors, which
/// takes tens of milliseconds, because the steps of its warp are counted.
constexpr std::int64_t large_prime = 274877906899;

std::string chunk_of(const std::string& name) { return name + ": chunk"; }
std::int64_t chunks(const Inputs& inputs, const std::string& name) {
  const std::int64_t chunk = inputs.integer(chunk_of(name));
  return (inputs.tensor(name).numel() + chunk - 1) / chunk;
}

/// Draws the values of a call. The chunks for which `is_slow` is true begin with
/// `slow_values` times a large prime.
void draw(Inputs& inputs, const std::string& name, std::int64_t count,
          std::int64_t chunk, const std::function<bool(std::int64_t)>& is_slow,
          std::int64_t slow_values) {
  Tensor all = zeros({count}, kLong);
  auto* const values = all.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = i % chunk < slow_values && is_slow(i / chunk) ? large_prime
                                                              : inputs.draw(2, 3000);
  }
  inputs.put(name, all);
  inputs.put(chunk_of(name), chunk);
}
void draw(Inputs& inputs, const std::string& name, std::int64_t count,
          std::int64_t chunk) {
  draw(
      inputs, name, count, chunk, [](std::int64_t) { return false; }, 0);
}

/// The smallest divisor of each value, found with the primes up to √3000. A value is
/// the large prime, or at most 3000.
Tensor smallest_divisors_of(const Tensor& values) {
  static const std::vector<std::int64_t> primes = [] {
    std::vector<std::int64_t> found;
    std::vector<bool> composite(56);
    for (std::size_t i = 2; i < composite.size(); ++i) {
      if (composite[i]) continue;
      found.push_back(static_cast<std::int64_t>(i));
      for (std::size_t j = i * i; j < composite.size(); j += i) composite[j] = true;
    }
    return found;
  }();
  Tensor result = values.clone();
  auto* const data = result.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    const std::int64_t value = data[i];
    if (value == large_prime) continue;
    const auto divisor = std::ranges::find_if(
        primes, [&](std::int64_t prime) { return value % prime == 0; });
    if (divisor != primes.end()) data[i] = *divisor;
  }
  return result;
}

/// The number of copies that ran while a kernel ran.
std::int64_t overlaps(const Recording& recording) {
  const auto overlap = [](const LedgerEntry& a, const LedgerEntry& b) {
    return a.began >= 0 && b.began >= 0 && a.began < b.ended && b.began < a.ended;
  };
  return std::ranges::count_if(recording.entries, [&](const LedgerEntry& copy) {
    return copy.kind == EntryKind::copy &&
           std::ranges::any_of(recording.entries, [&](const LedgerEntry& launch) {
             return launch.kernel && overlap(copy, launch);
           });
  });
}

/// The arrays of all calls. They are never freed: what a wrong solution leaves in its
/// streams may still write to them.
std::vector<Tensor>& kept() {
  static auto* const tensors = new std::vector<Tensor>;
  return *tensors;
}

/// Calls the function. With `hold` the GPU is held until the last copy to the host is
/// issued, or the host waits.
void call(const Inputs& inputs, Outcome& outcome, const std::string& name, bool hold) {
  const Device device = last_device();
  const Tensor input = inputs.tensor(name).pin_memory();
  const Tensor output = full(inputs.tensor(name).sizes(), -1, kLong).pin_memory();
  kept().insert(kept().end(), {input, output});
  const auto count = input.numel();
  const auto* const from = input.data_ptr<std::int64_t>();
  auto* const to = output.data_ptr<std::int64_t>();
  Tensor returned = zeros({count}, kLong);
  auto* const snapshot = returned.data_ptr<std::int64_t>();
  synchronize();
  if (num_gpus() > 0)
    static_cast<void>(stream(gpu(0)));  // the current device of the thread
  std::int64_t left = 8 * count;
  const std::int64_t streams_before = testing::open_streams();
  outcome.attempt(name, [&] {
    std::optional<testing::HeldQueue> queue;
    if (hold) queue.emplace(device);
    const testing::Watch watch([&](const LedgerEntry& entry) {
      if (entry.kind == EntryKind::copy && entry.destination.is_cpu())
        left -= entry.bytes;
      if (queue && (left <= 0 || entry.kind == EntryKind::synchronisation))
        queue->release();
    });
    smallest_divisors(from, to, static_cast<int>(count),
                      static_cast<int>(inputs.integer(chunk_of(name))), device);
    std::copy_n(to, count, snapshot);
  });
  synchronize();
  outcome.put(name, returned);
  outcome.put(name + ": input", input);
  outcome.put(name + ": streams", testing::open_streams() - streams_before);
}

void judge_values(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& name) {
  outcome.require(name);
  item.close(smallest_divisors_of(inputs.tensor(name)), outcome.tensor(name), 0, name);
  item.close(inputs.tensor(name), outcome.tensor(name + ": input"), 0,
             name + ": the input, afterwards");
}

void judge_copies(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& name) {
  const Recording& recording = outcome.recording(name);
  const std::int64_t expected = chunks(inputs, name);
  const std::int64_t bytes = 8 * inputs.tensor(name).numel();
  item.equal(expected, recording.copies(Direction::host_to_device), "copies to the GPU",
             name);
  item.equal(expected, static_cast<std::int64_t>(recording.kernels().size()),
             "launches", name);
  item.equal(expected, recording.copies(Direction::device_to_host),
             "copies to the host", name);
  item.equal(bytes, recording.copied_bytes(Direction::host_to_device),
             "bytes copied to the GPU", name);
  item.equal(bytes, recording.copied_bytes(Direction::device_to_host),
             "bytes copied to the host", name);
  std::int64_t read = 0;
  std::int64_t written = 0;
  for (const KernelRun& run : recording.kernels()) {
    read += static_cast<std::int64_t>(run.counts.load_bytes);
    written += static_cast<std::int64_t>(run.counts.store_bytes);
  }
  item.at_least(bytes, read, "bytes that the kernels read", name);
  item.at_least(bytes, written, "bytes that the kernels write", name);
  std::int64_t largest = 0;
  for (const LedgerEntry& entry : recording.crossings())
    largest = std::max(largest, entry.bytes);
  item.at_most(8 * inputs.integer(chunk_of(name)), largest, "bytes in one copy", name);
}

void judge_waits(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                 const std::string& name) {
  const Recording& recording = outcome.recording(name);
  std::int64_t before = 0;
  std::int64_t after = 0;
  for (const LedgerEntry& entry : recording.entries) {
    if (entry.kind == EntryKind::synchronisation) ++after;
    if (entry.kind != EntryKind::copy) continue;
    before += std::exchange(after, 0);
  }
  item.equal(0, before, "waits before the last copy is issued", name);
  item.at_most(2, after, "waits after the last copy is issued", name);
  if (inputs.tensor(name).numel() == 0) return;
  item.expect(after > 0, "a wait after the last copy is issued",
              "no call that waits for the device or a stream", name);
}

void judge_memory(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& name) {
  const Recording& recording = outcome.recording(name);
  std::int64_t live = 0;
  std::int64_t most = 0;
  for (const LedgerEntry& entry : recording.entries) {
    if (entry.kind == EntryKind::allocation) most = std::max(most, live += entry.bytes);
    if (entry.kind == EntryKind::release) live -= entry.bytes;
  }
  item.at_most(16 * inputs.integer(chunk_of(name)), most,
               "bytes of device memory at a time", name);
  item.at_most(0, live, "bytes of device memory that are never freed", name);
  item.at_most(0, outcome.integer(name + ": streams"),
               "streams that are never destroyed", name);
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "output has the smallest divisors when the function returns, for any count", 1},
      {"order", 2, Kind::result,
       "output is also correct when the GPU is held or delayed, and with slow chunks",
       3},
      {"device", 1, Kind::placement, "all work runs on the given device", 1},
      {"copies", 1, Kind::cost,
       "one copy to the GPU, one launch and one copy back for each chunk", 1},
      {"waits", 2, Kind::cost,
       "the host does not wait until the last copy is issued, then at most twice", 3},
      {"overlap", 2, Kind::cost, "while one chunk is computed, others are copied", 2},
      {"memory", 1, Kind::cost,
       "device memory for at most 2 chunks, which is freed, and no stream is left", 3}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  const std::int64_t small = inputs.draw(20, 90);
  draw(inputs, one_chunk, inputs.draw(1, small - 1), small);
  draw(inputs, whole_chunks, 4 * small, small);
  draw(inputs, with_rest, 6 * small + inputs.draw(1, small - 1), small);
  draw(inputs, single, 3, 1);
  draw(inputs, none, 0, small);
  draw(inputs, many_chunks, std::int64_t{39} * 3 + inputs.draw(1, 3), 3);
  draw(inputs, large_chunks, 133'000 + inputs.draw(1, 100), 131'200);
  const std::int64_t slow = inputs.draw(0, 7);
  draw(
      inputs, delayed, 8 * small + 1, small,
      [slow](std::int64_t chunk) { return chunk == slow; }, 1);
  const std::int64_t large = inputs.draw(300, 400);
  const std::int64_t rest = inputs.draw(1, large - 1);
  for (const HeldCall& held : held_calls) {
    draw(
        inputs, held.name, 7 * large + rest, large, [](std::int64_t) { return true; },
        held.slow_values);
  }
  for (const std::int64_t parity : {0, 1}) {
    draw(
        inputs, uneven_calls[parity], 7 * large + rest, large,
        [parity](std::int64_t chunk) { return chunk % 2 == parity; },
        uneven_slow_values);
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  for (const char* const name : plain_calls) {
    if (name == delayed) testing::set_delays(inputs.seed());
    call(inputs, outcome, name, false);
  }
  testing::set_delays(std::nullopt);
  for (const HeldCall& held : held_calls) {
    call(inputs, outcome, held.name, true);
    const Recording& recording = outcome.recording_or_error(held.name);
    if (!recording.error.empty() || recording.kernels().empty() ||
        overlaps(recording) > 0)
      break;
  }
  for (const char* const name : uneven_calls) call(inputs, outcome, name, true);
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  std::vector<std::string> held;  // those that were made
  for (const HeldCall& one : held_calls) {
    if (outcome.contains(one.name)) held.emplace_back(one.name);
  }
  judgement.item("values", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const char* const name : plain_calls) {
      if (name != delayed) judge_values(item, inputs, outcome, name);
    }
  });
  judgement.item("order", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    judge_values(item, inputs, outcome, delayed);
    for (const auto& name : held) judge_values(item, inputs, outcome, name);
    for (const char* const name : uneven_calls)
      judge_values(item, inputs, outcome, name);
  });
  judgement.item("device", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1) || item.lacks_counts(outcome, with_rest)) return;
    for (const LedgerEntry& entry : outcome.recording(with_rest).entries) {
      item.expect(entry.queue == last_device(), "work on " + last_device().str(),
                  entry.name + " on " + entry.queue.str(), with_rest);
    }
  });
  const auto each_call = [&](const char* name, const auto& judge_call) {
    judgement.item(name, [&](ItemJudgement& item) {
      if (item.lacks_gpus(1) || item.lacks_counts(outcome, with_rest)) return;
      for (const char* const call_name : plain_calls)
        judge_call(item, inputs, outcome, call_name);
      for (const auto& call_name : held) judge_call(item, inputs, outcome, call_name);
      for (const char* const call_name : uneven_calls)
        judge_call(item, inputs, outcome, call_name);
    });
  };
  each_call("copies", judge_copies);
  each_call("waits", judge_waits);
  each_call("memory", judge_memory);
  judgement.item("overlap", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1) || item.lacks_counts(outcome, with_rest)) return;
    std::int64_t all = 0;
    for (const auto& name : held) all += overlaps(outcome.recording(name));
    item.expect(all > 0, "copies that run while a kernel runs",
                "each copy ran before or after all kernels", held_calls[0].name);
  });
}

}  // namespace d2l::check
