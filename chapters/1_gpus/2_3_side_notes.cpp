// SPDX-License-Identifier: MIT
// Section 1.2.3: hidden copies and hidden waits: what they cost, how to forbid them,
// and what runs during a wait.
#include <atomic>
#include <thread>
#include <vector>

#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Side notes
//
// *Twenty minutes.* After this lesson you can find hidden copies and hidden waits,
// forbid them where they cost time, and let one device wait for another while your
// program continues.
//
// Moving a number to another device takes far longer than computing with it, and a wait
// also keeps the host from issuing the next work. That is why the library does not copy
// between devices on its own: a copy should be visible in the line that makes it. But
// reading a value *is* a copy, and many lines that look harmless read a value.

int main() {
  manual_seed(5);
  const Device device = try_gpu();
  constexpr int steps = 100;
  const Tensor x = rand({64}, device);
  const auto loss_of = [&](int step) { return (x - 1.0 / (step + 1)).pow(2).sum(); };

  // %%
  // ## A log that makes the host wait
  //
  // Training loops like to log the loss. `item()` turns a tensor of one element into a
  // number. Four bytes go from the card to main memory, and the host waits until the
  // card has computed them.
  //
  // **Predict first.** In 100 steps, how many copies, how many bytes, how many waits?
  std::vector<float> log_on_host;
  TransferLedger ledger;
  for (int step = 0; step < steps; ++step)
    log_on_host.push_back(loss_of(step).item<float>());
  show(ledger.implicit_copies(), ledger.copied_bytes(), ledger.synchronisations());

  // %%
  // Each step read a value, so the host waited in each step, and the card was idle
  // while the host prepared the next one. (On the CPU all three numbers are 0, because
  // the values are already in main memory. `D2L_VIRTUAL_GPUS=2` shows the difference.)
  // The fix is to keep the log on the device that computes the losses, and to copy it
  // once:
  ledger.clear();
  Tensor log_on_device = zeros({steps}, device);
  for (int step = 0; step < steps; ++step) log_on_device[step].copy_(loss_of(step));
  const std::vector<float> log = log_on_device.to_vector<float>();
  show(ledger.copies(), ledger.copied_bytes(), ledger.synchronisations());
  show(log == log_on_host);

  // %%
  // We get the same bytes and the same numbers, with one copy and one wait.
  //
  // ## Many small copies, or one large copy
  //
  // Every copy has a cost that does not depend on its size: a function call, a place in
  // the queue, the start of the transfer. With a thousand rows of four floats you pay
  // it a thousand times. Both variants here copy the same 16000 bytes to the device:
  const Tensor rows = rand({1000, 4});
  ledger.clear();
  for (int i = 0; i < 1000; ++i) static_cast<void>(rows[i].copy_to(device));
  show(ledger.copies(), ledger.copied_bytes());
  ledger.clear();
  static_cast<void>(rows.copy_to(device));
  show(ledger.copies(), ledger.copied_bytes());

  // %%
  // Now the time. `measure` repeats the work until the result is stable, here for at
  // most a fifth of a second, and waits for every device before it stops the clock. On
  // virtual GPUs, and on the CPU, it measures your computer's own threads and memory.
  // These times say nothing about a card. But one large copy is faster on a card too,
  // for the same reason.
  const TimingLimits brief{.maximum_seconds = 0.2};
  const auto copy_each_row = [&] {
    for (int i = 0; i < 1000; ++i) static_cast<void>(rows[i].copy_to(device));
  };
  const Timing small = measure(copy_each_row, brief);
  const Timing large = measure([&] { static_cast<void>(rows.copy_to(device)); }, brief);
  show_measured(small.median, "seconds", 0, 10, "1000 small copies");
  show_measured(large.median, "seconds", 0, 10, "one large copy");
  show_measured(small.median / large.median, "times as long", 0, 1e9,
                "the small copies took");

  // %%
  // ## What would a card need?
  //
  // How long does it take on a real card? The ledger records which work was issued, how
  // many bytes and operations each piece had, and what waited for what. `replay`
  // simulates that sequence with the published figures of a card that you name: the
  // latency of a copy and of a *launch* (the start of an operation on the card), the
  // bandwidths, and the peak performance. Here it is a T4, a small card for servers.
  // `replay` uses no clock of this computer, so you get the same answer everywhere. It
  // is a *model*, and its output says so.
  //
  // **Predict first.** Copying a thousand rows cost a thousand times the fixed cost of
  // a copy. What about the 100 losses from the start of this lesson? Does it matter as
  // much whether we read them one by one or all at once?
  const Card& t4 = card_named("T4");
  const auto read_each_loss = [&](int count) {
    for (int step = 0; step < count; ++step)
      static_cast<void>(loss_of(step).item<float>());
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
    show(
        "Without a GPU there is no sequence to replay. To get one: D2L_VIRTUAL_GPUS=2 "
        "./learn run 1.2.3");
  }

  // %%
  // The thousand small copies take five hundred times as long as the large one, but
  // reading the losses one by one takes only 37 percent longer (4.00 ms instead of 2.92
  // ms). The waits matter much less than the copies did. A step consists of three tiny
  // launches, and issuing them keeps the host busy for longer than running them keeps
  // the card busy. Reading all at once even adds a fourth launch, which stores the loss
  // in the log. Each read adds one round trip. The more work a step has, the less that
  // matters.
  //
  // Here are the first five steps. A dashed box shows that the host waits. The marks
  // below the host's row show when it issued work. Where the card's row is empty, the
  // card was idle.
  if (num_gpus() >= 1) {
    const Modelled five_steps = modelled([&] { read_each_loss(5); });
    show_svg(five_steps.svg(), five_steps.description());
  } else {
    show(
        "Without a GPU there is no timeline to draw: D2L_VIRTUAL_GPUS=2 ./learn run "
        "1.2.3");
  }

  // %%
  // You can name other cards: "V100", "RTX 4060 Laptop", "A100", "H200", or a `Card`
  // with figures of your own. Can you trust such a model? If you have a card, compare
  // `replay` with `measure`.
  //
  // ## Forbidding implicit copies
  //
  // Hidden copies are never intended, so let the library look for them. While a
  // `TransferGuard` is in scope, reading a GPU tensor implicitly is an error in this
  // thread. Explicit copies still work.
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
  // Printing needed the value on the host. With `.cpu()` the copy is in the code, where
  // a reader can see it. (Without a GPU there is no copy to forbid, and both lines
  // print.)
  //
  // ## A launch returns early
  //
  // A GPU has a queue. An operation puts work into the queue and *returns*. At that
  // moment the result has a shape, a dtype and an address, but no values yet. Usually
  // the work is done before you look, so you do not notice. We can make it visible:
  // while a `HeldQueue` is in scope, the queue accepts work but does not start it. An
  // `Event` is a mark in the queue, and `query()` says whether the queue has passed it.
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
    show(
        "The CPU finishes each operation before the call returns. For a queue: "
        "D2L_VIRTUAL_GPUS=2 ./learn run 1.2.3");
  }

  // %%
  // `False`: the program was already past the addition, but the addition had not run.
  // `True`: after the wait, the addition had run. A clock that does not wait measures
  // only how fast you can *issue* work.
  //
  // ## Letting one device wait for another
  //
  // When one card needs the result of another, the host does not have to wait in
  // between. You record an event in the first queue and tell the second queue to wait
  // for it. The host continues with other things.
  //
  // **Predict first.** The first queue is held. Is the sum on the second GPU finished?
  // Did the host wait?
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
  // No, and no: the sum waits in its queue for the event, and the host did not wait. A
  // copy between two cards records such events by itself. You need your own events when
  // you divide work between cards by hand.
  //
  // ## Reading too early
  //
  // `non_blocking` lets a copy run while the host continues. The host side of the copy
  // must be *pinned* memory, which the operating system does not move. In PyTorch, such
  // a copy to the host is not protected: if you read the memory before the copy is
  // done, you get the old values and no error. The code below shows this case. The
  // queue is held, so the sevens cannot have arrived, and the helper function reads the
  // memory without waiting:
  if (num_gpus() >= 1) {
    const Tensor sevens = full({3}, 7.0f, gpu(0));
    Tensor landing = zeros({3}).pin_memory();
    testing::HeldQueue held(gpu(0));
    landing.copy_(sevens, /*non_blocking=*/true);
    show(static_cast<const float*>(testing::data_without_waiting(landing))[0]);
    held.release();
    show(landing);
  } else {
    show(
        "Without a GPU there is no copy to wait for: D2L_VIRTUAL_GPUS=2 ./learn run "
        "1.2.3");
  }

  // %%
  // An unprotected read would have taken 0.0 for the result. Then `show` read the same
  // memory in the normal way. It waited for the copy and found the sevens. In this
  // library every read of such a tensor waits. So copies and computation still overlap,
  // and the bug cannot occur.
  //
  // ## What waits, and what continues
  //
  // The book says that a read stops everything because of Python's global interpreter
  // lock. C++ has no such lock. PyTorch does not quite behave like that either: it
  // releases the lock while it waits. In this library, the *thread* that reads waits
  // for *one* device. Other threads and other queues continue. Below, one thread reads
  // from a GPU whose queue is held, while we compute on the next GPU:
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
  // But be careful in the most common case: *one* thread that issues work to all cards.
  // When it reads from one card, it stops issuing. The other queues become empty one
  // after the other, and soon all cards are idle, without any lock.
  //
  // ## What to try next
  //
  // - Log every tenth loss only. How do the three numbers of the first loop change?
  // - Put `const TransferGuard guard(TransferGuard::log);` at the top of `main()`. How
  //   many lines does it print?
  // - `D2L_VIRTUAL_GPUS=2,delay=7` delays each piece of work by a random amount. Does
  //   any output change?
  // - Section 1.3 puts a network on the GPU.
}
