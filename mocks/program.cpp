#include "mocks/program.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/text.h"
#include "mocks/disk.h"
#include "mocks/fault.h"
#include "mocks/pct.h"
#include "mocks/two_v620.h"
#include "mocks/two_v620_files.h"

namespace interlock::mocks {
namespace {

namespace fs = std::filesystem;

constexpr Duration kLongestHang = std::chrono::minutes(10);
constexpr std::ptrdiff_t kCallsKept = 100;  // every later call reads and writes them

void write_to(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written <= 0) return;  // nobody listens
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string standard_input() {
  std::string text;
  std::array<char, 4096> buffer{};
  if (::isatty(STDIN_FILENO) != 0) return text;
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

/// Exit statuses that are the mock's own trouble, not pct's.
int trouble(const Error& error) {
  write_to(STDERR_FILENO, fmt::format("mock-host: {}\n", error.message));
  return 120;
}

void note(Folder& folder, int number, const std::vector<std::string>& words, const CommandEnd& end,
          Fault::Kind fault) {
  PctCall call;
  call.number = number;
  call.text = joined(words, " ");
  call.code = end.code;
  call.errors = end.errors;
  if (fault != Fault::Kind::none) call.fault = to_string(fault);
  auto& calls = folder.model.calls;
  calls.push_back(std::move(call));
  if (std::ssize(calls) > kCallsKept) calls.erase(calls.begin(), calls.end() - kCallsKept);
}

/// The caller dies with SIGKILL, as by the hand of a stranger.
void kill_caller() {
  static_cast<void>(::kill(::getppid(), SIGKILL));
}  // gone already: as good

CommandEnd perform(Folder& folder, const std::vector<std::string>& words, const std::string& input,
                   Fault::Kind fault) {
  CommandEnd end;
  const auto undo = undo_event(folder.model, words);
  switch (fault) {
    case Fault::Kind::fail:
      end.code = 255;
      end.errors = "unable to do what was asked\n";
      return end;
    case Fault::Kind::no_effect:
    case Fault::Kind::hang:
    case Fault::Kind::killed:
    case Fault::Kind::power_cut:
      return end;
    case Fault::Kind::garbage:
      end.output = "\x01\x02 garbage\n=\n";
      return end;
    case Fault::Kind::half:
    case Fault::Kind::killed_half:
      if (const auto fewer = half_of(words)) end = pct(folder, *fewer, input);
      end.code = 255;
      return end;
    default:
      break;
  }
  end = pct(folder, words, input);
  if (fault == Fault::Kind::undone_later && undo) folder.later(std::chrono::seconds(1), *undo);
  if (fault == Fault::Kind::fail_after) {
    end.code = 255;
    end.errors = "unable to tell what became of it\n";
  }
  return end;
}

Result<void> strike(Folder& folder, Fault::Kind fault) {
  switch (fault) {
    case Fault::Kind::killed:
    case Fault::Kind::killed_half:
    case Fault::Kind::killed_after:
      kill_caller();
      return {};
    case Fault::Kind::power_cut:
    case Fault::Kind::power_cut_after:
      kill_caller();
      return folder.reboot({}, false);
    default:
      return {};
  }
}

Result<int> run_on(const std::string& root, const std::string& program,
                   const std::vector<std::string>& words) {
  const std::string input = standard_input();
  const auto folder = TRY(Folder::open(root));
  CommandEnd end;
  Fault::Kind fault = Fault::Kind::none;
  if (program == "systemctl") {
    end = systemctl(*folder, 0, words);
  } else {
    const int number = calls_made(folder->model) + 1;
    if (const auto planned = folder->model.faults.find(number); planned != folder->model.faults.end()) {
      fault = fault_kind(planned->second).value_or(Fault::Kind::fail);
    }
    folder->model.operations = number;
    end = perform(*folder, words, input, fault);
    note(*folder, number, words, end, fault);
    TRY(strike(*folder, fault));
  }
  TRY(folder->close());
  if (fault == Fault::Kind::hang || fault == Fault::Kind::hang_after)
    std::this_thread::sleep_for(kLongestHang);
  write_to(STDOUT_FILENO, end.output);
  write_to(STDERR_FILENO, end.errors);
  return end.code;
}

/// A hard link where that works, else a copy: a link out of the folder would lead nowhere below --root.
Result<void> place_program(const std::string& from, const std::string& to) {
  TRY(disk::remove(to));
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (error) fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) return fail_errno(error.value(), fmt::format("cannot place {}", to));
  return {};
}

std::string policy_with(const std::string& settle) {
  const std::string_view policy = kPolicyTwoV620;
  if (settle.empty()) return std::string(policy);
  constexpr std::string_view kKey = "settle: ";
  const auto at = policy.find(kKey);
  if (at == std::string_view::npos) return std::string(policy);
  const auto value = at + kKey.size();
  const auto end = policy.find_first_of(" ,}\n", value);
  return fmt::format("{}{}{}", policy.substr(0, value), settle, policy.substr(end));
}

}  // namespace

int run_program(const std::string& root, const std::string& program, const std::vector<std::string>& words) {
  auto code = run_on(root, program, words);
  return code ? *code : trouble(code.error());
}

Result<void> make_host(const std::string& root, const MakeOptions& options) {
  Model model = two_v620_off();
  if (!options.real_pace) quicken(model);
  std::erase_if(model.files,
                [](const auto& entry) { return entry.first.starts_with("/usr/"); });  // real ones follow
  TRY(disk::make_folders(root + "/usr/sbin"));
  TRY(disk::make_folders(root + "/usr/bin"));
  TRY(disk::make_folders(root + "/etc/gpu-interlock"));
  TRY(disk::make_folders(root + "/.mock"));
  TRY(place_program(options.programs + "/mock-host", root + "/.mock/mock-host"));
  TRY(disk::make_link("../../.mock/mock-host", root + "/usr/sbin/pct"));
  TRY(disk::make_link("../../.mock/mock-host", root + "/usr/bin/systemctl"));
  for (const std::string name :
       {"gpu-interlock", "gpu-interlock-gate", "gpu-interlockd", "gpu-interlock-reader"}) {
    const std::string from = options.programs + "/" + name;
    if (fs::exists(from)) TRY(place_program(from, root + "/usr/sbin/" + name));
  }
  TRY(disk::replace(root + "/etc/gpu-interlock/policy.yaml", policy_with(options.settle), 0644));
  TRY(Folder::make(root, std::move(model)));
  // Until both models are loaded, so that what is made is a host at work.
  for (int tries = 0; tries < 200; ++tries) {
    const auto folder = TRY(Folder::open(root));
    TRY(folder->close());
    const Unit* first = folder->unit(120, "llamacpp.service");
    const Unit* second = folder->unit(123, "llamacpp-qwen38fn.service");
    if (options.real_pace || (first->loaded && second->loaded)) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return fail("the model servers of the new host did not come up");
}

int calls_made(const Model& model) {
  return model.calls.empty() ? 0 : model.calls.back().number;
}

std::string log_text(const Model& model) {
  std::string text;
  for (const PctCall& call : model.calls) {
    text += fmt::format("{:4}  pct {}  -> {}{}{}\n", call.number, call.text, call.code,
                        call.fault.empty() ? "" : fmt::format(" ({})", call.fault),
                        call.errors.empty() ? "" : ": " + printable(trimmed(call.errors)));
  }
  for (const Breach& breach : model.breaches) {
    text += fmt::format("broken: {} {}, after pct call {}: {}\n", breach.invariant, breach.when,
                        breach.operation, breach.text);
  }
  return text + fmt::format("{} pct calls, {} broken invariants\n", calls_made(model), model.breaches.size());
}

}  // namespace interlock::mocks
