// SPDX-License-Identifier: MIT
/// @file
/// ProgressBoard: curves of what happens during training, collected where the values are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// Collects points on their devices, brings them to the host together, and draws them as an SVG.
class ProgressBoard {
 public:
  /// The two ends of an axis.
  struct Limits {
    double low = 0;   ///< where it begins
    double high = 1;  ///< where it ends
  };
  /// A curve: what has been fetched of it.
  struct Line {
    std::string label;      ///< its name in the legend
    std::vector<double> x;  ///< of each point
    std::vector<double> y;  ///< of each point, as many
  };
  /// The mean of what a fetch() brought for a line.
  struct Mean {
    std::string label;  ///< of which line
    double value;       ///< the mean
  };

  ProgressBoard() = default;
  ///@{
  /// A board is moved, not copied: some of its points may still be on their devices.
  ProgressBoard(ProgressBoard&&) = default;
  ProgressBoard& operator=(ProgressBoard&&) = default;
  ///@}
  ProgressBoard(const ProgressBoard&) = delete;
  ProgressBoard& operator=(const ProgressBoard&) = delete;
  ~ProgressBoard() = default;

  ///@{
  /// Adds a value to a line: `y` has one element, which stays on its device until fetch(). Every `every_n` values make
  /// one point, their mean. Nothing waits. ValueError for a tensor of more elements or none, and unless every_n >= 1.
  void draw(double x, const Tensor& y, const std::string& label, int every_n = 1);
  void draw(double x, double y, const std::string& label, int every_n = 1);
  ///@}
  /// Brings what was drawn since the last time to the host, in one copy for each device that holds some of it, and says
  /// the mean of the new values of each line.
  std::vector<Mean> fetch();
  /// Forgets all points, fetched or not.
  void clear() noexcept;

  /// What was fetched, in the order in which the lines were first drawn.
  [[nodiscard]] const std::vector<Line>& lines() const noexcept { return lines_; }
  /// What was fetched as a picture that needs nothing beside it, in the colours of a light or a dark page.
  [[nodiscard]] std::string svg() const;
  /// What was fetched in words, for who cannot see the picture: where each line begins and ends.
  [[nodiscard]] std::string description() const;

  std::string xlabel;          ///< what stands below the axis of x
  std::string ylabel;          ///< what stands beside the axis of y
  std::optional<Limits> xlim;  ///< what the axis of x shows; all points unless said
  std::optional<Limits> ylim;  ///< what the axis of y shows; all points unless said

 private:
  /// Values that make up a point, and how many are wanted.
  struct Pending {
    double x = 0;
    double y = 0;
    int count = 0;
    int wanted = 1;
  };
  /// A value that is still on its device.
  struct Entry {
    std::size_t line;
    double x;
  };
  /// What one device holds: values[i] belongs to entries[i].
  struct Log {
    Tensor values;
    std::vector<Entry> entries;
  };

  std::size_t line_of(const std::string& label, int every_n);
  Log& log_for(const Tensor& value);
  void take(std::size_t line, double x, double y);

  std::vector<Line> lines_;
  std::vector<Pending> pending_;  // as lines_
  std::vector<Log> logs_;         // one a device
};

}  // namespace d2l
