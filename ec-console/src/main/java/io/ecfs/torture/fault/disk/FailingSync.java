package io.ecfs.torture.fault.disk;

import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.Machines;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * No sync of a datanode's disk succeeds: the volume is out of service until its datanode is started again, on a disk
 * that works.
 */
public record FailingSync() implements MachineFault {
    @Override
    public String name() {
        return "fail-sync";
    }

    @Override
    public Victim victim() {
        return Victim.ROTTEN;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) {
        Machines.Undo undo = site.machines().faults(id, (operation, path, number) -> {
            if (operation == DiskFaults.Operation.SYNC || operation == DiskFaults.Operation.SYNC_DIRECTORY) {
                throw new IOException(path + ": Input/output error");
            }
        });
        return () -> {
            undo.run();
            site.kill(id);
            site.start(id);
        };
    }
}
