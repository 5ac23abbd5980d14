package io.ecfs.torture.fault.process;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** SIGKILL of all daemons at the same time. Their files stay, so nothing acknowledged may be lost. */
public record KillAll() implements Fault {
    @Override
    public String name() {
        return "kill-all";
    }

    @Override
    public Victim victim() {
        return Victim.ALL;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        List<String> all = new ArrayList<>(site.datanodes());
        all.addAll(site.namenodes());
        for (String daemon : all) {
            site.kill(daemon);
        }
        return () -> {
            for (String daemon : all) {
                site.start(daemon);
            }
        };
    }
}
