// SPDX-License-Identifier: MIT
// Uses the installed libraries: a copy between two GPUs and a product on the second, and functions of show.h, testing.h
// and check.h.
#include <d2l/check.h>
#include <d2l/d2l.h>
#include <d2l/show.h>
#include <d2l/testing.h>

int main() {
  const d2l::Tensor X = d2l::ones({2, 3}, d2l::gpu(0));
  const d2l::Tensor Z = X.cuda(1);
  d2l::show(d2l::mm(Z, Z.t()));

  d2l::check::Outcome outcome;
  outcome.result("Z", Z);
  d2l::check::Judgement judgement({{"placement", 2, d2l::check::Kind::placement, "Z is on the second GPU", 1}});
  judgement.item("placement", [&](auto& item) { item.placed(outcome, "Z", d2l::gpu(1)); });
  return d2l::testing::placed(Z) && judgement.points() == 2 ? 0 : 1;
}
