// SPDX-License-Identifier: MIT
// From which size on the GPU is faster: measured here, and modelled for five cards.
#include "d2l/show.h"
#include "exercise.h"
#include "table.h"

using namespace d2l;
using check::in_seconds;

namespace {

using Row = std::vector<std::string>;

double flops_of(std::int64_t n) {
  return 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
}

/// The modelled time of one product, when enough of them for a millisecond are issued
/// together, with one wait.
double modelled_product(const Card& card, std::int64_t n) {
  const auto count = static_cast<int>(1e-3 / product_seconds(card, gpu(0), n)) + 1;
  const Tensor A = rand({n, n}, gpu(0));
  synchronize(gpu(0));
  const auto entries = check::issued_by([&] {
    for (int i = 0; i < count; ++i) static_cast<void>(A.mm(A));
    synchronize(gpu(0));
  });
  return replay(entries, card).seconds / count;
}

/// Times products of each size on the CPU and on the first GPU, and shows from which
/// size on the GPU is faster.
void show_measured_products(const std::vector<std::int64_t>& sizes) {
  const bool has_gpu = num_gpus() > 0;
  const Card* const card = check::card_here();
  Row heading{"n", "CPU", ""};
  if (has_gpu) heading.insert(heading.end(), {"GPU", "", "speed-up"});
  if (card != nullptr) heading.insert(heading.end(), {"model of " + card->name, ""});
  std::vector<Row> rows{heading};
  std::int64_t faster_from = 0;
  for (const auto n : sizes) {
    const Tensor A = rand({n, n});
    const Tensor B = rand({n, n});
    const double on_cpu = seconds_of_product(A, B, cpu());
    Row row{std::to_string(n), in_seconds(on_cpu),
            check::in_gigaflops(flops_of(n), on_cpu)};
    if (has_gpu) {
      const double on_gpu = seconds_of_product(A, B, gpu(0));
      row.insert(row.end(),
                 {in_seconds(on_gpu), check::in_gigaflops(flops_of(n), on_gpu),
                  check::times(on_cpu / on_gpu)});
      if (on_gpu >= on_cpu) faster_from = 0;
      if (on_gpu < on_cpu && faster_from == 0) faster_from = n;
      if (card != nullptr) {
        const double model = modelled_product(*card, n);
        row.insert(row.end(), {in_seconds(model), check::against(model, on_gpu)});
      }
    }
    rows.push_back(row);
  }
  show("An n × n product, float32, " + check::measured_here() + ":");
  show_measured(check::table(rows), "seconds of a product");
  if (!has_gpu) {
    show(
        "There is no GPU to compare with. Virtual GPUs show what happens, not how fast "
        "a card is: D2L_VIRTUAL_GPUS=1");
  } else if (faster_from == 0) {
    show_measured("The GPU is not faster, up to the largest of these sizes.",
                  "crossover");
  } else {
    show_measured("Of these sizes, the GPU is faster from n = " +
                      std::to_string(faster_from) + " on.",
                  "crossover");
  }
}

/// The modelled times on the cards of the cost model, or on the processors of their
/// hosts.
std::vector<Row> modelled_products(const std::vector<std::int64_t>& sizes,
                                   Device device) {
  std::vector<Row> rows{{"n"}};
  for (const Card& card : cards()) rows.front().push_back(card.name);
  for (const auto n : sizes) {
    rows.push_back({std::to_string(n)});
    for (const Card& card : cards())
      rows.back().push_back(in_seconds(product_seconds(card, device, n)));
  }
  return rows;
}

void show_modelled_products(const std::vector<std::int64_t>& sizes) {
  show(
      "One product and the wait for it, modelled from the published figures of five "
      "cards:");
  auto on_cards = modelled_products(sizes, gpu(0));
  Row faster{"GPU faster from"};
  for (const Card& card : cards()) {
    const auto n = crossover(card);
    faster.push_back(n ? "n = " + std::to_string(*n) : "no size");
  }
  on_cards.push_back(faster);
  show(check::table(on_cards));
  show("The same on the processors of the computers with these cards, also modelled:");
  show(check::table(modelled_products(sizes, cpu())));
}

}  // namespace

void demonstrate() {
  manual_seed(5);
  std::vector<std::int64_t> sizes{16, 32, 64, 128, 256, 512, 1024};
  if (num_gpus() > 0 &&
      device_properties(gpu(0)).kind != DeviceKind::virtual_gpu_on_host) {
    sizes.insert(sizes.end(), {2048, 4096, 8192});
  }
  show_measured_products(sizes);
  show_modelled_products({16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192});
}
