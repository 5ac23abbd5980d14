package io.ecfs.torture.fault.process;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;

/** SIGKILL; started again when it ends. */
public record Kill(Victim victim) implements Fault {
    @Override
    public String name() {
        return "kill-" + victim.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        site.kill(id);
        return () -> site.start(id);
    }
}
