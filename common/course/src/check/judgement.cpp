// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "d2l/check.h"

namespace d2l::check {
namespace {

constexpr const char* unjudged = "not evaluated: bug in the check";

/// The index of element `flat` in a tensor of this shape: "[1, 0]".
std::string place(std::int64_t flat, const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> index(sizes.size());
  for (std::size_t dim = sizes.size(); dim-- > 0; flat /= sizes[dim]) index[dim] = flat % sizes[dim];
  return fmt::format("[{}]", fmt::join(index, ", "));
}

std::string described(const Tensor& tensor) {
  return fmt::format("a tensor of {} with shape [{}]", repr(tensor.dtype()), fmt::join(tensor.sizes().vec(), ", "));
}

/// At most 2000 bytes: a finding can have a text of the student's.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 2000;
  return text.size() <= most ? text : text.substr(0, most) + fmt::format("… ({} bytes more)", text.size() - most);
}

/// Two different numbers with seven digits, or with all digits if these are equal.
std::pair<std::string, std::string> told_apart(double a, double b) {
  auto texts = std::pair{fmt::format("{:.7g}", a), fmt::format("{:.7g}", b)};
  return texts.first != texts.second ? texts : std::pair{fmt::format("{}", a), fmt::format("{}", b)};
}

}  // namespace

std::string counted(std::int64_t count, const std::string& what) {
  const auto word = std::min(what.find(' '), what.size());
  const std::string plural = what.substr(0, word);
  if (count != 1 || !plural.ends_with('s')) return fmt::format("{} {}", count, what);
  const bool ies = plural.ends_with("ies");                              // copies, copy
  const bool es = plural.ends_with("ches") || plural.ends_with("sses");  // launches, launch; passes, pass
  return fmt::format("1 {}{}{}", plural.substr(0, word - (ies ? 3U : es ? 2U : 1U)), ies ? "y" : "", what.substr(word));
}

void ItemJudgement::expect(bool met, const std::string& expected, const std::string& found, const std::string& where) {
  if (finding_.verdict == Verdict::fail && finding_.found != unjudged) return;  // the first finding counts
  if (met) {
    if (finding_.verdict == Verdict::fail) finding_.verdict = Verdict::pass;
    if (finding_.verdict == Verdict::pass) finding_.found.clear();
    return;
  }
  finding_.verdict = Verdict::fail;
  finding_.expected = shortened(expected);
  finding_.found = shortened(found);
  finding_.where = shortened(where);
  finding_.needs.clear();
}

void ItemJudgement::equal(std::int64_t expected, std::int64_t found, const std::string& what,
                          const std::string& where) {
  expect(expected == found, counted(expected, what), counted(found, what), where);
}

void ItemJudgement::at_most(std::int64_t limit, std::int64_t found, const std::string& what, const std::string& where) {
  expect(found <= limit, "at most " + counted(limit, what), counted(found, what), where);
}

void ItemJudgement::at_least(std::int64_t limit, std::int64_t found, const std::string& what,
                             const std::string& where) {
  expect(found >= limit, "at least " + counted(limit, what), counted(found, what), where);
}

void ItemJudgement::close(const Tensor& expected, const Tensor& found, double tolerance, const std::string& where,
                          double least) {
  if (!found.defined() || found.dtype() != expected.dtype() || found.sizes() != expected.sizes()) {
    return expect(false, described(expected), found.defined() ? described(found) : "no tensor", where);
  }
  const auto wanted = expected.to(kDouble).reshape({-1}).to_vector<double>();
  const auto given = found.to(kDouble).reshape({-1}).to_vector<double>();
  double scale = least;
  for (const double value : wanted) scale = std::isfinite(value) ? std::max(scale, std::fabs(value)) : scale;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool same = given[i] == wanted[i];                                     // also infinities
    if (same || std::fabs(given[i] - wanted[i]) <= tolerance * scale) continue;  // false for nan
    const auto [right, wrong] = told_apart(wanted[i], given[i]);
    const std::string at =
        expected.dim() == 0 ? "" : " at " + place(static_cast<std::int64_t>(i), expected.sizes().vec());
    const double off = std::fabs(given[i] - wanted[i]);  // no finite number if one of both is none
    const std::string by = !std::isfinite(off) ? ""
                           : scale == 0        ? fmt::format(", off by {:.1e}", off)
                                               : fmt::format(", off by {:.1e} of the largest value", off / scale);
    return expect(false, right + at, wrong + by, where);
  }
  expect(true, "", "", where);
}

void ItemJudgement::placed(const Outcome& outcome, const std::string& result, Device device) {
  const Device label = outcome.label(result);
  const Device owner = outcome.owner(result);
  expect(owner == device, fmt::format("{} in the memory of {}", result, device.str()),
         label == owner ? fmt::format("{} in the memory of {}", result, owner.str())
                        : fmt::format("{} in the memory of {} according to the driver, although its label says {}",
                                      result, owner.str(), label.str()));
  expect(label == device, fmt::format("{} with the device {}", result, device.str()),
         fmt::format("the device {}", label.str()));
}

void ItemJudgement::not_verifiable(const std::string& needs) {
  if (finding_.verdict == Verdict::fail && finding_.found != unjudged) return;
  finding_.verdict = Verdict::not_verifiable;
  finding_.found.clear();
  finding_.needs = needs;
}

bool ItemJudgement::lacks_gpus(int count) {
  if (num_gpus() >= count) return false;
  not_verifiable(fmt::format("{}, physical or virtual: D2L_VIRTUAL_GPUS={}",
                             count == 1 ? "a GPU" : fmt::format("{} GPUs", count), count));
  return true;
}

void ItemJudgement::spread(const KernelCounts& counts, const std::string& where) {
  constexpr std::uint64_t shares = 4;
  constexpr std::uint64_t lanes = 8;
  expect(counts.steps > 0, "a kernel that executes something", "no step", where);
  const auto judge = [&](const char* what, std::uint64_t longest) {
    const double share =
        100 * static_cast<double>(longest) / static_cast<double>(std::max<std::uint64_t>(1, counts.steps));
    expect(longest * shares <= counts.steps, fmt::format("no {} with more than 25 % of the steps", what),
           fmt::format("a {} with {:.0f} %", what, share), where);
  };
  judge("warp", counts.longest_warp);
  judge("block", counts.longest_block);
  const double together =
      static_cast<double>(counts.lane_steps) / static_cast<double>(std::max<std::uint64_t>(1, counts.steps));
  expect(counts.lane_steps >= lanes * counts.steps, "8 of 32 threads or more in a step of a warp",
         fmt::format("{:.1f} on average", together), where);
}

bool ItemJudgement::lacks_counts(const Outcome& outcome, const std::string& name) {
  const std::vector<KernelRun> kernels = outcome.recording(name).kernels();
  if (std::ranges::any_of(kernels, &KernelRun::counted)) return false;
  // A function that launches no kernel in the emulator has no counts either, and must not pass for that.
  if (num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host) return false;
  not_verifiable("counts of kernels, which a card does not give: D2L_VIRTUAL_GPUS=1@host");
  return true;
}

Judgement::Judgement(const std::vector<Item>& items) {
  for (const Item& item : items) findings_.push_back({item, Verdict::fail, "", unjudged, "", ""});
}

void Judgement::item(const std::string& name, const std::function<void(ItemJudgement&)>& judge) {
  const auto found = std::find_if(findings_.begin(), findings_.end(),
                                  [&](const Finding& finding) { return finding.item.name == name; });
  if (found == findings_.end()) throw ValueError("[check] items() has no item '" + name + "'");
  ItemJudgement judgement(*found);
  try {
    judge(judgement);
  } catch (const CheckError& error) {
    judgement.expect(false, "", error.what(), error.where());
  } catch (const std::exception& error) {
    judgement.expect(false, "", error.what());
  }
}

void Judgement::fail_all(const std::string& found) {
  for (Finding& finding : findings_) finding = {finding.item, Verdict::fail, "", shortened(found), "", ""};
}

Verdict Judgement::verdict() const {
  const auto any = [this](Verdict verdict) {
    return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& one) { return one.verdict == verdict; });
  };
  if (any(Verdict::fail)) return Verdict::fail;
  return any(Verdict::not_verifiable) ? Verdict::not_verifiable : Verdict::pass;
}

int Judgement::points() const {
  int sum = 0;
  for (const Finding& finding : findings_) sum += finding.verdict == Verdict::pass ? finding.item.points : 0;
  return sum;
}

int Judgement::possible() const {
  int sum = 0;
  for (const Finding& finding : findings_) sum += finding.item.points;
  return sum;
}

}  // namespace d2l::check
