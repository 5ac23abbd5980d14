package io.ecfs.torture.fault.disk;

import io.ecfs.datanode.store.io.VolumeFullException;
import io.ecfs.datanode.store.memory.DiskFaults;
import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.Machines;
import io.ecfs.torture.fault.TortureSite;
import java.util.SplittableRandom;

/** A datanode's disk takes no more bytes (ENOSPC), though it said that it has room. */
public record FullDisk() implements MachineFault {
    @Override
    public String name() {
        return "fill-disk";
    }

    @Override
    public Victim victim() {
        return Victim.DATANODE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) {
        Machines.Undo undo = site.machines().faults(id, (operation, path, number) -> {
            if (operation == DiskFaults.Operation.WRITE || operation == DiskFaults.Operation.CREATE) {
                throw new VolumeFullException(path + ": No space left on device");
            }
        });
        return undo::run;
    }
}
