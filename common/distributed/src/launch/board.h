// SPDX-License-Identifier: MIT
// Board: a page of memory that a launcher shares with its ranks. It says which ranks wait for others, and when the
// cables of modelled servers are free.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "base/descriptor.h"
#include "base/non_copyable.h"

namespace d2l::launch {

struct BoardPage;

class Board : d2l::detail::NonCopyable {
 public:
  /// For a launcher. The ranks are on servers in equal parts; a message between servers takes its bytes divided by
  /// `bytes_per_second`, or no time if that is 0. Problem if the system has no memory or descriptor for it.
  Board(int ranks, int ranks_of_each_server, double bytes_per_second);
  ~Board();
  /// The board of the launcher that has started this process, whose descriptor is in the variable D2L_LAUNCH; null if
  /// there is none.
  static std::shared_ptr<Board> of_launcher();
  /// Makes a board the one of this process, which its launcher has just forked, and of the programs that it starts.
  static void set_launcher(std::shared_ptr<Board> board);

  [[nodiscard]] int descriptor() const { return descriptor_.get(); }
  [[nodiscard]] int ranks() const;
  [[nodiscard]] bool has_slow_link() const;

  /// A rank begins to wait for all others, and ends it; `joined` if they came.
  void begin_meeting(int rank);
  void end_meeting(int rank, bool joined);
  /// Whether a rank waits for another one that has not come as often.
  [[nodiscard]] bool waits_for(int rank, int other) const;

  /// Sends bytes from the server of a rank to that of another one: returns when the cables between them have carried
  /// them, after all that was sent before in the same direction.
  void carry(int from, int to, std::size_t bytes);

 private:
  explicit Board(d2l::detail::Descriptor descriptor);
  static std::shared_ptr<Board> of_environment();
  static std::shared_ptr<Board>& of_process();
  /// Maps the page; false if the descriptor is that of something else.
  bool map();

  d2l::detail::Descriptor descriptor_;
  BoardPage* page_ = nullptr;
};

/// A rank waits for all others until the end of a scope.
class Meeting : d2l::detail::NonCopyable {
 public:
  /// The meeting of `size` ranks at a port of rank 0, if they are those of a launcher that has a board.
  Meeting(int rank, int size, int port);
  ~Meeting();
  /// The launcher's board; the launcher ends this rank if another one ends without having come. Null if it is another
  /// meeting.
  [[nodiscard]] const std::shared_ptr<Board>& board() const { return board_; }
  /// All ranks have come.
  void set_joined() { joined_ = true; }

 private:
  std::shared_ptr<Board> board_;
  int rank_ = 0;
  bool joined_ = false;
};

}  // namespace d2l::launch
