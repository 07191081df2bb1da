#include <cerrno>
#include <random>

#include "catch.h"
#include "observe/sample_wire.h"

using namespace interlock;
using namespace interlock::observe;

namespace {

CardSample full_sample() {
  CardSample sample;
  sample.taken_at = instant_from_ns(123'456'789'012);
  sample.present = true;
  sample.driver = "amdgpu";
  sample.unique_id = {0, "7a3b1c5d9e2f4a60\n"};
  sample.runtime = RuntimeStatus::active;
  sample.channels[0] = ChannelSample{{0, "junction\n"}, {0, "62000\n"}};
  sample.channels[1] = ChannelSample{{0, "mem\n"}, {EOPNOTSUPP, ""}};
  sample.edge = FileRead{0, "55000\n"};
  sample.energy = 0x0123456789abcdefU;
  sample.busy_percent = 97;
  return sample;
}

CardSample decoded(std::string bytes) {
  const auto taken = next_sample(bytes);
  REQUIRE(taken);
  REQUIRE(*taken);
  CHECK(bytes.empty());
  return **taken;
}

}  // namespace

TEST_CASE("what the reader saw reaches the daemon unchanged, errno and all") {
  CHECK(decoded(encode_sample(full_sample())) == full_sample());
  CHECK(decoded(encode_sample(CardSample{})) == CardSample{});
}

TEST_CASE("a missing channel stays missing, never an empty or zero one (two-v620 failure 4)") {
  CardSample sample = full_sample();
  sample.channels[1].reset();
  sample.energy.reset();
  const CardSample seen = decoded(encode_sample(sample));
  CHECK_FALSE(seen.channels[1]);
  CHECK_FALSE(seen.energy);
  CHECK(seen == sample);
}

TEST_CASE("bytes inside a sensor's text survive, NUL bytes too (T01)") {
  CardSample sample = full_sample();
  sample.channels[0]->input.text = std::string("56000\n\0\0\xff", 9);
  CHECK(decoded(encode_sample(sample)) == sample);
}

TEST_CASE("the longest record fits in one atomic pipe write, and a long text still shows as too long") {
  CardSample sample = full_sample();
  const FileRead longest{EIO, std::string(5000, '9')};
  sample.driver = longest.text;
  sample.unique_id = longest;
  sample.channels[0] = ChannelSample{longest, longest};
  sample.channels[1] = ChannelSample{longest, longest};
  sample.edge = longest;
  const std::string bytes = encode_sample(sample);
  CHECK(bytes.size() <= kLongestRecord);
  CHECK(decoded(bytes).channels[0]->input.text.size() == FileRead::kLongest + 1);
}

TEST_CASE("a record that came in pieces is taken when it is whole, and two are taken one by one") {
  const std::string record = encode_sample(full_sample());
  std::string bytes;
  for (std::size_t i = 0; i + 1 < record.size(); ++i) {
    bytes += record[i];
    const auto taken = next_sample(bytes);
    REQUIRE(taken);
    CHECK_FALSE(taken->has_value());
  }
  bytes += record.back();
  bytes += record;
  REQUIRE(next_sample(bytes));
  CHECK(bytes == record);
}

TEST_CASE("a reader of another version, or one that writes garbage, is an error and no sample") {
  std::string other = encode_sample(full_sample());
  other[4] = 9;
  CHECK_FALSE(next_sample(other));
  std::string huge = encode_sample(full_sample());
  huge[3] = 0x7f;
  CHECK_FALSE(next_sample(huge));
  std::string text = "temp2_input: 62000\n";
  CHECK_FALSE(next_sample(text));
  std::string status = encode_sample(full_sample());
  const auto at = status.find("7a3b1c5d9e2f4a60\n") + 17;  // the byte behind the unique_id
  status[at] = 99;
  CHECK_FALSE(next_sample(status));
}

TEST_CASE("no flipped byte makes the decoder read beyond its record") {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): repeatable
  const std::string record = encode_sample(full_sample());
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = record;
    for (int flips = 0; flips < 3; ++flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    static_cast<void>(next_sample(bytes));  // any answer will do: the sanitizers watch
  }
}
