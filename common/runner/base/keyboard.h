// SPDX-License-Identifier: MIT
// Single keys from the terminal, which is as it was before when this ends, however that comes.
#pragma once

namespace d2l::runner {

/// True when a person sits there: the standard input and the standard output are a terminal.
bool has_keyboard();

/// Takes keys one by one, without Enter and without showing them.
class Keyboard {
 public:
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  /// The next key, waiting at most so many milliseconds; 0 when there was none; `gone` when no key can come any more:
  /// the terminal was closed, or a signal (Ctrl-C) asks for the end.
  char key(int milliseconds);
  static constexpr char gone = '\4';

  /// The signal that asked for the end; 0 when none did.
  [[nodiscard]] static int signal();
};

}  // namespace d2l::runner
