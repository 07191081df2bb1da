#include "daemon/bus.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>

namespace interlock::daemon {
namespace {

constexpr const char* kName = "org.gpu_interlock1";
constexpr const char* kPath = "/org/gpu_interlock1";
constexpr const char* kRefused = "org.gpu_interlock1.Refused";
constexpr std::uint64_t kAnswerWithin = 10'000'000;  // us; a reset syncs a file before it answers

struct MessageUnref {
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};
using MessagePtr = std::unique_ptr<sd_bus_message, MessageUnref>;

ControlMethods& methods_of(void* userdata) {
  return *static_cast<ControlMethods*>(userdata);
}

/// Answers `message`, now or later. That the caller has left in between is its own affair.
ControlMethods::Reply reply_to(sd_bus_message* message) {
  const std::shared_ptr<sd_bus_message> held(sd_bus_message_ref(message), MessageUnref{});
  return [held](const Result<void>& result) {
    if (result) {
      static_cast<void>(sd_bus_reply_method_return(held.get(), ""));
    } else {
      static_cast<void>(
          sd_bus_reply_method_errorf(held.get(), kRefused, "%s", result.error().message.c_str()));
    }
  };
}

int on_status(sd_bus_message* message, void* userdata, sd_bus_error*) {
  const std::string status = methods_of(userdata).status();
  return sd_bus_reply_method_return(message, "s", status.c_str());
}

int on_reset(sd_bus_message* message, void* userdata, sd_bus_error*) {
  const char* card = nullptr;
  const char* reason = nullptr;
  int force = 0;
  const int read = sd_bus_message_read(message, "sbs", &card, &force, &reason);
  if (read < 0) return read;
  methods_of(userdata).reset(card, force != 0, reason, reply_to(message));
  return 1;
}

int on_reload(sd_bus_message* message, void* userdata, sd_bus_error*) {
  methods_of(userdata).reload(reply_to(message));
  return 1;
}

// sd-bus's macros are made of C casts and designated initialisers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wpedantic"
const sd_bus_vtable kVtable[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD_WITH_ARGS("Status", SD_BUS_NO_ARGS, SD_BUS_RESULT("s", json), on_status,
                            SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD_WITH_ARGS("Reset", SD_BUS_ARGS("s", card, "b", force, "s", reason), SD_BUS_NO_RESULT,
                            on_reset, 0),
    SD_BUS_METHOD_WITH_ARGS("Reload", SD_BUS_NO_ARGS, SD_BUS_NO_RESULT, on_reload, 0),
    SD_BUS_SIGNAL_WITH_ARGS("Tripped", SD_BUS_ARGS("s", card, "s", reason, "s", why), 0),
    SD_BUS_SIGNAL_WITH_ARGS("Shed", SD_BUS_ARGS("s", card, "s", rung, "s", subject, "s", text, "b", empty),
                            0),
    SD_BUS_SIGNAL_WITH_ARGS("Latched", SD_BUS_ARGS("s", card, "s", reason), 0),
    SD_BUS_VTABLE_END,
};
#pragma GCC diagnostic pop

Result<void> checked(int result, std::string_view what) {
  if (result < 0) return fail_errno(-result, what);
  return {};
}

}  // namespace

struct Bus::Shared {
  sd_bus* bus = nullptr;
  ControlMethods* methods = nullptr;
  Callback on_gone;

  Shared() = default;
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    if (bus == nullptr) return;
    static_cast<void>(sd_bus_detach_event(bus));  // not attached is as good
    sd_bus_close_unref(bus);
  }
};

Result<Bus> Bus::begin(EventLoop& loop, std::shared_ptr<Shared> shared) {
  const auto gone = [](sd_bus_message*, void* userdata, sd_bus_error*) {
    static_cast<Shared*>(userdata)->on_gone();
    return 1;
  };
  sd_bus* bus = shared->bus;
  TRY(checked(sd_bus_add_object_vtable(bus, nullptr, kPath, kName, kVtable, shared->methods),
              "publishing the control interface"));
  TRY(checked(
      sd_bus_match_signal_async(bus, nullptr, "org.freedesktop.DBus.Local", "/org/freedesktop/DBus/Local",
                                "org.freedesktop.DBus.Local", "Disconnected", gone, nullptr, shared.get()),
      "watching a control connection"));
  TRY(checked(sd_bus_attach_event(bus, loop.raw(), SD_EVENT_PRIORITY_NORMAL),
              "serving a control connection"));
  return Bus(std::move(shared));
}

Result<Bus> Bus::serve_peer(EventLoop& loop, Fd socket, ControlMethods& methods, Callback on_gone) {
  auto shared = std::make_shared<Shared>();
  shared->methods = &methods;
  shared->on_gone = std::move(on_gone);
  sd_id128_t id{};
  TRY(checked(sd_id128_randomize(&id), "a connection's id"));
  TRY(checked(sd_bus_new(&shared->bus), "making a control connection"));
  TRY(checked(sd_bus_set_fd(shared->bus, socket.get(), socket.get()), "taking a control connection"));
  static_cast<void>(socket.release());  // sd-bus closes it
  TRY(checked(sd_bus_set_server(shared->bus, 1, id), "serving a control connection"));
  // Its credentials were looked at when it connected.
  TRY(checked(sd_bus_set_trusted(shared->bus, 1), "trusting a control connection"));
  TRY(checked(sd_bus_start(shared->bus), "starting a control connection"));
  return begin(loop, std::move(shared));
}

Result<Bus> Bus::join_system(EventLoop& loop, ControlMethods& methods, Callback on_gone) {
  auto shared = std::make_shared<Shared>();
  shared->methods = &methods;
  shared->on_gone = std::move(on_gone);
  TRY(checked(sd_bus_open_system(&shared->bus), "joining the system's bus"));
  TRY(checked(sd_bus_request_name_async(shared->bus, nullptr, kName, 0, nullptr, nullptr),
              "asking for a name on the system's bus"));
  return begin(loop, std::move(shared));
}

void Bus::emit(const TrippedSignal& signal) {
  static_cast<void>(sd_bus_emit_signal(shared_->bus, kPath, kName, "Tripped", "sss", signal.card.c_str(),
                                       signal.reason.c_str(), signal.why.c_str()));
}

void Bus::emit(const ShedSignal& signal) {
  static_cast<void>(sd_bus_emit_signal(shared_->bus, kPath, kName, "Shed", "ssssb", signal.card.c_str(),
                                       signal.rung.c_str(), signal.subject.c_str(), signal.text.c_str(),
                                       signal.empty ? 1 : 0));
}

void Bus::emit(const LatchedSignal& signal) {
  static_cast<void>(sd_bus_emit_signal(shared_->bus, kPath, kName, "Latched", "ss", signal.card.c_str(),
                                       signal.reason.c_str()));
}

namespace {

/// The daemon's own sentence where it refuses; else what went wrong on the way.
std::unexpected<Error> call_failed(int result, const sd_bus_error& error, const char* member) {
  if (sd_bus_error_has_name(&error, kRefused) != 0) return std::unexpected(Error{error.message, EPERM});
  const std::string what = fmt::format("asking gpu-interlockd ({})", member);
  if (error.message == nullptr) return fail_errno(-result, what);
  return std::unexpected(Error{fmt::format("{}: {}", what, error.message), -result});
}

struct ErrorGuard {
  sd_bus_error error{};
  ErrorGuard() = default;
  ErrorGuard(const ErrorGuard&) = delete;
  ErrorGuard& operator=(const ErrorGuard&) = delete;
  ~ErrorGuard() { sd_bus_error_free(&error); }
};

Result<MessagePtr> method_call(sd_bus* bus, const char* member) {
  sd_bus_message* call = nullptr;
  TRY(checked(sd_bus_message_new_method_call(bus, &call, nullptr, kPath, kName, member), member));
  return MessagePtr(call);
}

Result<MessagePtr> answer_to(sd_bus* bus, MessagePtr call, const char* member) {
  ErrorGuard guard;
  sd_bus_message* answer = nullptr;
  const int called = sd_bus_call(bus, call.get(), kAnswerWithin, &guard.error, &answer);
  if (called < 0) return call_failed(called, guard.error, member);
  return MessagePtr(answer);
}

}  // namespace

Result<BusClient> BusClient::over(Fd socket) {
  sd_bus* bus = nullptr;
  TRY(checked(sd_bus_new(&bus), "making a control connection"));
  BusClient client(bus);
  TRY(checked(sd_bus_set_fd(bus, socket.get(), socket.get()), "taking a control connection"));
  static_cast<void>(socket.release());  // sd-bus closes it
  TRY(checked(sd_bus_start(bus), "starting a control connection"));
  return client;
}

Result<std::string> BusClient::status() {
  auto call = TRY(method_call(bus_.get(), "Status"));
  const auto answer = TRY(answer_to(bus_.get(), std::move(call), "Status"));
  const char* text = nullptr;
  TRY(checked(sd_bus_message_read(answer.get(), "s", &text), "the answer of gpu-interlockd"));
  return std::string(text);
}

Result<void> BusClient::reset(const std::string& card, bool force, const std::string& reason) {
  auto call = TRY(method_call(bus_.get(), "Reset"));
  TRY(checked(sd_bus_message_append(call.get(), "sbs", card.c_str(), force ? 1 : 0, reason.c_str()),
              "Reset"));
  TRY(answer_to(bus_.get(), std::move(call), "Reset"));
  return {};
}

Result<void> BusClient::reload() {
  auto call = TRY(method_call(bus_.get(), "Reload"));
  TRY(answer_to(bus_.get(), std::move(call), "Reload"));
  return {};
}

}  // namespace interlock::daemon
