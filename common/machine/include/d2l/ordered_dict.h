// SPDX-License-Identifier: MIT
/// @file
/// OrderedDict: values by key, in the order of insertion.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace d2l {

class Tensor;

namespace detail {
/// False, once the types are known: for messages of the compiler.
template <class... T>
inline constexpr bool never = sizeof...(T) > 1'000'000;
/// ValueError: the key is already in the dictionary.
[[noreturn]] void fail_key_defined(const std::string& description, const std::string& key);
/// IndexError: the key is not in the dictionary. `known` lists its first keys.
[[noreturn]] void fail_key_missing(const std::string& description, const std::string& key,
                                   const std::vector<std::string>& known, std::size_t count);
/// IndexError: the index is out of range.
[[noreturn]] void fail_item_missing(const std::string& description, std::size_t index, std::size_t count);
}  // namespace detail

/// A key and its value; `*item` is the value.
template <class Key, class Value>
class OrderedDictItem {
 public:
  /// An item with this key and value.
  OrderedDictItem(Key key, Value value) : key_(std::move(key)), value_(std::move(value)) {}
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

/// A dictionary in the order of insertion, with the interface of LibTorch's OrderedDict.
template <class Key, class Value>
class OrderedDict {
 public:
  using Item = OrderedDictItem<Key, Value>;                          ///< a key and its value
  using Iterator = typename std::vector<Item>::iterator;             ///< iterates over the items in order
  using ConstIterator = typename std::vector<Item>::const_iterator;  ///< the read-only iterator

  /// An empty dictionary; errors call a key "Key".
  OrderedDict() = default;
  /// An empty dictionary; errors call a key `key_description`, such as "Parameter".
  explicit OrderedDict(std::string key_description) : description_(std::move(key_description)) {}
  /// A dictionary of these items; ValueError if a key appears twice.
  OrderedDict(std::initializer_list<Item> items) {
    reserve(items.size());
    for (const Item& item : items) insert(item.key(), item.value());
  }

  /// Appends an item; ValueError if the key exists.
  Value& insert(Key key, Value value) {
    const auto [place, is_new] = index_.emplace(key, items_.size());
    if (!is_new) detail::fail_key_defined(description_, text_of(key));
    items_.emplace_back(std::move(key), std::move(value));
    return items_.back().value();
  }
  /// Appends the items of another dictionary in order; ValueError at the first key that exists.
  void update(const OrderedDict& other) {
    reserve(size() + other.size());
    for (const Item& item : other) insert(item.key(), item.value());
  }
  /// Removes an item; the others keep their order. IndexError if the key is missing.
  void erase(const Key& key) {
    const std::size_t place = place_of(key);
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(place));
    index_.erase(key);
    for (auto& entry : index_) entry.second -= entry.second > place ? 1 : 0;
  }
  /// Removes all items.
  void clear() noexcept {
    index_.clear();
    items_.clear();
  }
  /// Reserves memory for `count` items.
  void reserve(std::size_t count) {
    index_.reserve(count);
    items_.reserve(count);
  }

  ///@{
  /// The value of a key; null if the key is missing.
  [[nodiscard]] Value* find(const Key& key) noexcept {
    const auto found = index_.find(key);
    return found == index_.end() ? nullptr : &items_[found->second].value();
  }
  [[nodiscard]] const Value* find(const Key& key) const noexcept {
    const auto found = index_.find(key);
    return found == index_.end() ? nullptr : &items_[found->second].value();
  }
  ///@}
  /// True if the key exists.
  [[nodiscard]] bool contains(const Key& key) const noexcept { return index_.find(key) != index_.end(); }
  ///@{
  /// The value of a key; IndexError if the key is missing.
  Value& operator[](const Key& key) { return items_[place_of(key)].value(); }
  const Value& operator[](const Key& key) const { return items_[place_of(key)].value(); }
  ///@}
  ///@{
  /// The item at an index, from 0; IndexError if it is out of range.
  Item& operator[](std::size_t index) { return items_[checked(index)]; }
  const Item& operator[](std::size_t index) const { return items_[checked(index)]; }
  ///@}
  ///@{
  /// The first or last item; IndexError if the dictionary is empty.
  Item& front() { return items_[checked(0)]; }
  const Item& front() const { return items_[checked(0)]; }
  Item& back() { return items_[checked(size() == 0 ? 0 : size() - 1)]; }
  const Item& back() const { return items_[checked(size() == 0 ? 0 : size() - 1)]; }
  ///@}

  /// The number of items.
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  /// True if there are no items.
  [[nodiscard]] bool is_empty() const noexcept { return items_.empty(); }
  /// The word for a key in errors.
  [[nodiscard]] const std::string& key_description() const noexcept { return description_; }
  ///@{
  /// The items, in order.
  Iterator begin() noexcept { return items_.begin(); }
  ConstIterator begin() const noexcept { return items_.begin(); }
  Iterator end() noexcept { return items_.end(); }
  ConstIterator end() const noexcept { return items_.end(); }
  ///@}

  /// The items, in order.
  [[nodiscard]] const std::vector<Item>& items() const noexcept { return items_; }
  /// Copies of the keys, in order.
  [[nodiscard]] std::vector<Key> keys() const {
    return collect<Key>([](const Item& item) { return item.key(); });
  }
  /// Copies of the values, in order.
  [[nodiscard]] std::vector<Value> values() const {
    return collect<Value>([](const Item& item) { return item.value(); });
  }
  /// Copies of the keys and values, in order.
  [[nodiscard]] std::vector<std::pair<Key, Value>> pairs() const {
    return collect<std::pair<Key, Value>>([](const Item& item) { return std::pair(item.key(), item.value()); });
  }

 private:
  template <class T, class Part>
  std::vector<T> collect(Part part) const {
    std::vector<T> result;
    result.reserve(size());
    for (const Item& item : items_) result.push_back(part(item));
    return result;
  }
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

/// Tensors by name, as in a module's state_dict() and in a file of parameters.
using StateDict = OrderedDict<std::string, Tensor>;

}  // namespace d2l

/// For a message of the compiler: an item has no parts to bind, as in LibTorch.
template <class Key, class Value>
struct std::tuple_size<d2l::OrderedDictItem<Key, Value>> {
  static_assert(d2l::detail::never<Key>, "an item cannot be taken apart: use item.key() and item.value()");
};
