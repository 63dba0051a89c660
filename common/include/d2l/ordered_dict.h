// SPDX-License-Identifier: MIT
/// @file
/// OrderedDict: values by key, kept in the order in which they were inserted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace d2l {

class Tensor;

namespace detail {
/// ValueError: the key is in the dictionary already.
[[noreturn]] void fail_key_defined(const std::string& description, const std::string& key);
/// IndexError: the key is not in the dictionary, whose keys `known` begins to list.
[[noreturn]] void fail_key_missing(const std::string& description, const std::string& key,
                                   const std::vector<std::string>& known, std::size_t count);
/// IndexError: there is no item of that number.
[[noreturn]] void fail_item_missing(const std::string& description, std::size_t index, std::size_t count);
}  // namespace detail

/// A dictionary in the order of insertion; names and meanings are those of LibTorch's C++ API.
template <class Key, class Value>
class OrderedDict {
 public:
  /// A key and its value; `*item` is the value.
  class Item {
   public:
    /// A pair of them.
    Item(Key key, Value value) : key_(std::move(key)), value_(std::move(value)) {}
    /// The key.
    [[nodiscard]] const Key& key() const noexcept { return key_; }
    ///@{
    /// The value.
    [[nodiscard]] Value& value() noexcept { return value_; }
    [[nodiscard]] const Value& value() const noexcept { return value_; }
    Value& operator*() noexcept { return value_; }
    const Value& operator*() const noexcept { return value_; }
    Value* operator->() noexcept { return &value_; }
    const Value* operator->() const noexcept { return &value_; }
    ///@}

   private:
    Key key_;
    Value value_;
  };
  using Iterator = typename std::vector<Item>::iterator;             ///< over the items, in their order
  using ConstIterator = typename std::vector<Item>::const_iterator;  ///< the same, to read

  /// Empty; errors speak of a "Key".
  OrderedDict() = default;
  /// Empty; errors call a key by `key_description`, such as "Parameter".
  explicit OrderedDict(std::string key_description) : description_(std::move(key_description)) {}
  /// The given items; ValueError when a key comes twice.
  OrderedDict(std::initializer_list<Item> items) {
    reserve(items.size());
    for (const Item& item : items) insert(item.key(), item.value());
  }

  /// Appends an item; ValueError when the key is there already.
  Value& insert(Key key, Value value) {
    const auto [place, is_new] = index_.emplace(key, items_.size());
    if (!is_new) detail::fail_key_defined(description_, text_of(key));
    items_.emplace_back(std::move(key), std::move(value));
    return items_.back().value();
  }
  /// Inserts the items of another dictionary, in its order; ValueError at the first key that is there already.
  void update(const OrderedDict& other) {
    reserve(size() + other.size());
    for (const Item& item : other) insert(item.key(), item.value());
  }
  /// Takes out an item; the others keep their order; IndexError when the key is not there.
  void erase(const Key& key) {
    const std::size_t place = place_of(key);
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(place));
    index_.erase(key);
    for (auto& entry : index_) entry.second -= entry.second > place ? 1 : 0;
  }
  /// Takes out all items.
  void clear() noexcept {
    index_.clear();
    items_.clear();
  }
  /// Makes room for so many items.
  void reserve(std::size_t count) {
    index_.reserve(count);
    items_.reserve(count);
  }

  ///@{
  /// The value of a key; null when it is not there.
  [[nodiscard]] Value* find(const Key& key) noexcept {
    const auto found = index_.find(key);
    return found == index_.end() ? nullptr : &items_[found->second].value();
  }
  [[nodiscard]] const Value* find(const Key& key) const noexcept {
    const auto found = index_.find(key);
    return found == index_.end() ? nullptr : &items_[found->second].value();
  }
  ///@}
  /// Whether a key is there.
  [[nodiscard]] bool contains(const Key& key) const noexcept { return index_.find(key) != index_.end(); }
  ///@{
  /// The value of a key; IndexError when it is not there.
  Value& operator[](const Key& key) { return items_[place_of(key)].value(); }
  const Value& operator[](const Key& key) const { return items_[place_of(key)].value(); }
  ///@}
  ///@{
  /// The item of a number, from 0; IndexError when there are fewer.
  Item& operator[](std::size_t index) { return items_[checked(index)]; }
  const Item& operator[](std::size_t index) const { return items_[checked(index)]; }
  ///@}
  ///@{
  /// The first item, or the last; IndexError when there is none.
  Item& front() { return items_[checked(0)]; }
  const Item& front() const { return items_[checked(0)]; }
  Item& back() { return items_[checked(size() == 0 ? 0 : size() - 1)]; }
  const Item& back() const { return items_[checked(size() == 0 ? 0 : size() - 1)]; }
  ///@}

  /// How many items there are.
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  /// Whether there is none.
  [[nodiscard]] bool is_empty() const noexcept { return items_.empty(); }
  /// What errors call a key.
  [[nodiscard]] const std::string& key_description() const noexcept { return description_; }
  ///@{
  /// The items, in their order.
  Iterator begin() noexcept { return items_.begin(); }
  ConstIterator begin() const noexcept { return items_.begin(); }
  Iterator end() noexcept { return items_.end(); }
  ConstIterator end() const noexcept { return items_.end(); }
  ///@}

  /// The items, in their order.
  [[nodiscard]] const std::vector<Item>& items() const noexcept { return items_; }
  /// Copies of the keys, in their order.
  [[nodiscard]] std::vector<Key> keys() const {
    std::vector<Key> result;
    result.reserve(size());
    for (const Item& item : items_) result.push_back(item.key());
    return result;
  }
  /// Copies of the values, in their order.
  [[nodiscard]] std::vector<Value> values() const {
    std::vector<Value> result;
    result.reserve(size());
    for (const Item& item : items_) result.push_back(item.value());
    return result;
  }
  /// Copies of keys and values, in their order.
  [[nodiscard]] std::vector<std::pair<Key, Value>> pairs() const {
    std::vector<std::pair<Key, Value>> result;
    result.reserve(size());
    for (const Item& item : items_) result.emplace_back(item.key(), item.value());
    return result;
  }

 private:
  static std::string text_of(const Key& key) {
    if constexpr (std::is_arithmetic_v<Key>) {
      return std::to_string(key);
    } else {
      return std::string(key);
    }
  }
  std::size_t place_of(const Key& key) const {
    const auto found = index_.find(key);
    if (found != index_.end()) return found->second;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < std::min<std::size_t>(size(), 10); ++i) known.push_back(text_of(items_[i].key()));
    detail::fail_key_missing(description_, text_of(key), known, size());
  }
  std::size_t checked(std::size_t index) const {
    if (index >= size()) detail::fail_item_missing(description_, index, size());
    return index;
  }

  std::string description_ = "Key";
  std::unordered_map<Key, std::size_t> index_;
  std::vector<Item> items_;
};

/// Tensors by name, as a module's state_dict() and a file of parameters have them.
using StateDict = OrderedDict<std::string, Tensor>;

}  // namespace d2l
