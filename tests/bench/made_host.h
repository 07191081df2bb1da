// Hosts as folders for --root, as large as the budgets of the design name them (section 10).
#pragma once

#include <string>
#include <vector>

#include "tree.h"

namespace interlock::bench {

struct Size {
  int processes = 5000;
  int descriptors = 10;    // of each process
  int in_containers = 60;  // of the processes: half in container 120, half in 123
  int containers = 500;
};

/// The two cards of two-v620 and /proc with `size.processes` in it, of which one in each of the containers
/// 120 and 123 has a card open; they and 121 are the only containers.
void write_busy_host(tests::Tree& tree, const Size& size);

/// The two cards of two-v620 and `size.containers` configurations: 120 and 123 bind a card each, every fifth
/// of the others runs, all have their generated configuration and a snapshot.
void write_host_of_containers(tests::Tree& tree, const Size& size);

}  // namespace interlock::bench
