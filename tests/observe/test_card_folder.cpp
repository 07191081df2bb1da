#include <algorithm>
#include <cerrno>
#include <map>

#include "catch.h"
#include "observe/card_folder.h"

using namespace interlock;
using namespace interlock::observe;

namespace {

/// Files of one card as a map, and a list of what was read of them.
class Recorded final : public CardFolder {
 public:
  std::map<std::string, FileRead> files;
  std::vector<std::string> asked;
  bool there = true;
  int list_error = 0;

  Recorded() {
    put("power/runtime_status", "active\n");
    put("hwmon/hwmon3/temp1_label", "edge\n");
    put("hwmon/hwmon3/temp1_input", "48000\n");
    put("hwmon/hwmon3/temp2_label", "junction\n");
    put("hwmon/hwmon3/temp2_input", "62000\n");
    put("hwmon/hwmon3/temp3_label", "mem\n");
    put("hwmon/hwmon3/temp3_input", "73000\n");
    put("gpu_busy_percent", "97\n");
    put("config", std::string("\x02\x10", 2));
  }
  void put(const std::string& name, std::string text) { files[name] = {.error = 0, .text = std::move(text)}; }
  void break_file(const std::string& name, int error) { files[name] = {.error = error, .text = {}}; }
  bool was_asked(std::string_view part) const {
    return std::ranges::any_of(asked, [&](const std::string& name) { return name.contains(part); });
  }

  bool present() override { return there; }
  std::string driver() override { return "amdgpu"; }
  FileRead read(const std::string& file, std::size_t most) override {
    asked.push_back(file);
    const auto found = files.find(file);
    if (found == files.end()) return {.error = ENOENT, .text = {}};
    FileRead read = found->second;
    if (read.text.size() > most) read.text.resize(most);
    return read;
  }
  Result<std::vector<std::string>> label_files() override {
    if (list_error != 0) return fail_errno(list_error, "cannot list hwmon");
    std::vector<std::string> found;
    for (const auto& [name, read] : files) {
      if (name.ends_with("_label")) found.push_back(name);
    }
    return found;
  }
};

constexpr Instant kNow = instant_from_ns(1'000'000);

}  // namespace

TEST_CASE("a channel is found by its label, never by its number") {
  Recorded card;
  card.put("hwmon/hwmon3/temp2_label", "mem\n");
  card.put("hwmon/hwmon3/temp3_label", "junction\n");
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.taken_at == kNow);
  CHECK(sample.present);
  CHECK(sample.channel(Channel::junction)->input.text == "73000\n");
  CHECK(sample.channel(Channel::junction)->label.text == "junction\n");
  CHECK(sample.channel(Channel::memory)->input.text == "62000\n");
  CHECK(sample.edge->text == "48000\n");
  CHECK(sample.busy_percent == 97u);
}

TEST_CASE(
    "runtime_status is asked before anything that could wake the card, and while it sleeps nothing else is") {
  Recorded card;
  card.put("power/runtime_status", "suspended\n");
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.runtime == RuntimeStatus::suspended);
  CHECK(!sample.channel(Channel::junction));
  CHECK(!sample.channel(Channel::memory));
  CHECK(!sample.edge);
  for (const std::string touching : {"temp", "gpu_metrics", "gpu_busy_percent", "config"}) {
    INFO(touching);
    CHECK(!card.was_asked(touching));
  }
}

TEST_CASE("a status that cannot be read is no reason to leave the sensors unread") {
  Recorded card;
  card.break_file("power/runtime_status", EIO);
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.runtime == RuntimeStatus::unknown);
  CHECK(sample.channel(Channel::junction)->input.error == 0);
}

TEST_CASE("a card that fell asleep between the question and the read says so (amdgpu.md 1.6: EPERM, EBUSY)") {
  for (const int refusal : {EPERM, EBUSY}) {
    Recorded card;
    card.break_file("hwmon/hwmon3/temp2_input", refusal);
    CHECK(take_sample(card, kNow).runtime == RuntimeStatus::active);
    CHECK(std::ranges::count(card.asked, "power/runtime_status") == 2);
  }
  Recorded card;
  card.break_file("hwmon/hwmon3/temp2_input", EOPNOTSUPP);
  CHECK(take_sample(card, kNow).channel(Channel::junction)->input.error == EOPNOTSUPP);
  CHECK(std::ranges::count(card.asked, "power/runtime_status") == 1);
}

TEST_CASE("each channel is unreadable by itself: the good one does not excuse it (T12, two-v620 failure 4)") {
  Recorded card;
  card.break_file("hwmon/hwmon3/temp3_input", ENOENT);
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.channel(Channel::junction)->input.text == "62000\n");
  CHECK(sample.channel(Channel::memory)->input.error == ENOENT);
}

TEST_CASE("a card without the channels that others have gives ENOENT for them, not nothing (T03, T04)") {
  Recorded card;
  std::erase_if(card.files, [](const auto& file) { return !file.first.contains("temp1"); });
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.channel(Channel::junction)->label.error == ENOENT);
  CHECK(sample.channel(Channel::memory)->input.error == ENOENT);
  CHECK(sample.edge->text == "48000\n");
}

TEST_CASE("a missing edge is fine (T06: MI300)") {
  Recorded card;
  card.files.erase("hwmon/hwmon3/temp1_label");
  const CardSample sample = take_sample(card, kNow);
  CHECK(!sample.edge);
  CHECK(sample.channel(Channel::memory)->input.text == "73000\n");
}

TEST_CASE("a label that cannot be read makes the channel that it may be unreadable, with its errno") {
  Recorded card;
  card.break_file("hwmon/hwmon3/temp2_label", EIO);
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.channel(Channel::junction)->label.error == EIO);
  CHECK(sample.channel(Channel::junction)->input.error == EIO);
  CHECK(sample.channel(Channel::memory)->input.error == 0);
}

TEST_CASE("two files of one label are neither of them believed") {
  Recorded card;
  card.put("hwmon/hwmon9/temp2_label", "junction\n");
  card.put("hwmon/hwmon9/temp2_input", "30000\n");
  CHECK(take_sample(card, kNow).channel(Channel::junction)->input.error == ENOTUNIQ);
}

TEST_CASE(
    "a hwmon folder that may not be listed makes both channels unreadable with that errno (failure 5)") {
  Recorded card;
  card.list_error = EACCES;
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.channel(Channel::junction)->input.error == EACCES);
  CHECK(sample.channel(Channel::memory)->input.error == EACCES);
}

TEST_CASE(
    "a card off the bus is not asked for temperatures, each of which would wait seconds (amdgpu.md 1.7, "
    "2.10)") {
  Recorded card;
  card.put("config", "\xff\xff");
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.off_the_bus);
  CHECK(sample.channel(Channel::junction)->input.error == ENODEV);
  CHECK(!card.was_asked("temp"));
  card.put("config", "\xff\x10");
  CHECK(!take_sample(card, kNow).off_the_bus);
}

TEST_CASE("text is handed on as it stands: garbage, NUL bytes and emptiness are for the judge (T01, T02)") {
  Recorded card;
  card.put("hwmon/hwmon3/temp2_input", "56000\n" + std::string(4090, '\0'));
  card.put("hwmon/hwmon3/temp3_input", "");
  const CardSample sample = take_sample(card, kNow);
  CHECK(sample.channel(Channel::junction)->input.text == "56000\n" + std::string(58, '\0'));
  CHECK(sample.channel(Channel::memory)->input.text.empty());
}

TEST_CASE("a card that is not there is absent, and asked for nothing") {
  Recorded card;
  card.there = false;
  const CardSample sample = take_sample(card, kNow);
  CHECK(!sample.present);
  CHECK(sample.unique_id.error == ENOENT);
  CHECK(card.asked.empty());
}
