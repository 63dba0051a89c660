// SPDX-License-Identifier: MIT
// 1000 norms, read one by one and all at once: the time here, the modelled time on
// cards, and what waits for what.
#include "d2l/show.h"
#include "exercise.h"
#include "table.h"

using namespace d2l;
using check::in_seconds;

namespace {

using Row = std::vector<std::string>;
using Log = std::vector<float> (*)(const Tensor&, const Tensor&);

/// What the two functions issue for 1000 products.
struct Issued {
  std::vector<LedgerEntry> each;
  std::vector<LedgerEntry> at_end;
};

Row counts(const std::string& name, Log log, const Tensor& left, const Tensor& right) {
  const TransferLedger ledger;
  static_cast<void>(log(left, right));
  return {name,
          std::to_string(ledger.copies(Direction::device_to_host)),
          std::to_string(ledger.copied_bytes(Direction::device_to_host)),
          std::to_string(ledger.synchronisations()),
          std::to_string(ledger.launches()),
          std::to_string(ledger.allocations())};
}

void show_counts(const Tensor& left, const Tensor& right) {
  show("What the two functions issue for 1000 products of 100 × 100 matrices:");
  show(check::table(
      {{"", "copies to the host", "bytes", "waits", "launches", "allocations"},
       counts("log_each", log_each, left, right),
       counts("log_at_end", log_at_end, left, right)}));
}

/// Times both functions. On a card that the model knows, it shows the modelled times
/// too.
void show_times(const Tensor& left, const Tensor& right, const Issued& issued) {
  const TimingLimits brief{.minimum_seconds = 0.05, .maximum_seconds = 1};
  const double each =
      measure([&] { static_cast<void>(log_each(left, right)); }, brief).median;
  const double at_end =
      measure([&] { static_cast<void>(log_at_end(left, right)); }, brief).median;
  std::vector<Row> rows{
      {"", "log_each", "log_at_end", "gain"},
      {"measured", in_seconds(each), in_seconds(at_end), check::times(each / at_end)}};
  if (const Card* const card = check::card_here()) {
    const double model_each = replay(issued.each, *card).seconds;
    const double model_at_end = replay(issued.at_end, *card).seconds;
    rows.push_back({"modelled for " + card->name, in_seconds(model_each),
                    in_seconds(model_at_end), check::times(model_each / model_at_end)});
    rows.push_back({"ratio", check::against(model_each, each),
                    check::against(model_at_end, at_end)});
  }
  show("The time of both functions, " + check::measured_here() + ":");
  show_measured(check::table(rows), "seconds of 1000 products");
}

void show_modelled(const Issued& issued) {
  std::vector<Row> rows{{"", "log_each", "log_at_end", "gain"}};
  for (const Card& card : cards()) {
    const double each = replay(issued.each, card).seconds;
    const double at_end = replay(issued.at_end, card).seconds;
    rows.push_back(
        {card.name, in_seconds(each), in_seconds(at_end), check::times(each / at_end)});
  }
  show("The same sequences, modelled from the published figures of five cards:");
  show(check::table(rows));
}

/// Five products are enough to see the pattern.
void show_timelines(const Tensor& left, const Tensor& right) {
  const Tensor first = left.slice(0, 0, 1);
  const Tensor five = right.slice(0, 0, 5);
  synchronize();
  for (const Log log : {Log(log_each), Log(log_at_end)}) {
    const auto issued = check::issued_by([&] { static_cast<void>(log(first, five)); });
    show(log == Log(log_each) ? "log_each, five products:"
                              : "log_at_end, five products:");
    show_svg(timeline_svg(issued), timeline_description(issued));
    const Modelled on_t4 = replay(issued, card_named("T4"));
    show_svg(on_t4.svg(), on_t4.description());
  }
}

}  // namespace

void demonstrate() {
  manual_seed(5);
  const Device device = try_gpu();
  if (device.is_cpu())
    set_num_threads(1);  // matrices this small are too little work for many threads
  const Tensor left = randn({25, 100, 100}, device);
  const Tensor right = randn({40, 100, 100}, device);
  synchronize();
  const Issued issued{
      check::issued_by([&] { static_cast<void>(log_each(left, right)); }),
      check::issued_by([&] { static_cast<void>(log_at_end(left, right)); })};
  show_counts(left, right);
  show_times(left, right, issued);
  if (device.is_cpu()) {
    show(
        "Without a GPU nothing is copied, and the host does not wait. To see the "
        "difference: D2L_VIRTUAL_GPUS=1");
    return;
  }
  show_modelled(issued);
  show_timelines(left, right);
}
