package io.ecfs.console.local;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.WireLoops;

/**
 * Start of daemons in this process: as they are, or with wrapped disks, clocks and connections.
 */
@FunctionalInterface
public interface DaemonStart {
    /** As {@link DatanodeDaemon#start(DatanodeConfig, WireLoops, GaloisKernel, Environment)}. */
    DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException;

    /** The environment of a daemon, datanode or namenode, in place of the machine's. */
    default Environment environment(String daemon, Environment real) {
        return real;
    }
}
