// A boot may give the cards' nodes other numbers, and another boot the old ones again, while a cutover is on
// its way back (S07, I5): what then stands in a configuration is what was found there, once.
#include "catch.h"
#include "play.h"

using namespace interlock;

namespace {

explore::Choice power_cut(int operation) {
  explore::Choice choice;
  choice.operation = operation;
  choice.fault = {mocks::Fault::Kind::power_cut, 0, true};
  return choice;
}

int operation_named(const explore::Played& played, std::string_view name) {
  for (const auto& done : played.operations) {
    if (done.text == name) return done.index;
  }
  FAIL("nothing did " << name);
  return 0;
}

}  // namespace

TEST_CASE("nodes renumbered by two boots: at any record of the way back, the end is the beginning exactly") {
  struct {
    std::string cutover;
    std::string first_cut;  // the cards are with their new owner
  } const kCourses[] = {{"to-qwen38fn", "pct start 120"}, {"to-qwen36", "pct start 123"}};
  for (const auto& [name, first_cut] : kCourses) {
    const scene::Course& course = explore::course_named(name);
    const auto undisturbed = explore::play(course, {name, {}}, explore::Tell::numbered);
    const explore::Choice first = power_cut(operation_named(undisturbed, first_cut));
    const auto once = explore::play(course, {name, {first}}, explore::Tell::numbered);
    int cuts = 0;
    for (const auto& done : once.operations) {
      if (done.index <= first.operation || !done.text.starts_with("append_file")) continue;
      const explore::Trace trace{name, {first, power_cut(done.index)}};
      const auto twice = explore::play(course, trace, explore::Tell::plain);
      INFO(trace.text() << "\n" << twice.story);
      CHECK(twice.judgement.wrong == "");
      CHECK(scene::difference(scene::picture_of(twice.model), course.beginning) == "");
      ++cuts;
    }
    CHECK(cuts > 20);
  }
}
