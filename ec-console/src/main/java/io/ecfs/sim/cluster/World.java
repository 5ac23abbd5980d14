package io.ecfs.sim.cluster;

import io.ecfs.message.FilePath;
import io.ecfs.sim.network.SimNetwork;
import io.ecfs.sim.time.EventTrace;
import io.ecfs.sim.time.VirtualTime;
import java.util.Set;

/**
 * What all parts of one simulation share.
 *
 * @param vanished directories of clients that are gone; grows
 */
public record World(
        SimSettings settings, VirtualTime time, EventTrace trace, SimNetwork network, Set<FilePath> vanished) {}
