package io.ecfs.torture.fault.disk;

import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.TortureSite;
import java.util.SplittableRandom;

/**
 * One bit of a file on a disk in memory changes.
 *
 * @param part which of a chunk's files, as in {@link FlipBit}
 */
public record RottenBit(String part) implements MachineFault {
    @Override
    public String name() {
        return "flip-" + part;
    }

    @Override
    public Victim victim() {
        return Victim.ROTTEN;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) {
        StoredFiles.any(site.machines().files(id), "." + part, random)
                .ifPresent(file -> site.machines().flipBit(id, file));
        return () -> {};
    }
}
