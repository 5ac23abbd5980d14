package io.ecfs.torture.fault;

import io.ecfs.datanode.store.memory.DiskFaults;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Faults of machines whose daemons and clients all run in this process, by their ids: of disks, clocks and links.
 */
public interface Machines {
    /** Messages that get lost on a link that is cut in one direction. */
    enum Lost {
        REQUESTS,
        ANSWERS
    }

    /** Undoes what was done. */
    interface Undo {
        void run() throws IOException;
    }

    /** Ends a datanode as {@link TortureSite#kill} does, and what it wrote and did not sync is lost or torn. */
    void losePower(String datanode) throws IOException;

    /** The same of several at once, noted in the history: what was not synced may be gone then. */
    void blackOut(List<String> datanodes) throws IOException;

    /** Lets operations of a datanode's disk fail. */
    Undo faults(String datanode, DiskFaults rule);

    /** Flips a bit of a file on a datanode's disk. */
    void flipBit(String datanode, String file);

    /** Lets the medium below one sector of a file on a datanode's disk fail. */
    void failSector(String datanode, String file);

    /** Files on a datanode's disk. */
    List<String> files(String datanode);

    /** Puts an empty disk in the place of a datanode's. */
    Undo unmount(String datanode);

    /** Steps a daemon's wall clock; what measures durations goes on. */
    Undo stepClock(String daemon, Duration by);

    /** Cuts the link from a client or datanode to some namenodes. */
    Undo cut(String from, List<String> namenodes, Lost lost);
}
