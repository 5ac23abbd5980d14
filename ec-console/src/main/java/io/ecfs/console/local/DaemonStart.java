package io.ecfs.console.local;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.WireLoops;

/**
 * How daemons are started in this process: as they are, or with something in front of their disks, clocks and
 * connections.
 */
@FunctionalInterface
public interface DaemonStart {
    /** As {@link DatanodeDaemon#start(DatanodeConfig, WireLoops, GaloisKernel, Environment)}. */
    DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException;

    /** What a daemon, datanode or namenode, has in place of the machine's environment. */
    default Environment environment(String daemon, Environment real) {
        return real;
    }
}
