package io.ecfs.torture.fault.disk;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.Machines;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * A datanode is started while its drive is not mounted: it must refuse the empty directory in its place, and serve when
 * the drive is back.
 */
public record Unmount() implements MachineFault {
    @Override
    public String name() {
        return "unmount";
    }

    @Override
    public Victim victim() {
        return Victim.DATANODE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        site.kill(id);
        Machines.Undo mount = site.machines().unmount(id);
        try {
            requireRefused(site, id);
        } finally {
            mount.run();
        }
        return () -> site.start(id);
    }

    private static void requireRefused(TortureSite site, String id) throws IOException {
        try {
            site.start(id);
        } catch (EcfsException e) {
            if (e.code() == ErrorCode.VOLUME_FAILED) {
                return;
            }
            throw e;
        }
        throw new EcfsException(
                ErrorCode.INTERNAL, id + " serves an empty directory in the place of a drive that it knows");
    }
}
