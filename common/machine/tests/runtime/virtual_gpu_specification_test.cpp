// SPDX-License-Identifier: MIT
// The grammar of D2L_VIRTUAL_GPUS, and the errors for other texts.
#include "runtime/virtual_gpu_specification.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "messages.h"

namespace d2l::tests {
namespace {

using detail::parse_virtual_gpus;

std::string error_of(const std::string& text) {
  return message_of<ConfigurationError>([&] { return parse_virtual_gpus(text); });
}

TEST(VirtualGpuSpecification, HasDefaults) {
  const auto two = parse_virtual_gpus("2");
  EXPECT_EQ(two.count, 2);
  EXPECT_EQ(two.memory, std::int64_t{2} << 30);
  EXPECT_FALSE(two.on_host);
  EXPECT_EQ(two.delay_seed, std::nullopt);
  EXPECT_EQ(two.cores, 1);
}

TEST(VirtualGpuSpecification, TakesEveryPart) {
  const auto all = parse_virtual_gpus("64:512MiB:cores=64@host,delay=18446744073709551615");
  EXPECT_EQ(all.count, 64);
  EXPECT_EQ(all.memory, 512 << 20);
  EXPECT_TRUE(all.on_host);
  EXPECT_EQ(all.delay_seed, 18446744073709551615U);
  EXPECT_EQ(all.cores, 64);
  EXPECT_EQ(parse_virtual_gpus("1:cores=4").cores, 4);
  EXPECT_EQ(parse_virtual_gpus("0").count, 0);
  EXPECT_TRUE(parse_virtual_gpus("2@host").on_host);
  EXPECT_EQ(parse_virtual_gpus("2,delay=0").delay_seed, 0U);
  EXPECT_EQ(parse_virtual_gpus("2").name, "");
  EXPECT_EQ(parse_virtual_gpus("2@host,name=privateuseone").name, "privateuseone");
  const auto both = parse_virtual_gpus("2,name=my_npu,delay=3");
  EXPECT_EQ(both.name, "my_npu");
  EXPECT_EQ(both.delay_seed, 3U);
  EXPECT_EQ(parse_virtual_gpus("2,delay=3,name=my_npu").delay_seed, 3U);
}

TEST(VirtualGpuSpecification, TakesSizesInEveryUnit) {
  for (const auto& [text, bytes] :
       std::vector<std::pair<const char*, std::int64_t>>{{"1:1", 1},
                                                         {"1:100B", 100},
                                                         {"1:64KiB", 64 << 10},
                                                         {"1:64MiB", 64 << 20},
                                                         {"1:2GiB", std::int64_t{2} << 30},
                                                         {"1:1TiB", std::int64_t{1} << 40}}) {
    EXPECT_EQ(parse_virtual_gpus(text).memory, bytes) << text;
  }
}

TEST(VirtualGpuSpecification, RefusesAllElseAndShowsTheForm) {
  const char* const count = "| |-1|+1|two|1.5|65|1000000|99999999999999999999|2 | 2|0x2|2\n|@host|:1GiB|,delay=1";
  const char* const memory =
      "2:|2:0|2:0MiB|2:12XB|2:MiB|2:-1MiB|2:1.5GiB|2:12MB|2:12mib|2: 12MiB|2:2TiB|2:99999999999999999999|"
      "2:18446744073709551615KiB";
  const char* const options =
      "2@|2@card|2@host@host|2@host:1GiB|2,|2,delay|2,delay=|2,delay=x|2,delay=-1|2,delay=1.5|2,delay=1,delay=2|2,seed="
      "1|"
      "2,delay=18446744073709551616|2,delay=1@host|2:cores=0|2:cores=|2:cores=65|2:cores=two|2:cores=2:cores=3|2:cores="
      "2:1GiB|2,cores=2|2@host:cores=2|2,name=|2,name=cuda|2,name=cpu|2,name=mps|2,name=a1|2,name=NPU|2,name=a,name=b|"
      "2,name=a@host|2,name=a,|2,name=a b";
  for (const char* const list : {count, memory, options}) {
    std::istringstream texts(list);
    for (std::string text; std::getline(texts, text, '|');) {
      const auto message = error_of(text);
      EXPECT_TRUE(contains(message, "cannot use " + (text == "2\n" ? "\"2?\"" : '"' + text + '"'))) << text;
      EXPECT_TRUE(contains(message,
                           "The form is COUNT[:MEMORY][:cores=N][@host][,delay=SEED][,name=NAME], for example "
                           "D2L_VIRTUAL_GPUS=2"));
    }
  }
}

TEST(VirtualGpuSpecification, NamesThePartThatIsWrong) {
  EXPECT_TRUE(contains(error_of("-1"), "COUNT is \"-1\", and must be a whole number from 0 to 64"));
  EXPECT_TRUE(contains(error_of("2:12XB"), "MEMORY is \"12XB\", and must be a number of B, KiB, MiB"));
  EXPECT_TRUE(contains(error_of("2@card"), "expected host after the @, not \"card\""));
  EXPECT_TRUE(contains(error_of("2,delay=x"), "SEED is \"x\""));
  EXPECT_TRUE(contains(error_of("2:cores=0"), "N is \"0\", and must be a whole number of cores from 1 to 64"));
  EXPECT_TRUE(
      contains(error_of("2,seed=1"), "expected delay=SEED or name=NAME after the comma, each once, not \"seed=1\""));
}

TEST(VirtualGpuSpecification, ShortensLongTexts) { EXPECT_LT(error_of(std::string(100'000, '9')).size(), 600U); }

}  // namespace
}  // namespace d2l::tests
