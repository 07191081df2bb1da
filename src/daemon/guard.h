// The guard: all cards, and what they share. It answers the control interface, reports itself below /run and
// to the service manager, and takes a new policy whole or not at all.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "daemon/card_watch.h"
#include "daemon/control_server.h"
#include "daemon/device_watch.h"
#include "daemon/guard_file.h"
#include "daemon/policy_source.h"
#include "daemon/service_manager.h"

namespace interlock::daemon {

class Guard final : public ControlMethods {
 public:
  struct Start {
    std::string root;
    std::string boot_id;
    PolicyChoice policy;
  };
  /// Holds the guard's lock throughout: the caller's.
  Guard(EventLoop& loop, Host& host, const ReaderProgram& readers, PolicySource& source,
        ServiceManager& manager, Start start);

  /// Opens the control socket and begins to look.
  Result<void> begin();
  /// Ends every helper; nothing stays frozen.
  void end();
  void reload_policy(const Reply& reply);
  /// Tells a trouble that changes nothing for the cards, once.
  void complain(const std::string& sentence);

  std::string status() override;
  void reset(const std::string& card, bool force, const std::string& reason, Reply reply) override;
  void reload(Reply reply) override { reload_policy(reply); }

 private:
  using Cards = std::list<std::unique_ptr<CardWatch>>;
  std::unique_ptr<CardWatch> new_card(const PolicyCard& card);
  Result<void> adopt(const Policy& policy);
  CardWatch* find(const std::string& card);
  void watch_devices();
  void judge_all();
  void judged();
  void tick();
  void feed();
  void report(bool fresh);
  bool on_time(Instant now) const;
  std::string sentence() const;
  void write_metrics(Instant now);

  EventLoop& loop_;
  Host& host_;
  PolicySource& source_;
  ServiceManager& manager_;
  GuardFiles files_;
  LeftBehind left_behind_;
  HolderWatch holders_;
  Teller teller_;
  Surroundings around_;
  std::string broken_;  // what is wrong with the policy; empty: nothing
  KeptTrips kept_;
  std::string damaged_;  // why what the last run remembered cannot be believed
  Cards cards_;
  std::unique_ptr<ControlServer> control_;
  std::unique_ptr<DeviceWatch> devices_;
  bool ready_ = false;
  std::string reported_;       // the states that the report on disk gives
  std::string complained_of_;  // told once, not each second
  Instant metrics_at_{};
  Timer tick_;
  Timer feed_;
};

}  // namespace interlock::daemon
