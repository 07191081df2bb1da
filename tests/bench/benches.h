// What is measured, by subject. Each adds its rows to the table, and throws where what it measures does not
// do what it should.
#pragma once

#include "bench/made_host.h"
#include "bench/table.h"
#include "host/host.h"

namespace interlock::bench {

/// One poll of two cards, with its verdicts: ours, the shell's, and bare reads.
void bench_poll(Table& table, Host& host, int runs);

/// All holders of the cards among many processes: in a folder, and of this kernel's own /proc.
void bench_holders(Table& table, Host& host, const Size& size, int runs);
void holders_as_they_grow(Table& table, Host& host, int runs);

void bench_audit(Table& table, const Size& size, int runs);
void audit_as_it_grows(Table& table, int runs);

void bench_plan(Table& table, int runs);
void plan_as_it_grows(Table& table, int runs);

/// A cutover's own time, and a record of its journal on the disk.
void bench_cutover(Table& table, int runs);

}  // namespace interlock::bench
