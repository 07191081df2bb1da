#include "act/place_files.h"

#include <algorithm>

#include "base/text.h"
#include "model/json_bytes.h"

namespace interlock::act {
namespace {

using Found = FileBefore::Found;

/// A command inside the container, which must succeed.
Result<std::string> inside(Run& run, Vmid vmid, const Argv& argv, const std::string& input = {}) {
  const auto call = run.pct.execute(vmid, argv, input, run.policy.timing.command);
  if (call && call->success()) return call->output;
  return fail("`{}` in container {}: {}", joined(argv, " "), vmid.text(), hint_of(call));
}

/// Nothing: no such file. That must be said, and not only be an exit status (pct.md, 1.9).
Result<std::optional<Found>> look_at_file(Run& run, Vmid vmid, const std::string& path) {
  const auto call = run.pct.execute(vmid, {"cat", "--", path}, run.policy.timing.command);
  if (call && call->how == CommandEnd::How::exited && call->code == 1 &&
      call->errors.contains("No such file or directory")) {
    return std::nullopt;
  }
  if (!call || !call->success()) return fail("{} in container {}: {}", path, vmid.text(), hint_of(call));
  const std::string stat = TRY(inside(run, vmid, {"stat", "-c", "%U:%G %a", "--", path}));
  const auto fields = words(trimmed(stat));
  if (fields.size() != 2) return fail("{} in container {}: its owner cannot be told", path, vmid.text());
  return Found{call->output, std::string(fields[0]), std::string(fields[1])};
}

/// "0640" and "640" are the same.
bool same(const std::optional<Found>& now, const Found& wanted) {
  return now && now->content == wanted.content && now->owner == wanted.owner &&
         parse_number<unsigned>(now->mode, 8) == parse_number<unsigned>(wanted.mode, 8);
}

/// Beside it, and renamed: who reads it sees the old or the new, whole.
Result<void> write_file(Run& run, Vmid vmid, const std::string& path, const Found& wanted) {
  const std::string beside = path + ".gpu-interlock";
  TRY(inside(run, vmid, {"tee", "--", beside}, wanted.content));
  TRY(inside(run, vmid, {"chown", wanted.owner, "--", beside}));
  TRY(inside(run, vmid, {"chmod", wanted.mode, "--", beside}));
  TRY(inside(run, vmid, {"mv", "-fT", "--", beside, path}));
  return {};
}

Result<Found> wanted_of(Run& run, const PlacedFile& file) {
  if (file.content) return Found{*file.content, file.owner, file.mode};
  const std::string folder = run.policy.file.substr(0, run.policy.file.rfind('/') + 1);
  const std::string path = file.source.starts_with('/') ? file.source : folder + file.source;
  return Found{TRY(in_context(run.host.read_file(path), path)), file.owner, file.mode};
}

JournalRecord record_of(const FileBefore& before) {
  nlohmann::json body{{"container", before.container.text()}, {"path", bytes_to_json(before.path)}};
  if (before.found) {
    body["content"] = bytes_to_json(before.found->content);
    body["owner"] = before.found->owner;
    body["mode"] = before.found->mode;
  }
  return {"file", body};
}

Result<void> place(Run& run, Vmid vmid, const PlacedFile& file) {
  const Found wanted = TRY(wanted_of(run, file));
  const auto now = TRY(look_at_file(run, vmid, file.path));
  if (same(now, wanted)) return {};
  const bool known = std::ranges::any_of(run.placed, [&](const FileBefore& before) {
    return before.container == vmid && before.path == file.path;
  });
  if (!known) {
    const FileBefore before{vmid, file.path, now};
    TRY(run.record(record_of(before)));
    run.placed.push_back(before);
  }
  const auto written = write_file(run, vmid, file.path, wanted);
  const auto after = TRY(look_at_file(run, vmid, file.path));
  if (same(after, wanted)) return {};
  if (!written) return written;
  return fail("{} in container {} is not what was placed there", file.path, vmid.text());
}

Result<void> give_back(Run& run, const FileBefore& before) {
  const auto now = TRY(look_at_file(run, before.container, before.path));
  const bool as_found = before.found ? same(now, *before.found) : !now.has_value();
  if (as_found) return {};
  Result<void> done;
  if (before.found) {
    done = write_file(run, before.container, before.path, *before.found);
  } else if (auto removed = inside(run, before.container, {"rm", "-f", "--", before.path}); !removed) {
    done = std::unexpected(removed.error());
  }
  const auto after = TRY(look_at_file(run, before.container, before.path));
  if (before.found ? same(after, *before.found) : !after.has_value()) return {};
  if (!done) return done;
  return fail("{} in container {} is not as it was", before.path, before.container.text());
}

Result<FileBefore> file_before(const nlohmann::json& body) {
  const auto text = [&](const char* key) -> Result<std::string> {
    if (!body.is_object() || !body.contains(key)) return fail("a placed file without \"{}\"", key);
    return bytes_from_json(body[key]);
  };
  const std::string number = TRY(text("container"));
  const auto vmid = Vmid::parse(number);
  if (!vmid) return fail("a placed file in no container: \"{}\"", number);
  FileBefore before{*vmid, TRY(text("path")), std::nullopt};
  if (!body.contains("content")) return before;
  Found found;
  found.content = TRY(text("content"));
  found.owner = TRY(text("owner"));
  found.mode = TRY(text("mode"));
  before.found = std::move(found);
  return before;
}

}  // namespace

Outcome place_files(Run& run, Vmid vmid) {
  if (run.cutover == nullptr) return done("no file is to be placed");
  const auto found = run.cutover->containers.find(vmid);
  if (found == run.cutover->containers.end()) return done("no file is to be placed");
  for (const PlacedFile& file : found->second.files) {
    if (const auto placed = place(run, vmid, file); !placed) return failed(placed.error().message);
  }
  return done("its files are in their places");
}

Outcome give_files_back(Run& run, Vmid vmid) {
  while (true) {
    const auto before = std::ranges::find(run.placed, vmid, &FileBefore::container);
    if (before == run.placed.end()) return done("its files are as they were");
    if (const auto given = give_back(run, *before); !given) return failed(given.error().message);
    run.placed.erase(before);
  }
}

Result<std::vector<FileBefore>> files_before(const JournalReading& reading) {
  std::vector<FileBefore> files;
  for (const JournalRecord& record : reading.records) {
    if (record.kind == "file") files.push_back(TRY(file_before(record.body)));
  }
  return files;
}

}  // namespace interlock::act
