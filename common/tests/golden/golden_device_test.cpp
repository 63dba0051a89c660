// SPDX-License-Identifier: MIT
// Device names against PyTorch's: the same grammar and sentences, one identity for cuda and cuda:0, no wrapped index.
#include <algorithm>
#include <set>
#include <sstream>

#include "gtest/gtest.h"
#include "python_subset/golden_cases.h"

namespace {

/// The digits after the colon, when they are more than an index can hold.
bool index_too_large(const std::string& name) {
  const auto colon = name.find(':');
  if (colon == std::string::npos) return false;
  const auto digits = name.substr(colon + 1);
  return digits.size() > 3 || std::atoi(digits.c_str()) > 127;
}

std::string refusal(const std::string& name) {
  try {
    const d2l::Device device(name);
    return "accepted as " + device.str();
  } catch (const d2l::DeviceError& error) {
    return error.what();
  }
}

void expect_parsed(const golden::Json& expected, const std::string& name) {
  const d2l::Device device(name);
  const bool plain_cuda = expected["type"] == "cuda" && expected["index"].is_null();
  EXPECT_EQ(device.str(), plain_cuda ? "cuda:0" : expected["str"].get<std::string>());
  EXPECT_EQ(repr(device), plain_cuda ? "device(type='cuda', index=0)" : expected["repr"].get<std::string>());
  EXPECT_EQ(device.is_cuda(), expected["type"] == "cuda");
  EXPECT_EQ(device.index(), plain_cuda ? 0 : expected["index"].is_null() ? -1 : expected["index"].get<int>());
  std::ostringstream printed;
  printed << device;
  EXPECT_EQ(printed.str(), device.str());
  EXPECT_EQ(d2l::Device(device.str()), device);
}

TEST(GoldenDevice, ParsesAsPyTorchDoes) {
  golden::Tally tally;
  for (const auto& expected : golden::read("device_parse.json")) {
    const auto name = expected["input"].get<std::string>();
    SCOPED_TRACE("'" + name + "'");
    tally.ran();
    if (!expected["ok"].get<bool>()) {
      // A negative or oversized index may be refused before the rest of the name is looked at.
      EXPECT_NE(refusal(name).find(golden::sentence(expected["error"])), std::string::npos) << refusal(name);
    } else if (expected["type"] != "cpu" && expected["type"] != "cuda") {
      EXPECT_NE(refusal(name).find("this library supports only cpu and cuda"), std::string::npos) << refusal(name);
    } else if (index_too_large(name)) {
      EXPECT_NE(refusal(name).find("at most 127"), std::string::npos) << refusal(name);
    } else {
      expect_parsed(expected, name);
    }
  }
  tally.report("device_parse.json");
  EXPECT_GE(tally.count(), 20);
}

TEST(GoldenDevice, HasOneIdentityForTheFirstGpu) {
  EXPECT_EQ(d2l::Device("cuda"), d2l::Device("cuda:0"));
  EXPECT_EQ(d2l::Device("cuda"), d2l::Device(d2l::kCUDA));
  EXPECT_EQ(d2l::Device("cuda:1"), d2l::Device(d2l::kCUDA, 1));
  EXPECT_FALSE(d2l::Device("cuda:1") == d2l::Device("cuda:0"));
}

TEST(GoldenDevice, KeepsTheIndexOfACpuThatIsOne) {
  EXPECT_EQ(d2l::Device("cpu:0").str(), "cpu:0");
  EXPECT_EQ(repr(d2l::Device("cpu:0")), "device(type='cpu', index=0)");
  EXPECT_EQ(repr(d2l::Device("cpu")), "device(type='cpu')");
  EXPECT_EQ(d2l::Device("cpu:0"), d2l::cpu());
}

TEST(GoldenDevice, RefusesIndicesOutOfRange) {
  for (const int index : {-1, -2, 128, 255, 256, 100000}) {
    EXPECT_THROW(d2l::Device(d2l::kCUDA, index), d2l::DeviceError) << index;
    EXPECT_THROW(d2l::gpu(index), d2l::DeviceError) << index;
  }
  EXPECT_THROW(d2l::Device(d2l::kCPU, -2), d2l::DeviceError);
  for (const char* name : {"cuda:128", "cuda:256", "cuda:65536", "cuda:4294967296", "cuda:99999999999999999999"}) {
    EXPECT_NE(refusal(name).find(name), std::string::npos) << refusal(name);
  }
  EXPECT_EQ(d2l::Device("cuda:127").index(), 127);
}

}  // namespace
