// SPDX-License-Identifier: MIT
#include "check/verdict.h"

#include "check/report.h"

namespace d2l::check {
namespace {

constexpr int failed = 1;
constexpr int not_verified = 77;

}  // namespace

Judgement judged(const Inputs& inputs, const Outcome& outcome, const std::string& error) {
  Judgement judgement(items());
  if (error.empty() || outcome.has_failed_attempt()) {
    judge(inputs, outcome, judgement);
  } else {
    judgement.fail_all("the function threw: " + error);
  }
  return judgement;
}

int report(const Judgement& judgement, std::uint64_t seed, const std::string& path) {
  if (!path.empty()) write_report(judgement, seed, path);
  print_report(judgement, seed);
  const Verdict verdict = judgement.verdict();
  if (verdict == Verdict::pass) return 0;
  return verdict == Verdict::fail ? failed : not_verified;
}

void write_items(const std::string& path) {
  Judgement judgement(items());
  judgement.fail_all("");
  write_report(judgement, 0, path);
}

}  // namespace d2l::check
