#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "blackbox.h"

namespace interlock::tests {
namespace {

namespace fs = std::filesystem;

Words joined(Words first, const Words& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::string described(const fs::directory_entry& entry) {
  const auto status = entry.symlink_status();
  const std::string mode = std::to_string(static_cast<unsigned>(status.permissions()));
  if (status.type() == fs::file_type::symlink) return "link to " + fs::read_symlink(entry.path()).string();
  if (status.type() == fs::file_type::directory) return "folder " + mode;
  if (status.type() == fs::file_type::regular) return "file " + mode + " " + content_of(entry.path());
  return "other";
}

}  // namespace

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

MockedHost::MockedHost() {
  std::string pattern = (fs::temp_directory_path() / "blackbox.XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
  folder_ = fs::canonical(pattern).string();
  root_ = folder_ + "/host";
  const Ran made = run({"mock-host", "make", root_, "--settle", "300ms"});
  if (made.exit != 0) throw std::runtime_error("mock-host make: " + made.out + made.err);
}

MockedHost::~MockedHost() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Ran MockedHost::cli(Words words, std::chrono::seconds limit) const {
  return run(joined({"gpu-interlock", "--root", root_, "--json"}, words), limit);
}

Ran MockedHost::text(Words words) const {
  return run(joined({"gpu-interlock", "--root", root_}, words));
}

Ran MockedHost::mock(const std::string& verb, Words words) const {
  Ran ran = run(joined({"mock-host", verb, root_}, words));
  if (ran.exit != 0) throw std::runtime_error("mock-host " + verb + ": " + ran.out + ran.err);
  return ran;
}

Ran MockedHost::gate(const std::string& vmid) const {
  return run({"gpu-interlock-gate", "--root", root_, vmid});
}

Ran MockedHost::pct(Words words) const {
  return run(joined({path("/usr/sbin/pct")}, words));
}

std::string MockedHost::read(const std::string& on_host) const {
  if (!fs::exists(path(on_host))) throw std::runtime_error("there is no " + on_host);
  return content_of(path(on_host));
}

void MockedHost::write(const std::string& on_host, const std::string& text) const {
  fs::create_directories(fs::path(path(on_host)).parent_path());
  std::ofstream(path(on_host), std::ios::binary | std::ios::trunc) << text;
}

void MockedHost::remove(const std::string& on_host) const {
  fs::remove_all(path(on_host));
}

std::map<std::string, std::string> MockedHost::everything() const {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root_))
    found[entry.path().string()] = described(entry);
  return found;
}

std::unique_ptr<Running> MockedHost::guard() const {
  auto running = std::make_unique<Running>(Words{"gpu-interlockd", "--root", root_}, folder_ + "/guard.log");
  if (!eventually([&] { return running->ended() || guard_is_fresh(); }) || running->ended()) {
    throw std::runtime_error("the guard did not come up:\n" + guard_log());
  }
  return running;
}

std::string MockedHost::guard_log() const {
  return content_of(folder_ + "/guard.log");
}

bool MockedHost::guard_is_fresh() const {
  const auto guard = cli({"status"}).json().at("guard");
  return guard.at("running") == true && guard.at("fresh") == true;
}

nlohmann::json one_of(const nlohmann::json& list, const std::string& key, const nlohmann::json& value) {
  for (const auto& one : list) {
    if (one.at(key) == value) return one;
  }
  throw std::runtime_error("no " + key + " " + value.dump() + " in " + list.dump(2));
}

}  // namespace interlock::tests
