// SPDX-License-Identifier: MIT
#include "launch/forwarding.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "launch/problem.h"

namespace d2l::launch {
namespace {

using Clock = std::chrono::steady_clock;

int stream_count = 0;
/// The stream whose line is printed without its end; 0 for none. The output and the errors may be one terminal.
int unfinished = 0;
std::FILE* unfinished_at = nullptr;

}  // namespace

Stream::Stream(d2l::detail::Descriptor from, std::FILE* to, std::string prefix)
    : from_(std::move(from)),
      to_(to),
      prefix_(std::move(prefix)),
      number_(++stream_count),
      terminal_(::isatty(::fileno(to)) != 0) {
  ::fcntl(from_.get(), F_SETFL, O_NONBLOCK);
}

void Stream::pass(const char* bytes, std::size_t count) {
  for (const char* end = bytes + count; bytes != end;) {
    const auto* const newline =
        static_cast<const char*>(std::memchr(bytes, '\n', static_cast<std::size_t>(end - bytes)));
    const char* const next = newline == nullptr ? end : newline + 1;
    if (line_.empty()) since_ = Clock::now();
    line_.append(bytes, next);
    if (newline != nullptr) flush();
    bytes = next;
  }
}

void Stream::flush() {
  if (line_.empty()) return;
  const std::string text = unfinished == number_ ? line_ : prefix_ + line_;
  if (unfinished != 0 && unfinished != number_) {
    std::fputc('\n', unfinished_at);
    std::fflush(unfinished_at);
  }
  unfinished = line_.back() == '\n' ? 0 : number_;
  unfinished_at = to_;
  std::fwrite(text.data(), 1, text.size(), to_);
  std::fflush(to_);
  line_.clear();
}

void Stream::forward_late() {
  if (terminal_ && !line_.empty() && Clock::now() - since_ >= patience) flush();
}

void Stream::close() {
  if (!line_.empty() && line_.back() != '\n') line_ += '\n';
  if (line_.empty() && unfinished == number_) line_ = "\n";
  flush();
  from_.close();
}

void Stream::forward() {
  std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  while (from_.get() >= 0) {
    const auto count = ::read(from_.get(), bytes.data(), bytes.size());
    if (count > 0) {
      pass(bytes.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
      close();
    } else if (errno != EINTR) {
      return;
    }
  }
}

void forward(const std::vector<Stream*>& streams, int milliseconds) {
  std::vector<pollfd> entries;
  std::vector<Stream*> open;
  for (Stream* const stream : streams) {
    if (stream->descriptor() < 0) continue;
    entries.push_back({stream->descriptor(), POLLIN, 0});
    open.push_back(stream);
  }
  const int ready = ::poll(entries.data(), entries.size(), milliseconds);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (ready > 0 && entries[i].revents != 0) open[i]->forward();
    open[i]->forward_late();
  }
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) == 0) return {d2l::detail::Descriptor(ends[0]), d2l::detail::Descriptor(ends[1])};
  const int error = errno;
  std::string text = std::string("a pipe for the output of a rank cannot be made: ") + std::strerror(error);
  rlimit limit{};
  if (error == EMFILE && ::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    text +=
        "; a process may have " + std::to_string(limit.rlim_cur) + " (ulimit -n), and a launcher needs 2 for each rank";
  }
  throw Problem(text);
}

}  // namespace d2l::launch
