// SPDX-License-Identifier: MIT
// The grammar of D2L_VIRTUAL_GPUS, and what is said about texts that do not follow it.
#include <string>

#include "d2l/error.h"
#include "gtest/gtest.h"
#include "runtime/runtime.h"

namespace d2l::tests {
namespace {

using detail::parse_virtual_gpus;

std::string message_of(const std::string& text) {
  try {
    parse_virtual_gpus(text);
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "it was accepted";
}

TEST(VirtualGpuSpecification, HasDefaults) {
  const auto two = parse_virtual_gpus("2");
  EXPECT_EQ(two.count, 2);
  EXPECT_EQ(two.memory, std::int64_t{2} << 30);
  EXPECT_FALSE(two.on_host);
  EXPECT_EQ(two.delay_seed, std::nullopt);
}

TEST(VirtualGpuSpecification, TakesEveryPart) {
  const auto all = parse_virtual_gpus("64:512MiB@host,delay=18446744073709551615");
  EXPECT_EQ(all.count, 64);
  EXPECT_EQ(all.memory, 512 << 20);
  EXPECT_TRUE(all.on_host);
  EXPECT_EQ(all.delay_seed, 18446744073709551615U);
  EXPECT_EQ(parse_virtual_gpus("0").count, 0);
  EXPECT_TRUE(parse_virtual_gpus("2@host").on_host);
  EXPECT_EQ(parse_virtual_gpus("2,delay=0").delay_seed, 0U);
}

TEST(VirtualGpuSpecification, TakesSizesInEveryUnit) {
  EXPECT_EQ(parse_virtual_gpus("1:1").memory, 1);
  EXPECT_EQ(parse_virtual_gpus("1:100B").memory, 100);
  EXPECT_EQ(parse_virtual_gpus("1:64KiB").memory, 64 << 10);
  EXPECT_EQ(parse_virtual_gpus("1:64MiB").memory, 64 << 20);
  EXPECT_EQ(parse_virtual_gpus("1:2GiB").memory, std::int64_t{2} << 30);
  EXPECT_EQ(parse_virtual_gpus("1:1TiB").memory, std::int64_t{1} << 40);
}

TEST(VirtualGpuSpecification, RefusesEverythingElseAndSaysWhatAndHow) {
  for (const std::string text : {"",
                                 " ",
                                 "-1",
                                 "+1",
                                 "two",
                                 "1.5",
                                 "65",
                                 "1000000",
                                 "99999999999999999999",
                                 "2 ",
                                 " 2",
                                 "2:",
                                 "2:0",
                                 "2:0MiB",
                                 "2:12XB",
                                 "2:MiB",
                                 "2:-1MiB",
                                 "2:1.5GiB",
                                 "2:12MB",
                                 "2:12mib",
                                 "2: 12MiB",
                                 "2:2TiB",
                                 "2:99999999999999999999",
                                 "2:18446744073709551615KiB",
                                 "2@",
                                 "2@card",
                                 "2@host@host",
                                 "2@host:1GiB",
                                 "@host",
                                 ":1GiB",
                                 ",delay=1",
                                 "2,",
                                 "2,delay",
                                 "2,delay=",
                                 "2,delay=x",
                                 "2,delay=-1",
                                 "2,delay=1.5",
                                 "2,delay=1,delay=2",
                                 "2,seed=1",
                                 "2,delay=18446744073709551616",
                                 "2,delay=1@host",
                                 "0x2",
                                 "2\n"}) {
    const auto message = message_of(text);
    const auto shown = text == "2\n" ? "\"2?\"" : '"' + text + '"';
    EXPECT_NE(message.find("cannot use " + shown), std::string::npos) << text << ": " << message;
    EXPECT_NE(message.find("The form is COUNT[:MEMORY][@host][,delay=SEED], for example D2L_VIRTUAL_GPUS=2"),
              std::string::npos)
        << text << ": " << message;
  }
}

TEST(VirtualGpuSpecification, NamesThePartThatIsWrong) {
  EXPECT_NE(message_of("-1").find("COUNT is \"-1\", and must be a whole number from 0 to 64"), std::string::npos);
  EXPECT_NE(message_of("2:12XB").find("MEMORY is \"12XB\", and must be a number of B, KiB, MiB"), std::string::npos);
  EXPECT_NE(message_of("2@card").find("expected host after the @, not \"card\""), std::string::npos);
  EXPECT_NE(message_of("2,delay=x").find("SEED is \"x\""), std::string::npos);
  EXPECT_NE(message_of("2,seed=1").find("expected delay=SEED after the comma, not \"seed=1\""), std::string::npos);
}

TEST(VirtualGpuSpecification, QuotesLongTextsInShort) { EXPECT_LT(message_of(std::string(100'000, '9')).size(), 600U); }

}  // namespace
}  // namespace d2l::tests
