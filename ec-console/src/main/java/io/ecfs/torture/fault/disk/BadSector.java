package io.ecfs.torture.fault.disk;

import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.TortureSite;
import java.util.SplittableRandom;

/**
 * The medium below one sector of a published chunk's file fails: what lies there cannot be read (EIO), all else can.
 */
public record BadSector() implements MachineFault {
    @Override
    public String name() {
        return "bad-sector";
    }

    @Override
    public Victim victim() {
        return Victim.ROTTEN;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) {
        String ending = random.nextInt(4) == 0 ? ".sum" : ".data";
        StoredFiles.any(site.machines().files(id), ending, random)
                .ifPresent(file -> site.machines().failSector(id, file));
        return () -> {};
    }
}
