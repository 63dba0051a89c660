// SPDX-License-Identifier: MIT
#include "check/files.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/atomic_file.h"
#include "d2l/safetensors.h"

namespace d2l::check {
namespace {

using Json = nlohmann::ordered_json;

// Numbers are hexadecimal text, which is exact and can hold infinities and nan.
Json json_of(double value) { return {{"number", fmt::format("{:a}", value)}}; }
Json json_of(bool value) { return value; }
Json json_of(std::int64_t value) { return value; }
Json json_of(const std::string& value) { return value; }

/// The counts of a kernel that files have; those by line they do not.
template <class Counts>
auto fields_of(Counts& counts) {
  return std::tie(counts.blocks, counts.threads, counts.warps, counts.barriers, counts.divergent_warps, counts.atomics,
                  counts.load_requests, counts.store_requests, counts.load_sectors, counts.store_sectors,
                  counts.load_bytes, counts.store_bytes, counts.shared_requests, counts.shared_passes,
                  counts.shared_atomics, counts.active_lanes, counts.steps, counts.lane_steps, counts.longest_warp,
                  counts.longest_block, counts.idle_threads, counts.idle_blocks, counts.shared_bytes,
                  counts.matrix_products, counts.matrix_multiply_adds, counts.warp_size);
}

Json json_of(const KernelRun& run) {
  const auto counts = std::apply([](const auto&... count) { return Json{count...}; }, fields_of(run.counts));
  return {{"name", run.name}, {"grid", run.grid}, {"block", run.block}, {"counted", run.counted}, {"counts", counts}};
}

Json json_of(const LedgerEntry& entry) {
  // A binding of all fields: a field that is added to an entry does not compile until the files have it too.
  const auto& [kind, name, queue, source, destination, bytes, rank, peer, flops, dtype, outputs, result, kernel,
               implicit, staged, waited, leg, thread, event, issued, began, ended, captured, range] = entry;
  Json json = {static_cast<int>(kind),
               name,
               queue.str(),
               source.str(),
               destination.str(),
               bytes,
               flops,
               (implicit ? 1 : 0) + (staged ? 2 : 0) + (leg ? 4 : 0) + (waited ? 8 : 0) + (captured ? 16 : 0),
               thread,
               event,
               issued,
               began,
               ended,
               static_cast<int>(dtype),
               result,
               rank,
               peer,
               range,
               outputs};
  if (kernel) json.push_back(json_of(*kernel));
  return json;
}

/// An integer; ValueError for a number of another type.
template <class Number>
Number whole(const Json& json) {
  if (!json.is_number_integer()) throw ValueError("expected an integer");
  return json.get<Number>();
}

/// An object.
const Json& named(const Json& json) {
  if (!json.is_object()) throw ValueError("expected an object");
  return json;
}

KernelRun kernel_of(const Json& json) {
  KernelRun run;
  run.name = json.at("name").get<std::string>();
  for (std::size_t i = 0; i < run.grid.size(); ++i) {
    run.grid[i] = whole<unsigned>(json.at("grid").at(i));
    run.block[i] = whole<unsigned>(json.at("block").at(i));
  }
  run.counted = json.at("counted").get<bool>();
  std::size_t at = 0;
  std::apply(
      [&](auto&... count) {
        ((count = whole<std::remove_reference_t<decltype(count)>>(json.at("counts").at(at++))), ...);
      },
      fields_of(run.counts));
  return run;
}

LedgerEntry entry_of(const Json& json) {
  const auto kind = whole<std::int64_t>(json.at(0));
  if (kind < 0 || kind > static_cast<std::int64_t>(LedgerEntry::Kind::range_pop))
    throw ValueError("an entry has an unknown kind");
  const auto flags = whole<std::int64_t>(json.at(7));
  LedgerEntry entry;
  entry.kind = static_cast<LedgerEntry::Kind>(kind);
  entry.name = json.at(1).get<std::string>();
  entry.queue = Device(json.at(2).get<std::string>());
  entry.source = Device(json.at(3).get<std::string>());
  entry.destination = Device(json.at(4).get<std::string>());
  entry.bytes = whole<std::int64_t>(json.at(5));
  entry.flops = whole<std::int64_t>(json.at(6));
  entry.implicit = (flags & 1) != 0;
  entry.staged = (flags & 2) != 0;
  entry.leg = (flags & 4) != 0;
  entry.waited = (flags & 8) != 0;
  entry.captured = (flags & 16) != 0;
  entry.thread = whole<std::uint64_t>(json.at(8));
  entry.event = whole<std::uint64_t>(json.at(9));
  entry.issued = whole<std::int64_t>(json.at(10));
  entry.began = whole<std::int64_t>(json.at(11));
  entry.ended = whole<std::int64_t>(json.at(12));
  const auto dtype = whole<std::int64_t>(json.at(13));
  if (dtype < 0 || dtype > static_cast<std::int64_t>(scalar_type_count) - 1)
    throw ValueError("an entry has an unknown dtype");
  entry.dtype = static_cast<ScalarType>(dtype);
  entry.result = whole<std::uint64_t>(json.at(14));
  entry.rank = whole<int>(json.at(15));
  entry.peer = whole<int>(json.at(16));
  entry.range = json.at(17).get<std::string>();
  entry.outputs = whole<std::int64_t>(json.at(18));
  if (json.size() > 19) entry.kernel = std::make_shared<const KernelRun>(kernel_of(json.at(19)));
  return entry;
}

template <class Facts>
Json json_of_facts(const Facts& facts) {
  Json json = Json::object();
  for (const auto& fact : facts) {
    std::visit([&, &name = fact.first](const auto& value) { json[name] = json_of(value); }, fact.second);
  }
  return json;
}

template <class Fact>
Fact fact_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_string()) return json.get<std::string>();
  return std::strtod(json.at("number").get<std::string>().c_str(), nullptr);
}

void write_json(const Json& json, const std::string& path) {
  detail::write_file("check", path, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// Reads a file of JSON and hands it to `use`; ConfigurationError names the file.
template <class Use>
auto read_json(const std::string& path, const Use& use) {
  std::ifstream file(path);
  if (!file) throw ConfigurationError("[check] cannot read '" + path + "'");
  try {
    return use(Json::parse(file));
  } catch (const std::exception& error) {
    throw ConfigurationError(fmt::format("[check] '{}' is not a file of a check: {}", path, error.what()));
  }
}

}  // namespace

void Files::write(const Inputs& inputs, const std::string& folder) {
  save_file(inputs.tensors_, folder + "/inputs.safetensors");
  write_json({{"seed", inputs.seed()}, {"facts", json_of_facts(inputs.facts_)}}, folder + "/inputs.json");
}

Inputs Files::read_inputs(const std::string& folder) {
  return read_json(folder + "/inputs.json", [&](const Json& json) {
    Inputs inputs(whole<std::uint64_t>(json.at("seed")));
    for (const auto& [name, fact] : named(json.at("facts")).items()) inputs.facts_[name] = fact_of<Values::Fact>(fact);
    inputs.tensors_ = load_file(folder + "/inputs.safetensors");
    return inputs;
  });
}

void Files::write(const Outcome& outcome, const std::string& error, const std::string& folder) {
  Json recordings = Json::object();
  for (const auto& [name, recording] : outcome.recordings_) {
    Json entries = Json::array();
    for (const LedgerEntry& entry : recording.entries) entries.push_back(json_of(entry));
    recordings[name] = {{"error", recording.error}, {"entries", std::move(entries)}};
  }
  save_file(outcome.tensors_, folder + "/outcome.safetensors");
  write_json({{"error", error}, {"facts", json_of_facts(outcome.facts_)}, {"recordings", std::move(recordings)}},
             folder + "/outcome.json");
}

std::pair<Outcome, std::string> Files::read_outcome(const std::string& folder) {
  return read_json(folder + "/outcome.json", [&](const Json& json) {
    std::pair<Outcome, std::string> read;
    read.second = json.at("error").get<std::string>();
    for (const auto& [name, fact] : named(json.at("facts")).items())
      read.first.facts_[name] = fact_of<Values::Fact>(fact);
    for (const auto& [name, recorded] : named(json.at("recordings")).items()) {
      Recording& recording = read.first.recordings_[name];
      recording.error = recorded.at("error").get<std::string>();
      for (const Json& entry : recorded.at("entries")) recording.entries.push_back(entry_of(entry));
    }
    read.first.tensors_ = load_file(folder + "/outcome.safetensors");
    return read;
  });
}

}  // namespace d2l::check
