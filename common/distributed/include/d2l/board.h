// SPDX-License-Identifier: MIT
/// @file
/// ProgressBoard: training curves, whose values stay on their devices until they are fetched.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// Collects points on their devices, copies them to the host together, and draws them as an SVG.
class ProgressBoard {
 public:
  /// The two ends of an axis.
  struct Limits {
    double low = 0;   ///< the lower end
    double high = 1;  ///< the upper end
  };
  /// The fetched points of a curve.
  struct Line {
    std::string label;      ///< its name in the legend
    std::vector<double> x;  ///< the x of each point
    std::vector<double> y;  ///< the y of each point
  };
  /// The mean of the values that fetch() copied for a line.
  struct Mean {
    std::string label;  ///< the label of the line
    double value;       ///< the mean
  };

  ProgressBoard() = default;
  ///@{
  /// A board can be moved but not copied: a copy would share the memory of the values that are still on their devices.
  ProgressBoard(ProgressBoard&&) = default;
  ProgressBoard& operator=(ProgressBoard&&) = default;
  ///@}
  ProgressBoard(const ProgressBoard&) = delete;
  ProgressBoard& operator=(const ProgressBoard&) = delete;
  ~ProgressBoard() = default;

  ///@{
  /// Adds a value to a line: `y` has one element, which stays on its device until fetch(). A point is the mean of
  /// `every_n` values. Does not wait. ValueError if `y` has another number of elements or every_n < 1.
  void draw(double x, const Tensor& y, const std::string& label, int every_n = 1);
  void draw(double x, double y, const std::string& label, int every_n = 1);
  ///@}
  /// Copies the values drawn since the last fetch() to the host, in one copy for each device, and returns the mean of
  /// the new values of each line.
  std::vector<Mean> fetch();
  /// Removes all points, fetched or not.
  void clear() noexcept;

  /// The fetched lines, in the order of their first points.
  [[nodiscard]] const std::vector<Line>& lines() const noexcept { return lines_; }
  /// A picture of the fetched lines as a self-contained SVG, for light and dark pages.
  [[nodiscard]] std::string svg() const;
  /// A description of the picture in words: the first and last value of each line.
  [[nodiscard]] std::string description() const;

  std::string xlabel;          ///< the label of the x axis
  std::string ylabel;          ///< the label of the y axis
  std::optional<Limits> xlim;  ///< the range of the x axis; by default that of all points
  std::optional<Limits> ylim;  ///< the range of the y axis; by default that of all points

 private:
  friend class Trainer;
  /// Changes the values that fetch() has copied, in place.
  using Join = std::function<void(std::vector<double>&)>;
  std::vector<Mean> fetch(const Join& join);

  /// The next point of a line: the sums and the number of its values so far.
  struct Pending {
    double x = 0;
    double y = 0;
    int count = 0;
    int wanted = 1;
  };
  /// The line and the x of a value that is still on its device.
  struct Entry {
    std::size_t line;
    double x;
  };
  /// The values on one device; values[i] belongs to entries[i].
  struct Log {
    Tensor values;
    std::vector<Entry> entries;
  };

  std::size_t line_of(const std::string& label, int every_n);
  Log& log_for(const Tensor& value);
  void take(std::size_t line, double x, double y);

  std::vector<Line> lines_;
  std::vector<Pending> pending_;  // pending_[i] belongs to lines_[i]
  std::vector<Log> logs_;         // one for each device
};

}  // namespace d2l
