package io.ecfs.sim;

import io.ecfs.message.FilePath;
import java.util.Set;

/**
 * What all parts of one simulation share.
 *
 * @param vanished directories of clients that are gone; grows
 */
record World(SimSettings settings, VirtualTime time, EventTrace trace, SimNetwork network, Set<FilePath> vanished) {}
