// SPDX-License-Identifier: MIT
/// @file
/// Checks of exercises: a case is drawn, the student's function runs on it, and what came of it is judged, item by
/// item.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/show.h"

/// Checks of exercises: what check.cpp of an exercise is written with.
namespace d2l::check {

/// What an item of a check looks at.
enum class Kind : std::int8_t {
  result,     ///< values
  placement,  ///< which device owns them
  cost,       ///< what the ledger counted
  timing      ///< what was ordered when
};

/// One thing that must hold, and what it is worth.
struct Item {
  std::string name;          ///< one word: "copies"
  int points = 1;            ///< what it is worth when it holds
  Kind kind = Kind::result;  ///< what it looks at
  std::string what;          ///< the sentence that must be true: "the kept log crosses once"
  int hint = 1;              ///< the number of the section of hint.md that helps
};

/// Tensors, numbers and texts by name, which files can carry from one process to another.
class Values {
 public:
  ///@{
  /// Keeps a value under a name, in place of what was there; of a tensor a copy on the CPU.
  void put(const std::string& name, const Tensor& tensor);
  void put(const std::string& name, std::string text) { facts_[name] = std::move(text); }
  void put(const std::string& name, const char* text) { facts_[name] = std::string(text); }
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(const std::string& name, T value) {
    if constexpr (std::same_as<T, bool>) {
      facts_[name] = value;
    } else if constexpr (std::integral<T>) {
      facts_[name] = static_cast<std::int64_t>(value);
    } else {
      facts_[name] = static_cast<double>(value);
    }
  }
  ///@}

  /// Whether something was put under a name.
  [[nodiscard]] bool contains(const std::string& name) const;
  ///@{
  /// What was put under a name; CheckError when nothing was, or something of another kind.
  [[nodiscard]] Tensor tensor(const std::string& name) const;
  [[nodiscard]] std::int64_t integer(const std::string& name) const;
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] bool flag(const std::string& name) const;
  [[nodiscard]] const std::string& text(const std::string& name) const;
  ///@}

 protected:
  /// What is no tensor.
  using Fact = std::variant<bool, std::int64_t, double, std::string>;
  /// What was put under a name, of any kind; CheckError when nothing was.
  [[nodiscard]] const Fact& fact(const std::string& name) const;

  StateDict tensors_;                  ///< on the CPU, by name
  std::map<std::string, Fact> facts_;  ///< everything else, by name
  friend struct Files;
};

/// The case that a seed gives.
class Inputs : public Values {
 public:
  /// An empty case of a seed.
  explicit Inputs(std::uint64_t seed) : seed_(seed) {}
  /// What the case was drawn from.
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

 private:
  std::uint64_t seed_;
};

/// What one call issued to the devices, and how it ended.
struct Recording {
  std::vector<LedgerEntry> entries;  ///< in the order of issue
  std::string error;                 ///< what was thrown; empty when the call returned

  ///@{
  /// The counts of TransferLedger of the same names; `launches(device)` are those on one device.
  [[nodiscard]] std::int64_t copies() const;
  [[nodiscard]] std::int64_t copies(Direction direction) const;
  [[nodiscard]] std::int64_t implicit_copies() const;
  [[nodiscard]] std::int64_t copied_bytes() const;
  [[nodiscard]] std::int64_t copied_bytes(Direction direction) const;
  [[nodiscard]] std::int64_t synchronisations() const;
  [[nodiscard]] std::int64_t launches() const;
  [[nodiscard]] std::int64_t launches(Device device) const;
  [[nodiscard]] std::int64_t allocations() const;
  ///@}
};

/// What the student's function did: values, where they were, and what each call issued.
class Outcome : public Values {
 public:
  /// Keeps the values of a tensor that the function gave, the device that it claims, and the one that its driver says
  /// owns it. Where these are two, there are no values.
  void result(const std::string& name, const Tensor& tensor);
  /// Calls `work` with a ledger open and keeps what it issued under `name`; false when it threw, which is kept too.
  bool attempt(const std::string& name, const std::function<void()>& work);

  /// What a call issued; CheckError when it was not made, or threw.
  [[nodiscard]] const Recording& recording(const std::string& name) const;
  /// The same, also when it threw.
  [[nodiscard]] const Recording& recording_or_error(const std::string& name) const;
  /// Where a result claimed to be; CheckError when there is no such result.
  [[nodiscard]] Device label(const std::string& name) const;
  /// Where the driver says that a result was; CheckError when there is no such result.
  [[nodiscard]] Device owner(const std::string& name) const;

 private:
  std::map<std::string, Recording> recordings_;
  friend struct Files;
};

/// Why an item cannot be judged as met: a call threw, a result is missing.
class CheckError : public Error {
 public:
  /// `where` names the call that is meant.
  explicit CheckError(const std::string& what, std::string where = "") : Error(what), where_(std::move(where)) {}
  /// The call that is meant; empty when none was named.
  [[nodiscard]] const std::string& where() const noexcept { return where_; }

 private:
  std::string where_;
};

/// How a check, or an item of it, ends.
enum class Verdict : std::int8_t {
  pass,           ///< what is asked for holds
  fail,           ///< it does not
  not_verifiable  ///< this hardware cannot show whether it does
};

/// What was found of one item; the first thing that is not met is what is told.
struct Finding {
  Item item;                        ///< what was looked at
  Verdict verdict = Verdict::fail;  ///< how it ended; fail until it is judged
  std::string expected;             ///< what was to be there
  std::string found;                ///< what was there instead
  std::string where;                ///< the function or result that is meant
  std::string needs;                ///< of not_verifiable: what would be needed
};

/// The judgement of one item: it passes when everything that is expected of it holds, and something was.
class ItemJudgement {
 public:
  /// Writes what it finds into `finding`, which outlives it.
  explicit ItemJudgement(Finding& finding) : finding_(finding) {}

  /// Expects `met`; `where` names the function or result that is meant.
  void expect(bool met, const std::string& expected, const std::string& found, const std::string& where = "");
  /// Expects a count of `what`, such as "copies from device to host".
  void equal(std::int64_t expected, std::int64_t found, const std::string& what, const std::string& where = "");
  /// Expects a count of `what` that is not above the limit.
  void at_most(std::int64_t limit, std::int64_t found, const std::string& what, const std::string& where = "");
  /// Expects the same shape and dtype, and every value within `tolerance` of the expected one, relative to the largest
  /// of them.
  void close(const Tensor& expected, const Tensor& found, double tolerance, const std::string& where = "");
  /// Expects that the result claims to be on `device`, and the driver says so too.
  void placed(const Outcome& outcome, const std::string& result, Device device);
  /// This hardware cannot show it; `needs` says which would. What is expected of the item elsewhere may still fail.
  void not_verifiable(const std::string& needs);

 private:
  Finding& finding_;
};

/// The judgement of all items.
class Judgement {
 public:
  /// Of items that nobody has judged yet: all fail.
  explicit Judgement(const std::vector<Item>& items);

  /// Judges an item; a CheckError or another error that `judge` throws is what was found. ValueError for an unknown
  /// name.
  void item(const std::string& name, const std::function<void(ItemJudgement&)>& judge);
  /// Fails every item: the function never came to its end.
  void fail_all(const std::string& found);

  /// What was found, in the order of the items.
  [[nodiscard]] const std::vector<Finding>& findings() const noexcept { return findings_; }
  /// Fail when an item failed or was not judged, else not_verifiable when one is that, else pass.
  [[nodiscard]] Verdict verdict() const;
  /// The points of the items that passed.
  [[nodiscard]] int points() const;
  /// The points of all items.
  [[nodiscard]] int possible() const;

 private:
  std::vector<Finding> findings_;
};

// What check.cpp of an exercise defines.

/// What is judged, in the order in which a reader wants to know it.
std::vector<Item> items();
/// Draws the case of a seed; the same one in every process.
Inputs inputs(std::uint64_t seed);
/// Calls the student's function, and gathers what came of it.
void run(const Inputs& inputs, Outcome& outcome);
/// Judges every item, from the case and the outcome alone.
void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement);

}  // namespace d2l::check
