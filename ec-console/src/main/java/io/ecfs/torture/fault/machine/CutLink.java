package io.ecfs.torture.fault.machine;

import io.ecfs.torture.fault.MachineFault;
import io.ecfs.torture.fault.Machines;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * One-sided partitions: a client without the leader, or a datanode without all namenodes; requests are lost, or only
 * their answers.
 */
public record CutLink(Victim victim) implements MachineFault {
    @Override
    public String name() {
        return "cut-" + victim.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random)
            throws IOException, InterruptedException {
        List<String> to = victim == Victim.CLIENT ? List.of(site.leader()) : site.namenodes();
        Machines.Lost lost = random.nextBoolean() ? Machines.Lost.REQUESTS : Machines.Lost.ANSWERS;
        return site.machines().cut(id, to, lost)::run;
    }
}
