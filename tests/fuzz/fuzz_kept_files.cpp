// The files that the product writes and reads again: whatever the disk made of them, the reader says so.
#include "fuzz.h"
#include "model/gate_text.h"
#include "model/journal_text.h"
#include "model/ledger_text.h"
#include "model/sealed_text.h"
#include "model/state_text.h"

using namespace interlock;

namespace {

void read_all(std::string_view ledger, std::string_view latch, std::string_view keepsake,
              std::string_view claim, std::string_view allowance) {
  if (const auto read = parse_ledger(ledger)) {
    fuzz::require(parse_ledger(ledger_text(*read)) == *read, "a ledger read is a ledger that can be written");
  }
  if (const auto read = parse_keepsake(keepsake)) {
    fuzz::require(parse_keepsake(keepsake_text(*read)) == *read,
                  "a keepsake read is one that can be written");
  }
  static_cast<void>(parse_latch(latch));  // any answer will do, of these too
  static_cast<void>(parse_claim(claim));
  static_cast<void>(parse_allowance(allowance));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  read_all(text, text, text, text, text);
  // Behind a good seal as well, or nothing would ever be read further than that.
  read_all(sealed("ledger", text), sealed("latch", text), sealed("keepsake", text), sealed("claim", text),
           sealed("allowance", text));
  static_cast<void>(parse_journal("id", text));
  static_cast<void>(parse_guard(text, "c0ffee"));
  return 0;
}
