// Typed access: wrong types, unknown and doubled keys, each with its place.
#include "policy/reader.h"
#include "policy_text.h"

using namespace interlock;
using namespace interlock::test;

TEST_CASE("a mistyped key is named with its place and the keys that are known") {
  CHECK(error_of(changed("trip: 102", "tripp: 102, trip: 102")) ==
        "7:27: unknown key 'tripp' in guard.channels.junction; known: warn, trip, resume");
}

TEST_CASE("a key given twice is an error, where yaml-cpp would keep both in silence") {
  CHECK(error_of(changed("trip: 102", "trip: 102, trip: 120")) ==
        "7:38: 'guard.channels.junction.trip' is given twice; the first is at line 7, column 27");
  CHECK(error_of(and_also("version: 1\n")) ==
        "16:1: 'version' is given twice; the first is at line 1, column 1");
  CHECK(error_of(changed("  123: { units: [large.service] }",
                         "  \"120\": {}\n  123: { units: [large.service] }")) ==
        "11:3: 'containers.120' is given twice; the first is at line 10, column 3");
}

TEST_CASE("a key that is no text is refused") {
  CHECK(errors_of(guard_with("? [poll]\n  : 1s")).front() == "6:5: a key in guard is no text");
}

TEST_CASE("a value left out stands at its key") {
  CHECK(error_of(guard_with("poll:")) ==
        "6:3: guard.poll: a duration is wanted here, not nothing; write a whole number and its unit: 500ms, "
        "2s, 20m, 1h");
  CHECK(error_of(changed("containers:\n  120:", "containers:\n  124:\n  120:")) ==
        "10:3: containers.124: a map of keys is wanted here, not nothing");
}

TEST_CASE("a number is whole, plain and in its range") {
  CHECK(error_of(guard_with("confirm: two")) ==
        "6:12: guard.confirm: a whole number is wanted here, not 'two'");
  CHECK(error_of(guard_with("confirm: 2.5")) ==
        "6:12: guard.confirm: a whole number is wanted here, not '2.5'");
  CHECK(error_of(guard_with("confirm: '2'")) ==
        "6:12: guard.confirm: a whole number is wanted here, not '2' in quotes");
  CHECK(error_of(guard_with("confirm: 010")) ==
        "6:12: guard.confirm: a whole number is wanted here, not '010'");
  CHECK(error_of(guard_with("confirm: 0x2")) ==
        "6:12: guard.confirm: a whole number is wanted here, not '0x2'");
  CHECK(error_of(guard_with("confirm: [2]")) ==
        "6:12: guard.confirm: a whole number is wanted here, not a list");
  CHECK(
      error_of(guard_with("confirm: !!str 2")).ends_with("a whole number is wanted here, not '2' in quotes"));
  CHECK(error_of(guard_with("confirm: 0")) == "6:12: guard.confirm: 0 is out of range; from 1 to 10 can be");
  CHECK(error_of(guard_with("confirm: -1")) ==
        "6:12: guard.confirm: -1 is out of range; from 1 to 10 can be");
  CHECK(error_of(guard_with("confirm: 99999999999999999999")).ends_with("not '99999999999999999999'"));
}

TEST_CASE("a truth is true or false, not what old YAML also took for one") {
  const auto shared = [](const char* word) {
    return changed("{ pci: \"0000:03:00.0\" }",
                   std::string("{ pci: \"0000:03:00.0\", shared: ") + word + " }");
  };
  CHECK(policy_of(shared("true")).cards[0].shared);
  CHECK_FALSE(policy_of(shared("false")).cards[0].shared);
  CHECK(error_of(shared("yes")) == "3:40: cards.gpu1.shared: write true or false, not 'yes'");
  CHECK(error_of(shared("'true'")) == "3:40: cards.gpu1.shared: write true or false, not 'true'");
}

TEST_CASE("a text is not empty, not a list, and has no NUL byte and no foreign tag") {
  const auto latch = [](const std::string& value) { return guard_with("latch: " + value); };
  CHECK(error_of(latch("\"\"")) == "6:10: guard.latch: the text is empty");
  CHECK(error_of(latch("[until-reset]")) == "6:10: guard.latch: a text is wanted here, not a list");
  CHECK(error_of(latch("{ a: b }")) == "6:10: guard.latch: a text is wanted here, not a map");
  CHECK(error_of(latch("\"until\\0reset\"")) == "6:10: guard.latch: the text contains a NUL byte");
  CHECK(error_of(latch("!env LATCH")) == "6:10: guard.latch: the tag !env means nothing here; take it away");
}

TEST_CASE("a foreign value is shown in a message without its control characters, and not in full length") {
  CHECK(error_of(guard_with("latch: \"a\\e[31m\"")).find('\x1b') == std::string::npos);
  CHECK(error_of(guard_with("latch: " + std::string(5000, 'x'))).size() < 200);
}

TEST_CASE("a size needs its unit, and has an end") {
  CHECK(error_of(guard_with("idle_memory: 64")) ==
        "6:16: guard.idle_memory: a size is wanted here, not '64'; write a whole number and its unit: "
        "512KiB, 64MiB, 2GiB");
  CHECK(error_of(guard_with("idle_memory: 65GiB")) ==
        "6:16: guard.idle_memory: 65.0 GiB is out of range; at most 64.0 GiB can be");
}

TEST_CASE("the same mistake reached by two ways is told once") {
  const std::string text =
      changed("junction: { warn: 95, trip: 102, resume: 85 }", "junction: &limits { warn: 95 }");
  const auto errors = errors_of(text);
  REQUIRE(errors.size() == 2);  // trip and resume, each once
  CHECK(errors[0] == "7:15: guard.channels.junction: trip is missing");
}
