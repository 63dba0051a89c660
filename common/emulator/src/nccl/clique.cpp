// SPDX-License-Identifier: MIT
#include "nccl/clique.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "watchdog/waiting_calls.h"

namespace d2l::emulator::nccl {
namespace {

std::size_t place(int rank) { return static_cast<std::size_t>(rank); }

std::shared_ptr<Meeting> make_meeting(std::vector<int> ranks) {
  auto made = std::make_shared<Meeting>();
  made->calls.resize(ranks.size());
  made->is_here.resize(ranks.size());
  made->ranks = std::move(ranks);
  return made;
}

/// "rank 1", "ranks 1, 3".
std::string listed(const std::vector<int>& ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
}

}  // namespace

Clique::Clique(int size) : devices_(place(size), -1), aborted_(place(size)), calls_(place(size)) {}

std::string Clique::join(int rank, int device, bool one_each) {
  const std::lock_guard lock(mutex_);
  if (devices_[place(rank)] >= 0) failure_ = fmt::format("rank {} has joined already", rank);
  if (one_each && std::ranges::find(devices_, device) != devices_.end()) {
    failure_ =
        fmt::format("rank {} has the device {}, as another rank: call cudaSetDevice with one for each", rank, device);
  }
  if (failure_.empty()) devices_[place(rank)] = device;
  changed_.notify_all();
  return failure_;
}

std::string Clique::missing_ranks() {
  std::vector<int> missing;
  for (int rank = 0; rank < size(); ++rank) {
    if (devices_[place(rank)] < 0) missing.push_back(rank);
  }
  return listed(missing);
}

std::string Clique::wait_for_ranks(const CallSite& site, int rank) {
  const auto waits = [&] {
    const std::lock_guard lock(mutex_);
    return fmt::format("rank {} waits for {} to join", rank, missing_ranks());
  };
  const watchdog::WaitingCall waiting([&] { return site.text() + ": " + waits(); },
                                      [&](const std::string&) {
                                        const std::string text = waits();
                                        const std::lock_guard lock(mutex_);
                                        failure_ = text +
                                                   ", and no other thread of the program runs that could make it. One "
                                                   "thread makes several ranks between ncclGroupStart and ncclGroupEnd";
                                        changed_.notify_all();
                                      });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !failure_.empty() || std::ranges::find(devices_, -1) == devices_.end(); });
  return failure_;
}

Clique::Part Clique::issue(const std::shared_ptr<Clique>& clique, int rank, const Call& call) {
  Clique& own = *clique;
  const std::lock_guard lock(own.mutex_);
  Part part{clique, nullptr, place(rank), rank};
  if (call.kind == Kind::send || call.kind == Kind::receive) {
    const bool sends = call.kind == Kind::send;
    part.number = sends ? 0 : 1;
    auto& waiting = own.messages_[sends ? std::pair(rank, call.root) : std::pair(call.root, rank)];
    if (waiting.empty() || waiting.front()->calls[part.number]) {
      waiting.push_back(make_meeting(sends ? std::vector{rank, call.root} : std::vector{call.root, rank}));
      part.meeting = waiting.back();
    } else {
      part.meeting = waiting.front();
      waiting.pop_front();
    }
  } else {
    const std::size_t number = own.calls_[place(rank)]++ - own.ended_;
    if (number == own.meetings_.size()) {
      std::vector<int> all;
      for (int one = 0; one < own.size(); ++one) all.push_back(one);
      own.meetings_.push_back(make_meeting(std::move(all)));
    }
    part.meeting = own.meetings_[number];
  }
  Meeting& meeting = *part.meeting;
  for (const auto& other : meeting.calls) {
    if (!other || alike(*other, call)) continue;
    meeting.failure = fmt::format("of rank {} does not fit: {}, but {}", rank, text_of(call), text_of(*other));
    own.failure_ = meeting.failure;
  }
  meeting.calls[part.number] = call;
  if (++meeting.issued == meeting.calls.size() && !own.meetings_.empty() && own.meetings_.front() == part.meeting) {
    own.meetings_.pop_front();
    ++own.ended_;
  }
  own.changed_.notify_all();
  return part;
}

void Clique::arrive(const Part& part) {
  Meeting& meeting = *part.meeting;
  {
    const std::lock_guard lock(part.clique->mutex_);
    meeting.is_here[part.number] = true;
    if (++meeting.arrived < meeting.calls.size() || !meeting.failure.empty()) return;
  }
  std::vector<Call> all;
  for (const auto& call : meeting.calls) all.push_back(*call);
  compute(all);
  const std::lock_guard lock(part.clique->mutex_);
  meeting.done = true;
  part.clique->changed_.notify_all();
}

void Clique::leave(const Part& part) {
  const std::lock_guard lock(part.clique->mutex_);
  if (part.meeting->is_here[part.number]) return;
  part.meeting->failure = fmt::format("never ends: the device of rank {} has failed", part.rank);
  part.clique->changed_.notify_all();
}

std::string Clique::what_is_missing(const Part& part) {
  const std::lock_guard lock(mutex_);
  const Meeting& meeting = *part.meeting;
  std::vector<int> silent, late;
  for (std::size_t i = 0; i < meeting.calls.size(); ++i) {
    if (!meeting.calls[i]) silent.push_back(meeting.ranks[i]);
    if (meeting.calls[i] && !meeting.is_here[i]) late.push_back(meeting.ranks[i]);
  }
  std::string text = fmt::format("of rank {} waits", part.rank);
  if (!silent.empty()) text += fmt::format(" for a call of {}", listed(silent));
  if (!late.empty()) text += fmt::format("{} for the stream of {}", silent.empty() ? "" : ", and", listed(late));
  return text;
}

void Clique::wait(const Part& part) {
  Clique& own = *part.clique;
  Meeting& meeting = *part.meeting;
  const auto is_over = [&] { return meeting.done || !meeting.failure.empty() || own.aborted_[place(part.rank)]; };
  std::unique_lock lock(own.mutex_);
  if (!is_over()) {
    lock.unlock();
    const watchdog::WaitingCall waiting(
        [&] { return meeting.calls[part.number]->site.text() + " " + own.what_is_missing(part); },
        [&](const std::string&) {
          const std::string text =
              own.what_is_missing(part) + ", and no other thread of the program runs that could change that";
          const std::lock_guard again(own.mutex_);
          meeting.failure = text;
          own.changed_.notify_all();
        });
    lock.lock();
    own.changed_.wait(lock, is_over);
    lock.unlock();
  } else {
    lock.unlock();
  }
  lock.lock();
  if (!meeting.failure.empty() && !own.aborted_[place(part.rank)]) {
    throw LibraryFault{meeting.failure, "deadlock", cudaErrorLaunchTimeout};
  }
}

void Clique::abort(int rank) {
  const std::lock_guard lock(mutex_);
  aborted_[place(rank)] = true;
  changed_.notify_all();
}

bool Clique::is_waiting(int rank) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(devices_, -1) != devices_.end()) return true;
  for (const auto& meeting : meetings_) {
    if (meeting->calls[place(rank)]) return true;  // else it would have ended
  }
  return false;
}

std::string Clique::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace d2l::emulator::nccl
