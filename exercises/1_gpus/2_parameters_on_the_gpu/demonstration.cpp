// SPDX-License-Identifier: MIT
// A network saved on one device and loaded on another: what is copied, and how long it
// takes.
#include <unistd.h>

#include <filesystem>

#include "d2l/show.h"
#include "exercise.h"
#include "table.h"

using namespace d2l;

namespace {

using Row = std::vector<std::string>;

/// 4.2 MB in four tensors.
nn::Sequential network() {
  return nn::Sequential(nn::Linear(1024, 768), nn::ReLU(), nn::Linear(768, 342));
}

std::string copied(const TransferLedger& ledger) {
  return ledger.copies() == 0 ? "nothing"
                              : std::to_string(ledger.copies()) + " copies, " +
                                    std::to_string(ledger.copied_bytes()) + " bytes";
}

Row round_trip(Device from, Device to, const std::string& path) {
  const auto saved = network();
  saved->to(from);
  const auto loaded = network();
  synchronize();
  const TransferLedger ledger;
  const Timer saving;
  save_parameters(*saved, path);
  const double seconds_to_save = saving.seconds();
  const auto copied_by_save = copied(ledger);
  TransferLedger other;
  const Timer loading;
  load_parameters(*loaded, path, to);
  const double seconds_to_load = loading.seconds();
  const auto copied_by_load = copied(other);
  bool exact = true;
  const auto expected = saved->state_dict();
  for (const auto& item : loaded->state_dict())
    exact = exact && item.value().cpu().equal(expected[item.key()].cpu());
  return {from.str() + " to " + to.str(),
          check::in_seconds(seconds_to_save),
          copied_by_save,
          check::in_seconds(seconds_to_load),
          copied_by_load,
          exact ? "yes" : "no"};
}

}  // namespace

void demonstrate() {
  manual_seed(5);
  std::vector<Device> devices{cpu()};
  for (int i = 0; i < num_gpus() && i < 2; ++i) devices.push_back(gpu(i));
  const auto path = (std::filesystem::temp_directory_path() /
                     ("d2l_parameters_" + std::to_string(::getpid()) + ".safetensors"))
                        .string();
  std::vector<Row> rows{{"", "save", "copied", "load", "copied", "equal"}};
  for (const Device from : devices) {
    for (const Device to : devices) rows.push_back(round_trip(from, to, path));
  }
  std::filesystem::remove(path);
  show("A network saved on one device and loaded on another, times " +
       check::measured_here() + ":");
  show_measured(check::table(rows), "seconds of saving and loading");
  if (num_gpus() == 0) show("To see copies between devices: D2L_VIRTUAL_GPUS=2");
}
