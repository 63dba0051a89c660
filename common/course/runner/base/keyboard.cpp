// SPDX-License-Identifier: MIT
#include "base/keyboard.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace d2l::runner {
namespace {

termios original{};
termios raw{};
volatile std::sig_atomic_t asked_to_end = 0;
volatile std::sig_atomic_t continued = 0;

constexpr std::array ends{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
std::array<struct sigaction, ends.size() + crashes.size() + 1> before{};

void note(int number) { asked_to_end = number; }
void note_continued(int /*number*/) { continued = 1; }
/// SA_RESETHAND has removed this handler, so raise() has the default effect.
void restore_and_crash(int number) {
  ::tcsetattr(STDIN_FILENO, TCSANOW, &original);
  ::raise(number);
}

void set_handlers() {
  std::size_t at = 0;
  const auto set = [&](int number, void (*handler)(int), int flags) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(number, &action, &before[at++]);
  };
  for (const int number : ends) set(number, note, 0);
  for (const int number : crashes) set(number, restore_and_crash, static_cast<int>(SA_RESETHAND));
  set(SIGCONT, note_continued, SA_RESTART);
}

void restore_handlers() {
  std::size_t at = 0;
  for (const int number : ends) ::sigaction(number, &before[at++], nullptr);
  for (const int number : crashes) ::sigaction(number, &before[at++], nullptr);
  ::sigaction(SIGCONT, &before[at++], nullptr);
}

}  // namespace

bool has_keyboard() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

Keyboard::Keyboard() {
  ::tcgetattr(STDIN_FILENO, &original);
  raw = original;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  set_handlers();
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

Keyboard::~Keyboard() {
  ::tcsetattr(STDIN_FILENO, TCSANOW, &original);
  restore_handlers();
}

char Keyboard::key(int milliseconds) {
  if (asked_to_end != 0) return gone;
  if (continued != 0) {  // after Ctrl-Z the shell has changed the mode
    continued = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  pollfd ready{STDIN_FILENO, POLLIN, 0};
  const int count = ::poll(&ready, 1, milliseconds);
  if (count < 0) return asked_to_end != 0 ? gone : '\0';
  if (count == 0) return '\0';
  char key = 0;
  const ssize_t length = ::read(STDIN_FILENO, &key, 1);
  if (length == 1) return key;
  return length < 0 && errno == EINTR && asked_to_end == 0 ? '\0' : gone;
}

int Keyboard::signal() { return asked_to_end; }

}  // namespace d2l::runner
