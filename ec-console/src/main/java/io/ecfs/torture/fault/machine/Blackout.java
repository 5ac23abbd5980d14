package io.ecfs.torture.fault.machine;

import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The machines of several datanodes, or of all, lose power at the same time: what clients had synced is there
 * afterwards.
 */
public record Blackout() implements MachineFault {
    @Override
    public String name() {
        return "blackout";
    }

    @Override
    public Victim victim() {
        return Victim.ALL;
    }

    @Override
    public Inflicted inflict(TortureSite site, String all, SplittableRandom random) throws IOException {
        List<String> datanodes = new ArrayList<>(site.datanodes());
        int spared = random.nextBoolean() ? 0 : random.nextInt(datanodes.size() - 1);
        for (int i = 0; i < spared; i++) {
            datanodes.remove(random.nextInt(datanodes.size()));
        }
        site.machines().blackOut(datanodes);
        return () -> {
            for (String datanode : datanodes) {
                site.start(datanode);
            }
        };
    }
}
