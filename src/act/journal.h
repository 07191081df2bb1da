// The write-ahead record of a cutover: one file of JSON lines in /var/lib/gpu-interlock/cutovers/<id>.journal, each
// record framed with its length and checksum, each synced before what it announces (design, section 6).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "host/host.h"
#include "model/journal_text.h"

namespace interlock::act {

class Journal {
 public:
  /// A new file; its id is sortable and unique: "20261130T021407Z-to-qwen38fn".
  static Result<Journal> create(Host& host, const std::string& name);
  static Journal reopen(Host& host, std::string id);
  const std::string& id() const { return id_; }
  /// Synced when it returns. An error means: do not act.
  Result<void> write(const JournalRecord& record);

 private:
  Journal(Host& host, std::string id) : host_(&host), id_(std::move(id)) {}
  Host* host_;
  std::string id_;
};

Result<JournalReading> read_journal(Host& host, const std::string& id);
/// Ids, oldest first.
Result<std::vector<std::string>> journal_ids(Host& host);

}  // namespace interlock::act
