// SPDX-License-Identifier: MIT
// Two products on two GPUs against both on one: the time here, the modelled time on
// cards, and what overlaps.
#include <algorithm>

#include "d2l/show.h"
#include "exercise.h"
#include "table.h"

using namespace d2l;
using check::in_seconds;

namespace {

using Row = std::vector<std::string>;

/// Two products, both on the first GPU or one on each of two.
struct Pair {
  std::vector<Tensor> A;
  std::vector<Tensor> B;

  [[nodiscard]] TimedProducts multiply(const std::vector<Device>& devices) const {
    return multiply_at_once(A, B, devices);
  }
  /// The median of nine calls, after one call to warm up.
  [[nodiscard]] double seconds(const std::vector<Device>& devices) const {
    static_cast<void>(multiply(devices));
    std::vector<double> seconds;
    for (int i = 0; i < 9; ++i) seconds.push_back(multiply(devices).seconds);
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
  /// What a call issues, from its first product on. The times are relative to that
  /// product.
  [[nodiscard]] std::vector<LedgerEntry> issued(
      const std::vector<Device>& devices) const {
    auto entries = check::issued_by([&] { static_cast<void>(multiply(devices)); });
    const auto is_product = [](const LedgerEntry& entry) {
      return entry.name == "matmul";
    };
    entries.erase(entries.begin(),
                  std::find_if(entries.begin(), entries.end(), is_product));
    if (entries.empty()) return entries;
    const auto start = entries.front().issued;
    for (LedgerEntry& entry : entries) {
      for (auto* const time : {&entry.issued, &entry.began, &entry.ended})
        *time = std::max<std::int64_t>(*time - start, -1);
    }
    return entries;
  }
};

const std::vector<Device> on_one{gpu(0), gpu(0)};
const std::vector<Device> on_two{gpu(0), gpu(1)};

Pair pair_of(std::int64_t n) {
  return {{rand({n, n}), rand({n, n})}, {rand({n, n}), rand({n, n})}};
}

void show_measured_pairs(const std::vector<std::int64_t>& sizes) {
  const Card* const card = check::card_here();
  Row heading{"n", "both on one", "one on each", "speed-up"};
  if (card != nullptr)
    heading.insert(heading.end(), {"model of one", "", "model of each", ""});
  std::vector<Row> rows{heading};
  for (const auto n : sizes) {
    const Pair pair = pair_of(n);
    const double one = pair.seconds(on_one);
    const double two = pair.seconds(on_two);
    Row row{std::to_string(n), in_seconds(one), in_seconds(two),
            check::times(one / two)};
    if (card != nullptr) {
      const double model_one = replay(pair.issued(on_one), *card).seconds;
      const double model_two = replay(pair.issued(on_two), *card).seconds;
      row.insert(row.end(), {in_seconds(model_one), check::against(model_one, one),
                             in_seconds(model_two), check::against(model_two, two)});
    }
    rows.push_back(row);
  }
  show("Two n × n products, " + check::measured_here() + ":");
  show_measured(check::table(rows), "seconds of two products");
  if (card != nullptr &&
      device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_card) {
    show(
        "These two GPUs are slices of one card and share its processors. The model has "
        "two whole cards.");
  }
}

void show_modelled_pairs(const std::vector<std::int64_t>& sizes) {
  std::vector<Row> rows{{"n"}};
  for (const Card& card : cards()) rows.front().push_back(card.name);
  for (const auto n : sizes) {
    const Pair pair = pair_of(n);
    const auto one = pair.issued(on_one);
    const auto two = pair.issued(on_two);
    rows.push_back({std::to_string(n)});
    for (const Card& card : cards()) {
      const double seconds = replay(two, card).seconds;
      rows.back().push_back(in_seconds(seconds) + " (" +
                            check::times(replay(one, card).seconds / seconds) + ")");
    }
  }
  show(
      "One product on each of two cards, and the speed-up over both on one, modelled "
      "from the published figures of "
      "five cards:");
  show(check::table(rows));
}

void show_timelines(const Pair& pair) {
  for (const auto& devices : {on_one, on_two}) {
    show("Two products on " + repr(devices) + ":");
    const auto issued = pair.issued(devices);
    show_svg(timeline_svg(issued), timeline_description(issued));
    const Modelled on_t4 = replay(issued, card_named("T4"));
    show_svg(on_t4.svg(), on_t4.description());
  }
}

}  // namespace

void demonstrate() {
  manual_seed(5);
  if (num_gpus() < 2) {
    show("This needs two GPUs; this computer has " + std::to_string(num_gpus()) +
         ". Virtual GPUs are enough: D2L_VIRTUAL_GPUS=2");
    return;
  }
  const bool on_host =
      device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  const std::vector<std::int64_t> sizes =
      on_host ? std::vector<std::int64_t>{128, 256, 512, 1024}
              : std::vector<std::int64_t>{256, 1024, 4096, 8192};
  show_measured_pairs(sizes);
  show_modelled_pairs({256, 512, 1024});
  show_timelines(pair_of(512));
}
