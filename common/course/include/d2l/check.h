// SPDX-License-Identifier: MIT
/// @file
/// Checks of exercises: a check draws a case, runs the student's function on it, and judges the outcome item by item.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/kernel_report.h"
#include "d2l/show.h"

/// Checks of exercises; check.cpp of an exercise uses and defines these functions.
namespace d2l::check {

/// The kind of an item.
enum class Kind : std::int8_t {
  result,     ///< values, which the judge compares with its own
  placement,  ///< the devices that own them, and whether tensors are the same
  cost,       ///< the counts of the ledger
  timing      ///< the order and time of work
};

/// "2 copies to the host", and "1 copy to the host": a number, and the plural that it counts, as its first word.
std::string counted(std::int64_t count, const std::string& what);

/// "first call: result": the name of a value that belongs to a call.
inline std::string key(const std::string& call, const std::string& what) { return call + ": " + what; }

/// The last GPU, or the CPU if there is none. An answer that always uses the first GPU fails there if there are two.
inline Device last_device() { return num_gpus() == 0 ? cpu() : gpu(num_gpus() - 1); }

/// One requirement, and its points.
struct Item {
  std::string name;          ///< one word, such as "copies"
  int points = 1;            ///< its points if it is met
  Kind kind = Kind::result;  ///< what is judged
  std::string what;          ///< the requirement as a sentence: "the log is copied to the host once"
  int hint = 1;              ///< the number of the section of hint.md that helps
};

/// Tensors, numbers and texts by name. They can be passed to another process in files.
class Values {
 public:
  ///@{
  /// Stores a value under a name, replacing an older one; stores a copy of a tensor on the CPU.
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

  /// Whether there is a value of this name.
  [[nodiscard]] bool contains(const std::string& name) const;
  ///@{
  /// The value of a name; CheckError if there is none, or one of another type.
  [[nodiscard]] Tensor tensor(const std::string& name) const;
  [[nodiscard]] std::int64_t integer(const std::string& name) const;
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] bool flag(const std::string& name) const;
  [[nodiscard]] const std::string& text(const std::string& name) const;
  ///@}

 protected:
  /// A value other than a tensor.
  using Fact = std::variant<bool, std::int64_t, double, std::string>;
  /// The value of a name, of any type; CheckError if there is none.
  [[nodiscard]] const Fact& fact(const std::string& name) const;

  StateDict tensors_;                  ///< on the CPU, by name
  std::map<std::string, Fact> facts_;  ///< everything else, by name
  friend struct Files;
};

/// The random case that a seed determines.
class Inputs : public Values {
 public:
  /// An empty case for a seed.
  explicit Inputs(std::uint64_t seed) : seed_(seed), random_(seed) {}
  /// The seed.
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  /// Draws an integer from `low` to `high`.
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t seed_;
  std::mt19937_64 random_;
};

/// The ledger of one call, and its error.
struct Recording {
  std::vector<LedgerEntry> entries;  ///< in the order of issue
  std::string error;                 ///< the exception; empty if the call returned

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
  [[nodiscard]] std::int64_t replays() const;
  [[nodiscard]] std::int64_t allocations() const;
  ///@}

  /// The launches of CUDA kernels and of Thrust's algorithms by the emulator, with their counts; on a card there are
  /// none.
  [[nodiscard]] std::vector<KernelRun> kernels() const;
  /// The copies between devices. A copy between GPUs through main memory is one of them, from the first GPU to the
  /// other.
  [[nodiscard]] std::vector<LedgerEntry> crossings() const;
  /// The copies from a GPU to main memory, without those between GPUs that go through it.
  [[nodiscard]] std::int64_t copies_to_host() const;
  /// The library's launches that compute: without your own kernels, and without fills of a new tensor, such as that of
  /// zeros().
  [[nodiscard]] std::int64_t operations() const;
  /// The copies within a device, which the ledger has as launches.
  [[nodiscard]] std::int64_t copies_within() const;
};

/// The outcome of the student's function: values, their devices, and the ledger of each call.
class Outcome : public Values {
 public:
  /// Stores a result of the function: its values, the device in its label, and the device that owns it according to the
  /// driver. If the two devices differ, stores no values.
  void result(const std::string& name, const Tensor& tensor);
  /// Calls `work` and stores its ledger under `name`. Returns false, and stores the error, if it threw, if one of its
  /// kernels failed or if one of its launches was refused.
  bool attempt(const std::string& name, const std::function<void()>& work);
  /// Whether an attempt failed. Then a check is judged by its attempts, even if run() threw later, on a lost device.
  [[nodiscard]] bool has_failed_attempt() const;

  /// The recording of a call; CheckError if the call was not made, or threw.
  [[nodiscard]] const Recording& recording(const std::string& name) const;
  /// CheckError if the call was not made, or threw.
  void require(const std::string& name) const { static_cast<void>(recording(name)); }
  /// The recording of a call, even if it threw; CheckError if it was not made.
  [[nodiscard]] const Recording& recording_or_error(const std::string& name) const;
  /// The label of a result; CheckError if there is no such result.
  [[nodiscard]] Device label(const std::string& name) const;
  /// The owner of a result according to the driver; CheckError if there is no such result.
  [[nodiscard]] Device owner(const std::string& name) const;

 private:
  std::map<std::string, Recording> recordings_;
  friend struct Files;
};

/// What several calls return, and their arguments, stored in an outcome: after each call, and once more after the last
/// one. In between all results are overwritten. So a result has wrong values if a later call wrote into its memory, and
/// so has an argument that shares its memory with a result.
class Returned {
 public:
  /// Stores into `outcome`, which must outlive this object.
  explicit Returned(Outcome& outcome) : outcome_(outcome) {}
  /// Stores a result, unless it is undefined, and the arguments of the call under their names.
  void keep(const std::string& name, const Tensor& result,
            const std::vector<std::pair<std::string, Tensor>>& arguments);
  /// Stores all of them again, after the last call.
  void store_again();

 private:
  Outcome& outcome_;
  std::vector<std::pair<std::string, Tensor>> results_;
  std::vector<std::pair<std::string, Tensor>> arguments_;
};

/// The error of an item that fails before it is judged: a call threw, or a result is missing.
class CheckError : public Error {
 public:
  /// `where` is the name of the call.
  explicit CheckError(const std::string& what, std::string where = "") : Error(what), where_(std::move(where)) {}
  /// The name of the call, or empty.
  [[nodiscard]] const std::string& where() const noexcept { return where_; }

 private:
  std::string where_;
};

/// The verdict of a check or of an item.
enum class Verdict : std::int8_t {
  pass,           ///< the requirement is met
  fail,           ///< the requirement is not met
  not_verifiable  ///< this hardware cannot verify the requirement
};

/// The finding of one item, for its first expectation that is not met.
struct Finding {
  Item item;                        ///< the item
  Verdict verdict = Verdict::fail;  ///< fail until the item is judged
  std::string expected;             ///< the expected value; empty if the requirement could not be judged
  std::string found;                ///< the found value
  std::string where;                ///< the function or result
  std::string needs;                ///< for not_verifiable: the hardware that it needs
};

/// The judgement of one item: it passes if it has at least one expectation and all are met.
class ItemJudgement {
 public:
  /// Writes into `finding`, which must outlive this object.
  explicit ItemJudgement(Finding& finding) : finding_(finding) {}

  /// Expects `met`; `where` is the name of the function or result.
  void expect(bool met, const std::string& expected, const std::string& found, const std::string& where = "");
  /// Expects a count of `what`, such as "copies from device to host".
  void equal(std::int64_t expected, std::int64_t found, const std::string& what, const std::string& where = "");
  /// Expects a count of `what` up to the limit.
  void at_most(std::int64_t limit, std::int64_t found, const std::string& what, const std::string& where = "");
  /// Expects a count of `what` of at least `limit`, such as the bytes that every correct kernel loads. Without it, a
  /// kernel that does nothing would meet all upper limits.
  void at_least(std::int64_t limit, std::int64_t found, const std::string& what, const std::string& where = "");
  /// Expects the same shape and dtype, and every value within `tolerance`, relative to the largest expected value, or
  /// to `least` if that is larger.
  void close(const Tensor& expected, const Tensor& found, double tolerance, const std::string& where = "",
             double least = 0);
  /// Expects that the result is on `device`, by its label and by the driver.
  void placed(const Outcome& outcome, const std::string& result, Device device);
  /// Records that this hardware cannot verify the item; `needs` names the hardware that can. Other expectations may
  /// still fail the item.
  void not_verifiable(const std::string& needs);
  /// Whether this computer has fewer than `count` GPUs, physical or virtual; then the item is not verifiable.
  bool lacks_gpus(int count);
  /// Expects that a launch with work for at least 8 full warps spreads it: no warp and no block makes more than a
  /// quarter of the steps, and 8 or more threads of a warp make a step together, on average. An even spread over 8
  /// warps leaves each an eighth, and two branches inside each other that half of the threads take leave 8 of 32.
  void spread(const KernelCounts& counts, const std::string& where = "");
  /// Whether the call `name` launched kernels that were not counted, as on a card; then the item is not verifiable.
  /// CheckError if the call was not made, or failed.
  bool lacks_counts(const Outcome& outcome, const std::string& name);

 private:
  Finding& finding_;
};

/// The judgement of all items.
class Judgement {
 public:
  /// All items fail until they are judged.
  explicit Judgement(const std::vector<Item>& items);

  /// Judges an item; an error that `judge` throws is the finding. ValueError for an unknown name.
  void item(const std::string& name, const std::function<void(ItemJudgement&)>& judge);
  /// Fails every item, because the function did not return.
  void fail_all(const std::string& found);

  /// The findings, in the order of the items.
  [[nodiscard]] const std::vector<Finding>& findings() const noexcept { return findings_; }
  /// fail if an item failed or was not judged, else not_verifiable if an item is, else pass.
  [[nodiscard]] Verdict verdict() const;
  /// The points of the items that passed.
  [[nodiscard]] int points() const;
  /// The points of all items.
  [[nodiscard]] int possible() const;

 private:
  std::vector<Finding> findings_;
};

// Defined by check.cpp of an exercise.

/// The items, in the order of the report.
std::vector<Item> items();
/// Draws the case of a seed, the same in every process.
Inputs inputs(std::uint64_t seed);
/// Calls the student's function and stores its outcome.
void run(const Inputs& inputs, Outcome& outcome);
/// Judges every item, from the case and the outcome alone.
void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement);

}  // namespace d2l::check
