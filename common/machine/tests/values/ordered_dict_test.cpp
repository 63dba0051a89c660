// SPDX-License-Identifier: MIT
// OrderedDict: the order of insertion, look-ups, and the errors for missing and duplicate keys.
#include "d2l/ordered_dict.h"

#include "expect_error.h"

namespace d2l {
namespace {

using testing::expect_error;

OrderedDict<std::string, int> three() {
  OrderedDict<std::string, int> dict("Parameter");
  dict.insert("weight", 1);
  dict.insert("bias", 2);
  dict.insert("a", 3);
  return dict;
}

TEST(OrderedDict, KeepsTheOrderOfInsertion) {
  const auto dict = three();
  EXPECT_EQ(dict.size(), 3U);
  EXPECT_EQ(dict.keys(), (std::vector<std::string>{"weight", "bias", "a"}));
  EXPECT_EQ(dict.values(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(dict.pairs().back(), (std::pair<std::string, int>{"a", 3}));
  std::string seen;
  for (const auto& item : dict) seen += item.key() + "=" + std::to_string(*item) + ";";
  EXPECT_EQ(seen, "weight=1;bias=2;a=3;");
  EXPECT_EQ(dict.front().key(), "weight");
  EXPECT_EQ(dict.back().value(), 3);
  EXPECT_EQ(dict.items().size(), 3U);
}

TEST(OrderedDict, FindsByKeyAndByNumber) {
  auto dict = three();
  EXPECT_TRUE(dict.contains("bias"));
  EXPECT_FALSE(dict.contains("Bias"));
  EXPECT_EQ(dict["bias"], 2);
  EXPECT_EQ(dict[0].key(), "weight");
  dict["bias"] = 20;
  EXPECT_EQ(*dict.find("bias"), 20);
  EXPECT_EQ(dict.find("none"), nullptr);
  dict.insert("late", 4) = 5;
  EXPECT_EQ(dict["late"], 5);
}

TEST(OrderedDict, ErasesAndUpdates) {
  auto dict = three();
  dict.erase("weight");
  EXPECT_EQ(dict.keys(), (std::vector<std::string>{"bias", "a"}));
  EXPECT_EQ(dict["a"], 3);
  dict.update({{"c", 7}});
  EXPECT_EQ(dict[2].value(), 7);
  dict.clear();
  EXPECT_TRUE(dict.is_empty());
}

TEST(OrderedDict, HasErrorsForMissingAndDuplicateKeys) {
  auto dict = three();
  expect_error<ValueError>([&] { return dict.insert("bias", 9); }, "[OrderedDict] Parameter 'bias' already defined");
  EXPECT_EQ(dict.size(), 3U);
  EXPECT_EQ(dict["bias"], 2);
  expect_error<IndexError>([&] { return dict["Bias"]; },
                           "Parameter 'Bias' is not defined (it has 'weight', 'bias', 'a')");
  expect_error<IndexError>([&] { return dict[3].value(); }, "Index 3 is out of bounds (Parameters: 3)");
  const OrderedDict<std::string, int> none;
  expect_error<IndexError>([&] { return none["x"]; }, "Key 'x' is not defined (it is empty)");
  expect_error<IndexError>([&] { return none.back().value(); }, "Index 0 is out of bounds");
}

}  // namespace
}  // namespace d2l
