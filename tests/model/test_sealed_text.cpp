#include "catch.h"
#include "model/sealed_text.h"

using namespace interlock;

TEST_CASE("a sealed text gives its body back, an empty one too") {
  CHECK(unsealed("ledger", sealed("ledger", "a\nb\n")) == "a\nb\n");
  CHECK(unsealed("ledger", sealed("ledger", "")) == "");
}

TEST_CASE("a file of another kind, or of a later version, is not taken for this one") {
  CHECK_FALSE(unsealed("latch", sealed("ledger", "body")).has_value());
  CHECK_FALSE(unsealed("ledger", "gpu-interlock ledger 2 abc\nbody").has_value());
}

TEST_CASE("each error says what is wrong with the file") {
  CHECK(unsealed("ledger", "").error().message == "the ledger is an empty file");
  std::string changed = sealed("ledger", "body");
  changed.back() = 'Y';
  CHECK(unsealed("ledger", changed).error().message ==
        "the ledger is not as it was written: its checksum does not match");
}
