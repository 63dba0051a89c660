// SPDX-License-Identifier: MIT
#include "launch/board.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>

#include "launch/problem.h"
#include "launch/ranks.h"

namespace d2l::launch {

namespace {

using Clock = std::chrono::steady_clock;  // the same in all processes

constexpr std::uint32_t board_magic = 0x64326c02;
/// A thread does not sleep as short as this.
constexpr std::chrono::microseconds shortest_sleep(50);

}  // namespace

struct BoardPage {
  struct OfRank {
    std::atomic<std::uint32_t> meetings{0};  ///< to which all have come
    std::atomic<std::uint32_t> waits{0};
  };
  /// Until when a cable is busy, in nanoseconds of the clock.
  struct Cable {
    std::atomic<std::int64_t> out{0};
    std::atomic<std::int64_t> in{0};
  };
  std::uint32_t magic = board_magic;
  std::int32_t ranks = 0;
  std::int32_t ranks_of_each_server = 0;
  double bytes_per_second = 0;
  std::array<OfRank, max_ranks> of_ranks{};
  std::array<Cable, max_ranks> cables{};
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);

namespace {

/// Books a cable from `earliest` on, for the duration, after what was booked before; the end.
std::int64_t book(std::atomic<std::int64_t>& free, std::int64_t earliest, std::int64_t duration) {
  std::int64_t before = free.load();
  std::int64_t end = 0;
  do {
    end = std::max(before, earliest) + duration;
  } while (!free.compare_exchange_weak(before, end));
  return end;
}

}  // namespace

Board::Board(int ranks, int ranks_of_each_server, double bytes_per_second)
    : descriptor_(::memfd_create("d2l_launch", MFD_CLOEXEC)) {
  if (descriptor_.get() < 0 || ::ftruncate(descriptor_.get(), sizeof(BoardPage)) != 0) {
    throw Problem(std::string("the memory that the ranks share cannot be made: ") + std::strerror(errno));
  }
  void* const memory = ::mmap(nullptr, sizeof(BoardPage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (memory == MAP_FAILED) {
    throw Problem(std::string("the memory that the ranks share cannot be mapped: ") + std::strerror(errno));
  }
  page_ = new (memory) BoardPage;
  page_->ranks = ranks;
  page_->ranks_of_each_server = ranks_of_each_server;
  page_->bytes_per_second = bytes_per_second;
}

Board::Board(d2l::detail::Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

Board::~Board() {
  if (page_ != nullptr) ::munmap(page_, sizeof(BoardPage));
}

bool Board::map() {
  struct stat status = {};
  if (::fstat(descriptor_.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_size != static_cast<off_t>(sizeof(BoardPage))) return false;
  void* const memory = ::mmap(nullptr, sizeof(BoardPage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (memory == MAP_FAILED) return false;
  page_ = static_cast<BoardPage*>(memory);
  return page_->magic == board_magic;
}

std::shared_ptr<Board> Board::of_environment() {
  const char* const text = std::getenv("D2L_LAUNCH");
  const int number = text == nullptr ? -1 : std::atoi(text);
  if (number <= STDERR_FILENO) return nullptr;
  // The descriptor stays for the programs that this one starts.
  std::shared_ptr<Board> found(new Board(d2l::detail::Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, 0))));
  if (found->descriptor() < 0 || !found->map()) return nullptr;
  return found;
}

std::shared_ptr<Board>& Board::of_process() {
  static std::shared_ptr<Board> board = of_environment();
  return board;
}

std::shared_ptr<Board> Board::of_launcher() { return of_process(); }

void Board::set_launcher(std::shared_ptr<Board> board) {
  ::fcntl(board->descriptor(), F_SETFD, 0);
  ::setenv("D2L_LAUNCH", std::to_string(board->descriptor()).c_str(), 1);
  of_process() = std::move(board);
}

int Board::ranks() const { return page_->ranks; }

bool Board::has_slow_link() const { return page_->bytes_per_second > 0; }

void Board::begin_meeting(int rank) { page_->of_ranks[static_cast<std::size_t>(rank)].waits = 1; }

void Board::end_meeting(int rank, bool joined) {
  auto& own = page_->of_ranks[static_cast<std::size_t>(rank)];
  if (joined) ++own.meetings;
  own.waits = 0;
}

bool Board::waits_for(int rank, int other) const {
  const auto& own = page_->of_ranks[static_cast<std::size_t>(rank)];
  const auto meetings = own.meetings.load();
  return own.waits == 1 && page_->of_ranks[static_cast<std::size_t>(other)].meetings <= meetings;
}

// Each server has one cable, which carries one message at a time in each direction. What arrives at a cable that is
// busy waits in the switch.
void Board::carry(int from, int to, std::size_t bytes) {
  if (!has_slow_link()) return;
  const auto sender = static_cast<std::size_t>(from / page_->ranks_of_each_server);
  const auto receiver = static_cast<std::size_t>(to / page_->ranks_of_each_server);
  if (sender == receiver) return;
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  const auto duration = static_cast<std::int64_t>(static_cast<double>(bytes) / page_->bytes_per_second * 1e9);
  const std::int64_t sent = book(page_->cables[sender].out, now, duration);
  const std::int64_t arrived = book(page_->cables[receiver].in, sent - duration, duration);
  const std::chrono::nanoseconds left(arrived - now);
  if (left >= shortest_sleep) std::this_thread::sleep_until(Clock::time_point(std::chrono::nanoseconds(arrived)));
}

Meeting::Meeting(int rank, int size, int port) : rank_(rank) {
  const auto board = Board::of_launcher();
  const auto is_number = [](const char* variable, int number) {
    const char* const text = std::getenv(variable);
    return text != nullptr && std::to_string(number) == text;
  };
  if (board == nullptr || size != board->ranks() || !is_number("RANK", rank) || !is_number("MASTER_PORT", port)) return;
  board_ = board;
  board_->begin_meeting(rank_);
}

Meeting::~Meeting() {
  if (board_ != nullptr) board_->end_meeting(rank_, joined_);
}

}  // namespace d2l::launch
