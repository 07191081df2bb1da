#include <sstream>

#include "catch.h"
#include "cli/outcome.h"

using namespace interlock::cli;

namespace {

struct Printed {
  std::string out;
  std::string err;
};

Printed printed(const Outcome& outcome, bool as_json) {
  std::ostringstream out;
  std::ostringstream err;
  print(outcome, as_json, out, err);
  return {out.str(), err.str()};
}

}  // namespace

TEST_CASE("an error with a place reads FILE:LINE:COLUMN: sentence") {
  CHECK(Failure{"what is wrong", "policy.yaml", 4, 7}.text() == "policy.yaml:4:7: what is wrong");
  CHECK(Failure{"there is none", "policy.yaml"}.text() == "policy.yaml: there is none");
  CHECK(Failure{"what is wrong"}.text() == "what is wrong");
}

TEST_CASE("with --json an error is one object with schema, exit and place") {
  Outcome outcome;
  outcome.exit = exits::kUsage;
  outcome.failures = {{"first", "policy.yaml", 4, 7}, {"second", "policy.yaml", 9, 1}};
  const auto shown = printed(outcome, true);
  const auto json = nlohmann::json::parse(shown.out);
  CHECK(json["schema"] == 1);
  CHECK(json["exit"] == 2);
  CHECK(json["error"]["message"] == "first");
  CHECK(json["error"]["file"] == "policy.yaml");
  CHECK(json["error"]["line"] == 4);
  CHECK(json["error"]["column"] == 7);
  CHECK(json["errors"].size() == 2);
  CHECK(shown.err == "policy.yaml:4:7: first\npolicy.yaml:9:1: second\n");
}

TEST_CASE("an error without a place has null for it, and no line 0") {
  const auto json = nlohmann::json::parse(printed(failed(exits::kUnreadable, "no host"), true).out);
  CHECK(json["error"]["file"].is_null());
  CHECK(json["error"]["line"].is_null());
  CHECK(json["error"]["column"].is_null());
}

TEST_CASE("bytes of the host that are not UTF-8 do not break the object") {
  Outcome outcome;
  outcome.json["name"] = "a\xff";
  CHECK(nlohmann::json::parse(printed(outcome, true).out)["name"] == "a\xEF\xBF\xBD");
}

TEST_CASE("without --json the text goes out and nothing else") {
  Outcome outcome;
  outcome.text = "all is well\n";
  outcome.json["hidden"] = 1;
  const auto shown = printed(outcome, false);
  CHECK(shown.out == "all is well\n");
  CHECK(shown.err.empty());
}

TEST_CASE("a remark goes to standard error and into the object, and is no error") {
  Outcome outcome;
  outcome.text = "version: 1\n";
  outcome.remarks = {{"that key is not known", "watchdog.env", 4, 1}};
  CHECK(printed(outcome, false).err == "watchdog.env:4:1: that key is not known\n");
  CHECK(printed(outcome, false).out == "version: 1\n");
  const auto json = nlohmann::json::parse(printed(outcome, true).out);
  CHECK(json["remarks"][0]["line"] == 4);
  CHECK(!json.contains("error"));
  CHECK(json["exit"] == 0);
}
