// SPDX-License-Identifier: MIT
// Reads single keys. The terminal gets its mode back on every exit, also after a signal.
#pragma once

namespace d2l::runner {

/// True when the standard input and the standard output are a terminal.
bool has_keyboard();

/// Reads keys without Enter and without echo while it lives.
class Keyboard {
 public:
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /// Waits at most `milliseconds` for a key: the key, 0 when there is none, or `gone` when the terminal was closed or a
  /// signal such as Ctrl-C asks the program to end.
  char key(int milliseconds);
  static constexpr char gone = '\4';

  /// The signal that asked the program to end; 0 for none.
  [[nodiscard]] static int signal();
};

}  // namespace d2l::runner
