package io.ecfs.fault.inject;

import io.ecfs.fault.victim.PlacedGroup;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The cluster of an experiment, as injectors reach it. */
public interface LabSite {
    /** Ends a daemon with SIGKILL and returns when it has ended. */
    void kill(String daemon) throws IOException;

    /** Stops a daemon in order. */
    void stop(String daemon) throws IOException;

    /** Starts an ended daemon; returns before it is ready. A no-op for one that runs. */
    void start(String daemon) throws IOException;

    /** The process of a daemon; empty when it has ended. */
    Optional<ProcessHandle> process(String daemon);

    /** Proxies before a datanode, and between it and the namenodes. */
    DatanodeLinks links(String datanode);

    /** Home of a datanode. */
    Path home(String datanode);

    /** Directory of a volume. */
    Path directory(StoredVolume volume);

    /** Disk below a volume. */
    LabDisks disks();

    /** Where chunks lie now. */
    Placement placement() throws IOException, InterruptedException;

    /** File of a chunk's bytes on a volume; empty when it is not there. */
    Optional<Path> chunkFile(PlacedGroup group, int index, StoredVolume volume) throws IOException;
}
