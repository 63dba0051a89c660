// SPDX-License-Identifier: MIT
#include "check/product_batches.h"

#include <algorithm>

namespace d2l::check {

bool is_product(const LedgerEntry& entry) { return entry.kind == LedgerEntry::Kind::launch && entry.name == "matmul"; }

namespace {
double seconds_between(std::int64_t begin, std::int64_t end) { return static_cast<double>(end - begin) * 1e-9; }
}  // namespace

void expect_only_float_products(ItemJudgement& item, const Recording& recording, const std::string& where) {
  for (const LedgerEntry& entry : recording.entries) {
    if (entry.kind != LedgerEntry::Kind::launch || entry.name == "copy") continue;
    item.expect(is_product(entry), "products of the given matrices, and no other operation",
                "the operation " + entry.name + " on " + entry.queue.str(), where);
    item.expect(entry.dtype == kFloat, "products of float32", "a product of " + repr(entry.dtype), where);
  }
}

std::vector<Batch> product_batches(const Recording& recording, Device device, std::chrono::duration<double> pause) {
  std::vector<Batch> found;
  bool only_products = false;
  for (const LedgerEntry& entry : recording.entries) {
    if (!(entry.queue == device)) continue;
    if (entry.kind == LedgerEntry::Kind::synchronisation) {
      if (only_products) found.back().known = std::max(found.back().ended, entry.ended);
      only_products = false;
    } else if (is_product(entry)) {
      if (found.empty() || entry.issued >= found.back().ended) {
        const bool held = seconds_between(entry.issued, entry.began) > pause.count();
        found.push_back({0, entry.issued, held ? entry.began : entry.issued, 0, 0});
      }
      Batch& batch = found.back();
      ++batch.products;
      batch.ended = batch.known = entry.ended;
      only_products = true;
    } else if (entry.kind == LedgerEntry::Kind::launch || entry.kind == LedgerEntry::Kind::copy) {
      only_products = false;
    }
  }
  if (found.empty()) throw CheckError("no product was computed on " + device.str());
  return found;
}

double shortest_possible(const std::vector<Batch>& batches) {
  const auto shorter = [](const Batch& a, const Batch& b) { return a.least() < b.least(); };
  return std::min_element(batches.begin(), batches.end(), shorter)->least();
}

double typical(std::vector<Batch> batches) {
  if (batches.size() == 1) {
    throw CheckError("no product was done before the clock started: all of them, " +
                     std::to_string(batches.front().products) + ", were ordered before the first was finished");
  }
  batches.erase(batches.begin());
  std::vector<double> seconds;
  double sum = 0;
  for (const Batch& batch : batches) {
    seconds.push_back(batch.real_time());
    sum += batch.real_time();
  }
  std::sort(seconds.begin(), seconds.end());
  return std::max(sum / static_cast<double>(seconds.size()), seconds[seconds.size() / 2]);
}

}  // namespace d2l::check
