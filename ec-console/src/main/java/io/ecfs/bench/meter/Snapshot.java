package io.ecfs.bench.meter;

import io.ecfs.message.Metering;
import java.util.Map;

/**
 * All counters at one moment.
 *
 * @param processes those on this machine, by pid
 */
public record Snapshot(
        long nanos,
        MachineCounters machine,
        Map<Long, ProcessCounters> processes,
        Map<Daemon, Metering.Counts> daemons) {}
