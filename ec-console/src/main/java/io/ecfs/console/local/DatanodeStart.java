package io.ecfs.console.local;

import io.ecfs.code.GaloisKernel;
import io.ecfs.datanode.server.DatanodeConfig;
import io.ecfs.datanode.server.DatanodeDaemon;
import io.ecfs.env.Environment;
import io.ecfs.error.EcfsException;
import io.ecfs.wire.WireLoops;

/** How a datanode is started in this process: as it is, or with something in front of its disks. */
@FunctionalInterface
public interface DatanodeStart {
    /** As {@link DatanodeDaemon#start(DatanodeConfig, WireLoops, GaloisKernel, Environment)}. */
    DatanodeDaemon start(DatanodeConfig config, WireLoops loops, GaloisKernel kernel, Environment environment)
            throws EcfsException;
}
