// The write-ahead record of a cutover: one file of JSON lines in
// /var/lib/gpu-interlock/cutovers/<id>.journal, each record framed with its length and checksum, each synced
// before what it announces (design, section 6).
//
// Only who holds the cutover lock writes journals, so that an id which is free when looked for stays so.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/journal_text.h"

namespace interlock::act {

class Journal {
 public:
  /// A new id, behind all others even when the clock went back: "20261130T021407Z-to-qwen38fn". Nothing is
  /// written yet.
  static Result<Journal> create(Host& host, const std::string& name);
  /// Goes on with a journal that an earlier run left open; what is torn or damaged in it is cut away first.
  static Journal reopen(Host& host, const JournalReading& reading);

  const std::string& id() const { return id_; }
  /// A record may be in it half: the next one is written behind those that are whole.
  bool mangled() const { return mangled_; }
  /// Synced when it returns. An error means: do not act.
  Result<void> write(const JournalRecord& record);
  /// The first record, which is read back: without it nothing that is then done could be taken back.
  Result<void> begin(const JournalRecord& record);
  /// The last record, which is read back: a cutover that only seems closed would be taken up again.
  Result<void> end(std::string_view result);
  /// Takes the file away again, where not even its first record could be written.
  Result<void> discard();

 private:
  Journal(Host& host, std::string id) : host_(&host), id_(std::move(id)) {}
  Result<void> mend();

  Host* host_;
  std::string id_;
  bool mangled_ = false;  // bytes stand at its end, or within, that are no record
};

std::string journal_path(const std::string& id);
Result<JournalReading> read_journal(Host& host, const std::string& id);
/// Ids, oldest first. No folder: none.
Result<std::vector<std::string>> journal_ids(Host& host);
/// The newest that has no "end"; nothing: every cutover is closed.
Result<std::optional<JournalReading>> open_journal(Host& host);

}  // namespace interlock::act
