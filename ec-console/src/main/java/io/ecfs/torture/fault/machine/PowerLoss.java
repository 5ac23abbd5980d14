package io.ecfs.torture.fault.machine;

import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.SplittableRandom;

/** A datanode's machine loses power: what was written and not synced is lost, torn or out of order. */
public record PowerLoss() implements MachineFault {
    @Override
    public String name() {
        return "lose-power";
    }

    /**
     * A group that is open while its writer idles is not repaired, so that several datanodes in turn would lose more
     * than m of its chunks.
     */
    @Override
    public Victim victim() {
        return Victim.ROTTEN;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        site.machines().losePower(id);
        return () -> site.start(id);
    }
}
