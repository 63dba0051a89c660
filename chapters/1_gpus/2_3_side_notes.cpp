// SPDX-License-Identifier: MIT
// Section 1.2.3: hidden copies and hidden waits; what they cost, how to forbid them, and what really happens meanwhile.
#include <atomic>
#include <thread>
#include <vector>

#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Side notes
//
// *Twenty minutes.* Afterwards you can find the copies and waits that nobody wrote down, forbid
// them where they hurt, and let devices wait for each other while your program goes on.
//
// Moving data is slow beside computing with it, and waiting is slower still. That is why the library
// refuses to copy between devices on its own: a line that costs something should say so. But reading
// a value *is* a copy, and a program is full of innocent lines that read one.

int main() {
  manual_seed(5);
  const Device device = try_gpu();
  constexpr int steps = 100;
  const Tensor x = rand({64}, device);
  const auto loss_of = [&](int step) { return (x - 1.0 / (step + 1)).pow(2).sum(); };

  // %%
  // ## The log that stops the world
  //
  // A training loop likes to log its loss. `item()` turns a tensor of one element into a number: four
  // bytes go from the card to main memory, and the host waits until the card has come that far.
  //
  // **Predict first.** In 100 steps, how many copies, how many bytes, how many waits?
  std::vector<float> log_on_host;
  TransferLedger ledger;
  for (int step = 0; step < steps; ++step) log_on_host.push_back(loss_of(step).item<float>());
  show(ledger.implicit_copies(), ledger.copied_bytes(), ledger.synchronisations());

  // %%
  // Each step read a value, so each step waited, and the card stood idle while the host prepared the
  // next. (On the CPU all three are 0: a value that is in main memory need not be fetched.
  // `D2L_VIRTUAL_GPUS=2` shows the difference.) The mend is to keep the log where the losses are made,
  // and to fetch it once:
  ledger.clear();
  Tensor log_on_device = zeros({steps}, device);
  for (int step = 0; step < steps; ++step) log_on_device[step].copy_(loss_of(step));
  const std::vector<float> log = log_on_device.to_vector<float>();
  show(ledger.copies(), ledger.copied_bytes(), ledger.synchronisations());
  show(log == log_on_host);

  // %%
  // The same bytes and the same numbers, in one copy and with one wait.
  //
  // ## Many small, or one large
  //
  // Every copy has a price that does not depend on its size: a call, a place in the queue, the start of
  // the transfer. A thousand rows of four floats pay it a thousand times. Here both take the same 16000
  // bytes to the device:
  const Tensor rows = rand({1000, 4});
  ledger.clear();
  for (int i = 0; i < 1000; ++i) static_cast<void>(rows[i].copy_to(device));
  show(ledger.copies(), ledger.copied_bytes());
  ledger.clear();
  static_cast<void>(rows.copy_to(device));
  show(ledger.copies(), ledger.copied_bytes());

  // %%
  // And the clock. `measure` repeats the work until the answer is steady, for a fifth of a second at most
  // here, and waits for every device before it stops the clock. On virtual GPUs, and on the CPU, these
  // are times of your computer's own threads and memory; they say nothing of any card. That one large
  // copy wins is true on a card as well, for the same reason.
  const TimingLimits brief{.maximum_seconds = 0.2};
  const auto copy_each_row = [&] {
    for (int i = 0; i < 1000; ++i) static_cast<void>(rows[i].copy_to(device));
  };
  const Timing small = measure(copy_each_row, brief);
  const Timing large = measure([&] { static_cast<void>(rows.copy_to(device)); }, brief);
  show_measured(small.median, "seconds", 0, 10, "1000 small copies");
  show_measured(large.median, "seconds", 0, 10, "one large copy");
  show_measured(small.median / large.median, "times as long", 0, 1e9, "the small copies took");

  // %%
  // ## What a card would take
  //
  // How long is it on a real card, then? The ledger knows what was issued, how many bytes and operations
  // each piece had, and who waited for whom. `replay` plays that sequence again on the published figures
  // of a card that you name: the latency of a launch and of a copy, the bandwidths, the peak. No clock of
  // this computer comes into it, so the answer is the same everywhere. It is a *model*, and says so.
  //
  // **Predict first.** Copying a thousand rows took a thousand times the price of a copy. And the 100
  // losses from the top, read one by one or together: does it matter as much?
  const Card& t4 = card_named("T4");
  const auto read_each_loss = [&](int count) {
    for (int step = 0; step < count; ++step) static_cast<void>(loss_of(step).item<float>());
  };
  const auto read_all_at_once = [&] {
    for (int step = 0; step < steps; ++step) log_on_device[step].copy_(loss_of(step));
    static_cast<void>(log_on_device.to_vector<float>());
  };
  const auto modelled = [&](const auto& work) {
    ledger.clear();
    work();
    return replay(ledger, t4);
  };
  if (num_gpus() >= 1) {
    show(modelled(copy_each_row));
    show(modelled([&] { static_cast<void>(rows.copy_to(device)); }));
    show(modelled([&] { read_each_loss(steps); }));
    show(modelled(read_all_at_once));
  } else {
    show("Without a GPU nothing was issued to one. For a sequence to replay: D2L_VIRTUAL_GPUS=2 ./learn run 1.2.3");
  }

  // %%
  // Five hundred times as long for the copies, a third longer for the reads: not as much. A step is three
  // launches of next to nothing, and handing them over keeps the host busier than doing them keeps the
  // card. Reading all at once even adds a fourth, which puts the loss in its place. What a read costs on
  // top is the round trip, and the more a step has to compute, the less that weighs.
  //
  // Here are the first five steps. A broken box is the host, waiting; the marks below it are what it
  // issued. Where the card's row is empty, the card was idle.
  if (num_gpus() >= 1) {
    const Modelled five_steps = modelled([&] { read_each_loss(5); });
    show_svg(five_steps.svg(), five_steps.description());
  } else {
    show("There is nothing to draw without a GPU: D2L_VIRTUAL_GPUS=2 ./learn run 1.2.3");
  }

  // %%
  // Other cards are a word away: "V100", "RTX 4060 Laptop", "A100", "H200", or a `Card` whose figures you
  // fill in yourself. How far such a model can be trusted is a fair question; on a card of your own, put
  // `replay` beside `measure`.
  //
  // ## Forbidding it
  //
  // Nobody writes a hidden copy on purpose, so let the library watch. While a `TransferGuard` is in
  // scope, in this thread, reading a GPU tensor behind your back is an error. Copies that say what they
  // are still pass.
  {
    const TransferGuard guard(TransferGuard::disallow);
    try {
      show(x.sum() > 0.0f);
    } catch (const TransferError& error) {
      show(error.what());
    }
    show((x.sum() > 0.0f).cpu());
  }

  // %%
  // Printing needed the value on the host. With `.cpu()` the copy is on the page, where a reader
  // can see it. (Without a GPU there is no copy to forbid, and both lines print.)
  //
  // ## The launch that came back early
  //
  // A GPU has a queue. An operation puts a piece of work into it and *returns*; the result has a shape, a
  // dtype and an address before it has values. Usually it is done before you can look, so luck
  // hides it. On purpose, then: `HeldQueue` accepts work and starts none. An `Event` is a mark in the
  // queue, and `query()` says whether the queue has passed it.
  if (num_gpus() >= 1) {
    testing::HeldQueue held(gpu(0));
    const Tensor doubled = x + x;
    Event finished;
    finished.record(gpu(0));
    show(doubled.sizes());
    show(finished.query());
    held.release();
    finished.synchronize();
    show(finished.query());
  } else {
    show("The CPU finishes each operation before the call returns. For a queue: D2L_VIRTUAL_GPUS=2 ./learn run 1.2.3");
  }

  // %%
  // `False`, and the program was past the addition already; `True` once it had waited. A clock that
  // forgets to wait would have measured how fast work can be *ordered*.
  //
  // ## Letting one device wait for another
  //
  // When one card needs what another makes, the host need not stand between them. The first queue is
  // given a mark, the second is told to wait for it, and the host goes on to other things.
  //
  // **Predict first.** The first queue is held. Is the second one's sum finished? Did the host wait?
  if (num_gpus() >= 2) {
    testing::HeldQueue held(gpu(0));
    const Tensor made = full({3}, 20, gpu(0)) + 1;
    Event ready;
    ready.record(gpu(0));
    ledger.clear();
    ready.block(gpu(1));
    const Tensor used = ones({3}, gpu(1)) + 1;
    Event finished;
    finished.record(gpu(1));
    show(finished.query(), ledger.synchronisations());
    held.release();
    show(used);
  } else {
    show("This needs two GPUs: D2L_VIRTUAL_GPUS=2 ./learn run 1.2.3");
  }

  // %%
  // A copy between cards places such marks by itself; you need events when you share work out by hand.
  //
  // ## The read that came too early
  //
  // `non_blocking` lets a copy run while the host goes on, from or to *pinned* memory, which the
  // operating system promises not to move. In PyTorch a copy to the host made this way is
  // yours to protect: read it before it has arrived and you get what was there before, with no error.
  // Here is that moment. The queue is held, so the sevens cannot have come, and the helper looks at
  // the memory without asking:
  if (num_gpus() >= 1) {
    const Tensor sevens = full({3}, 7.0f, gpu(0));
    Tensor landing = zeros({3}).pin_memory();
    testing::HeldQueue held(gpu(0));
    landing.copy_(sevens, /*non_blocking=*/true);
    show(static_cast<const float*>(testing::data_without_waiting(landing))[0]);
    held.release();
    show(landing);
  } else {
    show("Without a GPU nothing is on its way: D2L_VIRTUAL_GPUS=2 ./learn run 1.2.3");
  }

  // %%
  // 0.0 is what an unprotected read would have taken for a result. Then `show` read the same memory in
  // the usual way: it waited for the copy, and the sevens were there. In this library every read of
  // such a tensor waits. You keep the overlap and lose the trap.
  //
  // ## Who waits, and who does not
  //
  // The book blames Python's global interpreter lock for the halt that a read brings. There is none in
  // C++, and it is not quite what happens in PyTorch either, which lets go of the lock while it waits. What
  // is true here: the *thread* that reads waits, for *one* device. Other threads go on, and so do
  // the other queues. Below, a thread reads from a GPU that is held, while we compute on the next:
  if (num_gpus() >= 2) {
    std::atomic<bool> has_read = false;
    testing::HeldQueue held(gpu(0));
    std::thread reader([&] { has_read = x.sum().item<float>() > 0; });
    show((full({3}, 2.0f, gpu(1)) * 21.0f).cpu());
    show(has_read.load());
    held.release();
    reader.join();
    show(has_read.load());
  } else {
    show("This needs two GPUs: D2L_VIRTUAL_GPUS=2 ./learn run 1.2.3");
  }

  // %%
  // But mind the common case. With *one* thread that feeds all the cards, a read from one stops the
  // feeding, their queues run dry one after the other, and soon all of them do stand still. The lock
  // is not needed for that.
  //
  // ## What to try next
  //
  // - Log every tenth loss. How do the three numbers of the first loop change?
  // - `TransferGuard::log` instead of `disallow` at the top of `main()`: how many lines do you get?
  // - `D2L_VIRTUAL_GPUS=2,delay=7` slows each piece of work by a random amount. Do any outputs change?
  // - Section 1.3 puts a network on the GPU.
}
