// SPDX-License-Identifier: MIT
// ModuleList, and modules that are replaced.
#include <memory>

#include "every_device.h"

namespace d2l::testing {
namespace {

using Names = std::vector<std::string>;

TEST(ModuleList, HoldsModulesByNumber) {
  nn::ModuleList list(nn::Linear(3, 4), nn::ReLU());
  list->push_back(nn::Linear(4, 1));
  list->push_back(std::make_shared<nn::FlattenImpl>());
  EXPECT_EQ(list->size(), 4U);
  EXPECT_FALSE(list->is_empty());
  EXPECT_TRUE(nn::ModuleList()->is_empty());
  EXPECT_EQ(list->named_parameters().keys(), (Names{"0.weight", "0.bias", "2.weight", "2.bias"}));
  EXPECT_EQ(list->at<nn::LinearImpl>(2).options.in_features(), 4);
  EXPECT_EQ(list[1]->name(), "ReLU");
  EXPECT_NE(list->ptr<nn::ReLUImpl>(1), nullptr);
  EXPECT_EQ(list->ptr<nn::LinearImpl>(1), nullptr);
  EXPECT_EQ(repr(list),
            "ModuleList(\n  (0): Linear(in_features=3, out_features=4, bias=True)\n  (1): ReLU()\n"
            "  (2): Linear(in_features=4, out_features=1, bias=True)\n  (3): Flatten(start_dim=1, end_dim=-1)\n)");
  auto x = ones({2, 3});
  for (const auto& module : *list) x = module->forward(x);
  EXPECT_EQ(x.sizes().vec(), (std::vector<std::int64_t>{2, 1}));

  expect_error<IndexError>([&] { return list[4]; }, "index 4 is out of range (it has 4 modules)");
  expect_error<IndexError>([&] { return list->at<nn::ReLUImpl>(9).name(); }, "index 9 is out of range");
  expect_error<TypeError>([&] { return list->at<nn::ReLUImpl>(0).name(); }, "the module is a Linear");
  expect_error<ValueError>([&] { return list->forward(x); }, "Module [ModuleList] is missing the required \"forward\"");
  expect_error<ValueError>(
      [&] {
        list->push_back(std::shared_ptr<nn::Module>());
        return 0;
      },
      "is not a Module");
  EXPECT_EQ(list->size(), 4U);
}

TEST(ModuleList, IsExtendedAndInsertedInto) {
  nn::ModuleList list(nn::Linear(1, 1), nn::Linear(2, 2));
  const nn::ModuleList more(nn::Linear(3, 3));
  list->extend(*more);
  list->insert(1, nn::ReLU());
  list->insert(4, nn::Flatten());
  list->insert(0, std::make_shared<nn::LinearImpl>(4, 4));
  Names names;
  for (const auto& child : list->named_children()) names.push_back(child.key() + child.value()->name());
  EXPECT_EQ(names, (Names{"0Linear", "1Linear", "2ReLU", "3Linear", "4Linear", "5Flatten"}));
  for (std::size_t i = 0; i < list->size(); ++i) EXPECT_EQ(list[i], list->children()[i]);
  EXPECT_EQ(list->at<nn::LinearImpl>(3).options.in_features(), 2);
  expect_error<IndexError>(
      [&] {
        list->insert(7, nn::ReLU());
        return 0;
      },
      "index 7 is out of range");
}

TEST(ModuleList, IsCloned) {
  nn::ModuleList list(nn::Linear(3, 1), nn::ReLU());
  list->eval();
  const auto copy = std::dynamic_pointer_cast<nn::ModuleListImpl>(list->clone());
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(repr(*copy), repr(list));
  EXPECT_FALSE(copy->is_training());
  EXPECT_FALSE(copy->at<nn::LinearImpl>(0).weight.is_same(list->at<nn::LinearImpl>(0).weight));
}

TEST(Module, ReplacesAChildInItsPlace) {
  const auto module = std::make_shared<nn::ModuleListImpl>(nn::Linear(1, 1), nn::Linear(2, 2));
  module->replace_module("0", nn::ReLU().ptr());
  EXPECT_EQ(module->children()[0]->name(), "ReLU");
  EXPECT_EQ(module->named_parameters().keys(), (Names{"1.weight", "1.bias"}));
  expect_error<IndexError>(
      [&] {
        module->replace_module("9", nn::ReLU().ptr());
        return 0;
      },
      "9");
  expect_error<ValueError>(
      [&] {
        module->replace_module("0", nullptr);
        return 0;
      },
      "is not a Module");
  expect_error<ValueError>(
      [&] {
        module->replace_module("0", module);
        return 0;
      },
      "would contain itself");
}

}  // namespace
}  // namespace d2l::testing
